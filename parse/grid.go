package parse

import (
	"fmt"
	"strings"
)

// Tables drawn with bars or boxes: GuideLLM, AIPerf, GenAI-Perf, EvalScope, AISBench
// and llama-bench print their results so.

// bars are what separates cells, and boxes those of them that only tables are drawn with.
const (
	bars  = "|" + boxes
	boxes = "│┃║"
)

// isRuled reports whether a cleaned line draws a part of a table and holds no text.
func isRuled(s string) bool {
	s = s[max(0, strings.IndexAny(s, "┏┡┗├└┌╭╰╒╞╘╔╠╚")):] // behind a log's prefix
	return s != "" && strings.Trim(s, " |│┃║+-=─━┄┅═┏┓┗┛┡┩└┘├┤╭╮╰╯╒╕╘╛╞╡┌┐┳┻┴┬╇╈┼╪╤╧╔╗╚╝╠╣╬╦╩╟╢╫:") == ""
}

// rawCells splits a cleaned line at its bars and keeps the blanks: a cell without any
// is one that was merged with its left neighbour. It returns nil where there is no bar.
// What stands before the bars of a box is a log's prefix.
func rawCells(s string) []string {
	separators := bars
	if first := strings.IndexAny(s, boxes); first >= 0 {
		separators, s = boxes, s[first:]
	} else if !strings.Contains(s, "|") {
		return nil
	}
	var cells []string
	begin := 0
	for i, r := range s {
		if strings.ContainsRune(separators, r) {
			if i > 0 {
				cells = append(cells, s[begin:i])
			}
			begin = i + len(string(r))
		}
	}
	if begin < len(s) {
		cells = append(cells, s[begin:])
	}
	return cells
}

// cellsOf returns the trimmed cells of a cleaned line, or nil where there is no bar.
func cellsOf(s string) []string {
	cells := rawCells(s)
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

// barRow is one row of a table, with its line.
type barRow struct {
	cells []string
	line  int
}

// boxTable is a table of a name column and value columns. A name too long for its
// column continues in rows without values.
type boxTable struct {
	header []string
	rows   []barRow
	last   int
	closed bool
	cut    int // line that the text ends in, or 0
}

const maxAbove = 12 // lines between a title and its table

// readBoxTable takes the next table. isHeader knows its first row.
func readBoxTable(in *Input, isHeader func(cells []string) bool) boxTable {
	t := boxTable{last: in.line}
	plain := false    // the line before ruled a table that is drawn with +, which rules every row
	markdown := false // no rule closes it
	for n := 0; n < maxBlockLines && (t.header != nil || n < maxAbove); n++ {
		here := in.mark()
		l, ok := in.next()
		if !ok {
			t.closed = plain || markdown
			return t
		}
		s := clean(l.Text)
		cells := cellsOf(s)
		switch {
		case isRuled(s) && t.header != nil:
			t.last, plain = l.No, strings.HasPrefix(s, "+")
			markdown = markdown || strings.HasPrefix(s, "|")
			if isLastRule(s) {
				t.closed = true
				return t
			}
		case s == "" && t.header == nil, isRuled(s), cells == nil && t.header == nil:
		case cells == nil:
			in.reset(here)
			t.closed = plain || markdown
			return t
		case !l.Ended:
			t.cut = l.No
			return t
		case t.header == nil && !isHeader(cells):
			in.reset(here)
			return t
		default:
			plain = false
			t.add(cells, l.No)
		}
	}
	return t
}

// isLastRule reports whether a ruler closes a box, by a lower corner.
func isLastRule(s string) bool {
	return strings.ContainsAny(s, "└┗╘╰╚")
}

// add takes a row of cells as the header, as a row, or as the rest of the name above it.
func (t *boxTable) add(cells []string, line int) {
	t.last = line
	switch last := len(t.rows) - 1; {
	case t.header == nil:
		t.header = cells
	case strings.HasPrefix(cells[0], "──"): // a heading among the rows
	case last >= 0 && strings.Join(cells[1:], "") == "":
		t.rows[last].cells[0] += " " + cells[0]
	default:
		t.rows = append(t.rows, barRow{cells, line})
	}
}

// each visits the rows that have a cell for every column, and reports the others.
func (t boxTable) each(r *Record, visit func(row barRow)) {
	for _, row := range t.rows {
		if len(row.cells) == len(t.header) {
			visit(row)
			continue
		}
		r.Problems = append(r.Problems, newProblem(CodeMalformed, r.File, row.line,
			fmt.Sprintf("this row has %d cells under %d columns, so it is left out", len(row.cells), len(t.header)), "copy the table again"))
	}
	if !t.closed {
		r.Problems = append(r.Problems, newProblem(CodeTruncated, r.File, t.last, "this table ends without its closing rule; rows may be missing", "copy the table again, to its last line"))
	}
}

// labelsAbove returns the headings, comments and commands above a result. Short
// lines, which name a block of text elsewhere, are a tool's log here.
func labelsAbove(in *Input) []string {
	var labels []string
	above, line := in.above()
	for _, l := range readPreface(above, line, "").labels {
		if strings.HasPrefix(l, "#") || isCommand(l) {
			labels = append(labels, l)
		}
	}
	return labels
}
