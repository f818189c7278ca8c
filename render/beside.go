package render

import (
	"benchguide/analyze"
	"benchguide/render/markup"
)

// mostBeside is how many rows a table of what decides nothing may have without being
// folded: a longer one would stand out more than what decides.
const mostBeside = 6

// beside shows what the candidates of a stage did under the workloads that do not decide it,
// in three columns, which is what a phone is wide enough for.
func (g *guide) beside(st analyze.Stage) string {
	id := g.stageColumns()[0]
	var rows [][]markup.Cell
	for _, b := range g.report.Beside {
		if b.Stage != st.ID {
			continue
		}
		candidate, incumbent := g.sampleOf(b.Sample), g.sampleOf(b.Incumbent)
		values := g.t("beside.values", Args{"Before": g.valueText(incumbent, id, StyleBare), "Now": g.valueText(candidate, id, StyleBare)})
		name := g.t("beside.name", Args{"Candidate": g.candidate(b.Candidate), "Workload": g.workload(b.Workload)})
		rows = append(rows, []markup.Cell{cell(name), cell(values), g.stageComparison(st, &b.Comparison)})
	}
	if len(rows) == 0 {
		return ""
	}
	name := g.t("beside.name", Args{"Candidate": g.t("table.candidate"), "Workload": g.t("beside.workload")})
	titles := g.head(name, g.t("beside.column", Args{"Metric": g.shortWithUnit(id)}), g.t("table.versus-incumbent"))
	table := markup.Table(titles, rows, leftThenRight(len(titles)))
	if len(rows) > mostBeside {
		return fold(g.t("beside.title"), g.t("beside.why"), table)
	}
	return captioned(g.t("beside.caption", Args{"Title": g.t("beside.title"), "Why": g.t("beside.why")}), table)
}
