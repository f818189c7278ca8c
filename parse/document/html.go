package document

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"benchguide/parse"
)

func readHTML(file string, src []byte) Document {
	page := readPage(string(src))
	records, problems := parse.Bytes(file, []byte(strings.Join(page.lines, "\n")+"\n"))
	d := Document{File: file, Kind: HTML, Parts: assemble(promoteNames(page.pieces), records), Problems: problems}
	for i, p := range d.Parts {
		d.Parts[i] = page.toSource(p)
	}
	for i := range d.Problems {
		d.Problems[i].Line = page.source(d.Problems[i].Line)
	}
	return d
}

// page is a page of HTML as lines of text, each of which knows its line in the source.
// Results are read from these lines, so the pieces are placed in them as well.
type page struct {
	lines   []string
	sources []int
	pieces  []piece
	open    string // title of the box that is open at the end
}

// source returns the line in the source of a line of the text.
func (p *page) source(line int) int {
	if line < 1 || line > len(p.sources) {
		return line
	}
	return p.sources[line-1]
}

// toSource places a part in the source.
func (p *page) toSource(part Part) Part {
	move := func(l Lines) Lines { return Lines{p.source(l.Line), p.source(l.EndLine)} }
	switch part := part.(type) {
	case Heading:
		part.Lines = move(part.Lines)
		return part
	case Paragraph:
		part.Lines = move(part.Lines)
		return part
	case Command:
		part.Lines = move(part.Lines)
		return part
	case Code:
		part.Lines = move(part.Lines)
		return part
	case Table:
		part.Lines = move(part.Lines)
		for i := range part.Rows {
			part.Rows[i].Line = p.source(part.Rows[i].Line)
		}
		return part
	case Block:
		part.Lines = move(part.Lines)
		part.Record = p.recordToSource(part.Record)
		return part
	default:
		return part
	}
}

func (p *page) recordToSource(r parse.Record) parse.Record {
	r.Line, r.EndLine = p.source(r.Line), p.source(r.EndLine)
	r.Values, r.Settings = slices.Clone(r.Values), slices.Clone(r.Settings)
	r.Unknown, r.Problems = slices.Clone(r.Unknown), slices.Clone(r.Problems)
	for i := range r.Values {
		r.Values[i].Line = p.source(r.Values[i].Line)
	}
	for i := range r.Settings {
		r.Settings[i].Line = p.source(r.Settings[i].Line)
	}
	for i := range r.Unknown {
		r.Unknown[i].Line = p.source(r.Unknown[i].Line)
	}
	for i := range r.Problems {
		r.Problems[i].Line = p.source(r.Problems[i].Line)
	}
	return r
}

// add appends a piece, and its text as lines from which results can be read: a
// heading as Markdown writes it, since that is how parse knows one. sources are the
// lines of a listing, or the one line of anything else.
func (p *page) add(piece piece, sources ...int) {
	text := piece.lines
	switch piece.kind {
	case headingOf:
		text = []string{"## " + strings.ReplaceAll(piece.text, "\n", " ")}
	case proseOf, itemOf:
		text = strings.Split(piece.text, "\n")
	}
	piece.Line = len(p.lines) + 1
	for i, s := range text {
		p.lines = append(p.lines, s)
		p.sources = append(p.sources, sources[min(i, len(sources)-1)])
	}
	piece.EndLine = len(p.lines)
	p.pieces = append(p.pieces, piece)
	p.blank(p.sources[len(p.sources)-1])
}

// blank separates what no markup in the lines separates.
func (p *page) blank(source int) {
	p.lines, p.sources = append(p.lines, ""), append(p.sources, source)
}

// addTable appends a table as Markdown writes it.
func (p *page) addTable(rows []Row) {
	t := piece{kind: tableOf, Lines: Lines{len(p.lines) + 1, 0}}
	for i, r := range rows {
		source := r.Line
		r.Line = len(p.lines) + 1
		t.rows = append(t.rows, r)
		p.lines = append(p.lines, "| "+strings.ReplaceAll(strings.Join(r.Cells, " | "), "\n", " ")+" |")
		p.sources = append(p.sources, source)
		if i == 0 {
			p.lines = append(p.lines, "|"+strings.Repeat(" --- |", len(r.Cells)))
			p.sources = append(p.sources, source)
		}
	}
	t.EndLine = len(p.lines)
	p.pieces = append(p.pieces, t)
	p.blank(p.sources[len(p.sources)-1])
}

