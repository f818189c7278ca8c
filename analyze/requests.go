package analyze

import (
	"math"

	"benchguide/metric"
	"benchguide/study"
)

// request is what a client saved of one request that succeeded, in seconds; NaN where
// it saved nothing.
type request struct {
	input, output    float64 // tokens
	start, ttft, e2e float64
	gaps             []float64 // between the chunks of the answer; nil if not saved
}

// requestTokens is how far the tokens of a trial's requests may be from its printed
// count. Clients count the same tokens once more, so it is rounding and no more.
const requestTokens = 0.01

// addRequests takes what the client saved of each request into a trial, if it is what
// the printed numbers speak of.
func (a *analysis) addRequests(t *Trial, r study.Result) {
	if r.Requests == nil {
		return
	}
	list := succeeded(r.Requests)
	completed, ok := number(a.facts, t.Values, metric.CompletedRequests)
	if ok && completed != float64(len(list)) || !a.sameTokens(t, list) {
		a.trialFinding(CodeRequestsDiffer, SeverityCaution, t, nil, nil)
		return
	}
	t.requests, t.began = list, r.Requests.Began
	t.data = a.facts.add(Fact{ID: t.ID + ":requests", Kind: Count, Value: float64(len(list)), Source: &Source{File: r.Data.File, Line: max(r.Requests.Line, 1)}})
}

func (a *analysis) sameTokens(t *Trial, list []request) bool {
	printed, ok := number(a.facts, t.Values, metric.OutputTokens)
	sum := 0.0
	for _, q := range list {
		sum += q.output
	}
	return !ok || math.IsNaN(sum) || math.Abs(sum-printed) <= requestTokens*printed
}

// succeeded returns the requests without an error. Lists of unlike lengths say
// nothing of any request, so then there are none.
func succeeded(q *study.Requests) []request {
	n := 0
	lengths := []int{len(q.Input), len(q.Output), len(q.Start), len(q.TTFT), len(q.E2E), len(q.Gaps), len(q.Errors)}
	for _, length := range lengths {
		n = max(n, length)
	}
	for _, length := range lengths {
		if length != 0 && length != n {
			return nil
		}
	}
	at := func(list []float64, i int) float64 {
		if len(list) == 0 {
			return math.NaN()
		}
		return list[i]
	}
	list := make([]request, 0, n)
	for i := range n {
		if len(q.Errors) > 0 && q.Errors[i] != "" {
			continue
		}
		r := request{input: at(q.Input, i), output: at(q.Output, i), start: at(q.Start, i), ttft: at(q.TTFT, i), e2e: at(q.E2E, i)}
		if len(q.Gaps) > 0 {
			if r.gaps = q.Gaps[i]; r.gaps == nil {
				r.gaps = []float64{} // an answer of one chunk has none, which is known
			}
		}
		list = append(list, r)
	}
	return list
}

// column returns one property of each request, and false unless every one is a
// positive number.
func column(list []request, of func(request) float64) ([]float64, bool) {
	values := make([]float64, len(list))
	for i, r := range list {
		values[i] = of(r)
		if !(values[i] > 0) || math.IsInf(values[i], 1) {
			return nil, false
		}
	}
	return values, len(values) > 0
}

func latencyOf(r request) float64 { return r.e2e }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// requestFact adds a fact that was computed from a trial's requests.
func (a *analysis) requestFact(t *Trial, name string, id metric.ID, value float64, formula string) string {
	m := metric.MustLookup(id)
	return a.facts.add(Fact{ID: t.ID + ":" + name, Kind: Measured, Value: value, Unit: string(m.Unit), Metric: id, Precision: m.Precision,
		Derived: true, Formula: formula, Inputs: []string{t.data}})
}

// goodput adds the rate of requests that keep every limit of the objective which can
// be held against a single request, where the client did not print it.
func (a *analysis) goodput(t *Trial) {
	limits := requestLimits(a.study.Objective.Limits)
	duration, ok := number(a.facts, t.Values, metric.Duration)
	_, printed := t.Values[metric.RequestGoodput]
	if len(limits) == 0 || len(t.requests) == 0 || !ok || duration <= 0 || printed {
		return
	}
	good := 0
	for _, r := range t.requests {
		keeps := true
		for _, l := range limits {
			v := l.of(r)
			if math.IsNaN(v) {
				return // nobody can say of this request
			}
			keeps = keeps && v <= l.most
		}
		if keeps {
			good++
		}
	}
	t.Values[metric.RequestGoodput] = a.requestFact(t, string(metric.RequestGoodput), metric.RequestGoodput, float64(good)/duration,
		"requests that keep every limit / duration")
}

// requestLimit is the most that one request may take, in milliseconds.
type requestLimit struct {
	of   func(request) float64
	most float64
}

// requestLimits are the limits on latencies, whatever the statistic that they are
// stated for: "p90 of TPOT at most 50 ms" asks each request for 50 ms.
func requestLimits(limits []study.Limit) []requestLimit {
	of := map[metric.Quantity]func(request) float64{
		metric.TTFT: func(r request) float64 { return 1000 * r.ttft },
		metric.E2E:  func(r request) float64 { return 1000 * r.e2e },
		metric.TPOT: requestTPOT,
	}
	var list []requestLimit
	for _, l := range limits {
		for _, q := range metric.Quantities() {
			if f := of[q]; f != nil && l.AtMost != nil && metric.IsOf(metric.ID(l.Metric), q) {
				list = append(list, requestLimit{f, *l.AtMost})
			}
		}
	}
	return list
}

// requestTPOT is the time per output token after the first; an answer of one token
// has none and keeps every limit on it.
func requestTPOT(r request) float64 {
	if r.output <= 1 {
		return 0
	}
	return 1000 * (r.e2e - r.ttft) / (r.output - 1)
}
