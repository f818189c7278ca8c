package render

import (
	"slices"

	"benchguide/render/markup"
)

// column is a column of a table in which nothing may be known.
type column struct {
	title string
	words bool          // it holds words and no numbers
	cells []markup.Cell // nil: not known
}

// columns prints a table without the columns of which nothing is known. What is missing
// in a column that stays is left empty. With fewer columns than least, nothing is
// printed: names are no table.
func (g *guide) columns(least int, list ...column) string {
	list = slices.DeleteFunc(list, func(c column) bool {
		return !slices.ContainsFunc(c.cells, func(x markup.Cell) bool { return x != nil })
	})
	if len(list) < least {
		return ""
	}
	var titles []string
	var align []markup.Align
	rows := make([][]markup.Cell, len(list[0].cells))
	for i, c := range list {
		titles = append(titles, c.title)
		align = append(align, markup.AlignRight)
		if i == 0 || c.words {
			align[i] = markup.AlignLeft
		}
		for i, x := range c.cells {
			if x == nil {
				x = cell("")
			}
			rows[i] = append(rows[i], x)
		}
	}
	if !slices.ContainsFunc(list, func(c column) bool { return !c.words }) {
		align = nil // names and values of any length, which may be broken
	}
	return markup.Table(g.head(titles...), rows, align)
}

// factCell is nil where there is no fact.
func (g *guide) factCell(id string) markup.Cell {
	if id == "" {
		return nil
	}
	return cell(g.fact(id))
}

// captioned puts a sentence before a table; nothing where there is no table.
func captioned(caption, table string) string {
	if table == "" {
		return ""
	}
	return caption + "\n\n" + table
}
