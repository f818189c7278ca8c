package gate

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// text is what a reader sees of one block of a page, with the lines it came from.
// Numbers are looked for in it rather than in pieces of source, since markup may
// stand inside a number: 两**倍**.
type text struct {
	b     []byte
	marks []mark
}

// mark says that from off on the text stands on line.
type mark struct{ off, line int }

// invisible characters could hide a word from the rules and not from a reader.
var invisible = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "")

// add appends s, which begins on line; each line break in it begins the next one.
func (t *text) add(s string, line int) { t.addUpTo(s, line, math.MaxInt) }

// addUpTo is add for a text that ends on a known line: HTML reads &#10; and a lone
// carriage return as line breaks, which no editor counts.
func (t *text) addUpTo(s string, line, last int) {
	for s != "" {
		piece, _, broken := strings.Cut(s, "\n")
		if broken {
			piece = s[:len(piece)+1]
		}
		if n := len(t.marks); n == 0 || t.marks[n-1].line != line {
			t.marks = append(t.marks, mark{len(t.b), line})
		}
		t.b = append(t.b, invisible.Replace(piece)...)
		s = s[len(piece):]
		line = min(line+1, last)
	}
}

// line returns the line that a place in the text came from.
func (t *text) line(off int) int {
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].off > off }) - 1
	return t.marks[max(i, 0)].line
}

// cut takes everything from off on out of the text and returns it.
func (t *text) cut(off int) *text {
	if off >= len(t.b) {
		return &text{}
	}
	out := &text{}
	out.marks = append(out.marks, mark{0, t.line(off)})
	keep := len(t.marks)
	for i, m := range t.marks {
		if m.off >= off {
			keep = min(keep, i)
			out.marks = append(out.marks, mark{m.off - off, m.line})
		}
	}
	out.b = append(out.b, t.b[off:]...)
	t.b, t.marks = t.b[:off], t.marks[:keep]
	return out
}

// reset empties the text and keeps its memory: a page has thousands of blocks.
func (t *text) reset() { t.b, t.marks = t.b[:0], t.marks[:0] }

// unbound reports each number of a text.
func (f *findings) unbound(t *text) {
	s := string(t.b)
	for _, m := range numbers(s) {
		number := blanks(s[m.start:m.end])
		f.add(CodeUnboundNumber, t.line(m.start), number,
			fmt.Sprintf("number %q is not bound: state it as a fact, or declare it as a literal of the study", number))
	}
}

// unboundPlain reports each number of a text in which no element can stand, so that
// a literal is known by its text alone. The place is named, since a reader of the
// page cannot see it.
func (f *findings) unboundPlain(t *text, place string, ix *index) {
	s, _ := ix.mask(string(t.b))
	for _, m := range numbers(s) {
		number := blanks(s[m.start:m.end])
		f.add(CodeUnboundNumber, t.line(m.start), number,
			fmt.Sprintf("number %q in %s is not bound: leave it out there, or declare it as a literal of the study", number, place))
	}
}
