package render

import (
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

// overviewTable is the table of the conclusion: every case in the ranking metric,
// and in TPOT too where throughput ranks, since one is bought with the other.
func (g *guide) overviewTable() string {
	id := g.report.Objective.Metric
	unit := func(title string, id metric.ID) string {
		return g.t("table.with-unit", Args{"Name": g.t(title), "Unit": string(metric.MustLookup(id).Unit)})
	}
	titles := []string{g.t("table.case"), unit("table.baseline", id), unit("table.optimized", id), g.t("table.gain")}
	tpot := metric.Of(metric.Mean, metric.TPOT)
	throughput := g.report.Objective.Goal == study.Throughput
	if throughput {
		titles = append(titles, unit("table.tpot-baseline", tpot), unit("table.tpot-optimized", tpot))
	}
	var rows [][]markup.Cell
	for _, c := range g.report.Cases {
		b, o := g.sampleOf(c.Baseline), g.sampleOf(c.Optimized)
		row := []markup.Cell{cell(g.workload(c.Workload)), cell(g.valueText(b, id, StyleBare)), cell(g.valueText(o, id, StyleBare)), g.overviewGain(c)}
		if throughput {
			row = append(row, cell(g.valueText(b, tpot, StyleBare)), cell(g.valueText(o, tpot, StyleBare)))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return ""
	}
	caption := g.t("overview.caption", Args{"Metric": g.metric(id)})
	return caption + "\n\n" + markup.Table(g.head(titles...), rows, leftThenRight(len(titles)))
}

// overviewGain is a case's gain in the ranking metric, the confirmed one where there is one.
func (g *guide) overviewGain(c analyze.Case) markup.Cell {
	if len(c.Confirmed) == 0 || c.Comparison.Refused != "" || c.Comparison.Metric != g.report.Objective.Metric || !c.Comparison.Distinguishable {
		return g.comparisonCell(&c.Comparison)
	}
	fact, _ := c.Gain(c.Comparison.Metric)
	return cell(g.t("cell.confirmed", Args{"Gain": g.fact(fact)}))
}

// cases shows every case in full.
func (g *guide) cases() sectionView {
	if len(g.report.Cases) == 0 {
		return sectionView{}
	}
	view := sectionView{Table: g.casesTable(), Chart: g.linesChart()}
	for _, c := range g.report.Cases {
		if note := g.noteOfCase(c.Workload); note != nil {
			view.Notes = append(view.Notes, g.t("case.note", Args{"Case": text(g.workload(c.Workload)), "Text": prose(note.In(string(g.lang)))}))
		}
		view.Details = append(view.Details, fold(g.t("raw.case", Args{"Workload": g.workload(c.Workload)}),
			append(g.rawBlocks(c.Baseline, g.t("table.baseline")), g.rawBlocks(c.Optimized, g.t("table.optimized"))...)...))
	}
	return view
}

// noteOfCase is what the study says of the case on a workload. Cases that a run did not
// come to are not in the report.
func (g *guide) noteOfCase(workload string) *study.Text {
	for _, c := range g.folder.Study.Cases {
		if c.Workload == workload {
			return c.Note
		}
	}
	return nil
}

// casesTable has a row for each case and metric: old, new, gain.
func (g *guide) casesTable() string {
	titles := []string{g.t("table.case"), g.t("table.metric"), g.t("table.baseline"), g.t("table.optimized"), g.t("table.gain")}
	var rows [][]markup.Cell
	for _, c := range g.report.Cases {
		b, o := g.sampleOf(c.Baseline), g.sampleOf(c.Optimized)
		for i, id := range g.caseMetrics() {
			name := cell("")
			if i == 0 {
				name = strong(g.workload(c.Workload))
			}
			rows = append(rows, []markup.Cell{name, cell(g.metric(id)), cell(g.valueText(b, id, "")), cell(g.valueText(o, id, "")), g.caseGain(c, id)})
		}
	}
	align := leftThenRight(len(titles))
	align[1] = markup.AlignLeft
	return markup.Table(g.head(titles...), rows, align)
}

func (g *guide) caseMetrics() []metric.ID {
	ids := []metric.ID{metric.TotalThroughput, metric.Of(metric.Mean, metric.TPOT), metric.Of(metric.Mean, metric.TTFT)}
	if g.report.Objective.Goal == study.Latency {
		ids = append([]metric.ID{metric.RequestLatency}, ids...)
	}
	return ids
}

// caseGain prints the change of one metric of a case, the confirmed one where there is one.
// Only metrics with a noise floor are judged; the others are shown without a verdict, as
// what went along.
func (g *guide) caseGain(c analyze.Case, id metric.ID) markup.Cell {
	if c.Comparison.Refused != "" {
		return cell(g.t("cell.refused"))
	}
	for _, k := range c.Comparison.Gains {
		if k.Metric != id {
			continue
		}
		fact, confirmed := shownGain(c, k)
		switch {
		case k.Within:
			return cell(g.inNoise(&c.Comparison, g.fact(fact)))
		case confirmed:
			return cell(g.t("cell.confirmed", Args{"Gain": g.fact(fact)}))
		}
		return cell(g.fact(fact))
	}
	return cell(g.t("cell.none"))
}

// shownGain is what the page prints for a gain of a case: the confirmed one, unless the
// starts that decided could not tell it from noise. Those that confirm test nothing.
func shownGain(c analyze.Case, k analyze.Gain) (fact string, confirmed bool) {
	if fact, ok := confirmedIn(c.Confirmed, k.Metric); ok && !k.Within {
		return fact, true
	}
	return k.Fact, false
}

// inNoise puts the words beside a size that proves nothing: it is inside the noise, or
// there were too few starts to tell.
func (g *guide) inNoise(c *analyze.Comparison, size string) string {
	if c.Test != nil && c.Test.TooFew {
		return g.t("verdict.inline.few", Args{"Gain": size})
	}
	return g.t("verdict.inline", Args{"Gain": size})
}

// within reports whether a ratio lies inside a noise floor.
func within(ratio, floor float64) bool { return ratio <= 1+floor && 1/ratio <= 1+floor }

// summary lists what each stage was worth, and what is left over.
func (g *guide) summary() sectionView {
	view := sectionView{Intro: g.t("summary.intro"), Table: g.summaryTable(), Chart: g.waterfall()}
	switch {
	case !slices.ContainsFunc(g.report.Stages, func(st analyze.Stage) bool { return st.Changed }):
		view.Intro = g.t("summary.intro.none")
	case g.sameGainTwice():
		view.Intro = g.t("summary.intro.single")
	}
	if cost := g.costs(); cost != "" {
		view.Notes = append(view.Notes, cost)
		if len(g.costColumns()) > 0 {
			view.Notes = append(view.Notes, g.t("cost.cards"))
		}
	}
	for _, p := range g.report.Summary.Parts {
		rest, _ := g.report.Facts.Get(p.Unattributed)
		if p.Metric == g.report.Objective.Metric && p.Remeasured && g.isNoise(p, rest) {
			view.Notes = append(view.Notes, g.t("summary.unattributed.noise", Args{"Gain": g.fact(p.Unattributed)}))
		}
	}
	return view
}

// sameGainTwice reports whether the total gain is that of a single stage, from the very same
// starts: then there is nothing to multiply, and nothing that could be left over.
func (g *guide) sameGainTwice() bool {
	changed := 0
	for _, st := range g.report.Stages {
		if st.Changed {
			changed++
		}
	}
	parts := g.report.Summary.Parts
	return changed == 1 && len(parts) > 0 && !slices.ContainsFunc(parts, func(p analyze.SummaryPart) bool {
		rest, _ := g.report.Facts.Get(p.Unattributed)
		return p.Remeasured || percentText(rest.Value-1) != percentText(0)
	})
}

// rest prints what the stages do not explain, with the words for a rest that is noise.
func (g *guide) rest(p analyze.SummaryPart) string {
	f, _ := g.report.Facts.Get(p.Unattributed)
	out := g.fact(p.Unattributed)
	if p.Remeasured && g.isNoise(p, f) {
		return g.t("verdict.inline", Args{"Gain": out})
	}
	return out
}

// isNoise reports whether the rest is no larger than the noise floor. Where the floor
// was measured on the final configuration the two are one number, reached by
// different arithmetic, so the last bits do not count.
func (g *guide) isNoise(p analyze.SummaryPart, rest analyze.Fact) bool {
	if g.report.Rule == analyze.Blocks {
		return false // no test was made of the rest, so nothing is said of it
	}
	return within(rest.Value, g.floor(p.Metric).Value*(1+1e-9))
}

func (g *guide) summaryTable() string {
	metrics := []metric.ID{g.report.Objective.Metric}
	if g.report.Objective.Goal == study.Latency {
		metrics = append(metrics, metric.TotalThroughput)
	}
	titles := []string{g.t("table.stage"), g.t("table.decision")}
	for _, id := range metrics {
		titles = append(titles, g.t("table.gain-by", Args{"Metric": g.metric(id)}))
	}
	if g.hasAblation() {
		titles = append(titles, g.t("table.ablation"))
	}
	titles = append(titles, g.t("table.cumulative"))
	var rows [][]markup.Cell
	for _, st := range g.report.Stages {
		rows = append(rows, g.summaryRow(st, metrics))
	}
	if !g.sameGainTwice() {
		rows = append(rows, g.summaryTotals(metrics)...)
	}
	align := leftThenRight(len(titles))
	align[1] = markup.AlignLeft
	return markup.Table(g.head(titles...), rows, align)
}

// summaryRow is one stage: what it goes on with, and its gain with what that is worth.
func (g *guide) summaryRow(st analyze.Stage, metrics []metric.ID) []markup.Cell {
	row := []markup.Cell{cell(g.stage(st.ID)), cell(g.t("cell.no-change"))}
	if st.Open {
		row[1] = cell(g.t("verdict." + string(analyze.Undecided)))
	}
	var comparison *analyze.Comparison
	for _, c := range st.Candidates {
		if c.Ref == st.Adopted && st.Changed {
			row[1] = cell(g.candidate(c.Ref))
			comparison = c.VersusIncumbent
		}
	}
	for _, id := range metrics {
		row = append(row, g.stageGain(st, comparison, id))
	}
	if g.hasAblation() {
		row = append(row, g.comparisonCell(st.Ablation))
	}
	return append(row, g.cumulative(st))
}

// hasAblation reports whether the final configuration was measured with an option left
// out.
func (g *guide) hasAblation() bool {
	return slices.ContainsFunc(g.report.Stages, func(st analyze.Stage) bool { return st.Ablation != nil })
}

func (g *guide) stageGain(st analyze.Stage, c *analyze.Comparison, id metric.ID) markup.Cell {
	for _, sg := range st.Gain {
		if sg.Metric != id {
			continue
		}
		if sg.Within || !c.Distinguishable {
			return cell(g.inNoise(c, g.fact(sg.Fact)))
		}
		return cell(g.fact(sg.Fact))
	}
	return cell(g.t("cell.none"))
}

func (g *guide) cumulative(st analyze.Stage) markup.Cell {
	for _, c := range st.Cumulative {
		if c.Metric == g.report.Objective.Metric {
			return cell(g.fact(c.Fact, StyleTimes))
		}
	}
	return cell(g.t("cell.none"))
}

// summaryTotals are the closing rows: stages multiplied, the rest, the measured total.
func (g *guide) summaryTotals(metrics []metric.ID) [][]markup.Cell {
	none := cell(g.t("cell.none"))
	rows := [][]markup.Cell{
		{strong(g.t("summary.stages")), none},
		{strong(g.t("summary.unattributed")), none},
		{strong(g.t("summary.total")), none},
	}
	for _, id := range metrics {
		for _, p := range g.report.Summary.Parts {
			if p.Metric == id {
				rows[0] = append(rows[0], cell(g.fact(p.Stages, StyleTimes)))
				rows[1] = append(rows[1], cell(g.rest(p)))
				rows[2] = append(rows[2], cell(g.fact(p.Total, StyleTimes)))
			}
		}
	}
	if len(rows[0]) == 2 {
		return nil
	}
	for i := range rows {
		if g.hasAblation() {
			rows[i] = append(rows[i], none)
		}
		rows[i] = append(rows[i], none)
	}
	return rows
}
