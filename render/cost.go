package render

import "benchguide/render/markup"

// costs is what the baseline and the final configuration cost in money and energy, or
// nothing where neither was stated nor measured.
func (g *guide) costs() string {
	var rows [][]markup.Cell
	for _, c := range g.report.Costs {
		money, energy := g.t("setup.not-measured"), g.t("setup.not-measured")
		if c.Money != "" {
			money = g.fact(c.Money)
		}
		if c.Energy != "" {
			energy = g.fact(c.Energy)
		}
		rows = append(rows, []markup.Cell{cell(g.candidate(g.sampleOf(c.Sample).Ref)), cell(money), cell(energy)})
	}
	if len(rows) == 0 {
		return ""
	}
	return markup.Table(g.head(g.t("table.candidate"), g.t("table.cost"), g.t("table.energy")), rows, leftThenRight(3))
}
