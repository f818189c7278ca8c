// Package client knows how each benchmark client is run, and whether what it left is a
// whole result. One file a client.
package client

import (
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// Trial is one workload to be measured on one server.
type Trial struct {
	Workload    study.Workload
	Rate        float64 // requests a second; 0 for the workload's own load
	Prompts     string  // prompt file: {"prompt", "output_tokens"} on each line
	Count       int     // prompts in it
	Output      int     // tokens of all their answers; 0 where not known
	Model       string  // the id, as results name it
	Served      string  // the name under which the server knows it
	Tokenizer   string  // local path, or the id
	Host        string
	Port        int
	Temperature float64
	IgnoreEOS   bool
	Limits      []study.Limit // for goodput
	Folder      string        // for the client's own result
	Result      string        // name of that file, without its ending
	TimeScale   float64       // of a rehearsal; 0: this is none
}

// Launch is a command that runs a client.
type Launch struct {
	Words    []string
	Env      map[string]string
	Result   string        // file that it writes its own result to; "" if none
	Deadline time.Duration // after which it is ended
}

// Client is what is known of running one benchmark client.
type Client interface {
	// ID is vllm, sglang, guidellm or benchguide.
	ID() string
	// Launch puts the command together from the one that the workload prints.
	Launch(t Trial, m machine.Profile) (Launch, error)
	// VersionWords is a command that prints the client's version.
	VersionWords(m machine.Profile) []string
}
