package render

import (
	"fmt"
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/chart"
	"benchguide/render/gate"
	"benchguide/study"
)

// drawing is one chart of a page: anything that draws itself.
type drawing interface {
	SVG(*chart.Fonts) ([]byte, error)
}

// phoneWidth is the width that charts are laid out for on phones, where the wide
// layout would be scaled down until its words cannot be read.
const phoneWidth = 360

// show draws a chart and returns the image that stands for it in page source. The
// page gets a wide and a narrow drawing, of which the stylesheet shows one; the file
// beside the exported Markdown is the wide one with its own stylesheet.
func (g *guide) show(name string, m chart.Meta, draw func(chart.Meta) drawing) string {
	file := name + ".svg"
	g.files[file] = g.svg(name, draw(m))
	m.Bare = true
	wide := g.svg(name, draw(m))
	m.ID, m.Width = m.ID+"-narrow", phoneWidth
	narrow := g.svg(name, draw(m))
	g.charts[file] = slices.Concat(wide, narrow)
	return "![" + text(m.Title) + "](" + file + ")"
}

func (g *guide) svg(name string, d drawing) []byte {
	svg, err := d.SVG(g.fonts)
	if err != nil && g.err == nil {
		g.err = fmt.Errorf("%s: chart %s (%s): %w", g.folder.ID, name, g.lang, err)
	}
	return svg
}

// chartMeta names a chart. Its id is unique on the page.
func (g *guide) chartMeta(name, title, desc string, heading ...chart.Text) chart.Meta {
	m := chart.Meta{ID: "chart-" + name, Title: title, Desc: desc, Lang: string(g.lang), Heading: chart.Plain(title)}
	if len(heading) > 0 {
		m.Heading = heading[0]
	}
	if g.report.Mark != "" {
		m.Note = chart.Plain(g.shortMark())
	}
	return m
}

// chartText makes words of a name; names with digits are declared literals.
func chartText(name string) chart.Text {
	if gate.HasNumber(name) {
		return chart.Literal(name)
	}
	return chart.Plain(name)
}

// chartFact prints a fact in a chart.
func (g *guide) chartFact(id, style string) chart.Text {
	f, ok := g.report.Facts.Get(id)
	label, err := factText(f, style)
	if (!ok || err != nil) && g.err == nil {
		g.err = fmt.Errorf("%s: a chart states the fact %q: not there, or not in style %q", g.folder.ID, id, style)
	}
	return chart.Fact(label, id, exact(f.Value))
}

// chartGain prints a comparison's gain in a chart.
func (g *guide) chartGain(c *analyze.Comparison) chart.Text {
	fact, ok := gain(c, c.Metric)
	if !ok {
		return nil
	}
	return g.chartFact(fact, "")
}

// chartCaseGain prints a case's gain in a chart: the confirmed one, where the table beside it
// prints that.
func (g *guide) chartCaseGain(c analyze.Case) chart.Text {
	if fact, ok := c.Gain(c.Comparison.Metric); ok && len(c.Confirmed) > 0 && c.Comparison.Distinguishable {
		return g.chartFact(fact, "")
	}
	return g.chartGain(&c.Comparison)
}

// fill puts chart texts into a message: the placeholder stands between what comes
// before and after it in the language.
func (g *guide) fill(id, placeholder string, value chart.Text) chart.Text {
	const hole = "\x00"
	before, after, _ := strings.Cut(g.t(id, Args{placeholder: hole}), hole)
	var out chart.Text
	if before != "" {
		out = chart.Plain(before)
	}
	out = chart.Join(out, value)
	if after != "" {
		out = chart.Join(out, chart.Plain(after))
	}
	return out
}

// reading returns a trial's value for a chart: measured, bounded from above, or missing.
func (g *guide) reading(t analyze.Sample, id metric.ID) (float64, chart.Reading, chart.Text) {
	if fact, ok := value(t, id); ok {
		f, _ := g.report.Facts.Get(fact)
		return f.Value, chart.Measured, g.chartFact(fact, "")
	}
	if bound, ok := value(t, metric.RequestLatencyMost); ok && id == metric.RequestLatency && t.NoLatency {
		f, _ := g.report.Facts.Get(bound)
		return f.Value, chart.AtMost, g.fill("cell.at-most", "Bound", g.chartFact(bound, ""))
	}
	return 0, chart.Missing, chart.Plain(g.t("chart.missing"))
}

// casesChart is the headline: baseline and optimized, case by case.
func (g *guide) casesChart() string {
	c, ok := g.casesBars()
	if !ok {
		return ""
	}
	return g.show("cases", c.Meta, func(m chart.Meta) drawing { c.Meta = m; return c })
}

func (g *guide) casesBars() (chart.Bars, bool) {
	if len(g.report.Cases) == 0 {
		return chart.Bars{}, false
	}
	id := g.report.Objective.Metric
	title := g.t("chart.cases." + g.report.Objective.Goal + ".title")
	c := chart.Bars{
		Meta:       g.chartMeta("cases", title, g.t("chart.cases.desc")),
		ValueLabel: chart.Plain(g.withUnit(id)),
		Series:     []chart.Text{chart.Plain(g.t("table.baseline")), chart.Plain(g.t("table.optimized"))},
	}
	for _, k := range g.report.Cases {
		group := chart.BarGroup{Name: chartText(g.workload(k.Workload)), Side: g.chartCaseGain(k)}
		for i, trial := range []string{k.Baseline, k.Optimized} {
			v, reading, label := g.reading(g.sampleOf(trial), id)
			group.Bars = append(group.Bars, chart.Bar{Series: i, Value: v, Reading: reading, Label: label})
		}
		c.Groups = append(c.Groups, group)
	}
	return c, true
}