// isSummary reports whether a piece is the title of a box that the page opens.
func (p piece) isSummary() bool { return p.kind == proseOf && p.language == summaryMark }

// summaryMark stands in the language of a piece that is a title, which has none.
const summaryMark = "summary"

// maxDepth bounds how many open elements are remembered.
const maxDepth = 500

// element is an open element.
type element struct {
	name     string
	skipped  bool   // nothing in it is content
	language string // of the listings in it
	title    string // of the box that it is
}

// pageReader turns the tokens of a page into pieces.
type pageReader struct {
	page  page
	line  int // of the token
	open  []element
	text  strings.Builder
	since int   // line of the first text that is waiting
	pre   int   // open <pre> elements
	lines []int // of the lines of the listing that is waiting

	rows  []Row // of the table that is open
	table int   // open tables
}

// readPage reads HTML. Tokens are read instead of a tree, since a tree has no lines.
func readPage(src string) page {
	r := pageReader{line: 1}
	z := html.NewTokenizer(strings.NewReader(src))
	for z.Next() != html.ErrorToken {
		raw := string(z.Raw())
		switch t := z.Token(); t.Type {
		case html.TextToken:
			r.write(t.Data, strings.Count(raw, "\n"))
		case html.StartTagToken:
			r.start(t)
		case html.SelfClosingTagToken:
			if t.Data == "br" {
				r.write("\n", 0)
			}
		case html.EndTagToken:
			r.end(t.Data)
		}
		r.line += strings.Count(raw, "\n")
	}
	r.page.open = r.inner().title
	r.flush(piece{kind: proseOf})
	r.endTable()
	return r.page
}

func (r *pageReader) inner() element {
	if len(r.open) == 0 {
		return element{}
	}
	return r.open[len(r.open)-1]
}

// write adds text. Outside of listings, blanks and line ends are one blank; a break
// was written as a line end by itself. newlines is how many the source has in it.
func (r *pageReader) write(s string, newlines int) {
	if r.inner().skipped {
		return
	}
	if strings.TrimSpace(r.text.String()) == "" {
		if strings.TrimSpace(s) != "" && r.pre == 0 {
			r.since = r.line + strings.Count(s[:len(s)-len(strings.TrimLeft(s, " \t\r\n"))], "\n")
		}
	}
	switch {
	case r.pre > 0:
		for i := range strings.Count(s, "\n") {
			r.lines = append(r.lines, r.line+min(i+1, newlines))
		}
	case s != "\n":
		s = blankRuns(s)
	}
	r.text.WriteString(s)
}

// blankRuns turns each run of white space into one blank.
func blankRuns(s string) string {
	joined := strings.Join(strings.Fields(s), " ")
	if s != "" && strings.TrimLeft(s[:1], " \t\r\n") == "" {
		joined = " " + joined
	}
	if len(joined) > 1 && strings.TrimLeft(s[len(s)-1:], " \t\r\n") == "" {
		joined += " "
	}
	return joined
}

func (r *pageReader) start(t html.Token) {
	e := element{name: t.Data, skipped: r.inner().skipped || isSkipped(t), language: r.inner().language, title: r.inner().title}
	if l := languageOf(t); l != "" {
		e.language = l
		if outer := len(r.open) - 1; outer >= 0 && r.open[outer].name == "pre" {
			r.open[outer].language = l
		}
	}
	switch {
	case t.Data == "br":
		r.write("\n", 0)
		return
	case isVoid(t.Data):
		return
	case e.skipped:
	case t.Data == "pre":
		r.flush(piece{kind: proseOf})
		if r.pre++; r.pre == 1 {
			r.lines = []int{r.line}
		}
	case t.Data == "table" && !strings.Contains(attribute(t, "class"), "highlighttable"):
		r.flush(piece{kind: proseOf})
		r.table++
	case r.table > 0:
		r.startInTable(t.Data)
	case isBlock(t.Data):
		r.flush(piece{kind: proseOf})
	}
	if len(r.open) < maxDepth {
		r.open = append(r.open, e)
	}
}

