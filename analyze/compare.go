package analyze

import (
	"math"
	"slices"

	"benchguide/metric"
)

// How far apart the tokens of two trials may be, as fractions of the smaller side.
const (
	maxTotalTokens   = 0.01 // total tokens: above it the two did different work
	maxSideTokens    = 0.05 // input or output tokens alone
	cautionOutTokens = 0.01 // output tokens: above it the comparison carries a caution
)

// The reasons for which a comparison is refused.
const (
	RefusedIncomplete = "incomplete-requests" // not all requests completed on both sides
	RefusedTokens     = "tokens-differ"       // the two sides worked on different numbers of tokens
	RefusedNoValue    = "no-value"            // a side lacks the metric, or it is zero
)

// compare holds a trial against another one of the same workload. Facts of the
// gains are named prefix:kind.METRIC. A latency that is impossible on either side
// leaves throughput to decide.
func (a *analysis) compare(prefix, kind string, against, t *Sample, more ...metric.ID) *Comparison {
	c := &Comparison{Against: against.Ref, Metric: a.report.Objective.Metric}
	if _, ok := a.number(against, c.Metric); !ok {
		c.Metric = metric.TotalThroughput
	}
	if _, ok := a.number(t, c.Metric); !ok {
		c.Metric = metric.TotalThroughput
	}
	c.Floor = a.floor(c.Metric)
	if c.Refused = a.comparable(against, t); c.Refused != "" {
		a.refuse(prefix, kind, c, against, t)
		return c
	}
	ids := append([]metric.ID{c.Metric}, a.metrics()...)
	for _, id := range append(ids, more...) {
		a.addGain(c, prefix+":"+kind+"."+string(id), id, against, t)
	}
	if len(c.Gains) == 0 || c.Gains[0].Metric != c.Metric {
		c.Refused = RefusedNoValue
		a.refuse(prefix, kind, c, against, t)
		return c
	}
	c.Ratio = a.facts.value(c.Gains[0].Fact)
	c.Distinguishable = c.better() || c.worse()
	a.outputTokens(prefix, kind, c, against, t)
	return c
}

func (c *Comparison) better() bool { return c.Refused == "" && c.Ratio > 1+c.Floor }
func (c *Comparison) worse() bool  { return c.Refused == "" && c.Ratio > 0 && 1/c.Ratio > 1+c.Floor }

// addGain adds the ratio in one metric, once, where both sides measured it.
func (a *analysis) addGain(c *Comparison, fact string, id metric.ID, against, t *Sample) {
	for _, g := range c.Gains {
		if g.Metric == id {
			return
		}
	}
	before, ok1 := a.number(against, id)
	now, ok2 := a.number(t, id)
	m := metric.MustLookup(id)
	ratio, ok := m.Ratio(before, now)
	if !ok1 || !ok2 || !ok {
		return
	}
	formula := "new / old"
	inputs := []string{t.Values[id], against.Values[id]}
	if m.Better == metric.LowerIsBetter {
		formula = "old / new"
		inputs = []string{against.Values[id], t.Values[id]}
	}
	c.Gains = append(c.Gains, Gain{id, a.facts.add(Fact{ID: fact, Kind: Ratio, Value: ratio, Metric: id, Precision: 1,
		Derived: true, Formula: formula, Inputs: inputs})})
}

// comparable returns the reason why two trials may not be ranked, or "".
func (a *analysis) comparable(x, y *Sample) string {
	for _, id := range slices.Concat(x.Trials, y.Trials) {
		if !a.complete(a.trialByID[id]) {
			return RefusedIncomplete
		}
	}
	in, out := a.apart(x, y, metric.InputTokens), a.apart(x, y, metric.OutputTokens)
	if in > maxSideTokens || out > maxSideTokens || a.apart(x, y, metric.InputTokens, metric.OutputTokens) > maxTotalTokens {
		return RefusedTokens
	}
	return ""
}

// complete reports whether a trial completed all the requests of its workload.
func (a *analysis) complete(t *Trial) bool {
	w, _ := a.study.Workload(t.Workload)
	completed, ok := number(a.facts, t.Values, metric.CompletedRequests)
	if !ok || completed != float64(w.Prompts) {
		return false
	}
	failed, printed := number(a.facts, t.Values, metric.FailedRequests)
	return !printed || failed == 0
}

// apart returns max/min - 1 of the sum of some counts on two sides. Counts that a
// side did not print cannot be held apart; a zero on one side only is infinitely far.
func (a *analysis) apart(x, y *Sample, ids ...metric.ID) float64 {
	var sum [2]float64
	for i, t := range []*Sample{x, y} {
		for _, id := range ids {
			v, ok := a.number(t, id)
			if !ok {
				return 0
			}
			sum[i] += v
		}
	}
	low, high := min(sum[0], sum[1]), max(sum[0], sum[1])
	switch {
	case high == low:
		return 0
	case low <= 0:
		return math.Inf(1)
	}
	return high/low - 1
}

// outputTokens adds the caution for answers of somewhat different length.
func (a *analysis) outputTokens(prefix, kind string, c *Comparison, against, t *Sample) {
	apart := a.apart(against, t, metric.OutputTokens)
	if apart <= cautionOutTokens {
		return
	}
	c.Cautions = append(c.Cautions, CodeTokensDiffer)
	if kind != "gain" {
		return // said once for a pair, where the gain stands
	}
	fact := a.facts.add(Fact{ID: prefix + ":apart.output_tokens", Kind: Fraction, Value: apart, Metric: metric.OutputTokens, Precision: 1,
		Derived: true, Formula: "max / min − 1", Inputs: []string{against.Values[metric.OutputTokens], t.Values[metric.OutputTokens]}})
	a.find(Finding{Code: CodeTokensDiffer, Severity: SeverityCaution, Subject: prefix, File: a.file(t), Line: a.line(t),
		Facts: map[string]string{"Apart": fact, "Before": against.Values[metric.OutputTokens], "Now": t.Values[metric.OutputTokens]},
		Names: map[string]string{"First": against.ID, "Second": t.ID}})
}

// file and line are where the first trial of a sample stands, as the place of findings.
func (a *analysis) file(s *Sample) string { return a.trialByID[s.Trials[0]].File }
func (a *analysis) line(s *Sample) int    { return a.trialByID[s.Trials[0]].Line }

func (a *analysis) refuse(prefix, kind string, c *Comparison, against, t *Sample) {
	if kind != "gain" {
		return
	}
	a.find(Finding{Code: CodeNotComparable, Severity: SeverityCaution, Subject: prefix, File: a.file(t), Line: a.line(t),
		Names: map[string]string{"First": against.ID, "Second": t.ID, "Reason": c.Refused}})
}
