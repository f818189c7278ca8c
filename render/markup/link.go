package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// inline binds one inline node that is not text.
func (b *binder) inline(parent, n ast.Node, p place) {
	switch n := n.(type) {
	case *ast.CodeSpan:
		b.codeSpan(parent, n)
	case *ast.RawHTML:
		b.rawHTML(parent, n)
	case *ast.AutoLink:
		b.autoLink(parent, n, p)
	case *ast.Link:
		b.link(parent, n, p)
	case *ast.Image:
		b.image(parent, n)
	default:
		b.inlines(n, p)
	}
}

// link binds a link's text. A link to where a page may not link leaves its text behind.
func (b *binder) link(parent ast.Node, n *ast.Link, p place) {
	line := b.lines.at(max(n.Pos(), 0))
	b.forbid(n.Destination, "the target of a link", line)
	b.forbid(n.Title, "the title of a link", line)
	if n.Reference != nil {
		b.forbid(n.Reference.Value, "a reference to a link definition", line)
	}
	if safeURL(escaped(n.Destination)) {
		p.inLink = true
		b.inlines(n, p)
		return
	}
	b.drop(line, "link", n.Destination)
	b.inlines(n, p)
	for _, c := range children(n) {
		parent.InsertBefore(parent, n, c)
	}
	parent.RemoveChild(parent, n)
}

// autoLink makes an ordinary link of <https://...>, so that its text is read for
// literals like any other.
func (b *binder) autoLink(parent ast.Node, n *ast.AutoLink, p place) {
	label := n.Label(b.source)
	line := b.lines.at(max(n.Pos(), 0))
	b.forbid(label, "the target of a link", line)
	dest := util.URLEscape(n.URL(b.source), false)
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(dest), []byte("mailto:")) {
		dest = append([]byte("mailto:"), dest...)
	}
	var d decoded
	start := n.Pos() + len("<")
	d.raw(b.source, start, start+len(label))
	var holder ast.Node = ast.NewTextBlock()
	if safeURL(dest) {
		p.inLink = true
		link := ast.NewLink()
		link.SetPos(n.Pos())
		link.Destination = bytes.ReplaceAll(dest, []byte("&"), []byte("&amp;"))
		holder = link
	} else {
		b.drop(line, "link", label)
	}
	// A marker in the address was refused above; it must not be resolved as well.
	if len(tokens(d.text)) == 0 {
		b.pieces(holder, d, p)
	}
	if holder.Kind() == ast.KindLink {
		parent.ReplaceChild(parent, n, holder)
	} else {
		for _, c := range children(holder) {
			parent.InsertBefore(parent, n, c)
		}
		parent.RemoveChild(parent, n)
	}
	b.last = 0
}

// image binds an image. One that the caller has a drawing for becomes a chart, and its
// alternative text is left to the drawing, which has a title and a description.
func (b *binder) image(parent ast.Node, n *ast.Image) {
	line := b.lines.at(max(n.Pos(), 0))
	b.forbid(n.Destination, "the address of an image", line)
	b.forbid(n.Title, "the title of an image", line)
	b.altText(n)
	b.last = 0
	dest := string(n.Destination)
	svg, drawn := b.in.Charts[dest]
	switch {
	case drawn && strings.HasSuffix(dest, ".svg"):
		chart := &chartNode{svg: svgElement(svg), inline: true}
		var d decoded
		d.plain(n.Title, 0, len(n.Title))
		b.caption(chart, d)
		parent.ReplaceChild(parent, n, chart)
	case !safeURL(escaped(n.Destination)):
		b.drop(line, "image", n.Destination)
		parent.RemoveChild(parent, n)
	}
}

// caption appends a chart's caption. Its place in the source is not known, so that its
// literals have no span in the export.
func (b *binder) caption(chart *chartNode, d decoded) {
	if len(tokens(d.text)) > 0 {
		return
	}
	known := len(b.spans)
	b.pieces(chart, d, place{})
	b.spans = b.spans[:known]
}

// altText finds the literals of an alternative text, which is an attribute and cannot
// hold elements.
func (b *binder) altText(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			b.altText(c)
			continue
		}
		d, run := textRun(t, b.source, 0)
		b.forbid(d.text, "an alternative text", 0)
		for _, m := range b.literals.all(d.text) {
			b.literalSpan(d, m)
		}
		c = run[len(run)-1]
	}
}

// safeURL reports whether a page may link to dest: to a place on the site, or by one
// of three schemes. Refusing known bad schemes would let the next one through.
func safeURL(dest []byte) bool {
	end := bytes.IndexAny(dest, ":/?#")
	if end < 0 || dest[end] != ':' {
		return true
	}
	switch strings.ToLower(string(dest[:end])) {
	case "http", "https", "mailto":
		return true
	}
	return false
}

// svgElement takes off what stands before the element and has no place in HTML.
func svgElement(svg []byte) []byte {
	if at := bytes.Index(svg, []byte("<svg")); at > 0 {
		svg = svg[at:]
	}
	return bytes.TrimSpace(svg)
}
