package document

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"benchguide/parse"
)

func readMarkdown(file string, src []byte) Document {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	records, problems := parse.Bytes(file, src)
	m := markdownReader{src: withoutStrayFences(withoutFrontMatter(src), records)}
	for i, c := range src {
		if c == '\n' {
			m.ends = append(m.ends, i)
		}
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(
		parser.WithBlockParsers(util.Prioritized(boxParser{}, 90)),
	))
	m.children(md.Parser().Parse(text.NewReader(m.src)), "")
	return Document{File: file, Kind: Markdown, Parts: assemble(promoteNames(m.pieces), records), Problems: problems}
}

// withoutFrontMatter blanks the YAML at the top of a page, and keeps its lines.
func withoutFrontMatter(src []byte) []byte {
	if !bytes.HasPrefix(src, []byte("---\n")) && !bytes.HasPrefix(src, []byte("---\r\n")) {
		return src
	}
	end := bytes.Index(src[3:], []byte("\n---"))
	if end < 0 {
		return src
	}
	blank := slices.Clone(src)
	for i := range blank[:3+end+len("\n---")] {
		if blank[i] != '\n' {
			blank[i] = ' '
		}
	}
	return blank
}

// withoutStrayFences blanks a fence right below a result that is in no fence. It
// closes what was cut off above, and would turn the rest of the page inside out.
func withoutStrayFences(src []byte, records []parse.Record) []byte {
	ends := map[int]bool{}
	for _, r := range records {
		ends[r.EndLine] = true
	}
	out := make([]byte, 0, len(src))
	line, inFence := 0, false
	for l := range bytes.Lines(src) {
		line++
		text := bytes.TrimSpace(l)
		if bytes.HasPrefix(text, []byte("```")) {
			if !inFence && string(text) == "```" && ends[line-1] {
				l = bytes.Replace(l, []byte("```"), []byte("   "), 1)
			} else {
				inFence = !inFence
			}
		}
		out = append(out, l...)
	}
	return out
}

// markdownReader turns the blocks of a Markdown page into pieces.
type markdownReader struct {
	src     []byte
	ends    []int // offsets of the line ends
	pieces  []piece
	summary string // of the <details> that is open
}

func (m *markdownReader) line(offset int) int {
	n, _ := slices.BinarySearch(m.ends, offset)
	return n + 1
}

// lines returns the lines of a block, and false when it has none.
func (m *markdownReader) lines(n ast.Node) (Lines, bool) {
	segments := n.Lines()
	if segments == nil || segments.Len() == 0 {
		return Lines{}, false
	}
	last := segments.At(segments.Len() - 1)
	return Lines{m.line(segments.At(0).Start), m.line(max(last.Start, last.Stop-1))}, true
}

// children reads the blocks in n. title is that of the box around them.
func (m *markdownReader) children(n ast.Node, title string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.block(c, title)
	}
}

func (m *markdownReader) block(n ast.Node, title string) {
	if title == "" {
		title = m.summary
	}
	switch n := n.(type) {
	case *ast.Heading:
		m.prose(n, piece{kind: headingOf, level: n.Level, title: title})
	case *ast.Paragraph, *ast.TextBlock:
		kind := proseOf
		if _, ok := n.Parent().(*ast.ListItem); ok && n.PreviousSibling() == nil {
			kind = itemOf
		}
		m.prose(n, piece{kind: kind, title: title})
	case *ast.FencedCodeBlock:
		if t := fenceTitle(n, m.src); t != "" {
			title = t
		}
		m.code(n, string(n.Language(m.src)), title)
	case *ast.CodeBlock:
		m.code(n, "", title)
	case *extast.Table:
		m.table(n)
	case *ast.HTMLBlock:
		m.html(n)
	case *box:
		m.children(n, n.title)
	default:
		m.children(n, title)
	}
}

func (m *markdownReader) prose(n ast.Node, p piece) {
	var ok bool
	if p.Lines, ok = m.lines(n); !ok {
		return
	}
	if p.text = inlineText(n, m.src); p.text != "" {
		m.pieces = append(m.pieces, p)
	}
}

func (m *markdownReader) code(n ast.Node, language, title string) {
	place, ok := m.lines(n)
	if !ok {
		return
	}
	p := piece{Lines: place, kind: codeOf, language: language, title: title}
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		p.lines = append(p.lines, strings.TrimRight(string(segment.Value(m.src)), "\r\n"))
	}
	m.pieces = append(m.pieces, p)
}

// fenceTitle returns the title that MkDocs and others take from a fence's first line.
func fenceTitle(n *ast.FencedCodeBlock, src []byte) string {
	if n.Info == nil {
		return ""
	}
	_, rest, ok := strings.Cut(string(n.Info.Value(src)), `title="`)
	if !ok {
		return ""
	}
	title, _, _ := strings.Cut(rest, `"`)
	return title
}

func (m *markdownReader) table(n *extast.Table) {
	p := piece{kind: tableOf}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		r := Row{}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if place, ok := m.lines(cell); ok && r.Line == 0 {
				r.Line = place.Line
			}
			r.Cells = append(r.Cells, inlineText(cell, m.src))
		}
		p.rows = append(p.rows, r)
	}
	for i, r := range p.rows {
		if r.Line == 0 && i > 0 { // a row of empty cells
			p.rows[i].Line = p.rows[i-1].Line + 1
		}
	}
	if len(p.rows) > 0 {
		p.Lines = Lines{p.rows[0].Line, p.rows[len(p.rows)-1].Line}
		m.pieces = append(m.pieces, p)
	}
}

// html reads a block of HTML, such as a table, and remembers the summary of the
// <details> that it opens, which ends in a later block.
func (m *markdownReader) html(n *ast.HTMLBlock) {
	place, ok := m.lines(n)
	if !ok {
		return
	}
	raw := string(n.Lines().Value(m.src))
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(m.src))
	}
	page := readPage(raw)
	for _, p := range page.pieces {
		p.Line, p.EndLine = page.source(p.Line)+place.Line-1, page.source(p.EndLine)+place.Line-1
		for i := range p.rows {
			p.rows[i].Line = page.source(p.rows[i].Line) + place.Line - 1
		}
		m.pieces = append(m.pieces, p)
	}
	if strings.Contains(strings.ToLower(raw), "</details") {
		m.summary = ""
	}
	if page.open != "" {
		m.summary = page.open
	}
}

// inlineText returns the text of a block without its markup.
func inlineText(n ast.Node, src []byte) string {
	var b strings.Builder
	writeInline(&b, n, src)
	return strings.TrimSpace(b.String())
}

func writeInline(b *strings.Builder, n ast.Node, src []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(plainText(c, src))
			switch {
			case c.HardLineBreak():
				b.WriteByte('\n')
			case c.SoftLineBreak():
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(src))
		case *ast.RawHTML:
			if strings.HasPrefix(strings.ToLower(string(c.Segments.Value(src))), "<br") {
				b.WriteByte('\n')
			}
		case *ast.Image:
			// A picture says nothing that can be read.
		default:
			writeInline(b, c, src)
		}
	}
}

// plainText resolves escapes and entities, which code spans do not have.
func plainText(t *ast.Text, src []byte) string {
	value := t.Segment.Value(src)
	if _, ok := t.Parent().(*ast.CodeSpan); ok {
		return string(value)
	}
	return html.UnescapeString(string(util.UnescapePunctuations(value)))
}
