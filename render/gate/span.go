package gate

import (
	"cmp"
	"fmt"
	"html"
	"slices"
)

// The kinds of a span.
const (
	KindFact    = "fact"
	KindLiteral = "literal"
	KindCite    = "cite"
)

// Span is a bound piece of a Markdown page: what its writer says stands at an offset,
// in bytes. A span covers the printed text alone, not the link around it.
type Span struct {
	Offset, Length int
	Kind           string
	ID             string // of the fact or citation; of no use to a literal
}

// checkSpans compares the spans with the page and with what is known, and returns the
// ranges of those that lie well, in order. A span with a false text still counts as
// bound: its own finding names the text.
func (d *document) checkSpans(spans []Span) []piece {
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(a.Offset, b.Offset) })
	var out []piece
	end := 0
	for _, s := range spans {
		switch {
		case s.Offset < 0 || s.Length <= 0 || s.Offset > len(d.src) || s.Length > len(d.src)-s.Offset:
			d.add(CodeSpan, 1, s.ID, fmt.Sprintf("the span of %s %q, offset %d and length %d, lies outside of the page of %d bytes: export the page and its spans together",
				s.Kind, s.ID, s.Offset, s.Length, len(d.src)))
		// The first of two stays bound; which of them is right, nobody can tell here.
		case s.Offset < end:
			d.add(CodeSpan, d.lineAt(s.Offset), s.ID, fmt.Sprintf("the span of %s %q at offset %d overlaps the one before it: bind each text once",
				s.Kind, s.ID, s.Offset))
		default:
			end = s.Offset + s.Length
			d.checkSpan(s, string(d.src[s.Offset:end]))
			out = append(out, piece{s.Offset, end, bound})
		}
	}
	return out
}

// checkSpan compares one span with what is known. Its text may be written with escapes;
// the form without any comes last, and is the one that a finding shows.
func (d *document) checkSpan(s Span, source string) {
	printed := html.UnescapeString(unescape(source))
	line := d.lineAt(s.Offset)
	var code, message string
	switch s.Kind {
	case KindLiteral:
		if !d.index.literal(source) {
			d.addLiteral(line, printed, d.index)
		}
		return
	case KindFact, KindCite:
		for _, form := range []string{source, printed} {
			if code, message = d.index.says(s, form); code == "" {
				return
			}
		}
	default:
		code, message = CodeSpan, fmt.Sprintf("%q has a span of kind %q: it must be fact, literal or cite", printed, s.Kind)
	}
	d.add(code, line, printed, message)
}

// says reports why text may not stand under a span of a fact or citation, if it may not.
func (ix *index) says(s Span, text string) (code, message string) {
	if s.Kind == KindCite {
		return ix.cited(s.ID, text)
	}
	return ix.printed(s.ID, text)
}

// unescape removes the backslashes that Markdown puts before punctuation.
func unescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// isPunct reports whether c is ASCII punctuation, which a backslash can escape.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
