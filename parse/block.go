package parse

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits that keep a block from swallowing the text after it.
const (
	maxIdle       = 40  // lines in a row that no producer prints
	maxBlockLines = 600 // the longest block in the wild has under 100
)

// block is a result as text: labels with what stands after them, in order, and
// whatever else stood between. It knows no metric and no producer.
type block struct {
	file        string
	title       string // of the header, "" when there was none
	titleWidth  int
	first, last int // lines
	closed      bool
	ranInto     bool // a second result began before this one had ended
	badUTF8     int  // line of the first byte sequence that is not UTF-8
	fields      []blockField
	titles      []string // of the sections, as printed
	other       []Unknown
	prefix      prefix // before every line, and no part of the block
	section     string // of the lines being read
	part        string // of the lines being read: one of several results in one block
	above       string // the text above the block, which may name its producer
	steady      *block // the steady-state block after it
}

// blockField is one "Label: rest" line.
type blockField struct {
	label, key, rest string
	section          string // title of the section above it, in the form of a key
	part             string // title of the part of the block, if it has parts
	line             int
	cut              bool // the input ended here, perhaps inside the value
}

// has reports whether the block prints a label.
func (b *block) has(key string) bool {
	for _, f := range b.fields {
		if f.key == key {
			return true
		}
	}
	return false
}

func (b *block) hasAny(keys ...string) bool { return slices.ContainsFunc(keys, b.has) }

// rest returns what stands after a label, "" where it is not printed.
func (b *block) rest(key string) string {
	for _, f := range b.fields {
		if f.key == key {
			return f.rest
		}
	}
	return ""
}

// What a line is to the block being read.
const (
	lineTaken   = iota // part of the block
	lineIdle           // may be part of it
	lineCloses         // its last line
	lineOutside        // belongs to the text after it
)

// readBlock takes one block. known tells labels that some producer prints; only
// they, and rules, extend a block that nothing closes.
func readBlock(in *Input, known func(blockField) bool) *block {
	b := &block{file: in.File, first: in.line, last: in.line}
	in.begin()
	b.prefix = prefixOf(in, servingStart)
	end := in.mark()
	for idle, n := 0, 0; idle < maxIdle && n < maxBlockLines; n++ {
		here := in.mark()
		l, ok := in.next()
		if !ok {
			break
		}
		kind := b.take(l, known)
		if kind == lineOutside {
			if b.last == l.No && n > 0 {
				end = here // the line is shared: the next result begins on it
			}
			break
		}
		idle++
		if kind != lineIdle || n == 0 { // the first line is the block's, whatever it is
			idle, end = 0, in.mark()
		}
		if kind == lineCloses {
			break
		}
	}
	in.reset(end)
	b.trim()
	return b
}

// take adds one line to the block. A line that lost its line end is two.
func (b *block) take(l Line, known func(blockField) bool) int {
	if b.badUTF8 == 0 && !utf8.ValidString(l.Text) {
		b.badUTF8 = l.No
	}
	before, after := unglue(b.prefix.strip(cleanLine(l.Text)))
	if after == "" {
		return b.takePart(before, l, known)
	}
	// A header begins a block; text before it on its line is a progress bar's.
	if kind, _ := rule(after); b.started() || kind != headerRule {
		l.Ended = true // what follows the part on its line shows that it is whole
		if kind := b.takePart(before, l, known); kind == lineCloses || kind == lineOutside {
			return lineOutside
		}
	}
	return b.takePart(after, l, known)
}

func (b *block) started() bool { return b.title != "" || len(b.fields) > 0 }

func (b *block) takePart(s string, l Line, known func(blockField) bool) int {
	kind := b.read(s, l, known)
	if kind == lineTaken || kind == lineCloses {
		b.last = l.No
	}
	return kind
}

func (b *block) read(s string, l Line, known func(blockField) bool) int {
	switch kind, title := rule(s); {
	case kind == headerRule && b.started():
		b.ranInto = true
		return lineOutside
	case kind == headerRule:
		b.title, b.titleWidth = title, len(s)
		return lineTaken
	case kind == closingRule && len(b.fields) > 0: // a header that a narrow terminal broke ends in such a line
		b.closed = true
		return lineCloses
	case kind == sectionRule:
		b.section = key(title)
		b.titles = append(b.titles, title)
		if b.isPart(b.section) {
			b.part = b.section
		}
		return lineTaken
	}
	if strings.Trim(s, "| ") == "" {
		return lineIdle // a page's column of line marks is copied as bars
	}
	if b.started() && endsText(s) {
		return lineOutside
	}
	return b.readField(s, l, known)
}

func (b *block) readField(s string, l Line, known func(blockField) bool) int {
	label, rest, ok := field(s)
	if !ok && b.completes(s, l) {
		return lineTaken
	}
	if !ok {
		b.other = append(b.other, Unknown{Text: s, Line: l.No})
		return lineIdle
	}
	f := blockField{label: label, key: key(label), rest: rest, section: b.section, part: b.part, line: l.No, cut: !l.Ended}
	if f.key == successLabel && startsNumber(rest) && b.cannotHaveSuccess() {
		b.ranInto = true
		return lineOutside
	}
	b.fields = append(b.fields, f)
	if known(f) {
		return lineTaken
	}
	return lineIdle
}

// completes takes a line that is only a number as the value of the label above it, if
// that has none: a terminal narrower than the line has broken it.
func (b *block) completes(s string, l Line) bool {
	if len(b.fields) == 0 {
		return false
	}
	last := &b.fields[len(b.fields)-1]
	n, kind := readNumber(s)
	if last.rest != "" || last.line != l.No-1 || kind != isNumber || n.note != "" {
		return false
	}
	last.rest, last.line, last.cut = s, l.No, !l.Ended
	return true
}

// cannotHaveSuccess reports whether a count of successful requests is another
// result's: the block has one already, or it began without a header, and then
// with its first label.
func (b *block) cannotHaveSuccess() bool {
	if b.part != "" {
		return false
	}
	return b.has(successLabel) || b.title == "" && len(b.fields) > 0
}

// isPart reports whether a section begins a result within the result, as each turn
// of a multi-turn benchmark does.
func (b *block) isPart(section string) bool {
	return b.title == multiTurnTitle && (strings.HasPrefix(section, "overall ") || strings.HasPrefix(section, "turn "))
}

// trim drops what was read beyond the last line of a block that nothing closed.
func (b *block) trim() {
	for n := len(b.fields); n > 0 && b.fields[n-1].line > b.last; n-- {
		b.fields = b.fields[:n-1]
	}
	for n := len(b.other); n > 0 && b.other[n-1].Line > b.last; n-- {
		b.other = b.other[:n-1]
	}
}

// endsText reports whether a line belongs to the page around a block and so ends
// a block without closing rule: a fence, a heading or comment, an admonition, a closing tag.
func endsText(s string) bool {
	for _, start := range []string{"```", "~~~", "# ", "##", "??? ", "!!! ", "</"} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}
