package analyze

import "benchguide/metric"

// How far apart the tokens of two trials may be, in per cent of the smaller side.
const (
	maxTotalTokens   = 1 // total tokens: above it the two did different work
	maxSideTokens    = 5 // input or output tokens alone
	cautionOutTokens = 1 // output tokens: above it the comparison carries a caution
)

// The reasons for which a comparison is refused.
const (
	RefusedIncomplete = "incomplete-requests" // not all requests completed on both sides
	RefusedTokens     = "tokens-differ"       // the two sides worked on different numbers of tokens
	RefusedNoValue    = "no-value"            // a side lacks the metric, or it is zero
	RefusedNoBlock    = "no-shared-block"     // no chain of blocks links the two, so that a difference may be one of machines
	RefusedSame       = "same-configuration"  // the two sides are one configuration's starts
	RefusedCache      = "cache-differs"       // the prefix cache answered the prompts of one side
)

// compare holds a sample against another one of the same workload. A latency that one
// side lacks leaves throughput to decide.
func (a *analysis) compare(p pair, against, t *Sample, more ...metric.ID) *Comparison {
	c := &Comparison{Against: against.Ref, Metric: p.by}
	if _, ok := a.number(against, c.Metric); !ok {
		c.Metric = metric.TotalThroughput
	}
	if _, ok := a.number(t, c.Metric); !ok {
		c.Metric = metric.TotalThroughput
	}
	c.Ledger = a.ledger(against, t)
	if c.Refused = a.comparable(against, t); c.Refused == "" {
		c.Refused = refusal(c.Ledger)
	}
	a.cautionEnvironment(p, c, against, t)
	if c.Refused != "" {
		a.refuse(p, c, against, t)
		return c
	}
	for _, id := range append(append([]metric.ID{c.Metric}, a.metrics()...), more...) {
		a.addGain(c, p, id, against, t)
	}
	if len(c.Gains) == 0 || c.Gains[0].Metric != c.Metric {
		c.Refused, c.Test = a.noGain(p, c, against, t), nil
		a.refuse(p, c, against, t)
		return c
	}
	c.Ratio, c.Floor = a.facts.value(c.Gains[0].Fact), c.Gains[0].Floor
	c.Distinguishable = !c.Gains[0].Within
	a.outputTokens(p, c, against, t)
	return c
}

// noGain returns why two sides that may be ranked have no ratio in the metric that decides.
func (a *analysis) noGain(p pair, c *Comparison, against, t *Sample) string {
	switch {
	case c.Test == nil:
		return RefusedNoValue
	case a.label(against.Ref, p.pooled) == a.label(t.Ref, p.pooled):
		return RefusedSame
	}
	return RefusedNoBlock
}

func (c *Comparison) better() bool { return c.Refused == "" && c.Distinguishable && c.Ratio > 1 }
func (c *Comparison) worse() bool  { return c.Refused == "" && c.Distinguishable && c.Ratio < 1 }

// addGain adds the ratio in one metric, once, where both sides measured it.
func (a *analysis) addGain(c *Comparison, p pair, id metric.ID, against, t *Sample) {
	if _, ok := gainIn(c.Gains, id); ok {
		return
	}
	before, ok1 := a.number(against, id)
	now, ok2 := a.number(t, id)
	ratio, ok := metric.MustLookup(id).Ratio(before, now)
	if !ok1 || !ok2 || !ok {
		return
	}
	if a.report.Rule == Blocks {
		g, r, ok := a.blockGain(p, id, against, t)
		if id == c.Metric {
			c.Test = a.newTest(p, id, r, against, t)
		}
		if ok {
			c.Gains = append(c.Gains, g)
		}
		return
	}
	c.Gains = append(c.Gains, a.ratioGain(p, id, ratio, against, t))
}

// ratioGain is a gain of one start a side: the ratio of the two values, judged by the
// metric's noise floor.
func (a *analysis) ratioGain(p pair, id metric.ID, ratio float64, against, t *Sample) Gain {
	formula, inputs := "new / old", []string{t.Values[id], against.Values[id]}
	if metric.MustLookup(id).Better == metric.LowerIsBetter {
		formula, inputs = "old / new", []string{against.Values[id], t.Values[id]}
	}
	fact := a.facts.add(Fact{ID: p.fact(id), Kind: Ratio, Value: ratio, Metric: id, Precision: 1, Derived: true, Formula: formula, Inputs: inputs})
	return Gain{Metric: id, Fact: fact, Floor: a.floor(id), Bar: a.floorFact(id), Within: a.within(id, ratio, against, t)}
}

// within reports whether two values differ by no more than the noise floor. The swapped
// sides are divided anew and not inverted: an A/A spread is such a quotient, and a
// repetition must meet its own spread exactly to stay inside of it.
func (a *analysis) within(id metric.ID, ratio float64, against, t *Sample) bool {
	before, _ := a.number(against, id)
	now, _ := a.number(t, id)
	inverse, _ := metric.MustLookup(id).Ratio(now, before)
	return max(ratio, inverse) <= 1+a.floor(id)
}

