package render

import (
	"benchguide/analyze"
	"benchguide/render/markup"
)

// cardsTable takes the means of the telemetry apart by GPU where they are over unlike ones.
func (g *guide) cardsTable(m *analyze.Made) string {
	names, gpus, starts := column{title: g.t("table.candidate")}, column{title: g.t("around.gpu"), words: true}, column{title: g.t("table.starts")}
	power, energy := column{title: g.t("table.power")}, column{title: g.t("table.energy")}
	for _, t := range m.Telemetry {
		for i, c := range t.Cards {
			var name markup.Cell // once for all of its GPUs
			if i == 0 {
				name = cell(g.measured(t.Sample))
			}
			names.cells = append(names.cells, name)
			gpus.cells = append(gpus.cells, cell(shortUUIDs(c.GPU)))
			starts.cells, power.cells, energy.cells = append(starts.cells, g.factCell(c.Starts)), append(power.cells, g.factCell(c.Power)), append(energy.cells, g.factCell(c.Energy))
		}
	}
	return captioned(g.t("made.cards"), g.columns(2, names, gpus, starts, power, energy))
}

// costColumns are the energy of each GPU by itself, beside that of all starts; none where
// the starts ran on GPUs alike.
func (g *guide) costColumns() []column {
	var list []column
	at := map[string]int{}
	for i, c := range g.report.Costs {
		for _, card := range g.cardsOf(c.Sample) {
			k, ok := at[card.GPU]
			if !ok {
				k = len(list)
				at[card.GPU] = k
				list = append(list, column{title: g.t("table.energy.on", Args{"GPU": shortUUIDs(card.GPU)}), cells: make([]markup.Cell, len(g.report.Costs))})
			}
			list[k].cells[i] = g.factCell(card.Energy)
		}
	}
	return list
}

func (g *guide) cardsOf(sample string) []analyze.Card {
	if g.report.Made == nil {
		return nil
	}
	for _, t := range g.report.Made.Telemetry {
		if t.Sample == sample {
			return t.Cards
		}
	}
	return nil
}