// linesChart follows the latency over the concurrency, where the cases differ in it.
func (g *guide) linesChart() string {
	if g.report.Objective.Goal != study.Latency || len(g.report.Cases) < 2 {
		return ""
	}
	id := g.report.Objective.Metric
	c := chart.Lines{
		Meta:       g.chartMeta("latency", g.t("chart.lines.title"), g.t("chart.lines.desc")),
		XLabel:     chart.Plain(g.t("chart.x.concurrency")),
		ValueLabel: chart.Plain(g.withUnit(id)),
		Series: []chart.LineSeries{
			{Name: chart.Plain(g.t("table.baseline"))},
			{Name: chart.Plain(g.t("table.optimized"))},
		},
	}
	last := 0
	for _, k := range g.report.Cases {
		w, _ := g.folder.Study.Workload(k.Workload)
		if w.Concurrency <= last {
			return "" // not a sweep of the concurrency
		}
		last = w.Concurrency
		c.X = append(c.X, float64(w.Concurrency))
		for i, trial := range []string{k.Baseline, k.Optimized} {
			v, reading, label := g.reading(g.sampleOf(trial), id)
			c.Series[i].Points = append(c.Series[i].Points, chart.Point{Value: v, Reading: reading, Label: label})
		}
	}
	return g.show("latency", c.Meta, func(m chart.Meta) drawing { c.Meta = m; return c })
}

// stageChart sets a stage's candidates against the incumbent and the noise band.
// A stage of a single candidate needs no picture.
func (g *guide) stageChart(st analyze.Stage) string {
	title := g.t("chart.stage.title", Args{"Stage": g.stage(st.ID)})
	c := chart.Candidates{
		Meta:       g.chartMeta("stage-"+st.ID, title, g.t("chart.stage.desc"), g.fill("chart.stage.title", "Stage", chartText(g.stage(st.ID)))),
		ValueLabel: chart.Plain(g.t("chart.stage.x")),
		Reference:  g.fill("chart.stage.reference", "Name", chartText(g.incumbent(st))),
	}
	for _, k := range st.Candidates {
		if k.VersusIncumbent == nil || len(k.VersusIncumbent.Gains) == 0 {
			continue
		}
		c.Rows = append(c.Rows, g.stageRow(st, k))
		if bar := k.VersusIncumbent.Gains[0]; bar.Bar != "" && bar.Floor > c.Floor {
			c.Floor, c.Band = bar.Floor, g.fill("chart.stage.band", "Floor", g.chartFact(bar.Bar, ""))
		}
	}
	if len(c.Rows) < 2 {
		return ""
	}
	return g.show("stage-"+st.ID, c.Meta, func(m chart.Meta) drawing { c.Meta = m; return c })
}

func (g *guide) stageRow(st analyze.Stage, k analyze.Candidate) chart.Candidate {
	return chart.Candidate{
		Name: chartText(g.candidate(k.Ref)), Ratio: k.VersusIncumbent.Ratio, Label: g.chartGain(k.VersusIncumbent),
		Verdict: string(k.Verdict), Word: chart.Plain(g.verdictWord(k)), Adopted: k.Ref == st.Adopted,
	}
}

// waterfall shows how the stages make up the total; nothing where a single one is all of it.
func (g *guide) waterfall() string {
	if g.sameGainTwice() {
		return ""
	}
	id := g.report.Objective.Metric
	title := g.t("chart.waterfall.title")
	c := chart.Waterfall{
		Meta:       g.chartMeta("waterfall", title, g.t("chart.waterfall.desc")),
		ValueLabel: chart.Plain(g.t("chart.waterfall.y")),
	}
	for _, st := range g.report.Stages {
		if step, ok := g.stageStep(st, id); ok {
			c.Steps = append(c.Steps, step)
		}
	}
	for _, p := range g.report.Summary.Parts {
		if p.Metric != id {
			continue
		}
		rest, _ := g.report.Facts.Get(p.Unattributed)
		if percentText(rest.Value-1) != percentText(0) {
			step := chart.Step{Name: chart.Plain(g.t("summary.unattributed")), Label: g.chartFact(p.Unattributed, ""),
				Factor: rest.Value, Kind: chart.Unattributed}
			if p.Remeasured && g.isNoise(p, rest) {
				step.Note = chart.Plain(g.t("verdict.not-distinguishable"))
			}
			c.Steps = append(c.Steps, step)
		}
		total, _ := g.report.Facts.Get(p.Total)
		c.Total = chart.Step{Name: chart.Plain(g.t("summary.total")), Label: g.chartFact(p.Total, StyleTimes), Factor: total.Value}
	}
	if len(c.Steps) == 0 || c.Total.Factor == 0 {
		return ""
	}
	return g.show("waterfall", c.Meta, func(m chart.Meta) drawing { c.Meta = m; return c })
}

func (g *guide) stageStep(st analyze.Stage, id metric.ID) (chart.Step, bool) {
	for _, sg := range st.Gain {
		if sg.Metric != id || !st.Changed {
			continue
		}
		f, _ := g.report.Facts.Get(sg.Fact)
		step := chart.Step{Name: chartText(g.stage(st.ID)), Label: g.chartFact(sg.Fact, ""), Factor: f.Value}
		if sg.Within {
			step.Kind, step.Note = chart.NotDistinguishable, chart.Plain(g.t("verdict.not-distinguishable"))
		}
		return step, true
	}
	return chart.Step{}, false
}
