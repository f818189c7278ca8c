package render

import (
	"strings"

	"benchguide/metric"
	"benchguide/render/markup"
)

// cell makes a table cell of words with markers in them.
func cell(source string) markup.Cell { return markup.Cell(parts(source)) }

// parts splits words with markers into parts that are escaped each in its way.
func parts(source string) []markup.Part {
	open, closing, _ := strings.Cut(markup.Marker("|"), "|")
	var out []markup.Part
	for source != "" {
		before, rest, found := strings.Cut(source, open)
		if before != "" {
			out = append(out, markup.Text(before))
		}
		if !found {
			break
		}
		ref, after, _ := strings.Cut(rest, closing)
		out = append(out, markup.Fact(ref))
		source = after
	}
	return out
}

// strong makes a cell of bold words.
func strong(source string) markup.Cell {
	return markup.Cell{markup.Strong(parts(source)...)}
}

// head makes a header row.
func (g *guide) head(titles ...string) []markup.Cell {
	cells := make([]markup.Cell, len(titles))
	for i, t := range titles {
		if i == 0 {
			t = g.marked(t)
		}
		cells[i] = cell(t)
	}
	return cells
}

// marked adds the mark of results that are no plain measurements to the title of a
// table's first column or to the caption of a serving command, since both are copied
// without the page around them.
func (g *guide) marked(title string) string {
	if g.report.Mark == "" {
		return title
	}
	return g.t("mark.in-table", Args{"Title": title, "Mark": g.shortMark()})
}

// withUnit adds a metric's unit to a column's title, so that a column of numbers
// need not repeat it.
func (g *guide) withUnit(id metric.ID) string {
	return g.t("table.with-unit", Args{"Name": g.metric(id), "Unit": string(metric.MustLookup(id).Unit)})
}

// shortWithUnit is withUnit with the short name, for tables of many columns.
func (g *guide) shortWithUnit(id metric.ID) string {
	return g.t("table.with-unit", Args{"Name": g.t("short." + string(id)), "Unit": string(metric.MustLookup(id).Unit)})
}

// leftThenRight aligns the first column left and the others right.
func leftThenRight(n int) []markup.Align {
	align := make([]markup.Align, n)
	for i := range align {
		align[i] = markup.AlignRight
	}
	align[0] = markup.AlignLeft
	return align
}

// fold puts blocks into a folded part of the page.
func fold(title string, blocks ...string) string {
	var b strings.Builder
	b.WriteString("??? info \"" + strings.ReplaceAll(title, `"`, "”") + "\"\n")
	for _, block := range blocks {
		b.WriteString("\n")
		for line := range strings.Lines(strings.TrimRight(block, "\n") + "\n") {
			if strings.TrimSpace(line) != "" {
				b.WriteString("    ")
			}
			b.WriteString(line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
