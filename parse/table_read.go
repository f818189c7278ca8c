package parse

import (
	"slices"
	"strings"
)

// servingTable reads tables whose rows, or whose columns, are labels of the serving
// block: results that somebody has set side by side. Every other column, or row, is
// a run. Only whole labels count, with their statistic and unit: "TTFT" alone could be anything.
func servingTable() Format {
	p := tableProducer()
	return Format{
		Name:    p.format,
		Anchors: []string{"TTFT (ms)", "put (tok/s)"},
		Sniff: func(line []byte) bool {
			s := cleanLine(string(line))
			return !isRuler(s) && rowCells(s) != nil
		},
		Read: p.readTable,
	}
}

// tableProducer knows the labels that vLLM and SGLang print with one meaning. Who
// printed them first cannot be told from a table.
func tableProducer() producer {
	p := vllm()
	p.name = "table of serving results"
	p.format = "serving-table"
	for _, l := range sglangServing().labels {
		if !slices.ContainsFunc(p.labels, func(known label) bool { return known.key == l.key }) && l.id != "" {
			p.labels = append(p.labels, l)
		}
	}
	p.quantity["e2e latency"] = "e2e_latency"
	p.versions = func(*block) string { return "" }
	p.whole = func(*block) bool { return true }
	p.headless = true
	p.means = nil
	p.rounded = true // who copies numbers may round them
	return p
}

func (p producer) countLabels(cells []string) int {
	n := 0
	for _, c := range cells {
		if _, ok := p.cellLabel(c); ok {
			n++
		}
	}
	return n
}

// cellLabel returns the label that a cell names.
func (p producer) cellLabel(cell string) (label, bool) {
	k := key(strings.TrimSuffix(cell, ":"))
	l, ok := p.find(blockField{key: k})
	return l, ok && l.id != "" && k != "concurrency" && k != "drafts"
}

func (p producer) readTable(in *Input, out *Output) {
	above, line := in.above()
	in.begin()
	g := gridBefore(in.File, above, line)
	g.first = min(g.first, in.line)
	in.takeRow(g)
	afterFirst := in.mark()
	for n := 0; n < maxBlockLines && in.takeRow(g); n++ {
	}
	var blocks []*block
	var names [][]string
	if header := p.headerRow(g); header >= 0 {
		blocks, names = p.runsInRows(g, header)
	} else if len(g.rows) > 0 {
		blocks, names = p.runsInColumns(g)
	}
	head := readPreface(strings.Join(strings.SplitAfter(above, "\n")[:g.first-line], ""), line, "")
	var labels []string
	for i, b := range blocks {
		if len(b.fields) < 2 {
			continue // one number beside one label is no result
		}
		if labels == nil {
			labels = slices.Clip(head.inherit(in))
		}
		out.Record(p.record(b, append(slices.Clip(names[i]), labels...), slices.Clone(head.settings)))
	}
	if !slices.ContainsFunc(blocks, func(b *block) bool { return len(b.fields) >= 2 }) {
		in.reset(afterFirst) // the table is another tool's
	}
}

// gridBefore finds the rows above the first line with a label of ours: the table has
// begun before.
func gridBefore(file, above string, line int) *grid {
	g := &grid{file: file, first: line + strings.Count(above, "\n")}
	lines := splitLines(strings.TrimSuffix(above, "\n"), line)
	start := len(lines)
	for start > 0 && isTableLine(lines[start-1].Text) {
		start--
	}
	for _, l := range lines[start:] {
		g.first = min(g.first, l.No)
		g.take(l)
	}
	return g
}

// takeRow takes the current line into the table, and returns false where it has ended.
func (in *Input) takeRow(g *grid) bool {
	here := in.mark()
	l, ok := in.next()
	if !ok || !isTableLine(l.Text) {
		in.reset(here)
		return false
	}
	g.take(l)
	g.last = l.No
	return true
}

func (g *grid) take(l Line) {
	s := cleanLine(l.Text)
	if cells := rowCells(s); cells != nil && !isRuler(s) {
		g.add(cells, l)
	}
}

func isTableLine(text string) bool {
	s := cleanLine(text)
	return isRuler(s) && len(s) > 3 || rowCells(s) != nil
}

// headerRow returns the row whose cells are labels, or -1 where each row has its own
// label. The first row with a label decides, so that no later row changes what was read.
func (p producer) headerRow(g *grid) int {
	for i, r := range g.rows {
		switch n := p.countLabels(r.cells); {
		case n >= 2:
			return i
		case n == 1:
			return -1
		}
	}
	return -1
}

// runsInRows reads a table with a run in each row below the header. Cells under other
// headings name the run; a blank one repeats the cell above it.
func (p producer) runsInRows(g *grid, header int) ([]*block, [][]string) {
	var blocks []*block
	var names [][]string
	head := g.rows[header]
	filled := map[int]string{}
	for _, r := range g.rows[header+1:] {
		b, name := g.newBlock(), []string(nil)
		for i := range head.cells {
			if _, ok := p.cellLabel(head.at(i)); ok {
				p.addCell(b, head.at(i), r, i)
				continue
			}
			if c := r.at(i); c != "" {
				filled[i] = c
			}
			if filled[i] != "" && !isChange(head.at(i)) {
				name = append(name, strings.TrimSpace(head.at(i)+" "+filled[i]))
			}
		}
		blocks, names = append(blocks, b), append(names, name)
	}
	return blocks, names
}

// runsInColumns reads a table with a label in the first cell of each row and a run in
// each other column. The first row names the runs if it is not one of values.
func (p producer) runsInColumns(g *grid) ([]*block, [][]string) {
	width := 0
	for _, r := range g.rows {
		width = max(width, len(r.cells))
	}
	heading := gridRow{}
	if _, ok := p.cellLabel(g.rows[0].at(0)); !ok {
		heading = g.rows[0]
	}
	var blocks []*block
	var names [][]string
	for i := 1; i < width; i++ {
		if isChange(heading.at(i)) {
			continue
		}
		b := g.newBlock()
		for n, r := range g.rows {
			if _, ok := p.cellLabel(r.at(0)); !ok && r.at(0) != "" && (n > 0 || len(heading.cells) == 0) {
				b.other = append(b.other, Unknown{Text: r.at(0) + ": " + r.at(i), Line: r.line})
			}
			p.addCell(b, r.at(0), r, i)
		}
		var name []string
		if c := heading.at(i); c != "" {
			name = []string{c}
		}
		blocks, names = append(blocks, b), append(names, name)
	}
	return blocks, names
}

func (g *grid) newBlock() *block {
	return &block{file: g.file, first: g.first, last: g.last, closed: true}
}

// addCell adds a cell as the value of a label. A share or a signed number under a
// label that is neither is a comparison, not a value.
func (p producer) addCell(b *block, name string, r gridRow, i int) {
	l, ok := p.cellLabel(name)
	c := r.at(i)
	if !ok || c == "" || c == "-" || c == "—" {
		return
	}
	if c[0] == '+' || c[0] == '-' || !strings.Contains(name, "%") && strings.Contains(firstWord(c), "%") {
		return
	}
	cut := r.cut && i >= len(r.cells)-1
	b.fields = append(b.fields, blockField{label: strings.TrimSuffix(name, ":"), key: l.key, rest: c, line: r.line, cut: cut})
}
