package markup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// binder walks a parsed page once: it resolves markers, finds literals, takes out what
// a page may not have, and notes where everything lies in the masked source. It is no
// goldmark transformer, because those cannot fail and know no page: it runs between
// parser and renderer, which both stay without state.
type binder struct {
	in     Input
	labels Labels
	source []byte // masked
	lines  lineIndex

	refs     []reference
	bounds   []Bound // what the references mean, by number
	inCell   []bool  // whether the reference stands in a table
	seen     []bool
	literals matcher

	spans    []Span // literals, with offsets into the masked source
	dropped  []Dropped
	problems []*Error
	last     rune // the last character of text in the current block
}

// place is what the text around a node forbids.
type place struct{ inLink, inCell bool }

// fault notes something that is wrong. The walk goes on, so that an author sees all
// faults of a page at once.
func (b *binder) fault(line int, format string, args ...any) {
	b.problems = append(b.problems, &Error{File: b.in.File, Line: line, Message: fmt.Sprintf(format, args...)})
}

// bind runs over the document. A reference that the walk did not meet stands where
// Markdown shows nothing, and would vanish.
func (b *binder) bind(doc ast.Node) {
	b.bounds = make([]Bound, len(b.refs))
	b.inCell = make([]bool, len(b.refs))
	b.seen = make([]bool, len(b.refs))
	b.blocks(doc, place{})
	for i, seen := range b.seen {
		if !seen {
			b.fault(b.refs[i].line, "marker %q stands where no text is shown", b.refs[i].ref)
		}
	}
	slices.SortFunc(b.spans, func(x, y Span) int { return cmp.Compare(x.Offset, y.Offset) })
}

// blocks visits the children of a container.
func (b *binder) blocks(parent ast.Node, p place) {
	for _, n := range children(parent) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			b.codeBlock(n, n.Info)
		case *ast.CodeBlock:
			b.codeBlock(n, nil)
		case *ast.HTMLBlock:
			b.htmlBlock(n)
		case *ast.LinkReferenceDefinition:
			line := b.lines.at(max(n.Pos(), 0))
			b.forbid(slices.Concat(n.Label, n.Destination, n.Title), "a link definition", line)
		case *ast.Paragraph, *ast.TextBlock:
			b.paragraph(n, p)
		case *ast.Heading, *admonitionTitle:
			b.text(n, p)
		case *east.TableCell:
			b.text(n, place{inCell: true})
		case *admonition:
			b.admonitionTitle(n)
			b.blocks(n, p)
		default:
			b.blocks(n, p)
		}
	}
}

// children returns the children as they are now: the walk replaces and removes them.
func children(n ast.Node) []ast.Node {
	var all []ast.Node
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		all = append(all, c)
	}
	return all
}

// text binds the inline content of one block.
func (b *binder) text(n ast.Node, p place) {
	b.last = 0
	b.inlines(n, p)
}

// admonitionTitle gives an untitled admonition the title of its kind. A block that
// folds always has one: it is what the reader clicks on.
func (b *binder) admonitionTitle(n *admonition) {
	_, titled := n.FirstChild().(*admonitionTitle)
	if titled || n.untitled && !n.folds {
		return
	}
	text := b.labels.Titles[n.kinds[0]]
	if text == "" {
		b.fault(b.lines.at(max(n.Pos(), 0)), "%q has no title, and there is none for its kind: write one in quotes", n.kinds[0])
	}
	title := &admonitionTitle{}
	title.AppendChild(title, newText([]byte(text)))
	n.InsertBefore(n, n.FirstChild(), title)
}

// paragraph binds a paragraph. One that is nothing but a chart becomes a figure, and
// one that begins with a check box becomes its label.
func (b *binder) paragraph(n ast.Node, p place) {
	b.text(n, p)
	first := n.FirstChild()
	switch c := first.(type) {
	case *chartNode:
		if n.ChildCount() == 1 {
			c.inline = false
			n.Parent().ReplaceChild(n.Parent(), n, c)
		}
	case *east.TaskCheckBox:
		// The label wraps the box and its text: without it a screen reader announces a box
		// that belongs to nothing.
		label := &labelNode{}
		for _, child := range children(n) {
			label.AppendChild(label, child)
		}
		n.AppendChild(n, label)
		n.Parent().SetAttributeString("class", "task")
	}
}

