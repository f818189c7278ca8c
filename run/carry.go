package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"benchguide/run/attempt"
	"benchguide/study"
)

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
	ordered.Kind, ordered.Made, ordered.Least, ordered.Most, ordered.Each = Ordered, len(r.run().Starts), outlook.Least, outlook.Most, outlook.Each.Seconds()
	ordered.Text = fmt.Sprintf("%s, start %d%s: %s.", s.Ref(), s.Number, again(s.Try), s.Why)
	r.tell(ordered)
	// Times are differences of one clock, the monotonic one: a clock that is set meanwhile
	// changes nothing.
	began := r.deps.Now()
	err = r.deps.Executor.Run(ctx, work, order, func(a attempt.Event) {
		e := event
		e.Kind, e.Phase, e.Workload, e.Tokens, e.Text, e.Warning = Phased, a.Phase, a.Workload, a.Tokens, a.Text, a.Warning
		r.tell(e)
	})
	took := r.deps.Now().Sub(began)
	event.Seconds = took.Round(time.Millisecond).Seconds()
	if err != nil {
		return r.lost(ctx, work, order, event, err)
	}
	return r.file(work, order, s, failed, event)
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
	r.tell(resultEvent(r.measured(e, place), o, result))
	// An attempt that failed says nothing of how long the next one takes.
	if result.State == attempt.Done {
		r.made++
		r.laps = append(r.laps, lap{s.Ref(), o.Engine, time.Duration(e.Seconds * float64(time.Second))})
	}
	// The start itself counts: it was measured before the GPUs were found dirty. Nothing may
	// follow on them, since whatever holds them would be measured, too.
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
