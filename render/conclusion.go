package render

import (
	"benchguide/analyze"
	"benchguide/metric"
)

// lead is the page's first sentence: what was reached, on what, against what.
func (g *guide) lead() string {
	s := &g.folder.Study
	before, now, gain, ok := g.headline()
	args := Args{
		"GPUs": g.fact("hardware:gpus"), "GPU": text(s.Hardware.Short), "Model": text(s.Model.Name),
		"Workload": text(g.workload(g.report.Objective.Workload)),
	}
	if !ok {
		return g.t("lead.unknown", args)
	}
	id := g.report.Objective.Metric
	args["Value"], args["Before"] = g.fact(now.Values[id]), g.fact(before.Values[id])
	args["Gain"] = g.fact(gain)
	args["Percent"], args["Factor"] = g.fact(gain, StylePercent), g.fact(gain, StyleFactor)
	tpot := metric.Of(metric.Mean, metric.TPOT)
	message := "lead." + g.report.Objective.Goal
	if a, ok := value(before, tpot); ok {
		if b, ok := value(now, tpot); ok {
			args["TPOTBefore"], args["TPOT"] = g.fact(a), g.fact(b)
		}
	}
	fact, _ := g.report.Facts.Get(gain)
	if fact.Value <= 1+g.floor(id).Value {
		return g.t("lead.flat", args)
	}
	if fact.Value >= gainTurnsTimes {
		message += ".times"
	}
	return g.t(message, args)
}

// headline returns the two trials of the conclusion and the fact of their ratio: the
// case on the objective's workload, or the baseline and the final configuration as
// the stages measured them.
func (g *guide) headline() (before, now analyze.Sample, gainFact string, ok bool) {
	id := g.report.Objective.Metric
	for _, c := range g.report.Cases {
		if c.Workload == g.report.Objective.Workload {
			fact, found := gain(&c.Comparison, id)
			return g.sampleOf(c.Baseline), g.sampleOf(c.Optimized), fact, found
		}
	}
	return analyze.Sample{}, analyze.Sample{}, "", false
}

// mark says what kind of results these are, where they are not plain measurements.
func (g *guide) mark() string {
	if g.report.Mark == "" {
		return ""
	}
	return "!!! warning \"" + g.t("mark.warning") + "\"\n\n    " + g.t("mark."+g.report.Mark) + "\n\n"
}

func (g *guide) floor(id metric.ID) analyze.Floor {
	for _, f := range g.report.Floors {
		if f.Metric == id {
			return f
		}
	}
	return g.report.Floors[0]
}

// sure says how far the conclusion can be trusted, and why.
func (g *guide) sure() []string {
	f := g.floor(g.report.Objective.Metric)
	name := g.metric(f.Metric)
	lines := []string{g.t("sure.one-start", Args{"Metric": name, "Floor": g.fact(f.Fact)}) + g.floorOrigin(f)}
	if len(g.report.Summary.Parts) > 0 {
		if g.report.Summary.Parts[0].Remeasured {
			lines = append(lines, g.t("sure.remeasured"))
		} else {
			lines = append(lines, g.t("sure.flatter"))
		}
	}
	if g.folder.Study.Published != nil {
		lines = append(lines, g.t("sure.claims", Args{"Checked": g.fact("claims:checked"), "Contradicted": g.fact("claims:contradicted")}))
	}
	return append(lines, g.t("sure.accuracy"))
}

// floorOrigin says where a noise floor comes from.
func (g *guide) floorOrigin(f analyze.Floor) string {
	gap := g.lang.Gap()
	if f.Measured == "" {
		return gap + g.t("sure.floor.silent")
	}
	measured, _ := g.report.Facts.Get(f.Measured)
	if measured.Value < f.Value {
		return gap + g.t("sure.floor.declared", Args{"Spread": g.fact(f.Measured)})
	}
	first, _ := g.report.Trial(f.Trials[0])
	second, _ := g.report.Trial(f.Trials[len(f.Trials)-1])
	return gap + g.t("sure.floor.measured", Args{
		"First": text(g.trial(first.ID)), "Second": text(g.trial(second.ID)), "Metric": g.metric(f.Metric),
		"A": g.fact(first.Values[f.Metric]), "B": g.fact(second.Values[f.Metric]),
	})
}
