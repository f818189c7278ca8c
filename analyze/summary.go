package analyze

import (
	"slices"

	"benchguide/metric"
)

// stageGains adds what a stage was worth: the gain of what the study goes on with
// over the stage's incumbent. A stage that changes nothing has no gain.
func (a *analysis) stageGains(out *Stage) {
	for _, c := range out.Candidates {
		if c.Ref != out.Adopted || c.VersusIncumbent == nil {
			continue
		}
		for _, g := range c.VersusIncumbent.Gains {
			id := a.facts.add(Fact{ID: "stage/" + out.ID + ":gain." + string(g.Metric), Kind: Ratio, Value: a.facts.value(g.Fact),
				Metric: g.Metric, Precision: 1, Derived: true, Formula: "=", Inputs: []string{g.Fact}})
			out.Gain = append(out.Gain, Gain{g.Metric, id, g.Floor, g.Bar, g.Within})
		}
	}
	for _, id := range a.metrics() {
		if fact, ok := a.product("stage/"+out.ID+":cumulative."+string(id), id, append(a.report.Stages, *out)); ok {
			out.Cumulative = append(out.Cumulative, Gain{Metric: id, Fact: fact})
		}
	}
}

// product multiplies the gains of stages in one metric. A stage that changed the
// configuration without a gain in this metric leaves the product unknown.
func (a *analysis) product(id string, in metric.ID, stages []Stage) (string, bool) {
	fact := Fact{ID: id, Kind: Ratio, Value: 1, Metric: in, Precision: 1, Derived: true, Formula: "∏"}
	for _, st := range stages {
		if !st.Changed {
			continue
		}
		gain, ok := gainIn(st.Gain, in)
		if !ok {
			return "", false
		}
		fact.Value *= a.facts.value(gain)
		fact.Inputs = append(fact.Inputs, gain)
	}
	if fact.Inputs == nil { // stages that change nothing make a factor of one, by what the study says of them
		fact.Derived, fact.Formula, fact.Source = false, "", a.at("stages")
	}
	return a.facts.add(fact), true
}

// gainIn returns the fact of the gain in one metric.
func gainIn(gains []Gain, id metric.ID) (string, bool) {
	for _, g := range gains {
		if g.Metric == id {
			return g.Fact, true
		}
	}
	return "", false
}

// summary holds what the stages multiply to against what was measured from the
// baseline to the final configuration; the rest is unattributed. The measured total
// is the case on the objective's workload, so that it can come from a start that
// chose no winner; without such a case it is the product, and nothing is left over.
func (a *analysis) summary() {
	c, ok := a.objectiveCase()
	if !ok {
		return
	}
	for _, id := range a.metrics() {
		total, measured := c.Gain(id)
		stages, known := a.product("total:stages."+string(id), id, a.report.Stages)
		if !measured || !known {
			continue
		}
		part := SummaryPart{Metric: id, Stages: stages, Remeasured: a.remeasured(c)}
		part.Total = a.facts.add(Fact{ID: "total:gain." + string(id), Kind: Ratio, Value: a.facts.value(total), Metric: id, Precision: 1,
			Derived: true, Formula: "=", Inputs: []string{total}})
		part.Unattributed = a.facts.add(Fact{ID: "total:unattributed." + string(id), Kind: Ratio, Metric: id, Precision: 1, Derived: true,
			Value: a.facts.value(total) / a.facts.value(stages), Formula: "total / stages", Inputs: []string{part.Total, stages}})
		a.report.Summary.Parts = append(a.report.Summary.Parts, part)
	}
}

// Gain is the fact of a case's gain in a metric: from starts that did not choose the
// winner where there are any, since the others flatter.
func (c Case) Gain(id metric.ID) (fact string, ok bool) {
	if fact, ok := gainIn(c.Confirmed, id); ok {
		return fact, true
	}
	return gainIn(c.Comparison.Gains, id)
}

// remeasured reports whether the case's optimized side is another start than the
// one that was chosen for being best.
func (a *analysis) remeasured(c Case) bool {
	if len(c.Confirmed) > 0 {
		return true
	}
	chosen := a.objectiveSample(a.report.Final.Ref)
	return !slices.ContainsFunc(a.samples[c.Optimized].Trials, func(id string) bool {
		return slices.Contains(chosen.Trials, id) || slices.Contains(chosen.Trials, a.trialByID[id].SameBytesAs)
	})
}
