package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"benchguide/study"
)

// Run carries a study out until it is done or has to stop. An error of type *Refusal
// says that nothing was started; the context's error, that a person stopped it, with
// everything that was finished in place.
func Run(ctx context.Context, o Options, d Deps) (out Outcome, err error) {
	r := &runner{options: o, deps: d, began: d.Now(), told: map[string]bool{}, memory: Memory{}}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.open(ctx); err != nil {
		return Outcome{}, err
	}
	return r.loop(ctx)
}

// runner is a run under way.
type runner struct {
	options Options
	deps    Deps
	began   time.Time // by the monotonic clock: what follows does not depend on how the clock is set
	folder  *study.Folder
	plan    Plan
	id, dir string
	orders  orders
	journal *journal
	release func() error
	old     map[string]int // failed attempts that lay there when the run went on, by ref
	told    map[string]bool
	laps    []lap // of the starts so far, those of this invocation by the monotonic clock
	made    int   // attempts of this invocation that measured something
	memory  Memory
}

// loop makes one start after the other.
func (r *runner) loop(ctx context.Context) (Outcome, error) {
	for {
		failed, err := r.failed()
		if err != nil {
			return r.outcome(Step{}, "its files cannot be read"), err
		}
		step := r.memory.Next(r.folder, r.id, failed, r.plan, r.orders.sitting)
		r.announce(step)
		if why := r.ends(ctx, step); why != "" || step.Done() {
			return r.end(step, why), ctx.Err()
		}
		if why, err := r.attempt(ctx, *step.Start, failed, r.outlook(step)); why != "" || err != nil {
			return r.end(step, why), err
		}
	}
}

// ends returns why no further start is made, "" if nothing speaks against it.
func (r *runner) ends(ctx context.Context, step Step) string {
	switch {
	case ctx.Err() != nil:
		return "it was stopped"
	case step.Start == nil:
		return step.Stuck
	case r.options.Budget > 0:
		return r.tooLate(step)
	}
	return ""
}

// pace is that of all starts of the run, those of other sittings too: the first start on a
// machine finds its caches empty, and alone would be a bad measure of the second.
func (r *runner) pace() pace {
	p := paceOf(&r.folder.Study, r.laps)
	// Nothing is waited for in a rehearsal, and what is in its files is simulated.
	p.simulated = r.options.Rehearse != nil
	if p.simulated && len(p.laps) == 0 {
		p.laps = []lap{{took: time.Second}}
	}
	return p
}

// outlook is what the run has before it.
func (r *runner) outlook(step Step) Outlook {
	n := &next{folder: r.folder, study: &r.folder.Study, run: r.id, plan: r.plan, step: step, starts: r.run().Starts}
	return n.outlook(r.pace())
}

func (r *runner) outcome(step Step, why string) Outcome {
	return Outcome{Run: r.id, Dir: r.dir, Step: step, Made: len(r.run().Starts), Why: why}
}

// end says how the run ends. Of a finished one nothing is left that is of no use.
func (r *runner) end(step Step, why string) Outcome {
	out := r.outcome(step, why)
	if why != "" {
		r.tell(Event{Kind: Stopped, Made: out.Made, Text: "The run ends here: " + why + "."})
		return out
	}
	// Attempts that were put aside are of use while somebody may still ask what happened.
	if err := os.RemoveAll(filepath.Join(r.dir, workDir)); err != nil {
		r.tell(Event{Kind: Noted, Text: "The folder of attempts under way could not be removed: " + err.Error() + "."})
	}
	r.tell(Event{Kind: Ended, Made: out.Made, Text: fmt.Sprintf("Run %s is done after %d starts.", r.id, out.Made)})
	return out
}

func (r *runner) close() error {
	var errs []error
	if r.journal != nil {
		errs = append(errs, r.journal.close())
	}
	if r.release != nil {
		errs = append(errs, r.release())
	}
	return errors.Join(errs...)
}
