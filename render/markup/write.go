package markup

import (
	"strings"
	"unicode/utf8"

	"github.com/gomarkdown/markdown/ast"
	"github.com/gomarkdown/markdown/md"
)

// Part is a piece of machine-made text: Text, Code, Strong, Link or Fact.
type Part interface {
	// nodes returns the part as nodes of gomarkdown's tree.
	nodes(c context) []ast.Node
}

// context is where a part will stand.
type context struct{ inCell bool }

// Cell is the content of a table cell.
type Cell []Part

// Align says how a column is aligned.
type Align int

// The alignments of columns.
const (
	AlignNone Align = iota
	AlignLeft
	AlignRight
	AlignCenter
)

type (
	textPart   string
	codePart   string
	factPart   string
	strongPart []Part
	linkPart   struct {
		dest  string
		parts []Part
	}
)

// Text returns a part of plain text. Whatever Markdown it looks like, it is read as
// it is, but for white space, of which a run becomes one space.
func Text(text string) Part { return textPart(text) }

// Code returns a code span.
func Code(text string) Part { return codePart(text) }

// Strong returns strong text. Spaces at its ends go outside, where Markdown wants them.
func Strong(parts ...Part) Part { return strongPart(parts) }

// Link returns a link.
func Link(dest string, parts ...Part) Part { return linkPart{dest, parts} }

// Fact returns the marker of a reference.
func Fact(ref string) Part { return factPart(ref) }

// verbatim is a leaf that gomarkdown does not know, and prints as it is.
type verbatim struct{ ast.Leaf }

// newVerbatim returns a node that is printed without escapes. Nothing of a caller's
// goes through it but references, which the marker's end keeps apart.
func newVerbatim(text string) ast.Node {
	return &verbatim{ast.Leaf{Literal: []byte(text)}}
}

// separator keeps two delimiters apart. A comment is the one thing that every reader
// takes for punctuation and none shows.
const separator = "<!-- -->"

// nodes folds white space here, not in gomarkdown: parts must agree on what stands at
// their ends. The dots keep the outer spaces, of which a word may need one.
func (t textPart) nodes(context) []ast.Node {
	text := strings.Join(strings.Fields("."+string(t)+"."), " ")
	return textNodes(text[1 : len(text)-1])
}

// textNodes returns text as nodes. gomarkdown takes every non-ASCII byte for part of a
// word and leaves "_" beside it alone; but beside Chinese punctuation it opens
// emphasis. A text node of its own is always escaped.
func textNodes(text string) []ast.Node {
	var nodes []ast.Node
	start := 0
	add := func(to int) {
		if to > start {
			nodes = append(nodes, &ast.Text{Leaf: ast.Leaf{Literal: []byte(text[start:to])}})
		}
		start = to
	}
	for i := range len(text) {
		if text[i] == '_' && (i > 0 && text[i-1] >= utf8.RuneSelf || i+1 < len(text) && text[i+1] >= utf8.RuneSelf) {
			add(i)
			add(i + 1)
		}
	}
	add(len(text))
	return nodes
}

// nodes puts the code on one line. In a cell GitHub's rule holds, that "|" is escaped in
// code as well; MkDocs shows the backslash, and there is no way to please both.
func (c codePart) nodes(ctx context) []ast.Node {
	text := strings.Join(strings.FieldsFunc(string(c), isBreak), " ")
	if ctx.inCell {
		text = strings.ReplaceAll(text, "|", `\|`) // as GitHub wants it in tables
	}
	return []ast.Node{&ast.Code{Leaf: ast.Leaf{Literal: []byte(text)}}}
}

// isBreak reports white space that a code span shows as a space.
func isBreak(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }

// nodes puts the marker in as it is: its reference must not be escaped.
func (f factPart) nodes(context) []ast.Node {
	return []ast.Node{newVerbatim(Marker(string(f)))}
}

// nodes encodes what would end a destination, or a cell.
func (l linkPart) nodes(c context) []ast.Node {
	dest := strings.NewReplacer("|", "%7C", " ", "%20", "\n", "%0A", "\t", "%09").Replace(l.dest)
	n := &ast.Link{Destination: []byte(dest)}
	appendAll(n, sequence(l.parts, c))
	return []ast.Node{n}
}

// nodes leaves out "**" around nothing, which would be a rule or literal stars.
func (s strongPart) nodes(c context) []ast.Node {
	inner := sequence(s, c)
	if strings.TrimSpace(printed(inner...)) == "" {
		return inner
	}
	before, inner, after := outerSpace(inner)
	n := &ast.Strong{}
	appendAll(n, inner)
	nodes := []ast.Node{n}
	if before {
		nodes = append(textNodes(" "), nodes...)
	}
	if after {
		nodes = append(nodes, textNodes(" ")...)
	}
	return nodes
}

// appendAll gives nodes a parent.
func appendAll(parent ast.Node, nodes []ast.Node) {
	for _, n := range nodes {
		ast.AppendChild(parent, n)
	}
}

// outerSpace takes the space off both ends of nodes.
func outerSpace(nodes []ast.Node) (before bool, inner []ast.Node, after bool) {
	if t, ok := nodes[0].(*ast.Text); ok && t.Literal[0] == ' ' {
		before = true
		t.Literal = t.Literal[1:]
	}
	if t, ok := nodes[len(nodes)-1].(*ast.Text); ok && strings.HasSuffix(string(t.Literal), " ") {
		after = true
		t.Literal = t.Literal[:len(t.Literal)-1]
	}
	return before, nodes, after
}

