package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"benchguide/study"
)

// open finds or makes the run, takes its lock, ends what an earlier runner left, and
// prepares what all attempts need.
func (r *runner) open(ctx context.Context) error {
	if err := r.load(); err != nil {
		return err
	}
	id, fresh, err := choose(r.folder, r.options, r.deps.Now())
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(r.options.Dir) // attempts may be carried out elsewhere
	if err != nil {
		return err
	}
	r.id, r.dir = id, filepath.Join(dir, "runs", id)
	if err := r.possible(fresh); err != nil {
		return err
	}
	if err := r.enter(ctx, fresh); err != nil {
		return err
	}
	changed, err := r.changed()
	if err != nil {
		return err
	}
	if step := r.first(); step.amiss {
		return refuse("run %s cannot be gone on with: %s", r.id, step.Stuck)
	}
	works, err := r.works(ctx, r.dir)
	if err != nil {
		return err
	}
	// Nothing refuses the run from here on, so that its folder may be changed.
	if err := r.tidy(); err != nil {
		return err
	}
	if r.journal, err = openJournal(r.dir); err != nil {
		return err
	}
	if err := r.accept(changed); err != nil {
		return err
	}
	if err := r.recover(ctx); err != nil {
		return err
	}
	if err := r.prepare(works); err != nil {
		return err
	}
	return r.begin(fresh)
}

// possible refuses a study that no run can be made of, on whatever machine.
func (r *runner) possible(fresh bool) error {
	if err := Clients(&r.folder.Study); err != nil {
		return &Refusal{err.Error(), true}
	}
	if step := r.first(); fresh && step.Stuck != "" {
		return &Refusal{step.Stuck, true}
	}
	return nil
}

// first is what would come next, as far as the study and the starts that are there say.
func (r *runner) first() Step { return Next(r.folder, r.id, nil, r.plan, "") }

// enter takes the run's lock where the machine is ready for it, and makes a new one.
func (r *runner) enter(ctx context.Context, fresh bool) (err error) {
	// A run that is there is locked before anything is looked at: what is found out about a
	// machine on which another runner works would be about that runner.
	if !fresh {
		if r.release, err = lock(r.dir); err != nil {
			return err
		}
	}
	if err := r.deps.Ready(ctx, r.folder); err != nil {
		return err
	}
	if !fresh {
		return nil
	}
	// A new one is made only now, so that a run that cannot begin leaves no folder.
	if err := r.create(ctx); err != nil && !exists(r.dir) {
		return err
	}
	// If somebody else was faster, the lock says who.
	r.release, err = lock(r.dir)
	return err
}

// works are the prompts of a run, which are made where they are not there yet. They come
// before everything that is measured, and are never made again: whatever they depend on may
// have changed since. Without them nothing is started, whatever the reason.
func (r *runner) works(ctx context.Context, dir string) (Works, error) {
	works, err := r.deps.Works(ctx, r.folder, filepath.Join(dir, promptsDir))
	if err != nil && ctx.Err() == nil {
		err = &Refusal{Message: err.Error()}
	}
	return works, err
}

// tidy removes halves of this run's folder, which runners left that were killed while they
// made it. It is there now, so that nobody is making it any more.
func (r *runner) tidy() error {
	halves, err := filepath.Glob(filepath.Join(filepath.Dir(r.dir), partOf(r.id)))
	for _, half := range halves {
		err = errors.Join(err, os.RemoveAll(half))
	}
	return err
}

// load reads the study again: what was measured since is part of it.
func (r *runner) load() error {
	f, problems, err := Load(r.options.Dir)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return &Problems{problems}
	}
	plan, err := PlanOf(&f.Study)
	if err != nil {
		return refuse("study.yaml: %v", err)
	}
	r.folder, r.plan = f, plan
	return nil
}

// add reads what an attempt has left, where it is a start. The rest of the study is not
// read again: it stays what it was when this invocation began.
func (r *runner) add(place string) error {
	if !strings.HasPrefix(filepath.Base(place), "start-") {
		return nil
	}
	studyDir := filepath.Dir(filepath.Dir(r.dir))
	rel, err := filepath.Rel(studyDir, place)
	if err != nil {
		return err
	}
	if problems := r.folder.Add(os.DirFS(filepath.Dir(studyDir)), r.id, filepath.ToSlash(rel)); len(problems) > 0 {
		return &Problems{problems}
	}
	return nil
}

// Problems are what is wrong with a study that was to be run.
type Problems struct{ List []study.Problem }

// Error has the first of them; whoever can print more takes the list.
func (p *Problems) Error() string {
	return fmt.Sprintf("the study cannot be run: it has %d problems, the first: %v", len(p.List), p.List[0])
}

func (r *runner) create(ctx context.Context) error {
	m := MeasuredBy(r.folder)
	seed := r.plan.Seed
	info := study.RunInfo{Schema: study.RunSchema, Date: r.deps.Now().Format(time.DateOnly), Client: cmp.Or(r.options.Client, "unknown"), Seed: &seed, Plan: m.Digest()}
	baseline, err := r.folder.Study.Derive(study.Configuration{}, r.folder.Study.Baseline)
	switch {
	case r.options.Rehearse != nil:
		info.Mark = study.MarkRehearsed
	case err == nil && r.deps.Dummy(baseline):
		info.Mark = study.MarkDummyWeights
	}
	return create(r.dir, func(part string) error {
		_, err := r.works(ctx, part)
		return errors.Join(err, m.write(part), writeInfo(part, info))
	})
}

// run is this run as it was last loaded; empty before the first load after it was made.
func (r *runner) run() study.Run {
	run, _ := r.folder.Run(r.id)
	return run
}

// prepare makes what is the same in all orders.
func (r *runner) prepare(works Works) error {
	identity := r.deps.Identity
	if r.options.Rehearse != nil {
		identity = RehearsalIdentity
	}
	name, err := sitting(r.dir, identity)
	if err != nil {
		return err
	}
	r.orders = orders{folder: r.folder, plan: r.plan, machine: r.options.Machine, works: works, sitting: name, rehearse: r.options.Rehearse}
	return nil
}

// begin says that the run begins, and remembers what had failed before.
func (r *runner) begin(fresh bool) error {
	if err := r.load(); err != nil {
		return err
	}
	failed, err := ReadFailed(r.dir)
	if err != nil {
		return err
	}
	if r.options.Rehearse == nil {
		r.laps = lapsOf(r.run().Starts)
	}
	// Whoever resumes a run has seen why it stopped. What failed before counts no more, or
	// a run that three lost nodes have stopped could never go on.
	r.old = map[string]int{}
	for _, f := range failed {
		r.old[f.Ref]++
	}
	text := fmt.Sprintf("Run %s of %s begins.", r.id, r.folder.ID)
	if !fresh {
		text = fmt.Sprintf("Run %s of %s goes on: %d starts are finished.", r.id, r.folder.ID, len(r.run().Starts))
	}
	r.tell(Event{Kind: Began, Made: len(r.run().Starts), Text: text})
	return nil
}

// failed lists the failed attempts. In path order those of a ref that lay there before
// come first.
func (r *runner) failed() ([]Failed, error) {
	list, err := ReadFailed(r.dir)
	seen := map[string]int{}
	for i := range list {
		list[i].Old = seen[list[i].Ref] < r.old[list[i].Ref]
		seen[list[i].Ref]++
	}
	return list, err
}
