// Package attempt carries out one start of one candidate with the trials beneath it, and
// leaves a folder that says how it went.
//
// What it does is a list of steps (see Run): checks, the server's start, its identity, a
// warm-up, the workloads. The first that fails ends the attempt, and whatever happened the
// server is stopped, the GPUs are proved free and the folder is sealed. A failure has one of
// the classes of package study and a sentence on what to do; results that must not be used
// are kept, with the reason. Nothing here decides whether to try again.
//
// No exit code and no health check is believed alone. That a server is ready is known when
// it has generated something under the attempt's nonce; that it died, from its process, and
// why, from its log; that a trial is whole, from the counts in what the client left.
//
// The folder is written under .work/NONCE and renamed when it is complete. In it:
//
//	order.json                 what was asked; gone when the folder is complete
//	events.jsonl               what happened, while it happens; gone too
//	processes.json             what was started, for whoever cleans up after a crash; gone too
//	job.*                      an executor's own; gone too, and never under the seal
//	attempt.json               how the start was made (study.Attempt)
//	WORKLOAD.txt, .json        what the client printed and saved
//	WORKLOAD.log               what it printed on standard error
//	server.log, gpu.csv        what the server logged; the GPUs once a second
//	warmup.log                 the windows of the warm-up
//	sweep/WORKLOAD-RATE.*      each rate of a sweep, of which WORKLOAD.* is the best
//	metrics-before-WORKLOAD.prom, metrics-after-WORKLOAD.prom, server_info.json
//	result.json                the seal (Result): written last
package attempt

import (
	"cmp"
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// Schema is the version of order.json and result.json.
const Schema = 1

// Order is everything that an attempt needs, so that it can be carried out far from the
// runner that gave it.
type Order struct {
	Schema    int    `json:"schema"`
	Nonce     string `json:"nonce"` // letters, digits and dashes
	Study     string `json:"study"`
	Stage     string `json:"stage"`
	Candidate string `json:"candidate"`
	Number    int    `json:"number"` // of the start, for start-N or failed-N
	Block     int    `json:"block"`
	Sitting   string `json:"sitting"`
	Phase     string `json:"phase,omitempty"`

	Engine  string            `json:"engine"`
	Version string            `json:"version"`
	Command string            `json:"command"` // as the study derives it
	Env     map[string]string `json:"env,omitempty"`

	Model     study.Model     `json:"model"`
	Hardware  study.Hardware  `json:"hardware"`
	Machine   machine.Profile `json:"machine"`
	Warmup    Work            `json:"warmup"`
	Workloads []Work          `json:"workloads"`
	Limits    []study.Limit   `json:"limits,omitempty"`

	Temperature float64   `json:"temperature"`
	StopAtEOS   bool      `json:"stop_at_eos,omitempty"`
	Patience    Patience  `json:"patience"`
	Rehearse    *Rehearse `json:"rehearse,omitempty"`
}

// Work is a list of prompts and the load under which they are sent.
type Work struct {
	Workload study.Workload `json:"workload"`
	Prompts  string         `json:"prompts"` // file
	Digest   string         `json:"digest"`
	Count    int            `json:"count"`
}

// Patience is how long an attempt waits.
type Patience struct {
	Start  time.Duration `json:"start"`  // for a server to be ready, at the very most
	Stall  time.Duration `json:"stall"`  // without any sign of progress while it starts
	Client time.Duration `json:"client"` // for one client
	Free   time.Duration `json:"free"`   // for the GPUs to be free again
}

// DefaultPatience is an hour for a start that shows progress every ten minutes: cold
// compile caches and large weights take that long, and a hang shows nothing.
func DefaultPatience() Patience {
	return Patience{Start: time.Hour, Stall: 10 * time.Minute, Client: 2 * time.Hour, Free: 2 * time.Minute}
}

// orDefault fills in what is left out.
func (p Patience) orDefault() Patience {
	d := DefaultPatience()
	return Patience{Start: cmp.Or(p.Start, d.Start), Stall: cmp.Or(p.Stall, d.Stall), Client: cmp.Or(p.Client, d.Client), Free: cmp.Or(p.Free, d.Free)}
}

// Rehearse says that a fake engine takes the server's place.
type Rehearse struct {
	TimeScale float64  `json:"time_scale"`       // of its clock: 0.01 makes a second last 10 ms
	Program   []string `json:"program"`          // words that start the fake engine, before the serving command
	Seed      int      `json:"seed"`             // of what differs between starts
	Script    string   `json:"script,omitempty"` // file with faults to show
}

// Result is the seal of an attempt: what it came to, and the digest of every file.
// A folder without one is an attempt that did not happen.
type Result struct {
	Schema  int               `json:"schema"`
	State   State             `json:"state"`
	Class   string            `json:"class,omitempty"` // of the failure
	Reason  string            `json:"reason,omitempty"`
	Invalid string            `json:"invalid,omitempty"`
	Next    string            `json:"next,omitempty"`  // what to do about it
	Dirty   bool              `json:"dirty,omitempty"` // the GPUs did not come free: nothing may be started on them
	Files   map[string]string `json:"files"`           // name to SHA-256
}

// State is what an attempt came to.
type State string

// The states of a sealed attempt.
const (
	Done   State = "done"   // every trial was measured; Invalid may still forbid its use
	Failed State = "failed" // see Class
)

// ResultFile is the name of the seal.
const ResultFile = "result.json"

// Event is something that happened in an attempt, for whoever watches.
type Event struct {
	Time     time.Time `json:"time"`
	Nonce    string    `json:"nonce"`
	Phase    Phase     `json:"phase"`
	Workload string    `json:"workload,omitempty"`
	Text     string    `json:"text,omitempty"`    // a sentence for a person
	Warning  bool      `json:"warning,omitempty"` // it is not how things should go, and is told nowhere else
	Tokens   float64   `json:"tokens,omitempty"`  // tokens per second now, where known
}

// Phase is what an attempt is at.
type Phase string

// The phases in their order.
const (
	Checking  Phase = "checking" // GPUs free, port, programs
	Starting  Phase = "starting" // until the server has answered
	Warming   Phase = "warming-up"
	Measuring Phase = "measuring"
	Stopping  Phase = "stopping"
	Freeing   Phase = "freeing" // until the GPUs are proved free
	Sealing   Phase = "sealing"
)
