package render

import (
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

// stagesIntro says how stages follow each other and what their tables hold.
func (g *guide) stagesIntro() string {
	intro := g.t("stages.intro")
	if slices.ContainsFunc(g.report.Samples, func(s analyze.Sample) bool { return len(s.Trials) > 1 }) {
		intro += g.lang.Gap() + g.t("stages.means")
	}
	return intro
}

func (g *guide) stageViews() []stageView {
	var views []stageView
	for i, st := range g.report.Stages {
		declared := g.folder.Study.Stages[i]
		views = append(views, stageView{
			ID: st.ID, Title: text(declared.Title.In(string(g.lang))),
			Question: prose(declared.Question.In(string(g.lang))),
			Table:    g.stageTable(st),
			Chart:    g.stageChart(st),
			Findings: g.stageFindings(st, declared),
			Beside:   g.beside(st),
			Details:  g.stageDetails(st),
		})
	}
	return views
}

// stageColumns are the metrics of a stage's table: the ranking one, then what
// explains it.
func (g *guide) stageColumns() []metric.ID {
	ttft, tpot := metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT)
	if g.report.Objective.Goal == study.Latency {
		return []metric.ID{metric.RequestLatency, ttft, tpot, metric.TotalThroughput}
	}
	return []metric.ID{metric.TotalThroughput, ttft, tpot}
}

// stageTable lists a stage's candidates, the incumbent first: the verdict beside the
// name, then the ranking metric with both comparisons, then what explains it.
func (g *guide) stageTable(st analyze.Stage) string {
	columns := g.stageColumns()
	titles := []string{g.t("table.candidate"), g.t("table.verdict"), g.shortWithUnit(columns[0]), g.t("table.versus-incumbent")}
	if st.Changed { // what stays adopted otherwise is the incumbent
		titles = append(titles, g.t("table.versus-adopted"))
	}
	leader := hasLeader(st)
	if leader {
		titles = append(titles, g.t("table.versus-leader"))
	}
	if g.severalStarts(st) { // behind the verdict and what it rests on, which a phone has room for
		titles = append(titles, g.t("table.starts"))
	}
	for _, id := range columns[1:] {
		titles = append(titles, g.shortWithUnit(id))
	}
	var rows [][]markup.Cell
	if !holds(st, st.Incumbent) {
		incumbent := analyze.Candidate{Ref: st.Incumbent, Sample: g.incumbentSample(st).ID}
		rows = append(rows, g.candidateRow(st, incumbent, g.t("table.incumbent-mark"), columns, leader))
	}
	for _, c := range st.Candidates {
		rows = append(rows, g.candidateRow(st, c, g.verdict(c), columns, leader))
	}
	align := leftThenRight(len(titles))
	align[1] = markup.AlignLeft
	return markup.Table(g.head(titles...), rows, align)
}

// severalStarts reports whether a value in a stage's table is a mean over starts.
func (g *guide) severalStarts(st analyze.Stage) bool {
	samples := []analyze.Sample{g.incumbentSample(st)}
	for _, c := range st.Candidates {
		if c.Sample != "" {
			samples = append(samples, g.sampleOf(c.Sample))
		}
	}
	return slices.ContainsFunc(samples, func(s analyze.Sample) bool { return s.Starts != "" && len(s.Trials) > 1 })
}

// startsCell is how many starts a row's values are means of.
func (g *guide) startsCell(s analyze.Sample) markup.Cell {
	if s.Starts == "" {
		return cell(g.t("cell.none"))
	}
	return cell(g.fact(s.Starts))
}

func hasLeader(st analyze.Stage) bool {
	return slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool { return c.VersusLeader != nil })
}

func holds(st analyze.Stage, ref string) bool {
	return slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool { return c.Ref == ref })
}

