package render

import (
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
)

// lead is the page's first paragraph: what was reached, that this recommends nothing where
// quality was not real, and that more is to come where the run is not finished.
func (g *guide) lead() string {
	lead := g.reached()
	if g.report.Mark != "" {
		lead += g.lang.Gap() + g.t("lead.mark."+g.report.Mark)
	}
	if o := g.report.Open; o != nil {
		lead += g.lang.Gap() + g.t("lead.open", Args{"Stage": text(g.stage(o.Stage)), "Blocks": g.fact(o.Blocks), "Most": g.fact(o.Most)})
	}
	return lead
}

// reached is the page's first sentence: what was reached, on what, against what.
func (g *guide) reached() string {
	s := &g.folder.Study
	before, now, gain, ok := g.headline()
	args := Args{
		"Hardware": g.hardware(text(s.Hardware.Short)), "Model": text(s.Model.Name),
		"Workload": text(g.workload(g.report.Objective.Workload)),
	}
	switch {
	case !ok && g.kept():
		args["Name"] = text(g.candidate(g.report.Baseline.Ref))
		return g.t("lead.kept", args)
	case !ok:
		return g.t("lead.unknown", args)
	}
	id := g.report.Objective.Metric
	args["Value"], args["Before"] = g.fact(now.Values[id]), g.fact(before.Values[id])
	args["Gain"] = g.fact(gain)
	args["Factor"] = g.fact(gain, StyleFactor)
	tpot := metric.Of(metric.Mean, metric.TPOT)
	message := "lead." + g.report.Objective.Goal
	if a, ok := value(before, tpot); ok {
		if b, ok := value(now, tpot); ok {
			args["TPOTBefore"], args["TPOT"] = g.fact(a), g.fact(b)
		}
	}
	fact, _ := g.report.Facts.Get(gain)
	if g.headlineWithin() {
		return g.t("lead.flat", args)
	}
	if fact.Value >= gainTurnsTimes {
		message += ".times"
	}
	return g.t(message, args) + g.traded(before, now)
}

// traded says in the same breath what a lower latency was bought with: a lower total
// throughput. What a higher throughput is bought with, its own sentence has.
func (g *guide) traded(before, now analyze.Sample) string {
	a, ok1 := value(before, metric.TotalThroughput)
	b, ok2 := value(now, metric.TotalThroughput)
	if g.report.Objective.Goal != study.Latency || !ok1 || !ok2 {
		return ""
	}
	was, _ := g.report.Facts.Get(a)
	is, _ := g.report.Facts.Get(b)
	if is.Value >= was.Value {
		return ""
	}
	return g.lang.Gap() + g.t("lead.traded", Args{"Before": g.fact(a), "Now": g.fact(b)})
}

// headlineWithin reports whether the headline's gain is inside the noise. Starts that
// only confirm test nothing, so those that decided say it.
func (g *guide) headlineWithin() bool {
	for _, c := range g.report.Cases {
		for _, k := range c.Comparison.Gains {
			if c.Workload == g.report.Objective.Workload && k.Metric == g.report.Objective.Metric {
				return k.Within
			}
		}
	}
	return true
}

// headline returns the two trials of the conclusion and the fact of their ratio: the
// case on the objective's workload, or the baseline and the final configuration as
// the stages measured them.
func (g *guide) headline() (before, now analyze.Sample, gainFact string, ok bool) {
	id := g.report.Objective.Metric
	for _, c := range g.report.Cases {
		if c.Workload == g.report.Objective.Workload {
			fact, found := c.Gain(id)
			return g.sampleOf(c.Baseline), g.sampleOf(c.Optimized), fact, found
		}
	}
	return analyze.Sample{}, analyze.Sample{}, "", false
}

