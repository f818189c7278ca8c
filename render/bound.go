package render

import (
	"benchguide/metric"
	"benchguide/render/markup"
)

// bounds shows how far each candidate of every stage is from what the memory allows, and
// what that is worked out from, which a phone may cut off.
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
				rows = append(rows, []markup.Cell{stage, cell(g.candidate(c.Ref)), cell(g.fact(b.TPOT)), cell(g.valueText(s, tpot, "")), cell(g.fact(b.Share)), cell(g.fact(b.Weights)), cell(g.fact(b.KV))})
				stage = cell("")
			}
		}
	}
	if len(rows) == 0 {
		return sectionView{}
	}
	align := leftThenRight(7)
	align[1] = markup.AlignLeft
	first := g.report.Bounds[0] // the GPU is that of the study
	intro := g.t("bound.intro", Args{"Workload": text(g.workload(g.report.Objective.Workload)), "GPU": text(first.GPU), "Bandwidth": g.fact(first.Bandwidth)})
	return sectionView{Intro: intro, Table: markup.Table(g.head(g.t("table.stage"), g.t("table.candidate"), g.t("table.bound"), g.t("table.measured"),
		g.t("table.share"), g.t("table.weights-read"), g.t("table.kv-read")), rows, align)}
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
