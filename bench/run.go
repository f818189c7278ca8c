package bench

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Load is what is sent, and when.
type Load struct {
	Prompts     []Prompt
	Warmups     []Prompt        // sent before, with the same concurrency, and measured by nobody
	Due         []time.Duration // of each prompt, none before the one above
	Concurrency int             // the most that are under way at once; 0: any number
	Deadline    time.Duration   // for the measured part; what is under way then has failed; 0: none
	Rehearsal   bool            // times are those of the outcomes, and not of this machine

	// Begin is called between the warm-up and the measured part, which waits for it; nil: nothing is.
	Begin func(context.Context)
}

// Result is a run as recorded.
type Result struct {
	Began    time.Time
	Outcomes []Outcome // in the order of the prompts
	Duration time.Duration
	Self     Self
}

// Sender sends one prompt. [Client] is one.
type Sender interface {
	Do(ctx context.Context, p Prompt) Outcome
}

var _ Sender = (*Client)(nil)

// Run warms up and measures. Requests are begun in the order of the prompts, whatever
// limits them. The error is the context's, or says that every warm-up failed: a
// measurement after that would only fail more slowly.
func Run(ctx context.Context, s Sender, l Load) (Result, error) {
	if len(l.Due) != len(l.Prompts) {
		return Result{}, fmt.Errorf("%d due times for %d prompts", len(l.Due), len(l.Prompts))
	}
	if err := warmUp(ctx, s, l); err != nil {
		return Result{}, err
	}
	if l.Begin != nil {
		l.Begin(ctx)
	}
	runCtx := ctx
	if l.Deadline > 0 {
		var cancel context.CancelFunc
		runCtx, cancel = context.WithTimeoutCause(ctx, l.Deadline, fmt.Errorf("the deadline of the run, %s, has passed", l.Deadline))
		defer cancel()
	}
	if l.Rehearsal {
		r := rehearse(runCtx, s, l)
		return r, ctx.Err()
	}
	defer collectSeldom()()
	watch := watchSelf()
	began := time.Now()
	outcomes := dispatch(runCtx, s, l.Prompts, l.Due, l.Concurrency, began)
	r := Result{Began: began, Outcomes: outcomes, Duration: time.Since(began)}
	r.Self = watch.stop(r.Duration)
	r.Self.TTFT = meanTTFT(outcomes)
	return r, ctx.Err()
}

func warmUp(ctx context.Context, s Sender, l Load) error {
	if len(l.Warmups) == 0 {
		return ctx.Err()
	}
	var outcomes []Outcome
	if l.Rehearsal {
		outcomes = sendInOrder(ctx, s, l.Warmups, l.Concurrency)
	} else {
		outcomes = dispatch(ctx, s, l.Warmups, make([]time.Duration, len(l.Warmups)), l.Concurrency, time.Now())
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range outcomes {
		if outcomes[i].OK() {
			return nil
		}
	}
	return fmt.Errorf("all %d warm-up requests failed, the first with: %s", len(outcomes), outcomes[0].Err)
}

// dispatch sends each prompt when it is due and a place is free. One loop does both:
// goroutines that wait for a place would take it in any order.
func dispatch(ctx context.Context, s Sender, prompts []Prompt, due []time.Duration, concurrency int, began time.Time) []Outcome {
	if concurrency <= 0 || concurrency > len(prompts) {
		concurrency = max(len(prompts), 1)
	}
	places := make(chan struct{}, concurrency)
	outcomes := make([]Outcome, len(prompts))
	var running sync.WaitGroup
	for i, p := range prompts {
		if !wait(ctx, places, due[i]-time.Since(began)) {
			outcomes[i] = Outcome{Prompt: p, Due: due[i], Sent: time.Since(began), Err: "not sent: " + context.Cause(ctx).Error()}
			continue
		}
		running.Go(func() {
			defer func() { <-places }()
			sent := time.Since(began)
			o := s.Do(ctx, p)
			o.Due, o.Sent = due[i], sent
			outcomes[i] = o
		})
	}
	running.Wait()
	return outcomes
}

// wait returns when the time has passed and a place was taken, or false when the run
// is over before that.
func wait(ctx context.Context, places chan<- struct{}, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		}
	}
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// collectSeldom lets garbage grow to five times what is live before it is collected, until
// what it returns is called. With a thousand streams on two cores, collections as frequent
// as Go's default are what delays chunks most: the late per cent is 12 ms late with them,
// and 1.6 ms without. The live heap is small, so that memory does not matter.
func collectSeldom() (restore func()) {
	const percent = 400
	runtime.GC() // what preparing has left is not collected while something is measured
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}
