package attempt

import (
	"context"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"benchguide/run/proc"
)

// versionWait bounds how long a client may take to say its version. Python's clients
// import all of an engine first.
const versionWait = 2 * time.Minute

// askClients asks the clients for their versions while the server starts, since nothing
// else has to be done then. Before anything is measured the answers are waited for.
func (j *job) askClients(ctx context.Context) {
	if j.order.Rehearse != nil {
		return // it is this very program
	}
	questions := map[string][]string{}
	for _, w := range j.order.Workloads {
		if c, err := j.clientOf(w); err == nil {
			questions[c.ID()] = c.VersionWords(j.clients())
		}
	}
	answers := make(chan string, 1)
	ctx, j.stopAsking = context.WithCancel(ctx)
	j.clientVersions = answers
	// With the attempt's mark, so that one that hangs is found and ended with all else.
	mark := proc.NonceVar + "=" + j.tag
	go func() {
		var all []string
		for _, id := range slices.Sorted(maps.Keys(questions)) {
			environ := append(slices.Clone(j.deps.Environ), mark)
			for name, value := range j.clientEnv(id) {
				environ = append(environ, name+"="+value) // the later one counts
			}
			// Most say their name with it.
			version := strings.TrimSpace(strings.TrimPrefix(ask(ctx, questions[id], environ), id+" "))
			all = append(all, strings.TrimSpace(id+" "+version))
		}
		answers <- strings.Join(all, ", ")
	}()
}

// forgetClients gives up what was asked, and returns when nobody is being asked any more:
// an attempt that failed early must leave no client behind that still starts.
func (j *job) forgetClients() {
	if j.stopAsking != nil {
		j.stopAsking()
		<-j.clientVersions
	}
}

// ask returns the last line that a command prints, "" if it fails: not to know a version
// is no reason to measure nothing.
func ask(ctx context.Context, words, environ []string) string {
	ctx, cancel := context.WithTimeout(ctx, versionWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env, cmd.WaitDelay = environ, time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// recordClients waits for what the clients said. One that still starts would take
// processors from what is measured.
func (j *job) recordClients(ctx context.Context) error {
	if j.clientVersions == nil {
		return nil
	}
	select {
	case versions := <-j.clientVersions:
		set(&j.record.Environment, "client", versions)
		j.stopAsking()
		j.stopAsking = nil
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