// htmlBlock takes a block of raw HTML out of the page.
func (b *binder) htmlBlock(n *ast.HTMLBlock) {
	text := n.Lines().Value(b.source)
	if n.HasClosure() {
		text = append(text, n.ClosureLine.Value(b.source)...)
	}
	line := b.lines.at(max(n.Pos(), 0))
	b.forbid(text, "raw HTML", line)
	b.drop(line, "raw HTML", text)
	n.Parent().RemoveChild(n.Parent(), n)
}

// drop notes what the page will not show. Comments are meant not to be shown.
func (b *binder) drop(line int, what string, text []byte) {
	text = bytes.TrimSpace(text)
	if !bytes.HasPrefix(text, []byte("<!--")) {
		b.dropped = append(b.dropped, Dropped{line, what, shorten(firstLine(text))})
	}
}

// codeBlock makes a figure of a block of code. info is nil for indented code.
func (b *binder) codeBlock(n ast.Node, info *ast.Text) {
	line := b.lines.at(max(n.Pos(), 0))
	figure := &figureNode{text: n.Lines().Value(b.source), copy: b.labels.Copy}
	b.forbid(figure.text, "a block of code", line)
	if info != nil {
		b.fenceInfo(figure, info, line)
	}
	switch {
	case figure.fence.noCopy:
		figure.copy = ""
	case figure.fence.lang == resultLanguage && b.labels.CopyRaw != "":
		figure.copy = b.labels.CopyRaw
	}
	figure.SetPos(n.Pos())
	n.Parent().ReplaceChild(n.Parent(), n, figure)
}

// fenceInfo reads the line above a block of code and binds the caption in it. The
// caption is text: a literal in it is marked like in any other.
func (b *binder) fenceInfo(figure *figureNode, info *ast.Text, line int) {
	raw := info.Segment.Value(b.source)
	b.forbid(raw, "the first line of a block of code", line)
	fence, err := readFence(raw)
	if err != nil {
		b.fault(line, "%s", err)
	}
	figure.fence = fence
	var d decoded
	start := info.Segment.Start
	d.plain(b.source, start+fence.titleStart, start+fence.titleEnd)
	b.pieces(figure, d, place{})
}

// inlines visits the inline children of a node. Adjacent text nodes are read as one,
// since the parser splits text at signs that turned out to mean nothing: "w4_a16" can
// be three nodes, and a literal all the same.
func (b *binder) inlines(parent ast.Node, p place) {
	for c := parent.FirstChild(); c != nil; {
		t, ok := c.(*ast.Text)
		if !ok {
			next := c.NextSibling()
			b.inline(parent, c, p)
			c = next
			continue
		}
		d, run := textRun(t, b.source, b.last)
		if r, n := utf8.DecodeLastRune(d.text); n > 0 {
			b.last = r
		}
		end := run[len(run)-1]
		c = end.NextSibling()
		// The pieces are made under a node of their own, because parent still holds the run
		// that marks their place.
		holder := ast.NewTextBlock()
		b.pieces(holder, d, p)
		if end.HardLineBreak() {
			holder.AppendChild(holder, newMarkup("<br>\n"))
			b.last = 0
		}
		b.replace(parent, run, holder)
	}
}

// replace puts the children of holder where run was.
func (b *binder) replace(parent ast.Node, run []*ast.Text, holder ast.Node) {
	for _, n := range children(holder) {
		parent.InsertBefore(parent, run[0], n)
	}
	for _, t := range run {
		parent.RemoveChild(parent, t)
	}
}