// incumbent is the name of what a stage's candidates are held against. Beside one of another
// engine or version that name has the incumbent's: "FP8" is not what "SGLang" differs by.
func (g *guide) incumbent(st analyze.Stage) string {
	name := g.candidate(st.Incumbent)
	if holds(st, st.Incumbent) {
		return name
	}
	c, ok := g.candidateOf(st.Incumbent)
	own := c.Configuration
	other := slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool {
		return c.Configuration.Engine != own.Engine || c.Configuration.Version != own.Version
	})
	if !ok || !other {
		return name
	}
	return g.t("candidate.of-engine", Args{"Name": name, "Engine": own.EngineName + " " + own.Version})
}

// candidateOf is a candidate of any stage.
func (g *guide) candidateOf(ref string) (analyze.Candidate, bool) {
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.Ref == ref {
				return c, true
			}
		}
	}
	return analyze.Candidate{}, false
}

// incumbentSample returns what a stage's candidates are held against: the starts of the
// incumbent that the stage made itself, or those that it was adopted with.
func (g *guide) incumbentSample(of analyze.Stage) analyze.Sample {
	if own, ok := g.report.Sample(of.ID + "/" + study.IncumbentSide + "/" + g.report.Objective.Workload); ok {
		return own
	}
	if c, ok := g.candidateOf(of.Incumbent); ok {
		return g.sampleOf(c.Sample)
	}
	return analyze.Sample{}
}

func (g *guide) candidateRow(st analyze.Stage, c analyze.Candidate, verdict string, columns []metric.ID, leader bool) []markup.Cell {
	words := g.candidate(c.Ref)
	if c.Ref == st.Incumbent {
		words = g.incumbent(st)
	}
	name := cell(words)
	if c.Ref == st.Adopted {
		name = strong(words)
	}
	var t analyze.Sample // of a candidate that gave no results, nothing is known
	if c.Sample != "" {
		t = g.sampleOf(c.Sample)
	}
	row := []markup.Cell{name, cell(verdict), cell(g.valueText(t, columns[0], StyleBare)), g.stageComparison(st, c.VersusIncumbent)}
	if st.Changed {
		row = append(row, g.comparisonCell(c.VersusAdopted))
	}
	if leader {
		row = append(row, g.comparisonCell(c.VersusLeader))
	}
	if g.severalStarts(st) {
		row = append(row, g.startsCell(t))
	}
	for _, id := range columns[1:] {
		row = append(row, cell(g.valueText(t, id, StyleBare)))
	}
	return row
}

// valueText prints a trial's metric. Where a latency is impossible, the bound stands
// in its place.
func (g *guide) valueText(t analyze.Sample, id metric.ID, style string) string {
	if fact, ok := value(t, id); ok {
		return g.fact(fact, style)
	}
	if bound, ok := value(t, metric.RequestLatencyMost); ok && id == metric.RequestLatency && t.NoLatency {
		return g.t("cell.at-most", Args{"Bound": g.fact(bound, style)})
	}
	return g.t("cell.none")
}

// comparisonCell prints a gain, always with the words beside it that say what it is
// worth: a size inside the noise never stands alone.
func (g *guide) comparisonCell(c *analyze.Comparison) markup.Cell {
	switch {
	case c == nil:
		return cell(g.t("cell.none"))
	case c.Refused != "":
		return cell(g.t("cell.refused"))
	}
	return cell(g.gainText(c))
}

// stageComparison is comparisonCell for a candidate of a stage. While the stage is not
// decided, that is what its sizes are worth, whatever the starts so far say.
func (g *guide) stageComparison(st analyze.Stage, c *analyze.Comparison) markup.Cell {
	if !st.Open || c == nil || c.Refused != "" {
		return g.comparisonCell(c)
	}
	fact, _ := gain(c, c.Metric)
	return cell(g.t("verdict.inline.open", Args{"Gain": g.fact(fact)}))
}

func (g *guide) gainText(c *analyze.Comparison) string {
	fact, _ := gain(c, c.Metric)
	out := g.fact(fact)
	if c.Metric != g.report.Objective.Metric {
		out = g.t("cell.by-throughput", Args{"Gain": out})
	}
	if !c.Distinguishable {
		out = g.inNoise(c, out)
	}
	if len(c.Cautions) > 0 {
		out = g.t("cell.caution", Args{"Gain": out})
	}
	return out
}