// comparable returns the reason why two samples may not be ranked, or "".
func (a *analysis) comparable(x, y *Sample) string {
	for _, s := range []*Sample{x, y} {
		if reason := a.unlike(s); reason != "" {
			return reason
		}
	}
	if a.otherWork(x.Values, y.Values) {
		return RefusedTokens
	}
	return ""
}

// unlike returns why the starts of a sample are no repetitions of one another, or "".
func (a *analysis) unlike(s *Sample) string {
	first := a.trialByID[s.Trials[0]]
	for _, id := range s.Trials {
		t := a.trialByID[id]
		if !a.complete(t) {
			return RefusedIncomplete
		}
		if a.otherWork(first.Values, t.Values) {
			return RefusedTokens
		}
	}
	return ""
}

// otherWork reports whether two sides worked on different numbers of tokens.
func (a *analysis) otherWork(x, y map[metric.ID]string) bool {
	return a.apart(maxSideTokens, x, y, metric.InputTokens) || a.apart(maxSideTokens, x, y, metric.OutputTokens) ||
		a.apart(maxTotalTokens, x, y, metric.InputTokens, metric.OutputTokens)
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

// apart reports whether the sum of some counts differs by more than a percentage of
// the smaller side. Counts that a side did not print cannot be held apart. There is
// no division, because counts are whole and exactly 1 % must not be more than 1 %.
func (a *analysis) apart(percent float64, x, y map[metric.ID]string, ids ...metric.ID) bool {
	var sum [2]float64
	for i, values := range []map[metric.ID]string{x, y} {
		for _, id := range ids {
			v, ok := number(a.facts, values, id)
			if !ok {
				return false
			}
			sum[i] += v
		}
	}
	low, high := min(sum[0], sum[1]), max(sum[0], sum[1])
	return (high-low)*100 > low*percent
}

// outputTokens adds the caution for answers of somewhat different length.
func (a *analysis) outputTokens(p pair, c *Comparison, against, t *Sample) {
	if !a.apart(cautionOutTokens, against.Values, t.Values, metric.OutputTokens) {
		return
	}
	c.Cautions = append(c.Cautions, CodeTokensDiffer)
	if p.kind != "gain" {
		return // said once for a pair, where the gain stands
	}
	before, _ := a.number(against, metric.OutputTokens)
	now, _ := a.number(t, metric.OutputTokens)
	fact := a.facts.add(Fact{ID: p.prefix + ":apart.output_tokens", Kind: Fraction, Value: max(before, now)/min(before, now) - 1, Metric: metric.OutputTokens, Precision: 1,
		Derived: true, Formula: "max / min − 1", Inputs: []string{against.Values[metric.OutputTokens], t.Values[metric.OutputTokens]}})
	a.find(Finding{Code: CodeTokensDiffer, Severity: SeverityCaution, Subject: p.prefix, File: a.file(t), Line: a.line(t),
		Facts: map[string]string{"Apart": fact, "Before": against.Values[metric.OutputTokens], "Now": t.Values[metric.OutputTokens]},
		Names: map[string]string{"First": against.ID, "Second": t.ID}})
}

// cautionEnvironment says what differs in the surroundings of two sides and may explain
// a part of what is measured.
func (a *analysis) cautionEnvironment(p pair, c *Comparison, against, t *Sample) {
	for _, d := range c.Ledger {
		if d.Effect != EffectCaution && d.Effect != EffectRefusal {
			continue
		}
		if d.Effect == EffectCaution {
			c.Cautions = append(c.Cautions, CodeEnvironmentDiffers)
		}
		switch {
		case p.kind != "gain", p.said(d), d.Kind == "cache" && c.Refused != RefusedCache:
		case d.Kind == "cache":
			a.find(Finding{Code: CodeCacheDiffers, Severity: SeverityCaution, Subject: p.prefix, File: a.file(t), Line: a.line(t),
				Facts: map[string]string{"Before": d.BeforeFact, "After": d.AfterFact}, Names: map[string]string{"First": against.ID, "Second": t.ID}})
		default:
			a.find(Finding{Code: CodeEnvironmentDiffers, Severity: SeverityCaution, Subject: p.prefix, File: a.file(t), Line: 1,
				Names: map[string]string{"First": against.Trials[0], "Second": t.Trials[0], "Kind": d.Kind, "What": d.Name, "Before": d.Before, "After": d.After}})
		}
	}
}

// file and line are where the first trial of a sample stands, as the place of findings.
func (a *analysis) file(s *Sample) string { return a.trialByID[s.Trials[0]].File }
func (a *analysis) line(s *Sample) int    { return a.trialByID[s.Trials[0]].Line }

func (a *analysis) refuse(p pair, c *Comparison, against, t *Sample) {
	if p.kind != "gain" || p.decided != nil && p.decided.Refused == c.Refused {
		return
	}
	f := Finding{Code: CodeNotComparable, Severity: SeverityCaution, Subject: p.prefix, File: a.file(t), Line: a.line(t),
		Names: map[string]string{"First": against.ID, "Second": t.ID, "Reason": c.Refused}}
	if c.Refused == RefusedIncomplete {
		f.Facts, f.Names["Trial"] = a.incomplete(against, t)
	}
	a.find(f)
}