// pieces appends decoded text to parent, with facts and literals as nodes of their own.
func (b *binder) pieces(parent ast.Node, d decoded, p place) {
	done := 0
	flush := func(to int) {
		if to > done {
			parent.AppendChild(parent, newText(d.text[done:to]))
		}
	}
	for i := 0; i < len(d.text); {
		if n, size, ok := readToken(d.text[i:]); ok {
			flush(i)
			parent.AppendChild(parent, b.fact(n, p))
			i += size
			done = i
			continue
		}
		l := b.literals.at(d.text, i)
		if l == "" {
			i++
			continue
		}
		flush(i)
		parent.AppendChild(parent, &literalNode{text: l})
		b.literalSpan(d, match{i, i + len(l), l})
		i += len(l)
		done = i
	}
	flush(len(d.text))
}

// literalSpan notes where a literal was written. Its first and last byte may come from
// escapes, so that the span can be longer than the literal.
func (b *binder) literalSpan(d decoded, m match) {
	from, to := d.from[m.start], d.to[m.end-1]
	b.spans = append(b.spans, Span{Offset: from, Length: to - from, Kind: KindLiteral, ID: m.literal})
}

// fact resolves reference n.
func (b *binder) fact(n int, p place) ast.Node {
	b.seen[n] = true
	b.inCell[n] = p.inCell
	ref := b.refs[n]
	// A reference that cannot be resolved leaves an empty fact behind. It is never shown,
	// since the fault keeps the page from being made.
	bound, err := b.resolve(ref.ref)
	if err != nil {
		b.problems = append(b.problems, &Error{File: b.in.File, Line: ref.line,
			Message: fmt.Sprintf("marker %q", ref.ref), Err: err})
	}
	b.bounds[n] = bound
	return &factNode{bound: bound, inLink: p.inLink}
}

// resolve asks the resolver, and refuses an answer that a page could not show.
func (b *binder) resolve(ref string) (Bound, error) {
	if b.in.Resolver == nil {
		return Bound{}, errors.New("there is nothing to resolve it with")
	}
	bound, err := b.in.Resolver.Resolve(ref)
	switch {
	case err != nil:
		return Bound{}, err
	case bound.Kind != KindFact && bound.Kind != KindCite:
		return Bound{}, fmt.Errorf("resolved as %q, which is neither a fact nor a citation", bound.Kind)
	case bound.ID == "" || bound.Text == "":
		return Bound{}, errors.New("resolved without an id or without a text")
	case bound.Kind == KindFact && bound.Value == "":
		return Bound{}, errors.New("a fact without a value")
	case bytes.ContainsAny([]byte(bound.Text), markerOpen+markerClose+"\n"):
		return Bound{}, errors.New("its text holds a marker or a line break")
	case bound.Href != "" && !safeURL([]byte(bound.Href)):
		return Bound{}, fmt.Errorf("a page may not link to %q", bound.Href)
	}
	return bound, nil
}

// forbid reports every marker in text, which stands where no fact can.
func (b *binder) forbid(text []byte, where string, line int) {
	for _, n := range tokens(text) {
		// Numbers come from mask, but text can hold a number sign that a decoded entity made.
		if n >= len(b.refs) {
			continue
		}
		b.seen[n] = true
		b.fault(cmp.Or(b.refs[n].line, line), "marker %q stands in %s: a fact can stand in text only", b.refs[n].ref, where)
	}
}

// codeSpan replaces a code span by one that knows whether it is a literal.
func (b *binder) codeSpan(parent, n ast.Node) {
	d := codeText(n, b.source)
	b.forbid(d.text, "code", 0)
	found := b.literals.all(d.text)
	for _, m := range found {
		b.literalSpan(d, m)
	}
	parent.ReplaceChild(parent, n, &codeNode{text: d.text, literal: covers(found, d.text)})
	b.last, _ = utf8.DecodeLastRune(d.text)
}

// rawHTML takes a tag out of a line of text.
func (b *binder) rawHTML(parent ast.Node, n *ast.RawHTML) {
	text := n.Segments.Value(b.source)
	b.forbid(text, "raw HTML", 0)
	b.drop(b.lines.at(n.Segments.At(0).Start), "raw HTML", text)
	parent.RemoveChild(parent, n)
}

// escaped returns a destination as goldmark would print it.
func escaped(dest []byte) []byte { return util.URLEscape(dest, true) }
