package markup

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/gomarkdown/markdown/ast"
	"github.com/gomarkdown/markdown/parser"
	gold "github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// Difference is something in Markdown that two readers take for different things. Here
// is what goldmark reads, There what gomarkdown does; either is empty if that reader
// sees nothing of the kind.
type Difference struct {
	Line        int    // where goldmark reads it, or the nearest of its kind
	What        string // "heading", "link", "table", "code"
	Here, There string
}

// secondReader is what gomarkdown reads beyond its own defaults. It is near to MkDocs,
// where goldmark is near to GitHub: between them they stand for the sites on which
// exported pages are published.
const secondReader = parser.NoIntraEmphasis | parser.Tables | parser.FencedCode | parser.SpaceHeadings |
	parser.HeadingIDs | parser.BackslashLineBreak

// Differences reads exported Markdown with both libraries and compares headings,
// links, the shapes of tables and blocks of code.
func (m *Markup) Differences(src []byte) ([]Difference, error) {
	b, doc, err := m.read(src, Input{File: "export"})
	if err != nil {
		return nil, err
	}
	// gomarkdown's parser panics when it is used twice, so that each page gets its own.
	p := parser.NewWithExtensions(secondReader)
	p.Opts.ParserHook = admonitionHook
	here, there := itemsHere(b, doc), itemsThere(p.Parse(b.source))
	var all []Difference
	for _, what := range []string{"heading", "link", "table", "code"} {
		all = append(all, compareItems(what, ofKind(here, what), ofKind(there, what))...)
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(a.Line, b.Line) })
	return all, nil
}

// item is one thing that a reader saw. text is shown, key is compared.
type item struct {
	what, text, key string
	line            int // 0 from gomarkdown, which knows no places
}

// ofKind returns the items of one kind, in order.
func ofKind(items []item, what string) []item {
	return slices.DeleteFunc(slices.Clone(items), func(i item) bool { return i.what != what })
}

// compareItems pairs what only one reader sees with what only the other does. The pairs
// are by order, which is right when both read the same place differently; it needs no
// alignment, since a page has few differences or is a finding as a whole.
func compareItems(what string, here, there []item) []Difference {
	onlyHere, onlyThere := without(here, there), without(there, here)
	var found []Difference
	for i := range max(len(onlyHere), len(onlyThere)) {
		d := Difference{What: what, Line: 1}
		if i < len(onlyThere) {
			at := onlyThere[i]
			d.There = there[at].text
			if len(here) > 0 {
				d.Line = here[min(at, len(here)-1)].line
			}
		}
		if i < len(onlyHere) {
			d.Here = here[onlyHere[i]].text
			d.Line = here[onlyHere[i]].line
		}
		found = append(found, d)
	}
	return found
}

// without returns the indices of the items of a that b lacks, each counted as often as
// it occurs.
func without(a, b []item) []int {
	count := map[string]int{}
	for _, i := range b {
		count[i.key]++
	}
	var rest []int
	for n, i := range a {
		if count[i.key]--; count[i.key] < 0 {
			rest = append(rest, n)
		}
	}
	return rest
}

// headingItem and its siblings make both readers' items in one form.
func headingItem(level int, text string, line int) item {
	text = strings.Repeat("#", level) + " " + strings.Join(strings.Fields(html.UnescapeString(text)), " ")
	return item{"heading", shorten(text), text, line}
}

// linkItem compares destinations as they are printed, with escapes resolved. Titles and
// texts are not compared: the libraries do not agree on white space in them.
func linkItem(dest []byte, line int) item {
	return item{"link", shorten(string(dest)), string(dest), line}
}

// tableItem compares shapes. A cell that one library splits changes the shape; texts
// would differ for every escape.
func tableItem(aligns []string, rows, line int) item {
	text := fmt.Sprintf("%d columns (%s), %d rows", len(aligns), strings.Join(aligns, " "), rows)
	return item{"table", text, text, line}
}

// codeItem compares a block's language and every byte of its text but for line breaks
// at the end, which the libraries count differently.
func codeItem(info, text []byte, line int) item {
	lang, _, _ := bytes.Cut(bytes.TrimSpace(info), []byte(" "))
	body := strings.TrimRight(string(text), "\n")
	return item{"code", shorten(string(lang) + ": " + firstLine([]byte(body))), string(lang) + "\n" + body, line}
}

