package proc

import (
	"fmt"
	"syscall"
	"time"
)

// NonceVar is the variable that carries an attempt's nonce to every process of it.
const NonceVar = "BENCHGUIDE_ATTEMPT"

// markVar carries the mark of one start. An attempt's server and its client share a nonce;
// without the mark, stopping one of them would end the other, too. A process that was
// started by a marked one has a mark that begins with the starter's.
const markVar = "BENCHGUIDE_PROCESS"

// Spec is a process to be started.
type Spec struct {
	Words  []string
	Env    map[string]string // beside the inherited one
	Dir    string            // the runner's own if empty
	Stdout string            // file that output is appended to; nothing is kept if empty
	Stderr string            // may be the same file
	Nonce  string            // of the attempt
}

// Identity is what a process can be known by later, by another runner, too.
type Identity struct {
	PID       int      `json:"pid"`
	StartTime uint64   `json:"start_time"` // in clock ticks since the machine was booted
	Boot      string   `json:"boot"`       // id of the boot in which that was
	Nonce     string   `json:"nonce,omitempty"`
	Mark      string   `json:"mark,omitempty"` // of the start; see Start
	Words     []string `json:"words,omitempty"`
}

// String names a process in a sentence.
func (id Identity) String() string {
	name := "unknown program"
	if len(id.Words) > 0 {
		name = shorten(id.Words)
	}
	return fmt.Sprintf("process %d (%s)", id.PID, name)
}

// Ladder is how a process is asked to end, and how long it may take.
type Ladder struct {
	Signal syscall.Signal // for the leader, so that it tidies up; SIGTERM if 0
	Grace  time.Duration  // for all of it to end by itself
	Kill   time.Duration  // for what got SIGKILL to be gone; 10 s if 0
}

func (l Ladder) signal() syscall.Signal {
	if l.Signal == 0 {
		return syscall.SIGTERM
	}
	return l.Signal
}

func (l Ladder) kill() time.Duration {
	if l.Kill <= 0 {
		return 10 * time.Second
	}
	return l.Kill
}

// Exit is how a process ended. An engine that exits with 0 may have failed all the same.
type Exit struct {
	Code   int            `json:"code"` // -1 if a signal ended it, or if it runs still
	Signal syscall.Signal `json:"signal,omitempty"`
	Text   string         `json:"text"` // for a sentence: "exit code 2", "signal 9 (killed)"
}

// shorten prints the beginning of a command, which can be pages long.
func shorten(words []string) string {
	const most = 80
	text := ""
	for i, w := range words {
		if i > 0 {
			text += " "
		}
		text += w
		if len(text) > most {
			return text[:most] + "..."
		}
	}
	return text
}
