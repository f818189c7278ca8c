package bench

import (
	"container/heap"
	"context"
	"fmt"
	"maps"
	"math"
	"strconv"
	"sync"
	"time"
)

// A rehearsal measures a fake engine, which stamps each chunk with the time that a real
// one would have taken. The stamps depend on the request and on the load that is stated
// in headers, and the run's timeline is worked out from them: what a rehearsal prints is
// the same to the last digit, however slow or busy the machine is. Time limits are of real
// time all the same: they are there for what hangs.

// The headers that state the load to the fake engine.
const (
	LoadHeader = "X-Benchguide-Load" // most requests that are in flight at once
	RateHeader = "X-Benchguide-Rate" // requests a second, where they arrive by a schedule
)

// States returns the headers that state the load. From the rate the engine works out how
// many requests are in flight on average (Little's law), up to the bound that is stated
// beside it.
func (l Load) States() map[string]string {
	bound := len(l.Prompts)
	if l.Concurrency > 0 {
		bound = min(bound, l.Concurrency)
	}
	headers := map[string]string{LoadHeader: strconv.Itoa(max(bound, 1))}
	if n := len(l.Due); n > 0 && l.Due[n-1] > 0 {
		headers[RateHeader] = strconv.FormatFloat(float64(n)/l.Due[n-1].Seconds(), 'g', -1, 64)
	}
	return headers
}

// together is how many requests of a schedule are really under way at once in a
// rehearsal. No time depends on it.
const together = 16

// rehearse sends everything as fast as it is answered, and works out when it would have
// been sent.
func rehearse(ctx context.Context, s Sender, l Load) Result {
	outcomes := sendInOrder(ctx, s, l.Prompts, l.Concurrency)
	r := Timeline(outcomes, l.Due, l.Concurrency)
	r.Self = Self{CPU: -1} // the client bounds nothing: no time is its own
	return r
}

// sendInOrder begins requests in the order of the prompts. A prompt that repeats an
// earlier one waits for its end, since the first of them is answered more slowly: which
// one that is must not depend on who is faster.
func sendInOrder(ctx context.Context, s Sender, prompts []Prompt, concurrency int) []Outcome {
	if concurrency <= 0 {
		concurrency = together
	}
	places := make(chan struct{}, min(concurrency, max(len(prompts), 1)))
	latest := map[string]chan struct{}{}
	outcomes := make([]Outcome, len(prompts))
	var running sync.WaitGroup
	for i, p := range prompts {
		if !wait(ctx, places, 0) {
			outcomes[i] = Outcome{Prompt: p, Err: "not sent: " + context.Cause(ctx).Error()}
			continue
		}
		before, ended := latest[p.Text], make(chan struct{})
		latest[p.Text] = ended
		running.Go(func() {
			defer func() { close(ended); <-places }()
			if before != nil {
				<-before // it was begun earlier, so that it ends without this one
			}
			outcomes[i] = s.Do(ctx, p)
		})
	}
	running.Wait()
	return outcomes
}

// Timeline puts outcomes whose times are known on the timeline of a run: each begins
// when it is due, its predecessor has begun, and one of the places is free; 0 places are
// any number. The run ends with the last of them.
func Timeline(outcomes []Outcome, due []time.Duration, places int) Result {
	r := Result{Outcomes: outcomes}
	var busy ends
	begun := time.Duration(0)
	for i := range outcomes {
		o := &outcomes[i]
		o.Due = due[i]
		begun = max(begun, o.Due)
		if places > 0 && len(busy) == places {
			begun = max(begun, heap.Pop(&busy).(time.Duration))
		}
		o.Sent = begun
		heap.Push(&busy, o.Sent+o.End)
		r.Duration = max(r.Duration, o.Sent+o.End)
	}
	return r
}

// ends is a heap of when the requests under way end.
type ends []time.Duration

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i] < e[j] }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(time.Duration)) }
func (e *ends) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}

// stamp returns the time that the engine says a chunk came at.
func (c *chunk) stamp() (time.Duration, error) {
	if c.Clock == nil {
		return 0, fmt.Errorf("a chunk without benchguide_clock: this server is no fake engine, and a rehearsal takes its times from one; leave --rehearsal out to measure it")
	}
	// Microseconds are what the engine stamps: rounding to them makes the time exact.
	us := math.Round(*c.Clock * 1e6)
	if !(us >= 0 && us < 1e15) {
		return 0, fmt.Errorf("a chunk with benchguide_clock %v, which is no time in seconds", *c.Clock)
	}
	return time.Duration(us) * time.Microsecond, nil
}

// Rehearse makes the client one for rehearsals of a load.
func (c *Client) Rehearse(l Load) {
	c.Rehearsal = true
	headers := maps.Clone(c.Headers)
	if headers == nil {
		headers = map[string]string{}
	}
	maps.Copy(headers, l.States())
	c.Headers = headers
}
