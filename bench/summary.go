package bench

import (
	"math"
	"slices"
	"time"
)

// Goodput is the limits that a request must keep to be good. Zero is no limit.
type Goodput struct{ TTFT, TPOT, E2E time.Duration }

// Any reports whether there is a limit.
func (g Goodput) Any() bool { return g != Goodput{} }

func (g Goodput) good(o *Outcome) bool {
	ttft, _ := o.TTFT()
	tpot, _ := o.TPOT() // an answer of one token has none, and keeps any limit
	within := func(d, limit time.Duration) bool { return limit == 0 || d <= limit }
	return within(ttft, g.TTFT) && within(tpot, g.TPOT) && within(o.End, g.E2E)
}

// Summary is a run in numbers.
type Summary struct {
	Completed, Failed int
	Input, Output     int // tokens of completed requests
	Duration          time.Duration
	Good              int     // requests that kept the limits
	PeakOutput        float64 // chunks in the fullest second
	PeakConcurrency   int
	ShortOutputs      int // completed requests with another number of tokens than asked

	TTFT, TPOT, ITL, E2E, Queue Distribution

	Speculation *Speculation // what the server counted meanwhile; nil where it does not speculate
}

// Summarize computes. Only completed requests count, but for their number.
func Summarize(r Result, limits Goodput) Summary {
	s := Summary{Duration: r.Duration}
	var ttft, tpot, itl, e2e, queue []time.Duration
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if !o.OK() {
			s.Failed++
			continue
		}
		s.Completed++
		s.Input += o.Input
		s.Output += o.Output
		if o.Output != o.Prompt.Output {
			s.ShortOutputs++
		}
		if limits.good(o) {
			s.Good++
		}
		if d, ok := o.TTFT(); ok {
			ttft = append(ttft, d)
		}
		if d, ok := o.TPOT(); ok {
			tpot = append(tpot, d)
		}
		itl = append(itl, o.Gaps()...)
		e2e = append(e2e, o.End)
		queue = append(queue, o.Queued())
	}
	s.TTFT, s.TPOT, s.ITL = distributionOf(ttft), distributionOf(tpot), distributionOf(itl)
	s.E2E, s.Queue = distributionOf(e2e), distributionOf(queue)
	s.PeakOutput, s.PeakConcurrency = peakOutput(r.Outcomes), peakConcurrency(r.Outcomes)
	return s
}

// PerSecond returns a rate over the duration.
func (s Summary) PerSecond(n int) float64 {
	if s.Duration <= 0 {
		return 0
	}
	return float64(n) / s.Duration.Seconds()
}

// peakOutput counts chunks in seconds from the first request on. A chunk may hold
// several tokens, as in vLLM's client, which counts the same.
func peakOutput(outcomes []Outcome) float64 {
	first := time.Duration(math.MaxInt64)
	for i := range outcomes {
		if outcomes[i].OK() {
			first = min(first, outcomes[i].Sent)
		}
	}
	seconds := map[int64]int{}
	peak := 0
	for i := range outcomes {
		if !outcomes[i].OK() {
			continue
		}
		for _, at := range outcomes[i].Chunks {
			second := int64((outcomes[i].Sent + at - first) / time.Second)
			seconds[second]++
			peak = max(peak, seconds[second])
		}
	}
	return float64(peak)
}

// peakConcurrency is the most completed requests that were under way at one moment.
func peakConcurrency(outcomes []Outcome) int {
	type event struct {
		at    time.Duration
		delta int
	}
	var events []event
	for i := range outcomes {
		if o := &outcomes[i]; o.OK() {
			events = append(events, event{o.Sent, 1}, event{o.Sent + o.End, -1})
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		if a.at != b.at {
			return int(max(min(a.at-b.at, 1), -1))
		}
		return a.delta - b.delta // one that ends when another begins is not beside it
	})
	now, peak := 0, 0
	for _, e := range events {
		now += e.delta
		peak = max(peak, now)
	}
	return peak
}
