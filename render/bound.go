package render

import (
	"benchguide/metric"
	"benchguide/render/markup"
)

// bounds shows how far each configuration that was adopted on the way is from what
// the memory allows: the baseline, and what each stage went on with.
func (g *guide) bounds() sectionView {
	tpot := metric.Of(metric.Mean, metric.TPOT)
	var rows [][]markup.Cell
	for _, sample := range g.pathSamples() {
		for _, b := range g.report.Bounds {
			if b.Sample != sample {
				continue
			}
			s := g.sampleOf(b.Sample)
			rows = append(rows, []markup.Cell{cell(g.candidate(s.Ref)), cell(g.fact(b.TPOT)), cell(g.valueText(s, tpot, "")), cell(g.fact(b.Share))})
		}
	}
	if len(rows) == 0 {
		return sectionView{}
	}
	return sectionView{Intro: g.t("bound.intro"), Table: markup.Table(
		g.head(g.t("table.candidate"), g.t("table.bound"), g.t("table.measured"), g.t("table.share")), rows, leftThenRight(4))}
}

// pathSamples are the samples of the baseline and of what each stage went on with.
func (g *guide) pathSamples() []string {
	list := []string{g.report.Baseline.Ref + "/" + g.report.Objective.Workload}
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.Ref == st.Adopted && st.Changed {
				list = append(list, c.Sample)
			}
		}
	}
	return list
}
