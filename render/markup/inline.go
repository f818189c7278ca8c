package markup

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// decoded is text as a reader sees it, with escapes and entities resolved, that still
// knows where each of its bytes was written.
type decoded struct {
	text     []byte
	from, to []int // the source of text[i] is source[from[i]:to[i]]
}

// add appends text that was written at source[from:to].
func (d *decoded) add(text []byte, from, to int) {
	for _, c := range text {
		d.text = append(d.text, c)
		d.from = append(d.from, from)
		d.to = append(d.to, to)
	}
}

// raw appends source[from:to] as it stands.
func (d *decoded) raw(source []byte, from, to int) {
	for i := from; i < to; i++ {
		d.add(source[i:i+1], i, i+1)
	}
}

// plain appends source[from:to] with backslash escapes and entities resolved.
func (d *decoded) plain(source []byte, from, to int) {
	for i := from; i < to; {
		c := source[i]
		switch {
		case c == '\\' && i+1 < to && util.IsPunct(source[i+1]):
			d.add(source[i+1:i+2], i, i+2)
			i += 2
		case c == '&':
			text, size := readEntity(source[i:to])
			d.add(text, i, i+size)
			i += size
		case c == 0:
			d.add([]byte("\ufffd"), i, i+1)
			i++
		default:
			d.add(source[i:i+1], i, i+1)
			i++
		}
	}
}

// longestEntity is longer than any entity that has a meaning.
const longestEntity = 40

// readEntity reads the entity at the start of text, or the "&" alone.
func readEntity(text []byte) (value []byte, size int) {
	end := 1
	for end < min(len(text), longestEntity) && (isAlnum(text[end]) || text[end] == '#') {
		end++
	}
	if end == len(text) || text[end] != ';' {
		return text[:1], 1
	}
	entity := text[:end+1]
	value = util.ResolveNumericReferences(entity)
	if bytes.Equal(value, entity) {
		value = util.ResolveEntityNames(entity)
	}
	if bytes.Equal(value, entity) {
		return text[:1], 1
	}
	return value, end + 1
}

// textRun decodes a text node and the text nodes after it, up to a hard line break.
// last is the character before the run. It returns the nodes that it read.
//
// Soft line breaks are settled here, where the characters on both sides are known.
// goldmark can join Chinese lines too, but only between two nodes of text, and loses
// the break altogether where the next line begins with emphasis or code.
func textRun(first *ast.Text, source []byte, last rune) (d decoded, run []*ast.Text) {
	for t := first; t != nil; t, _ = t.NextSibling().(*ast.Text) {
		run = append(run, t)
		d.plain(source, t.Segment.Start, t.Segment.Stop)
		if t.HardLineBreak() {
			break
		}
		if t.SoftLineBreak() {
			if r, n := utf8.DecodeLastRune(d.text); n > 0 {
				last = r
			}
			next, at := following(t, source)
			if !isWide(last) || !isWide(next) { // Chinese lines join without a space
				d.add([]byte("\n"), t.Segment.Stop, max(at, t.Segment.Stop+1))
			}
		}
	}
	return d, run
}

// following returns the first character of the text after a node, and its offset; 0 if
// the block ends or something else than text comes first.
func following(n ast.Node, source []byte) (rune, int) {
	// The text after "**bold**" is a sibling of the emphasis, not of the text in it.
	for n != nil && n.NextSibling() == nil && n.Type() == ast.TypeInline {
		n = n.Parent()
	}
	if n == nil || n.Type() != ast.TypeInline {
		return 0, 0
	}
	for n = n.NextSibling(); n.FirstChild() != nil; {
		n = n.FirstChild()
	}
	t, ok := n.(*ast.Text)
	if !ok {
		return 0, 0
	}
	r, _ := utf8.DecodeRune(t.Segment.Value(source))
	return r, t.Segment.Start
}

// codeText returns the content of a code span; its line breaks are spaces.
func codeText(span ast.Node, source []byte) decoded {
	var d decoded
	for c := span.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			d.raw(source, t.Segment.Start, t.Segment.Stop)
		}
	}
	for i, c := range d.text {
		if c == '\n' {
			d.text[i] = ' '
		}
	}
	return d
}
