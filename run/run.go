package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchguide/run/attempt"
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
	took    []time.Duration // by the attempts of this invocation
	memory  Memory
}

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
	if !fresh {
		if r.release, err = lock(r.dir); err != nil {
			return err
		}
	}
	if err := r.deps.Ready(ctx, r.folder); err != nil {
		return err
	}
	if fresh {
		if err := r.create(); err != nil {
			return err
		}
		if r.release, err = lock(r.dir); err != nil {
			return err
		}
	}
	if r.journal, err = openJournal(r.dir); err != nil {
		return err
	}
	if err := r.unchanged(); err != nil {
		return err
	}
	if err := r.recover(ctx); err != nil {
		return err
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	return r.begin(fresh)
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

func (r *runner) create() error {
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
	return create(r.dir, info, m)
}

// unchanged compares what the study asks for with what it asked for when the run began.
func (r *runner) unchanged() error {
	before, err := readMeasured(r.dir)
	if err != nil {
		return err
	}
	now := MeasuredBy(r.folder)
	changed := before.Changed(now)
	switch {
	case len(changed) > 0 && !r.options.AcceptChanges:
		return refuse("the study has changed since run %s began: %s; undo that, begin another run with --name, or go on with --accept-changes",
			r.id, strings.Join(changed, ", "))
	case len(changed) > 0:
		r.tell(Event{Kind: Noted, Text: "The study has changed since the run began, and the run goes on with it: " + strings.Join(changed, ", ") + "."})
		info := r.run().Info
		info.Plan = now.Digest()
		return errors.Join(now.write(r.dir), writeInfo(r.dir, info))
	case before.Source != now.Source:
		r.tell(Event{Kind: Noted, Text: "study.yaml has changed since the run began, but only in what is not measured."})
	}
	return nil
}

// run is this run as it was last loaded; empty before the first load after it was made.
func (r *runner) run() study.Run {
	run, _ := r.folder.Run(r.id)
	return run
}

// prepare makes what is the same in all orders.
func (r *runner) prepare(ctx context.Context) error {
	works, err := r.deps.Works(ctx, r.folder, filepath.Join(r.dir, promptsDir))
	if err != nil {
		return err
	}
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
		if why, err := r.attempt(ctx, *step.Start, failed, OutlookOf(r.folder, r.id, r.plan, step)); why != "" || err != nil {
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
		next := r.estimate()
		spent := r.deps.Now().Sub(r.began)
		if spent+next > r.options.Budget {
			return fmt.Sprintf("the budget of %s is spent: the next start takes about %s, and %s are left; --resume goes on",
				Span(r.options.Budget), Span(next), Span(max(0, r.options.Budget-spent)))
		}
	}
	return ""
}

// estimate is how long the next attempt takes, by the monotonic clock where this
// invocation has made any.
func (r *runner) estimate() time.Duration {
	if len(r.took) > 0 {
		sorted := slices.Sorted(slices.Values(r.took))
		return sorted[len(sorted)/2]
	}
	if r.options.Rehearse != nil {
		return time.Second // nothing is waited for in one, and what is in its files is simulated
	}
	d, _ := each(r.folder, r.id)
	return d
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

// tell completes an event, writes it down and hands it on. A journal that cannot be
// written is said once and stops nothing: nothing is decided by it.
func (r *runner) tell(e Event) {
	e.Time, e.Run = r.deps.Now().UTC().Round(time.Millisecond), r.id
	if e.journaled() && r.journal != nil {
		if err := r.journal.add(e); err != nil && !r.told["journal"] {
			r.told["journal"] = true
			r.deps.Seen(Event{Time: e.Time, Run: r.id, Kind: Noted, Text: "The journal cannot be written: " + err.Error() + "."})
		}
	}
	r.deps.Seen(e)
}

// announce says what a step has decided that was not said before.
func (r *runner) announce(step Step) {
	once := func(key string, e Event) {
		if !r.told[key] {
			r.told[key] = true
			r.tell(e)
		}
	}
	for _, d := range step.Decided {
		for _, l := range d.Departed {
			once("left "+l.Ref, leftEvent(d.Stage, l))
		}
		once("decided "+d.Stage, Event{Kind: Decided, Stage: d.Stage, Block: d.Block, Decision: &d, Text: decisionText(d)})
		confirming := step.Start != nil && step.Start.Stage == d.Stage
		if d.Confirmed > 0 && !confirming {
			once("confirmed "+d.Stage, Event{Kind: Confirmed, Stage: d.Stage, Decision: &d, Text: confirmedText(d)})
		}
		for _, n := range d.Notes {
			once("note "+n, Event{Kind: Noted, Stage: d.Stage, Text: sentence(n)})
		}
	}
	for _, l := range step.Left {
		stage, _, _ := strings.Cut(l.Ref, "/")
		once("left "+l.Ref, leftEvent(stage, l))
	}
	for _, n := range step.Notes {
		once("note "+n, Event{Kind: Noted, Text: sentence(n)})
	}
}

func leftEvent(stage string, l Departure) Event {
	return Event{Kind: LeftStage, Stage: stage, Candidate: lastOf(l.Ref), Block: l.Block, Text: fmt.Sprintf("%s is measured no more: %s.", l.Ref, l.Why)}
}

// attempt carries one start out and files what came of it. It returns why the run must
// end, if it must.
func (r *runner) attempt(ctx context.Context, s Start, failed []Failed, outlook Outlook) (why string, err error) {
	order, err := r.orders.of(s)
	if err != nil {
		return "no order could be given", err
	}
	work := filepath.Join(r.dir, workDir, order.Nonce)
	if err := give(work, order); err != nil {
		return "no order could be given", err
	}
	event := Event{Stage: s.Stage, Candidate: s.Candidate, Start: s.Number, Try: s.Try, Block: s.Block, Confirms: s.Phase == study.Confirm}
	ordered := event
	ordered.Kind, ordered.Made, ordered.Least, ordered.Most, ordered.Each = Ordered, len(r.run().Starts), outlook.Least, outlook.Most, r.estimate().Seconds()
	ordered.Text = fmt.Sprintf("%s, start %d%s: %s.", s.Ref(), s.Number, again(s.Try), s.Why)
	r.tell(ordered)
	began := r.deps.Now()
	err = r.deps.Executor.Run(ctx, work, order, func(a attempt.Event) {
		e := event
		e.Kind, e.Phase, e.Workload, e.Tokens, e.Text = Phased, a.Phase, a.Workload, a.Tokens, a.Text
		r.tell(e)
	})
	took := r.deps.Now().Sub(began)
	event.Seconds = took.Round(time.Millisecond).Seconds()
	if err != nil {
		return r.lost(ctx, work, order, event, err)
	}
	why, err = r.file(work, order, s, failed, event)
	if err == nil {
		r.took = append(r.took, took)
	}
	return why, err
}

func again(try int) string {
	if try == 1 {
		return ""
	}
	return fmt.Sprintf(" (try %d)", try)
}

// lost files an attempt of which nothing came back. One that ended with the run is
// simply left, to be ended for certain by the next runner.
func (r *runner) lost(ctx context.Context, work string, o attempt.Order, e Event, cause error) (string, error) {
	if ctx.Err() != nil {
		return "it was stopped", errors.Join(ctx.Err(), cause)
	}
	if err := errors.Join(publishLost(r.dir, work, o, cause.Error()), forgetOrder(work)); err != nil {
		return "the attempt in hand is lost", errors.Join(cause, err)
	}
	e.Kind, e.Class, e.Text = FailedNow, study.FailInfra, fmt.Sprintf("%s, start %d is lost: %v.", o.Stage+"/"+o.Candidate, o.Number, cause)
	r.tell(e)
	return "", nil
}

// file publishes a sealed attempt.
func (r *runner) file(work string, o attempt.Order, s Start, failed []Failed, e Event) (why string, err error) {
	result, sealed, err := attempt.Sealed(work)
	switch {
	case err != nil:
		return "the attempt in hand cannot be used", err
	case !sealed:
		return r.lost(context.Background(), work, o, e, errors.New("its executor left no result"))
	}
	place, err := publish(r.dir, work, o, result, failed)
	if err != nil {
		return "the attempt in hand could not be filed", err
	}
	if err := r.add(place); err != nil {
		return "what the attempt in hand left cannot be read", err
	}
	r.tell(resultEvent(e, o, result))
	if result.Dirty {
		next := result.Next
		if next == "" {
			next = "see with nvidia-smi who holds them, and reset them or restart the machine"
		}
		return fmt.Sprintf("the GPUs did not come free after %s, so nothing may be started on them: %s; --resume then goes on", s.Ref(), next), nil
	}
	return "", nil
}

// publish files a sealed attempt. The last attempt that a configuration is given is a
// start, with its failure, and no failed attempt: that it does not run is a result.
func publish(dir, work string, o attempt.Order, result attempt.Result, failed []Failed) (string, error) {
	s := Start{Stage: o.Stage, Candidate: o.Candidate, Block: o.Block, Phase: o.Phase}
	as := result
	if result.State == attempt.Failed && GiveUp(failed, s, result.Class) {
		as.Class = study.FailConfig
	}
	place, err := attempt.Publish(work, dir, o, as)
	return place, errors.Join(err, forgetOrder(work))
}
