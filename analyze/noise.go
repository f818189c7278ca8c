package analyze

import (
	"benchguide/metric"
	"benchguide/study"
)

// floors works out the noise floor of every metric that gains are stated in: the
// larger of the declared floor and the A/A spread, which is max/min - 1 over the
// trials of one configuration under one workload. Copies of one output are one
// trial. Configurations are the same when their commands differ in spelling only,
// or when the study says so (same_as).
func (a *analysis) floors() {
	declared := a.facts.add(Fact{ID: "noise:declared", Kind: Fraction, Value: a.declaredFloor, Precision: 1,
		Source: a.at("noise_floor")})
	groups := a.repetitions()
	for _, id := range a.metrics() {
		floor := Floor{Metric: id, Value: a.declaredFloor}
		for _, group := range groups {
			a.widen(&floor, group)
		}
		floor.Fact = a.stateFloor(floor, declared)
		a.report.Floors = append(a.report.Floors, floor)
	}
	for _, group := range groups {
		a.measuredAgain(group)
	}
}

// stateFloor states a floor with both numbers that it is the larger of.
func (a *analysis) stateFloor(f Floor, declared string) string {
	fact := Fact{ID: "noise:" + string(f.Metric), Kind: Fraction, Value: f.Value, Metric: f.Metric, Precision: 1,
		Derived: true, Formula: "=", Inputs: []string{declared}}
	if f.Measured != "" {
		fact.Formula, fact.Inputs = "max(declared, max / min − 1)", []string{declared, f.Measured}
	}
	return a.facts.add(fact)
}

// repetitions groups the trials of one configuration under one workload, in study
// order; groups of a single trial are left out.
func (a *analysis) repetitions() [][]*Trial {
	type key struct{ fingerprint, workload string }
	index := map[key]int{}
	var groups [][]*Trial
	for _, id := range a.trialOrder {
		t := a.trialByID[id]
		if t.SameBytesAs != "" {
			continue
		}
		k := key{a.identity(t), t.Workload}
		if _, ok := index[k]; !ok {
			index[k] = len(groups)
			groups = append(groups, nil)
		}
		groups[index[k]] = append(groups[index[k]], t)
	}
	var repeated [][]*Trial
	for _, g := range groups {
		if len(g) > 1 {
			repeated = append(repeated, g)
		}
	}
	return repeated
}

// identity says which trials are of one configuration: the fingerprint, or that of
// the candidate which a trial's own is declared to be only another spelling of.
// Where nobody wrote a command down, the candidate's name stands for it.
func (a *analysis) identity(t *Trial) string {
	ref := a.spells(t.Ref)
	if s, ok := a.samples[ref+"/"+t.Workload]; ok {
		t = a.trialByID[s.Trials[0]]
	}
	if t.Fingerprint == "" {
		return ref
	}
	return t.Fingerprint
}

// spells follows same_as to the candidate that all the others spell. A circle ends
// where it would begin again.
func (a *analysis) spells(ref string) string {
	for range a.sameAs {
		other, ok := a.sameAs[ref]
		if !ok {
			break
		}
		ref = other
	}
	return ref
}

// widen raises a floor to the spread of a group of repetitions.
func (a *analysis) widen(floor *Floor, group []*Trial) {
	var least, most *Trial
	for _, t := range group {
		v, ok := number(a.facts, t.Values, floor.Metric)
		if !ok || v <= 0 {
			continue
		}
		if least == nil || v < a.facts.value(least.Values[floor.Metric]) {
			least = t
		}
		if most == nil || v > a.facts.value(most.Values[floor.Metric]) {
			most = t
		}
	}
	if least == nil || least == most {
		return
	}
	low, high := least.Values[floor.Metric], most.Values[floor.Metric]
	spread := a.facts.value(high)/a.facts.value(low) - 1
	fact := a.facts.add(Fact{ID: "spread:" + group[0].ID + ":" + string(floor.Metric), Kind: Fraction, Value: spread, Metric: floor.Metric,
		Precision: spreadPrecision(spread), Derived: true, Formula: "max / min − 1", Inputs: []string{high, low}})
	if floor.Measured != "" && a.facts.value(floor.Measured) >= spread {
		return
	}
	floor.Measured = fact
	floor.Trials = nil
	for _, t := range group {
		floor.Trials = append(floor.Trials, t.ID)
	}
	floor.Value = max(floor.Value, spread)
}

// spreadPrecision keeps a digit of a spread that one decimal would round away.
func spreadPrecision(spread float64) int {
	if spread < 0.001 {
		return 2
	}
	return 1
}

func (a *analysis) measuredAgain(group []*Trial) {
	first := group[0]
	spread := "spread:" + first.ID + ":" + string(a.report.Objective.Metric)
	if !a.facts.Has(spread) {
		return
	}
	for _, t := range group[1:] {
		if a.report.Rule == Blocks {
			continue // starting again is what the rule is about, and the spread is stated
		}
		a.find(Finding{Code: CodeMeasuredAgain, Severity: SeverityNote, Subject: t.ID, File: t.File, Line: t.Line,
			Facts: map[string]string{
				"Spread": spread,
				"A":      first.Values[a.report.Objective.Metric],
				"B":      t.Values[a.report.Objective.Metric],
			},
			Names: map[string]string{"First": first.ID, "Second": t.ID}})
	}
}

// floor returns the noise floor of a metric.
func (a *analysis) floor(id metric.ID) float64 {
	for _, f := range a.report.Floors {
		if f.Metric == id {
			return f.Value
		}
	}
	return a.report.Floors[0].Value // a metric that decides nothing is held to the ranking metric's floor
}

// floorFact is the fact of a metric's noise floor.
func (a *analysis) floorFact(id metric.ID) string {
	for _, f := range a.report.Floors {
		if f.Metric == id {
			return f.Fact
		}
	}
	return a.report.Floors[0].Fact
}

// metrics lists what gains are stated in: the ranking metric first.
func (a *analysis) metrics() []metric.ID {
	return append([]metric.ID{a.report.Objective.Metric}, a.report.Objective.Also...)
}

// objective derives the ranking metric from the study's goal.
func objective(s *study.Study) Objective {
	o := Objective{Goal: s.Objective.Goal, Workload: s.Objective.Workload}
	if o.Goal == study.Latency {
		o.Metric, o.Also = metric.RequestLatency, []metric.ID{metric.TotalThroughput, metric.OutputThroughput}
		return o
	}
	o.Metric, o.Also = metric.TotalThroughput, []metric.ID{metric.OutputThroughput}
	return o
}
