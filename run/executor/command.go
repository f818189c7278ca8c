package executor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/machine"
)

// Command carries out attempts by shell commands of somebody's own: over ssh, or through
// a scheduler that benchguide does not know.
type Command struct {
	Profile  machine.Command
	Commands Commands // Host if nil
	Pace     Pace
}

var _ Executor = Command{}

// Run submits the attempt, unless that was done before, and waits for it.
func (c Command) Run(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error {
	if sealed(folder) {
		return tidy(folder)
	}
	j := c.job(folder, o.Nonce)
	n, last, ok, err := readNote(folder)
	if err != nil {
		return err
	}
	if !ok {
		if err := j.submit(ctx); err != nil {
			return err
		}
		n, last = note{ID: j.id}, time.Now()
	}
	if err := j.adopt(n); err != nil {
		return err
	}
	return newFollower(j, j.Pace, folder, o.Nonce, last, seen).follow(ctx)
}

// Recover waits for what an earlier runner submitted.
func (c Command) Recover(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error {
	n, last, ok, err := left(folder)
	if err != nil || !ok {
		return err
	}
	j := c.job(folder, o.Nonce)
	if err := j.adopt(n); err != nil {
		return err
	}
	return newFollower(j, j.Pace, folder, o.Nonce, last, seen).settle(ctx)
}

// job returns the attempt's job, not yet submitted.
func (c Command) job(folder, name string) *commandJob {
	c.Pace = c.Pace.or()
	if c.Commands == nil {
		c.Commands = Host{}
	}
	return &commandJob{Command: c, folder: folder, name: name}
}

// commandJob is one attempt that a command started.
type commandJob struct {
	Command
	folder string
	name   string
	id     string
}

var _ job = (*commandJob)(nil)

// submit runs the submit command once. It is never tried again by itself: unlike Slurm's
// jobs, these cannot be looked up by name to see whether a first try has arrived.
func (j *commandJob) submit(ctx context.Context) error {
	if err := writeNote(j.folder, note{Name: j.name}); err != nil {
		return err
	}
	// Not ended with ctx: half a submission may be a job whose id nobody knows.
	out, err := j.run(context.WithoutCancel(ctx), j.Profile.Submit)
	if err != nil {
		return fmt.Errorf("command.submit of machine.yaml did not end, and whether it started %s is not known: %w", j.name, err)
	}
	if out.Status != 0 {
		return errors.Join(&failure{kind: ErrRefused, found: fmt.Sprintf("command.submit ended with status %d: %s", out.Status, message(out, nil)),
			next: "try it by hand, then correct it in machine.yaml"}, tidy(j.folder))
	}
	// The id is the last line, behind whatever else the command had to say.
	lines := strings.Split(strings.TrimSpace(out.Stdout), "\n")
	j.id = strings.TrimSpace(lines[len(lines)-1])
	return writeNote(j.folder, note{Name: j.name, ID: j.id})
}

// adopt takes the id from a note.
func (j *commandJob) adopt(n note) error {
	j.id = n.ID
	if j.id == "" && strings.Contains(j.Profile.Poll+j.Profile.Cancel, "{id}") {
		return fmt.Errorf("submitting %s was interrupted before it printed an id: see whether something of that name runs, end it, then delete %s", j.name, j.folder)
	}
	return nil
}

// look runs the poll command. A word that is none of the three means that nobody
// answered, as a failure does: a network that is down must not make an attempt lost.
func (j *commandJob) look(ctx context.Context) sight {
	out, err := j.run(ctx, j.Profile.Poll)
	word := strings.TrimSpace(out.Stdout)
	switch {
	case err != nil || out.Status != 0:
		return sight{state: unknown, text: "command.poll failed: " + message(out, err)}
	case word == "running":
		return sight{state: running, text: j.name + " runs"}
	case word == "done":
		return sight{state: ended, text: j.name + " is done and left no " + attempt.ResultFile,
			next: "see that command.fetch of machine.yaml brings all of " + j.folder + ", and what 'benchguide attempt' printed there"}
	case word == "lost":
		return sight{state: ended, text: "command.poll says that " + j.name + " is lost", next: "a new attempt can be made"}
	}
	return sight{state: unknown, text: fmt.Sprintf("command.poll printed %q, not running, done or lost: correct it in machine.yaml", oneLine(word))}
}

// ask runs the cancel command: it is both the request and the end, since nobody says
// which of them it is.
func (j *commandJob) ask(ctx context.Context, _ sight) error { return j.end(ctx) }

// end runs the cancel command.
func (j *commandJob) end(ctx context.Context) error {
	return j.must(ctx, "command.cancel", j.Profile.Cancel)
}

// fetch runs the fetch command, if there is one.
func (j *commandJob) fetch(ctx context.Context) error {
	if j.Profile.Fetch == "" {
		return nil
	}
	return j.must(ctx, "command.fetch", j.Profile.Fetch)
}

// must runs a command that has to succeed.
func (j *commandJob) must(ctx context.Context, what, template string) error {
	out, err := j.run(ctx, template)
	if err != nil || out.Status != 0 {
		return fmt.Errorf("%s failed: %s", what, message(out, err))
	}
	return nil
}

// run fills a template in and gives it to the shell.
func (j *commandJob) run(ctx context.Context, template string) (Output, error) {
	ctx, cancel := context.WithTimeout(ctx, j.Pace.Command)
	defer cancel()
	return j.Commands.Command(ctx, "sh", "-c", Fill(template, j.folder, j.name, j.id))
}

// Fill puts an attempt into a template. Each value is one word of the shell, so that a
// folder with a space in its name needs no quotes in the template.
func Fill(template, folder, name, id string) string {
	return strings.NewReplacer("{folder}", quoted(folder), "{name}", quoted(name), "{id}", quoted(id)).Replace(template)
}