// recommendation is the caption of the command that the page is about. Where quality
// was not real nothing is recommended: it is the fastest that was measured, no more. While
// the run is not finished, it is what the next candidates are held against.
func (g *guide) recommendation() string {
	switch {
	case g.report.Open != nil:
		return g.marked(g.versioned(g.t("command.so-far"), g.report.Final))
	case g.kept():
		return g.marked(g.versioned(g.t("command.kept"), g.report.Final))
	case g.report.Mark != "":
		return g.marked(g.versioned(g.t("command.fastest"), g.report.Final))
	}
	return g.versioned(g.t("command.recommended"), g.report.Final)
}

// kept reports whether nothing was adopted, so that the final configuration is the baseline.
func (g *guide) kept() bool { return g.report.Final.Ref == g.report.Baseline.Ref }

// shortMark is the word for what kind of results these are; "" for plain measurements. It
// stands in the bar that stays on the screen, at each table and on each chart.
func (g *guide) shortMark() string {
	if g.report.Mark == "" {
		return ""
	}
	return g.t("mark.short." + g.report.Mark)
}

// mark says what kind of results these are, where they are not plain measurements.
func (g *guide) mark() string {
	if g.report.Mark == "" {
		return ""
	}
	return "!!! warning \"" + g.shortMark() + "\"\n\n    " + g.t("mark."+g.report.Mark) + "\n\n"
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
	lines := g.sureOfStarts()
	if len(g.report.Summary.Parts) > 0 {
		switch {
		case g.confirmedCase():
			lines = append(lines, g.t("sure.confirmed"))
		case g.report.Summary.Parts[0].Remeasured:
			lines = append(lines, g.t("sure.remeasured"))
		case g.report.Rule == analyze.Blocks:
			lines = append(lines, g.t("sure.flatter.starts"))
		default:
			lines = append(lines, g.t("sure.flatter"))
		}
	}
	if g.folder.Study.Published != nil {
		lines = append(lines, g.t("sure.claims", Args{"Checked": g.fact("claims:checked"), "Contradicted": g.fact("claims:contradicted")}))
	}
	switch {
	case len(g.folder.Study.Notes) == 0:
		return append(lines, g.t("sure.accuracy.alone"))
	case g.report.Mark == study.MarkDummyWeights:
		return append(lines, g.t("sure.accuracy.dummy-weights", Args{"Notes": g.notesHeading()}))
	}
	return append(lines, g.t("sure.accuracy", Args{"Notes": g.notesHeading()}))
}

// notesHeading is the heading of the study's caveats. Where nothing is recommended, there is
// nothing to be used.
func (g *guide) notesHeading() string {
	if g.report.Mark == "" {
		return g.t("notes.heading")
	}
	return g.t("notes.heading.marked")
}

// confirmedCase reports whether the conclusion's gain comes from starts that were made
// after all decisions.
func (g *guide) confirmedCase() bool {
	return slices.ContainsFunc(g.report.Cases, func(c analyze.Case) bool {
		return c.Workload == g.report.Objective.Workload && len(c.Confirmed) > 0
	})
}

// sureOfStarts says by which rule gains were judged, and what noise they had to exceed.
func (g *guide) sureOfStarts() []string {
	if g.report.Rule == analyze.OneStart {
		f := g.floor(g.report.Objective.Metric)
		return []string{g.t("sure.one-start", Args{"Metric": g.metric(f.Metric), "Floor": g.fact(f.Fact)}) + g.floorOrigin(f)}
	}
	lines := []string{g.t("sure.blocks", Args{"Delta": g.fact("rule:delta")})}
	for _, s := range g.report.Spreads {
		if s.Metric == g.report.Objective.Metric {
			message := "sure.spread"
			if len(g.report.Stages) > 1 {
				message = "sure.spread.stages"
			}
			lines = append(lines, g.t(message, Args{"Metric": g.metric(s.Metric), "Spread": g.fact(s.Fact), "DF": g.fact(s.DF)}))
		}
	}
	if g.unlikeQuotient() {
		lines = append(lines, g.t("sure.quotient"))
	}
	return append(lines, g.t("sure.error", Args{"Error": g.fact(g.report.ErrorRate)}))
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
