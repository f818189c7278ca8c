package markup

import (
	"bytes"
	"strings"
)

// Span is a piece of exported Markdown that may hold numbers, and why it may.
type Span struct {
	Offset, Length int // bytes of the export
	Kind           Kind
	ID             string // the fact's id, the citation's name, or the literal itself
}

// Export turns page source into plain Markdown: markers become their texts, escaped
// where Markdown would read them otherwise. The spans come in order, and are those of
// facts, citations and literals; literals in blocks of code have none, but those in
// code spans, alternative texts and captions of code do. A literal's span covers it as
// it is written, with escapes or a line break in it.
func (m *Markup) Export(src []byte, in Input) ([]byte, []Span, error) {
	b, doc, err := m.read(src, in)
	if err != nil {
		return nil, nil, err
	}
	b.headingIDs(doc)
	if err := joined(b.problems); err != nil {
		return nil, nil, err
	}
	out, spans := b.export()
	return out, spans, nil
}

// export writes the masked source with its tokens replaced, and moves the literals'
// spans by as much as the text before them grew or shrank.
func (b *binder) export() ([]byte, []Span) {
	var out bytes.Buffer
	var spans []Span
	literals := b.spans
	done := 0 // bytes of source written
	copyTo := func(to int) {
		for len(literals) > 0 && literals[0].Offset < to {
			l := literals[0]
			l.Offset += out.Len() - done
			spans = append(spans, l)
			literals = literals[1:]
		}
		out.Write(b.source[done:to])
		done = to
	}
	for {
		at := bytes.Index(b.source[done:], []byte(markerOpen))
		if at < 0 {
			copyTo(len(b.source))
			return out.Bytes(), spans
		}
		copyTo(done + at)
		n, size, _ := readToken(b.source[done:])
		text := b.exported(n)
		spans = append(spans, Span{out.Len(), len(text), b.bounds[n].Kind, b.bounds[n].ID})
		out.WriteString(text)
		done += size
	}
}

// exported returns the text of reference n as Markdown. A fact's text rarely needs an
// escape; a citation is anybody's words.
func (b *binder) exported(n int) string {
	text := Inline(Text(b.bounds[n].Text))
	if b.inCell[n] {
		text = strings.ReplaceAll(text, "|", `\|`)
	}
	return text
}
