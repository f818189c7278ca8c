package parse

import "strings"

// grid is a table as text: rows of cells, of Markdown, of box characters, of an HTML
// table pasted as text, or of columns that tabs separate.
type grid struct {
	file        string
	first, last int
	rows        []gridRow
}

type gridRow struct {
	cells []string
	line  int
	cut   bool // the input ended in the last cell
}

// rowCells cuts a line into cells, and returns nil for a line that is no row. An empty
// cell stays, since the columns of the others depend on it.
func rowCells(s string) []string {
	bars := strings.NewReplacer("│", "|", "┃", "|", "║", "|").Replace(s)
	separator := "|"
	if !strings.Contains(bars, "|") {
		if separator = "\t"; !strings.Contains(bars, separator) {
			return nil
		}
	}
	if label, rest, ok := strings.Cut(bars, ": |"); ok && !strings.Contains(label, "|") {
		bars = label + "|" + rest // a pasted HTML row begins with its label and a colon
	}
	bars = strings.TrimPrefix(bars, "|")
	bars = strings.TrimSuffix(bars, "|")
	cells := strings.Split(bars, separator)
	for i, c := range cells {
		cells[i] = plainCell(c)
	}
	if len(cells) < 2 {
		return nil
	}
	return cells
}

// plainCell removes the marks of Markdown from a cell.
func plainCell(c string) string { return strings.TrimSpace(strings.Trim(strings.TrimSpace(c), "*`")) }

// isRuler recognises the lines that separate rows: |---|:--:|, ├──┼──┤, |====|.
func isRuler(s string) bool {
	return s != "" && strings.Trim(s, " |-=:+─━═╇╪┼├┤┌┐└┘┬┴┏┓┗┛┳┻╞╡┡┩╔╗╚╝╠╣╬╦╩┠┨┯┷") == ""
}

// add appends a row. A row whose only filled cell is the first continues the label
// of the row above: a name too long for its column.
func (g *grid) add(cells []string, l Line) {
	if len(g.rows) > 0 && cells[0] != "" && strings.Join(cells[1:], "") == "" {
		g.rows[len(g.rows)-1].cells[0] += " " + cells[0]
		return
	}
	g.rows = append(g.rows, gridRow{cells: cells, line: l.No, cut: !l.Ended})
}

// isChange recognises the headings of columns that compare two others: what stands
// below is a share, a factor or a difference and no value of the row's metric.
func isChange(heading string) bool {
	heading = strings.ToLower(heading)
	for _, word := range []string{
		"change", "delta", "diff", "gain", "improve", "speedup", "speed-up", "ratio", "faster", "reduc", "Δ", "δ", "%", "vs",
		"提升", "变化", "差", "加速", "倍", "降低", "增幅",
	} {
		if strings.Contains(heading, word) {
			return true
		}
	}
	return false
}

// at returns a cell, "" beyond the row's end.
func (r gridRow) at(i int) string {
	if i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}
