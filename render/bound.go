package render

import (
	"benchguide/metric"
	"benchguide/render/markup"
)

// bounds shows how far each candidate of every stage is from what the memory allows.
func (g *guide) bounds() sectionView {
	tpot := metric.Of(metric.Mean, metric.TPOT)
	var rows [][]markup.Cell
	for _, st := range g.report.Stages {
		stage := strong(g.stage(st.ID))
		for _, c := range st.Candidates {
			for _, b := range g.report.Bounds {
				if b.Candidate != c.Ref {
					continue
				}
				s := g.sampleOf(b.Sample)
				rows = append(rows, []markup.Cell{stage, cell(g.candidate(c.Ref)), cell(g.fact(b.TPOT)), cell(g.valueText(s, tpot, "")), cell(g.fact(b.Share))})
				stage = cell("")
			}
		}
	}
	if len(rows) == 0 {
		return sectionView{}
	}
	align := leftThenRight(5)
	align[1] = markup.AlignLeft
	return sectionView{Intro: g.t("bound.intro", Args{"Workload": text(g.workload(g.report.Objective.Workload))}), Table: markup.Table(
		g.head(g.t("table.stage"), g.t("table.candidate"), g.t("table.bound"), g.t("table.measured"), g.t("table.share")), rows, align)}
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
