// Package htmlcheck asks questions of a parsed HTML page: which elements are there,
// what do they say, in which order do they stand. Tests use it in place of searching
// text, which finds what a reader never sees.
//
// It knows the selectors that tests need and no more: a tag or *, #id, .class, [attr],
// [attr=value], and descendants by a space. It is no CSS engine.
package htmlcheck

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Node is an element of a page.
type Node struct{ n *html.Node }

// Page is a parsed page with its elements in document order.
type Page struct {
	elements []Node
	ids      map[string]Node
}

// Parse reads a page. An id that stands twice is an error: links and labels would
// lead to the wrong one.
func Parse(data []byte) (*Page, error) {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	p := &Page{ids: map[string]Node{}}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		e := Node{n}
		p.elements = append(p.elements, e)
		id := e.Attr("id")
		if id == "" {
			continue
		}
		if _, twice := p.ids[id]; twice {
			return nil, fmt.Errorf("the id %q stands twice", id)
		}
		p.ids[id] = e
	}
	return p, nil
}

// ID returns the element with an id.
func (p *Page) ID(id string) (Node, bool) {
	n, ok := p.ids[id]
	return n, ok
}

// All returns the elements that a selector matches, in document order. It panics if
// the selector is not one of those that the package comment lists.
func (p *Page) All(selector string) []Node {
	steps := compile(selector)
	var found []Node
	for _, e := range p.elements {
		if matches(e, steps) {
			found = append(found, e)
		}
	}
	return found
}

// Position returns where an element stands among all of the page, or -1.
func (p *Page) Position(n Node) int { return slices.Index(p.elements, n) }

// All returns the elements inside of n that a selector matches, in document order. What
// the selector says of ancestors may hold for elements outside of n. Only what is inside is
// looked at, since tests ask this of each of many thousand elements.
func (n Node) All(selector string) []Node {
	steps := compile(selector)
	var found []Node
	for d := range n.n.Descendants() {
		if e := (Node{d}); d.Type == html.ElementNode && matches(e, steps) {
			found = append(found, e)
		}
	}
	return found
}

// Tag returns the element's name.
func (n Node) Tag() string { return n.n.Data }

// Attr returns an attribute, empty where it is missing.
func (n Node) Attr(name string) string {
	v, _ := n.Lookup(name)
	return v
}

// Lookup returns an attribute and whether the element has it.
func (n Node) Lookup(name string) (string, bool) {
	for _, a := range n.n.Attr {
		if a.Namespace == "" && a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// Text returns all text inside of the element, as it stands.
func (n Node) Text() string {
	var b strings.Builder
	for d := range n.n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func (n Node) hasClass(name string) bool {
	return slices.Contains(strings.Fields(n.Attr("class")), name)
}