// sequence joins parts, and puts a separator where two of them would be read as
// something else side by side.
func sequence(parts []Part, c context) []ast.Node {
	var nodes []ast.Node
	for _, p := range merged(parts) {
		for _, n := range p.nodes(c) {
			if len(nodes) > 0 && clash(nodes[len(nodes)-1], n) {
				nodes = append(nodes, newVerbatim(separator))
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// merged joins adjacent texts, whose white space and escapes depend on each other.
func merged(parts []Part) []Part {
	var out []Part
	for _, p := range parts {
		if t, ok := p.(textPart); ok && len(out) > 0 {
			if last, ok := out[len(out)-1].(textPart); ok {
				out[len(out)-1] = last + t
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// clash reports whether two neighbours cannot stand side by side: two code spans, two
// strong texts, or a strong text that ends in punctuation beside a letter.
func clash(a, b ast.Node) bool {
	_, strongA := a.(*ast.Strong)
	_, strongB := b.(*ast.Strong)
	_, codeA := a.(*ast.Code)
	_, codeB := b.(*ast.Code)
	switch {
	case strongA && strongB, codeA && codeB:
		return true
	case strongA:
		return !flanks(firstRune(b), edge(a, utf8.DecodeLastRuneInString))
	case strongB:
		return !flanks(lastRune(a), edge(b, utf8.DecodeRuneInString))
	}
	return false
}

// firstRune and lastRune look at Markdown, not at text: what stands beside a delimiter
// may be the bracket of a link or a backslash.
func firstRune(n ast.Node) rune {
	r, _ := utf8.DecodeRuneInString(printed(n))
	return r
}

func lastRune(n ast.Node) rune {
	r, _ := utf8.DecodeLastRuneInString(printed(n))
	return r
}

// edge returns the first or last character inside strong text. A fact's text is not
// known yet; most begin or end with a sign, so it counts as punctuation.
func edge(strong ast.Node, decode func(string) (rune, int)) rune {
	r, _ := decode(printed(strong.GetChildren()...))
	if r == '\ue000' || r == '\ue001' {
		return '%'
	}
	return r
}

// printed returns nodes as gomarkdown prints them.
func printed(nodes ...ast.Node) string {
	var b strings.Builder
	r := md.NewRenderer()
	for _, n := range nodes {
		ast.WalkFunc(n, func(n ast.Node, entering bool) ast.WalkStatus {
			return r.RenderNode(&b, n, entering)
		})
	}
	return b.String()
}

// Inline returns parts as one line of Markdown that can stand in a paragraph, a list
// item or a heading. In a table use Table: a cell has its own rules.
func Inline(parts ...Part) string {
	p := &ast.Paragraph{}
	appendAll(p, sequence(parts, context{}))
	doc := &ast.Document{}
	ast.AppendChild(doc, p)
	// gomarkdown escapes what would begin a list, a quote or a heading. What it does not
	// know, or knows only in its own dialect, is mended below.
	line := strings.TrimSpace(printed(doc))
	admonition := strings.HasPrefix(line, "!!!") || strings.HasPrefix(line, "???")
	rule := line != "" && strings.Trim(line, "=-|: ") == ""
	if admonition || rule {
		line = `\` + line // or it would begin an admonition, or underline a heading or a table
	}
	if last := len(line) - 1; last >= 0 && (line[last] == '}' || line[last] == '#') && (last == 0 || line[last-1] != '\\') {
		line = line[:last] + `\` + line[last:] // or a heading would lose it
	}
	return line
}

// CodeBlock returns a block of code with a caption, if that is not empty. The fence is
// longer than any in the text.
func CodeBlock(lang, caption, text string) string {
	return strings.TrimLeft(printed(&ast.CodeBlock{
		IsFenced: true,
		Info:     []byte(fenceInfo(lang, caption)),
		Leaf:     ast.Leaf{Literal: []byte(text)},
	}), "\n")
}

// Table returns a table. Rows shorter than the longest one are filled with empty
// cells, the header too, so that nothing is lost.
func Table(header []Cell, rows [][]Cell, align []Align) string {
	columns := len(header)
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	if columns == 0 {
		return ""
	}
	table, head, body := &ast.Table{}, &ast.TableHeader{}, &ast.TableBody{}
	ast.AppendChild(table, head)
	ast.AppendChild(table, body)
	ast.AppendChild(head, tableRow(header, columns, align))
	for _, row := range rows {
		ast.AppendChild(body, tableRow(row, columns, nil))
	}
	return printed(table)
}

// tableRow returns a row. gomarkdown takes the alignment of a column from its header.
func tableRow(cells []Cell, columns int, align []Align) ast.Node {
	flags := []ast.CellAlignFlags{0, ast.TableAlignmentLeft, ast.TableAlignmentRight, ast.TableAlignmentCenter}
	row := &ast.TableRow{}
	for i := range columns {
		cell := &ast.TableCell{}
		if i < len(align) && align[i] > AlignNone && align[i] <= AlignCenter {
			cell.Align = flags[align[i]]
		}
		if i < len(cells) {
			appendAll(cell, sequence(cells[i], context{inCell: true}))
		}
		ast.AppendChild(row, cell)
	}
	return row
}
