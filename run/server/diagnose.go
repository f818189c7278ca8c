package server

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"benchguide/study"
)

// ExitInfo is how a server's process ended, as far as is known.
type ExitInfo struct {
	Exited      bool
	Code        int            // meaningful if it exited by itself
	Signal      syscall.Signal // 0 if no signal ended it
	StoppedByUs bool           // the runner asked it to stop, so that its end is no failure
}

// Diagnosis is why a server failed. Its zero value says that it did not.
type Diagnosis struct {
	Class  string // study.FailConfig, FailInfra or FailFlaky; "" for no failure
	Reason string // the line of the log that says so, or how the process ended
	Next   string // what to do about it
	Line   int    // of the log, from 1; 0 if the reason is in no line
	// GPUNotClean says that the GPU may have been in use by something else: the
	// configuration is to blame only if the GPUs were proved free before the start.
	GPUNotClean bool
}

// Failed reports whether something failed.
func (d Diagnosis) Failed() bool { return d.Class != "" }

// nearby is how many lines below the first sign of death its cause may stand: a
// traceback of each of eight workers.
const nearby = 800

// Diagnose says why a server failed, from its log first: exit codes of engines mean little.
// vLLM ends with 0 when its engine has died, and what looks like a crash in a log may be
// the noise of a stop that was asked for. A server that runs and logged nothing wrong
// has not failed.
func Diagnose(log []byte, exit ExitInfo) Diagnosis {
	all := lines(log)
	before, stop := untilTold(all)
	if d := cause(before); d.Failed() {
		return d
	}
	if l, hanging := hangLine(before); hanging {
		return at(l, study.FailFlaky, "the engine hung with requests running; it is tried once more")
	}
	if exit.StoppedByUs {
		return Diagnosis{}
	}
	if stop != nil {
		return at(*stop, study.FailInfra, "something else than this run stopped the server; keep other jobs away from the machine")
	}
	if !exit.Exited {
		return Diagnosis{}
	}
	if d := rootOf(all); d.Failed() {
		return d
	}
	return fromExit(all, exit)
}

// untilTold returns the lines before the stop that somebody asked for, and its first
// line; all lines and nil if nobody did.
func untilTold(all []line) ([]line, *line) {
	for i, l := range all {
		if !l.frame() && told(l) {
			return all[:i], &all[i]
		}
	}
	return all, nil
}

// cause returns the first line with a known reason. What comes long after the engine's
// death is a consequence; then the death itself is what is known.
func cause(all []line) Diagnosis {
	death, dead := match(all, deaths())
	reason, found := match(all, causes())
	if found && (!dead || reason.Line <= death.Line+nearby) {
		return reason
	}
	if dead {
		if root := rootOf(all); root.Failed() {
			death.Reason, death.Line = root.Reason, root.Line
		}
	}
	return death
}

// match returns the first line that shows one of the signatures.
func match(all []line, list []signature) (Diagnosis, bool) {
	for _, l := range all {
		if l.frame() || wrapped(l) {
			continue
		}
		for _, s := range list {
			if (s.calm || !l.harmless()) && (!s.loose || l.failure()) && holds(l.text, s.texts...) {
				d := at(l, s.class, s.next)
				d.GPUNotClean = s.dirty
				return d, true
			}
		}
	}
	return Diagnosis{}, false
}

// process is an engine's child: what fails there is the cause of what its parent says.
var process = regexp.MustCompile(`^\(?(?:EngineCore|Worker|VllmWorker|WorkerProc)|\bTP\d+\b|scheduler|\[rank\d+\]`)

// rootOf reads an error that no signature knows: the first that a child process reports,
// or else the first at all. Of a traceback it is the last line that says what happened.
// The wrapper is where reading upwards begins, if there is one.
func rootOf(all []line) Diagnosis {
	if i := slices.IndexFunc(all, wrapped); i >= 0 {
		if d := firstError(all[:i], true); d.Failed() {
			return d
		}
	}
	if d := firstError(all, true); d.Failed() {
		return d
	}
	return firstError(all, false)
}

// firstError returns what the first error comes down to, among those of child processes
// if asked. An error may be a traceback, whose reason is its last line, or a line alone.
func firstError(all []line, child bool) Diagnosis {
	const next = "see the lines around this one in server.log; nothing is known of this error, so it is tried once more"
	for i, l := range all {
		begins := strings.HasPrefix(l.message, "Traceback (most recent call last)")
		if !begins && !l.failure() || child && !process.MatchString(l.text) || wrapped(l) {
			continue
		}
		for _, end := range all[i:min(len(all), i+nearby)] {
			if !end.frame() && end.concludes() && !wrapped(end) {
				return at(end, study.FailFlaky, next)
			}
		}
		if !begins {
			return at(l, study.FailFlaky, next)
		}
	}
	return Diagnosis{}
}

// at makes a diagnosis of a line.
func at(l line, class, next string) Diagnosis {
	return Diagnosis{Class: class, Reason: shorten(strings.TrimSpace(l.text), reasonLimit), Next: next, Line: l.number}
}

// reasonLimit is what fits a line of a table.
const reasonLimit = 200

// fromExit judges by how the process ended, where its log says nothing.
func fromExit(all []line, exit ExitInfo) Diagnosis {
	last := Diagnosis{}
	for _, l := range slices.Backward(all) {
		if strings.TrimSpace(l.text) != "" {
			last = at(l, study.FailFlaky, "")
			break
		}
	}
	said := ""
	if last.Line > 0 {
		said = "; the last line of its log: " + last.Reason
	}
	d := Diagnosis{Class: study.FailFlaky, Line: last.Line, Next: "see the end of server.log; it is tried once more"}
	switch {
	case exit.Signal == syscall.SIGKILL:
		d.Class, d.Next = study.FailInfra, "look for the out-of-memory killer in the kernel's log; the machine may have too little memory"
		d.Reason = "the server was killed" + said
	case exit.Signal != 0:
		d.Reason = fmt.Sprintf("the server was ended by signal %d (%v)%s", int(exit.Signal), exit.Signal, said)
	case exit.Code == 2: // argparse and click end so when they do not understand the command
		d.Class, d.Next = study.FailConfig, checkFlags
		d.Reason = "the server ended with code 2, as for a wrong option" + said
	case exit.Code == 126, exit.Code == 127: // a shell's or an env's
		d.Class, d.Next = study.FailInfra, whereIsIt
		d.Reason = fmt.Sprintf("the server ended with code %d: its program cannot be started%s", exit.Code, said)
	default:
		d.Reason = fmt.Sprintf("the server ended by itself, with code %d%s", exit.Code, said)
	}
	d.Reason = shorten(d.Reason, reasonLimit)
	return d
}