// itemsHere collects what goldmark read.
func itemsHere(b *binder, doc gold.Node) []item {
	var items []item
	_ = gold.Walk(doc, func(n gold.Node, entering bool) (gold.WalkStatus, error) {
		if !entering {
			return gold.WalkContinue, nil
		}
		line := b.lines.at(max(n.Pos(), 0))
		switch n := n.(type) {
		case *gold.Heading:
			items = append(items, headingItem(n.Level, plainText(n, true), line))
		case *gold.Link:
			items = append(items, linkItem(escaped(n.Destination), line))
		case *gold.Image:
			items = append(items, linkItem(escaped(n.Destination), line))
		case *figureNode:
			items = append(items, codeItem([]byte(n.fence.lang), n.text, line))
		case *east.Table:
			var aligns []string
			for _, a := range n.Alignments {
				aligns = append(aligns, a.String())
			}
			items = append(items, tableItem(aligns, n.ChildCount()-1, line))
		}
		return gold.WalkContinue, nil
	})
	return items
}

// itemsThere collects what gomarkdown read.
func itemsThere(doc ast.Node) []item {
	var items []item
	ast.WalkFunc(doc, func(n ast.Node, entering bool) ast.WalkStatus {
		if !entering {
			return ast.GoToNext
		}
		switch n := n.(type) {
		case *ast.Heading:
			items = append(items, headingItem(n.Level, textThere(n), 0))
		case *ast.Link:
			items = append(items, linkItem(util.URLEscape(n.Destination, false), 0))
		case *ast.Image:
			items = append(items, linkItem(util.URLEscape(n.Destination, false), 0))
		case *ast.CodeBlock:
			items = append(items, codeItem(n.Info, n.Literal, 0))
		case *ast.Table:
			aligns, rows := tableThere(n)
			items = append(items, tableItem(aligns, rows, 0))
		}
		return ast.GoToNext
	})
	return items
}

// textThere returns a heading's text as gomarkdown reads it.
func textThere(n ast.Node) string {
	var b strings.Builder
	ast.WalkFunc(n, func(n ast.Node, entering bool) ast.WalkStatus {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Literal)
		case *ast.Code:
			b.Write(n.Literal)
		case *ast.Softbreak, *ast.Hardbreak:
			b.WriteByte(' ')
		case *ast.Image:
			return ast.SkipChildren // an alternative text is not part of a heading
		}
		return ast.GoToNext
	})
	return b.String()
}

// tableThere returns the alignment of each column and the number of rows.
func tableThere(table *ast.Table) (aligns []string, rows int) {
	for _, section := range table.Children {
		for _, row := range section.GetChildren() {
			if _, head := section.(*ast.TableHeader); !head {
				rows++
				continue
			}
			for _, c := range row.GetChildren() {
				if cell, ok := c.(*ast.TableCell); ok {
					aligns = append(aligns, cmp.Or(cell.Align.String(), "none"))
				}
			}
		}
	}
	return aligns, rows
}

// admonitionHook teaches gomarkdown admonitions: it hands back the title as a first
// paragraph and the content without its indentation.
func admonitionHook(data []byte) (ast.Node, []byte, int) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	head, ok := readAdmonitionHead(first)
	if !ok || indented(first) {
		return nil, nil, 0
	}
	var inner bytes.Buffer
	inner.Write(first[head.titleStart:head.titleEnd])
	inner.WriteString("\n\n")
	for len(rest) > 0 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if !indented(line) && len(bytes.TrimSpace(line)) > 0 {
			break
		}
		inner.Write(dedent(line))
		inner.WriteByte('\n')
		rest = after
	}
	inner.WriteByte('\n')
	return &ast.Aside{}, inner.Bytes(), len(data) - len(rest)
}

// indented reports whether a line belongs to an admonition.
func indented(line []byte) bool {
	return bytes.HasPrefix(line, []byte("    ")) || bytes.HasPrefix(line, []byte("\t"))
}

// dedent takes one level of indentation off a line.
func dedent(line []byte) []byte {
	if rest, ok := bytes.CutPrefix(line, []byte("    ")); ok {
		return rest
	}
	return bytes.TrimPrefix(line, []byte("\t"))
}
