package analyze

import (
	"cmp"
	"math"
	"slices"

	"benchguide/metric"
)

// Steady is what a sample did while as many requests were in flight as were allowed:
// without the ramp at the beginning and the drain at the end. It is shown and never
// decides, since its cut follows from the trial itself.
type Steady struct {
	Sample  string `json:"sample"`
	Printed string `json:"printed"` // fact: output throughput of the whole trial
	Output  string `json:"output"`  // fact: output throughput of the steady part
	Share   string `json:"share"`   // fact: the steady part of the duration
	TTFT    string `json:"ttft"`    // fact: mean TTFT without the requests of the ramp
}

// What the steady part is: from the first to the last moment at which so large a
// part of the maximum was in flight. A part that is too small stands for nothing.
const (
	fullShare   = 0.95
	leastSteady = 0.2 // of the duration
)

const (
	steadyOutputFormula = "output tokens / time, from the first to the last moment at 95% of max_concurrency"
	steadyShareFormula  = "time from the first to the last moment at 95% of max_concurrency / duration"
	steadyTTFTFormula   = "mean TTFT of the requests that were sent after the ramp"
)

// steady adds the steady part of every sample whose starts all tell it.
func (a *analysis) steady() {
	for _, id := range a.sampleOrder {
		s, ok := a.samples[id]
		if !ok {
			continue
		}
		var output, share, ttft []string
		for _, trial := range s.Trials {
			t := a.trialByID[trial]
			if !a.steadyOf(t) {
				break
			}
			output, share, ttft = append(output, t.ID+":steady.output_throughput"), append(share, t.ID+":steady.share"), append(ttft, t.ID+":steady.mean_ttft")
		}
		if printed, ok := s.Values[metric.OutputThroughput]; ok && len(output) == len(s.Trials) {
			a.report.Steady = append(a.report.Steady, Steady{Sample: s.ID, Printed: printed,
				Output: a.overStarts(s, "steady.output_throughput", output), Share: a.overStarts(s, "steady.share", share),
				TTFT: a.overStarts(s, "steady.mean_ttft", ttft)})
		}
	}
}

// overStarts states the geometric mean of a fact over a sample's starts. That of one
// start is the fact itself.
func (a *analysis) overStarts(s *Sample, name string, facts []string) string {
	if len(facts) == 1 {
		return facts[0]
	}
	values := make([]float64, len(facts))
	for i, f := range facts {
		values[i] = a.facts.value(f)
	}
	first, _ := a.facts.Get(facts[0])
	first.ID, first.Value, first.Source = s.ID+":"+name, geometricMean(values), nil
	first.Formula, first.Inputs = "geometric mean over starts", facts
	return a.facts.add(first)
}

// steadyOf adds the facts of a trial's steady part, and returns false where its
// requests do not tell it.
func (a *analysis) steadyOf(t *Trial) bool {
	duration, ok := number(a.facts, t.Values, metric.Duration)
	from, to, found := a.window(t)
	if !ok || !found || duration <= 0 || to-from < leastSteady*duration {
		return false
	}
	tokens, ok := tokensBetween(t.requests, from, to)
	var ttft []float64
	for _, r := range t.requests {
		if r.start > from {
			ttft = append(ttft, 1000*r.ttft)
		}
	}
	if !ok || tokens <= 0 || len(ttft) == 0 || !(mean(ttft) > 0) {
		return false
	}
	a.requestFact(t, "steady.output_throughput", metric.OutputThroughput, tokens/(to-from), steadyOutputFormula)
	a.requestFact(t, "steady.mean_ttft", metric.Of(metric.Mean, metric.TTFT), mean(ttft), steadyTTFTFormula)
	a.facts.add(Fact{ID: t.ID + ":steady.share", Kind: Fraction, Value: min(1, (to-from)/duration), Derived: true, Formula: steadyShareFormula,
		Inputs: []string{t.data, t.Values[metric.Duration]}})
	return true
}

// window is the time between the first and the last moment at which a trial had its
// maximum of requests in flight, or nearly. Without a maximum there is no such time.
func (a *analysis) window(t *Trial) (from, to float64, ok bool) {
	most, limited := number(a.facts, t.Values, metric.MaxConcurrency)
	starts, ok1 := column(t.requests, func(r request) float64 { return r.start })
	latencies, ok2 := column(t.requests, latencyOf)
	if !limited || most < 1 || !ok1 || !ok2 {
		return 0, 0, false
	}
	type event struct {
		at   float64
		step int
	}
	var events []event
	for i, start := range starts {
		events = append(events, event{start, 1}, event{start + latencies[i], -1})
	}
	slices.SortFunc(events, func(x, y event) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.step, y.step)) })
	flying := 0
	for _, e := range events {
		if float64(flying) >= fullShare*most {
			to = e.at
		}
		flying += e.step
		if !ok && float64(flying) >= fullShare*most {
			from, ok = e.at, true
		}
	}
	return from, to, ok
}

// tokensBetween counts the output tokens that came in a time. Where a chunk carries
// several tokens, or none, the tokens of an answer are spread evenly over its chunks.
func tokensBetween(list []request, from, to float64) (float64, bool) {
	sum := 0.0
	for _, r := range list {
		if r.gaps == nil || !(r.output >= 0) {
			return 0, false
		}
		each := r.output / float64(len(r.gaps)+1)
		at := r.start + r.ttft
		for i := -1; i < len(r.gaps); i++ {
			if i >= 0 {
				at += r.gaps[i]
			}
			if at > from && at <= to {
				sum += each
			}
		}
	}
	return sum, !math.IsNaN(sum)
}
