package attempt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"benchguide/bench"
	"benchguide/run/client"
	"benchguide/run/machine"
	"benchguide/run/proc"
)

// asking is a client that is to be run, and what for.
type asking struct {
	work   Work
	place  place
	client client.Client
	trial  client.Trial
	launch client.Launch
}

// asked puts the client's command together. Every rehearsal is measured by our own
// client, which alone reads the fake engine's clock.
func (j *job) asked(w Work, p place, rate float64) (asking, error) {
	a := asking{work: w, place: p}
	var err error
	if a.client, err = j.clientOf(w); err != nil {
		return a, err
	}
	prompts, err := readPrompts(w.Prompts) // counted anew: the order's count is a word, this is what is sent
	if err != nil {
		return a, err
	}
	a.trial = client.Trial{
		Workload: w.Workload, Rate: rate, Prompts: w.Prompts, Count: len(prompts), Output: outputOf(prompts),
		Model: j.config.Command.Model, Served: j.order.Nonce, Tokenizer: j.tokenizer(), Host: host, Port: j.port,
		Temperature: j.order.Temperature, IgnoreEOS: !j.order.StopAtEOS, Limits: j.order.Limits,
		Folder: p.folder, Result: p.name,
	}
	if r := j.order.Rehearse; r != nil {
		a.trial.TimeScale = r.TimeScale
	}
	if a.launch, err = a.client.Launch(a.trial, j.clients()); err != nil {
		return a, infraFault("correct the workload's command in study.yaml", "the client's command cannot be put together: %v", err)
	}
	return a, nil
}

// clientOf returns the client that the workload names. A client that nobody knows is no
// fault of the candidate.
func (j *job) clientOf(w Work) (client.Client, error) {
	if j.order.Rehearse != nil {
		return client.Own(), nil
	}
	c, err := j.deps.Client(w.Workload.Command)
	if err != nil {
		return nil, infraFault("correct the workload's command in study.yaml", "client: %v", err)
	}
	return c, nil
}

// clients is the machine's profile, with this program as our own client.
func (j *job) clients() machine.Profile {
	m := j.profile()
	id := client.Own().ID()
	if len(m.Clients[id].Program) == 0 && len(j.deps.Own) > 0 {
		all := map[string]machine.Client{id: {Program: j.deps.Own}}
		for name, c := range m.Clients {
			if name != id {
				all[name] = c
			}
		}
		m.Clients = all
	}
	return m
}

// clientEnv is what machine.yaml sets for a client, its own before that of everything.
func (j *job) clientEnv(id string) map[string]string {
	env := map[string]string{}
	maps.Copy(env, j.order.Machine.Env)
	maps.Copy(env, j.order.Machine.Clients[id].Env)
	return env
}

// tokenizer is where clients find it: beside the model.
func (j *job) tokenizer() string {
	if path, ok := j.profile().ModelPath(j.config.Command.Model); ok {
		return path
	}
	return j.config.Command.Model
}

// outputOf is how many tokens the answers must have where none may end early.
func outputOf(prompts []bench.Prompt) int {
	tokens := 0
	for _, p := range prompts {
		tokens += p.Output
	}
	return tokens
}

// runClient runs the client and watches both it and the server meanwhile.
func (j *job) runClient(ctx context.Context, a asking, t *trial) (proc.Exit, error) {
	p, err := j.start("client "+a.place.name, proc.Spec{
		Words: a.launch.Words, Env: a.launch.Env, Stdout: a.place.file(".txt"), Stderr: a.place.file(".log"),
	})
	if err != nil {
		return proc.Exit{}, j.clientFault(a, err.Error())
	}
	deadline := j.order.Patience.Client
	if a.launch.Deadline > 0 {
		deadline = min(deadline, a.launch.Deadline)
	}
	err = j.guarded(ctx, a.place.during(), func(ctx context.Context) error {
		return j.awaitClient(ctx, p, deadline, t)
	})
	// What it started goes with it, and it itself if the watching ended the trial.
	stopped := p.Stop(context.WithoutCancel(ctx), proc.Ladder{Grace: clientGrace, Kill: killWait})
	if err != nil {
		return p.Exit(), err
	}
	return p.Exit(), stopped
}

// clientGrace is how long a client may take to end: it has nothing to tidy up.
const clientGrace = 5 * time.Second

// awaitClient waits for the client's end, and takes down how much processor it uses.
func (j *job) awaitClient(ctx context.Context, p *proc.Process, deadline time.Duration, t *trial) error {
	limit := time.NewTimer(deadline)
	defer limit.Stop()
	looks := time.NewTicker(j.deps.Poll)
	defer looks.Stop()
	for {
		if j.order.Rehearse == nil { // its time is not of this machine, and is not kept
			t.look(j.deps.Now(), p.Identity())
		}
		select {
		case <-p.Done():
			t.end(j.deps.Now())
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-limit.C:
			return flakyFault("see its log and that of the server; a server that only is slow needs more patience", "the client was not done after %s, although the server lives", deadline)
		case <-looks.C:
		}
	}
}

// examine reads what the client left. One that left no result at all has failed for a
// reason of its own, since the server lives and is ours.
func (j *job) examine(a asking, exit proc.Exit, t *trial) error {
	printed, err := os.ReadFile(a.place.file(".txt"))
	if err != nil {
		return err
	}
	var written []byte
	if t.result != "" {
		written, err = os.ReadFile(t.result)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// The exit code is not asked: clients end with 0 after every request has failed, and with
	// another code beside a whole result.
	t.counts, t.wrong = client.Check(a.trial, printed, written)
	if t.counts.Completed == client.Unknown && t.counts.Seconds == client.Unknown {
		return j.clientFault(a, fmt.Sprintf("it left no result (%s)%s", exit.Text, lastWords(a.place)))
	}
	if t.result != "" && written == nil {
		t.wrong = append(t.wrong, "the client wrote no result file")
	}
	return nil
}

// clientFault is the machine's: the same client measures every candidate.
func (j *job) clientFault(a asking, what string) error {
	return infraFault(fmt.Sprintf("see that the client runs on this machine, or say in machine.yaml under clients how %s is started", a.client.ID()),
		"client %s failed for a reason of its own: %s", a.client.ID(), what)
}

// lastWords are the last lines that a client printed, errors first.
func lastWords(p place) string {
	const few = 3
	for _, ext := range []string{".log", ".txt"} {
		lines, err := proc.LogTail(p.file(ext), few)
		if err == nil && len(lines) > 0 {
			return ": " + strings.Join(slices.Compact(lines), " | ")
		}
	}
	return ""
}