func (r *pageReader) startInTable(name string) {
	switch name {
	case "tr":
		r.cellEnd()
		r.rows = append(r.rows, Row{Line: r.line})
	case "td", "th":
		r.cellEnd()
		if len(r.rows) == 0 {
			r.rows = append(r.rows, Row{Line: r.line})
		}
		row := &r.rows[len(r.rows)-1]
		row.Cells = append(row.Cells, "")
	case "p", "div", "li":
		r.write("\n", 0)
	}
}

// cellEnd gives the text that is waiting to the cell that is open.
func (r *pageReader) cellEnd() {
	text := tidy(r.text.String())
	r.text.Reset()
	if n := len(r.rows); n > 0 && text != "" {
		if row := &r.rows[n-1]; len(row.Cells) > 0 && row.Cells[len(row.Cells)-1] == "" {
			row.Cells[len(row.Cells)-1] = text
		}
	}
}

// end closes the innermost element of that name, and those in it that were left open.
func (r *pageReader) end(name string) {
	i := len(r.open) - 1
	for i >= 0 && r.open[i].name != name {
		i--
	}
	if i < 0 {
		return
	}
	closed := r.open[i]
	if !closed.skipped {
		r.close(closed, i)
	}
	r.open = r.open[:i]
}

func (r *pageReader) close(e element, depth int) {
	switch {
	case e.name == "pre":
		if r.pre--; r.pre <= 0 {
			r.pre = 0
			r.listing(e)
		}
	case e.name == "table" && r.table > 0:
		r.cellEnd()
		if r.table--; r.table == 0 {
			r.endTable()
		}
	case r.table > 0:
		if e.name == "td" || e.name == "th" {
			r.cellEnd()
		}
	case len(e.name) == 2 && e.name[0] == 'h' && e.name[1] >= '1' && e.name[1] <= '6':
		r.flush(piece{kind: headingOf, level: int(e.name[1] - '0')})
	case e.name == "li":
		r.flush(piece{kind: itemOf})
	case e.name == "summary", e.name == "p" && e.language == admonitionTitle:
		r.boxTitle(depth)
	case isBlock(e.name):
		r.flush(piece{kind: proseOf})
	}
}

// boxTitle makes the text that is waiting the title of the element around it.
func (r *pageReader) boxTitle(depth int) {
	title := tidy(r.text.String())
	if depth > 0 && title != "" {
		r.open[depth-1].title = title
	}
	r.flush(piece{kind: proseOf, language: summaryMark})
	if n := len(r.page.pieces); depth > 0 && n > 0 && r.page.pieces[n-1].isSummary() {
		r.page.pieces = r.page.pieces[:n-1] // its lines stay, and name what follows
	}
}

// listing ends a <pre>.
func (r *pageReader) listing(e element) {
	text := strings.ReplaceAll(r.text.String(), "\r\n", "\n")
	r.text.Reset()
	if r.table > 0 {
		r.text.WriteString(text)
		return
	}
	sources := r.lines
	if strings.HasPrefix(text, "\n") { // a line end right after the tag is not content
		text, sources = text[1:], sources[1:]
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	p := piece{kind: codeOf, language: e.language, title: e.title, lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	if p.language == admonitionTitle {
		p.language = ""
	}
	r.page.add(p, sources...)
}

// flush makes a piece of the text that is waiting.
func (r *pageReader) flush(p piece) {
	if r.table > 0 || r.pre > 0 {
		return
	}
	p.text = tidy(r.text.String())
	r.text.Reset()
	if p.text == "" {
		return
	}
	if p.kind == proseOf && r.inItem() {
		p.kind = itemOf
	}
	r.page.add(p, r.since)
}

func (r *pageReader) inItem() bool { return r.inner().name == "li" }

func (r *pageReader) endTable() {
	rows := slices.DeleteFunc(r.rows, func(row Row) bool { return len(row.Cells) == 0 })
	r.rows, r.table = nil, 0
	if len(rows) > 0 {
		r.page.addTable(rows)
	}
}

// tidy removes blanks at the ends of lines, and empty lines.
func tidy(s string) string {
	var lines []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(strings.ReplaceAll(l, "\u00a0", " ")); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}
