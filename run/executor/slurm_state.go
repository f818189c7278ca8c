package executor

import (
	"fmt"
	"strings"

	"benchguide/run/attempt"
)

// Record is what Slurm says of a job. Its text output is read and not its JSON, whose
// types change between versions and whose exit codes are wrong in some.
type Record struct {
	ID     string
	Name   string
	State  string // first word: a cancelled job says by whom behind it
	Exit   string // status:signal
	Reason string
	Nodes  string
}

// ParseScontrol reads a line of `scontrol -o show job`. ok is false if it is none.
func ParseScontrol(text string) (r Record, ok bool) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	// A name may hold spaces and equals signs; it stands between these two fields in every
	// version, and what follows begins behind it.
	head, rest, found := strings.Cut(line, " UserId=")
	id, name, named := strings.Cut(head, " JobName=")
	if !found || !named || !strings.HasPrefix(id, "JobId=") {
		return Record{}, false
	}
	// Arrays and parts of heterogeneous jobs have further fields before the name.
	id, _, _ = strings.Cut(strings.TrimPrefix(id, "JobId="), " ")
	r = Record{ID: id, Name: name}
	for _, field := range strings.Fields(rest) {
		key, value, _ := strings.Cut(field, "=")
		// The first of a key counts: comments and commands of users come later in the line.
		switch {
		case key == "JobState" && r.State == "":
			r.State = value
		case key == "ExitCode" && r.Exit == "":
			r.Exit = value
		case key == "Reason" && r.Reason == "":
			r.Reason = value
		case key == "NodeList" && r.Nodes == "":
			r.Nodes = value
		}
	}
	r.Reason, r.Nodes = known(r.Reason), known(r.Nodes)
	return r, r.ID != "" && r.State != ""
}

// sacctFields are asked for and read in this order: few, because a field that a version
// does not know makes it refuse the whole call.
const sacctFields = "JobID,JobName,State,ExitCode,NodeList"

// ParseSacct reads the lines of `sacct -X -n -P` with [sacctFields] and returns the last
// one of that name: accounting also holds older jobs under the same id. For a moment
// every new job is called "allocation" there, which is no more than not knowing it yet.
func ParseSacct(text, name string) (r Record, ok bool) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if len(f) != 5 || f[0] == "" || f[1] != name || f[2] == "" {
			continue
		}
		state, _, _ := strings.Cut(f[2], " ")
		r, ok = Record{ID: f[0], Name: f[1], State: state, Exit: f[3], Nodes: known(strings.ReplaceAll(f[4], "None assigned", ""))}, true
	}
	return r, ok
}

// ParseSqueue reads lines of `squeue -h -o '%i|%j|%T'` and returns the job of that name.
func ParseSqueue(text, name string) (r Record, ok bool) {
	for line := range strings.Lines(text) {
		id, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "|")
		// The state is behind the last bar: a name may hold one.
		bar := strings.LastIndexByte(rest, '|')
		if bar > 0 && rest[:bar] == name && id != "" && rest[bar+1:] != "" {
			r, ok = Record{ID: id, Name: name, State: rest[bar+1:]}, true
		}
	}
	return r, ok
}

// ParseSbatch reads what `sbatch --parsable` prints: the id, and the cluster behind a
// semicolon on sites with several. Plugins of a site print lines of their own before it.
func ParseSbatch(text string) (id string, ok bool) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	id, _, _ = strings.Cut(strings.TrimSpace(lines[len(lines)-1]), ";")
	if id == "" || strings.Trim(id, "0123456789") != "" {
		return "", false
	}
	return id, true
}

// known returns "" for Slurm's words for nothing.
func known(s string) string {
	switch s {
	case "(null)", "None", "N/A":
		return ""
	}
	return s
}

// sight says what a record means for whoever waits.
func (r Record) sight(folder string) sight {
	switch r.State {
	case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD":
		text := "job " + r.ID + " waits in the queue"
		if r.Reason != "" {
			text += ": " + r.Reason
		}
		return sight{state: waiting, text: text}
	}
	found, next, over := r.end(folder)
	if !over {
		// RUNNING, COMPLETING, SUSPENDED and whatever a newer version calls it: it is there.
		return sight{state: running, text: "job " + r.ID + " is " + r.State}
	}
	if r.Nodes != "" {
		found += " on " + r.Nodes
	}
	return sight{state: ended, text: "job " + r.ID + " " + found, next: next}
}

// end says how the job ended without a seal and what to do about it; over is false if it
// has not ended.
func (r Record) end(folder string) (found, next string, over bool) {
	const again = "a new attempt can be made"
	switch strings.TrimRight(r.State, "+") { // sacct cuts words that are wider than its column
	case "COMPLETED":
		return "ended with status 0 and wrote no " + attempt.ResultFile,
			"see that the nodes share the file system of " + folder, true
	case "FAILED":
		if r.Exit == "0:53" {
			return "could not write its output", "the nodes must share the file system of " + folder + " and may write there", true
		}
		return fmt.Sprintf("failed with status %s (status:signal)", r.Exit), "what it printed says why; see slurm.setup in machine.yaml", true
	case "TIMEOUT", "DEADLINE":
		return "reached its time limit", "raise slurm.time in machine.yaml", true
	case "OUT_OF_MEMORY":
		return "was killed for its memory", "ask for more in slurm.options of machine.yaml, such as --mem=64G", true
	case "NODE_FAIL", "BOOT_FAIL", "LAUNCH_FAILED", "RECONFIG_FAIL":
		return "ended because its node failed", again + "; if it fails again, keep away from the node by --exclude in slurm.options of machine.yaml", true
	case "PREEMPTED":
		return "was preempted", again + "; a partition or QOS that is not preempted avoids it", true
	case "CANCELLED":
		return "was cancelled by somebody", again, true
	case "REVOKED", "EXPIRED":
		return "was revoked by the cluster", again, true
	}
	return "", "", false
}
