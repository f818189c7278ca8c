package markup

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// Heading is an entry of a page's table of contents.
type Heading struct {
	Level int
	ID    string
	Text  string // as a reader sees it, facts included
	HTML  []byte // the same without links, with facts and literals marked
}

// headingIDs gives every heading an id. Written ids come first, so that a heading
// without one never takes what another asks for. A heading that both languages share
// needs a written id: the one made from its text differs between them.
func (b *binder) headingIDs(doc ast.Node) []*ast.Heading {
	var headings []*ast.Heading
	used := map[string]int{}
	claim := func(id string, line int) {
		if used[id] > 0 {
			b.fault(line, "id %q is given twice on this page", id)
		}
		used[id]++
	}
	walk(doc, func(n ast.Node) {
		line := b.lines.at(max(n.Pos(), 0))
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, n)
			if id := attribute(n, "id"); id != "" {
				b.forbid([]byte(id), "the id of a heading", line)
				claim(id, line)
			}
		case *figureNode:
			if n.fence.id != "" {
				claim(n.fence.id, line)
			}
		}
	})
	for _, h := range headings {
		if attribute(h, "id") == "" {
			h.SetAttributeString("id", []byte(unused(slug(plainText(h, false)), used)))
		}
	}
	return headings
}

// attribute returns a text attribute of a node, "" if there is none. Numbers and lists,
// which goldmark also reads in braces, are no ids.
func attribute(n ast.Node, name string) string {
	v, _ := n.AttributeString(name)
	text, _ := v.([]byte)
	return string(text)
}

// walk calls f for every block below n, in the order of the page.
func walk(n ast.Node, f func(ast.Node)) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeInline {
			f(c)
			walk(c, f)
		}
	}
}

// unused returns id, or id with the first number that makes it new, as GitHub does.
// used counts how often an id was asked for, so that the search goes on where it ended.
func unused(id string, used map[string]int) string {
	candidate := id
	for used[candidate] > 0 {
		candidate = id + "-" + strconv.Itoa(used[id])
		used[id]++
	}
	used[candidate]++
	return candidate
}

// slug makes an id of a heading's text by GitHub's rule, which keeps letters of every
// script, so that links into the exported Markdown work there too.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(text)) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte('-')
		}
	}
	if id := strings.Trim(b.String(), "-"); id != "" {
		return id
	}
	return "section"
}

// plainText returns the text of a bound block, with or without its facts.
func plainText(n ast.Node, facts bool) string {
	var b strings.Builder
	addText(&b, n, facts)
	return strings.TrimSpace(b.String())
}

// addText appends the text below a bound node. Images have none: what they say is in an
// attribute, and a table of contents is not the place for it.
func addText(b *strings.Builder, n ast.Node, facts bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.String:
			if c.IsCode() {
				b.WriteByte(' ') // a hard line break
			} else {
				b.WriteString(strings.ReplaceAll(string(c.Value), "\n", " "))
			}
		case *literalNode:
			b.WriteString(c.text)
		case *codeNode:
			b.Write(c.text)
		case *factNode:
			if facts {
				b.WriteString(c.bound.Text)
			}
		default:
			addText(b, c, facts)
		}
	}
}
