package render

import (
	"slices"

	"benchguide/analyze"
)

// costs is what the baseline and the final configuration cost in money and energy, or
// nothing where neither was stated nor measured. Without a price there is no cost to be
// shown, while energy that nobody measured is worth a word.
func (g *guide) costs() string {
	names, money, energy := column{title: g.t("table.candidate")}, column{title: g.t("table.cost")}, column{title: g.t("table.energy")}
	workload := Args{"Workload": text(g.workload(g.report.Objective.Workload))}
	for _, c := range g.report.Costs {
		used := cell(g.t("setup.not-measured"))
		if c.Energy != "" {
			used = cell(g.fact(c.Energy))
		}
		names.cells = append(names.cells, cell(g.candidate(g.sampleOf(c.Sample).Ref)))
		money.cells, energy.cells = append(money.cells, g.factCell(c.Money)), append(energy.cells, used)
	}
	caption := g.t("cost.caption.energy", workload)
	if slices.ContainsFunc(g.report.Costs, func(c analyze.Cost) bool { return c.Money != "" }) {
		caption = g.t("cost.caption", workload)
	}
	return captioned(caption, g.columns(2, append([]column{names, money, energy}, g.costColumns()...)...))
}
