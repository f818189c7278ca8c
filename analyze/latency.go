package analyze

import (
	"math"
	"strings"

	"benchguide/metric"
)

// The formulas of latencies that are not derived from other means.
const (
	LatencyOfRequests = "mean over requests"
	LatencyPrinted    = "mean_e2e_latency / 1000"
)

// latency adds the mean latency of a request to a trial, in this order of belief: that
// of its requests, where the client saved them; the printed mean E2E latency; otherwise
//
//	mean TTFT + mean TPOT x (output tokens / completed requests - 1)
//
// which is within 1.1 % of the truth where both can be known. The formula weighs
// every request alike while TPOT is a mean over requests, so with very unequal
// answers it can exceed what the clock allows: no mean latency is above maximum
// concurrency x duration / completed requests, since at no moment are more than
// the maximum in flight. Without a maximum the bound is the duration itself. The
// printed peak is not a bound, because clients count it in whole seconds. Past the
// bound there is no latency, and the trial is ranked by throughput.
func (a *analysis) latency(t *Trial) {
	bound := a.latencyBound(t)
	latency := a.latencyFact(t)
	if latency == nil {
		return
	}
	if bound != nil && latency.Value > bound.Value*(1+a.rounded(t, metric.Duration)) {
		t.NoLatency = true
		latency.ID = t.ID + ":request_latency_formula"
		a.find(Finding{Code: CodeLatencyImpossible, Severity: SeverityCaution, Subject: t.ID, File: t.File, Line: t.Line,
			Facts: map[string]string{"Latency": a.facts.add(*latency), "Bound": bound.ID},
			Names: map[string]string{"Trial": t.ID}})
		return
	}
	t.Values[metric.RequestLatency] = a.facts.add(*latency)
}

// rounded is by what part of itself a printed value may be too small, since it was rounded.
// A client that keeps all its places busy comes as close to the bound as that.
func (a *analysis) rounded(t *Trial, id metric.ID) float64 {
	fact, ok := a.facts.Get(t.Values[id])
	if !ok || fact.Source == nil || fact.Value <= 0 {
		return 0
	}
	_, decimals, _ := strings.Cut(fact.Source.Text, ".")
	return math.Pow10(-len(decimals)) / 2 / fact.Value
}

// latencyFact returns the printed or the derived latency, and nil where a value
// that it needs was not printed.
func (a *analysis) latencyFact(t *Trial) *Fact {
	m := metric.MustLookup(metric.RequestLatency)
	fact := &Fact{ID: t.ID + ":" + string(m.ID), Kind: Measured, Unit: string(m.Unit), Metric: m.ID, Precision: m.Precision}
	if each, ok := column(t.requests, latencyOf); ok {
		fact.Value, fact.Derived, fact.Formula, fact.Inputs = mean(each), true, LatencyOfRequests, []string{t.data}
		return fact
	}
	if printed, ok := number(a.facts, t.Values, metric.Of(metric.Mean, metric.E2E)); ok {
		fact.Value, fact.Formula = printed/1000, LatencyPrinted
		fact.Inputs = []string{t.Values[metric.Of(metric.Mean, metric.E2E)]}
		return fact
	}
	inputs := []metric.ID{metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT), metric.OutputTokens, metric.CompletedRequests}
	v := make([]float64, len(inputs))
	for i, id := range inputs {
		n, ok := number(a.facts, t.Values, id)
		if !ok {
			return nil
		}
		v[i] = n
		fact.Inputs = append(fact.Inputs, t.Values[id])
	}
	if v[3] <= 0 || v[2] < v[3] {
		return nil // without a token for every request there is no time to the first one
	}
	fact.Value = (v[0] + v[1]*(v[2]/v[3]-1)) / 1000
	fact.Derived = true
	fact.Formula = "(mean_ttft + mean_tpot × (output_tokens / completed_requests − 1)) / 1000"
	return fact
}

// latencyBound adds the most that a mean latency can be, and returns nil where the
// trial does not print what it is computed from.
func (a *analysis) latencyBound(t *Trial) *Fact {
	duration, ok := number(a.facts, t.Values, metric.Duration)
	if !ok {
		return nil
	}
	m := metric.MustLookup(metric.RequestLatencyMost)
	fact := Fact{ID: t.ID + ":" + string(m.ID), Kind: Measured, Unit: string(m.Unit), Metric: m.ID, Precision: m.Precision,
		Value: duration, Formula: "duration", Derived: true, Inputs: []string{t.Values[metric.Duration]}}
	concurrency, hasMax := number(a.facts, t.Values, metric.MaxConcurrency)
	completed, hasCount := number(a.facts, t.Values, metric.CompletedRequests)
	if hasMax && hasCount && concurrency < completed {
		fact.Value = concurrency * duration / completed
		fact.Formula = "max_concurrency × duration / completed_requests"
		fact.Inputs = []string{t.Values[metric.MaxConcurrency], t.Values[metric.Duration], t.Values[metric.CompletedRequests]}
	}
	t.Values[m.ID] = a.facts.add(fact)
	return &fact
}
