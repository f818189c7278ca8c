package parse

import (
	"strings"
	"unicode/utf8"
)

// lineFormat is a result without header and rules: lines one after another, of a
// single tool. It shares the block, the labels and the record of the block family,
// and says itself what its lines are.
type lineFormat struct {
	producer
	anchors []string
	sniff   func(s string) bool // a cleaned line that begins a result
	// take adds a cleaned line to the block and says what it is to it.
	take func(b *block, s string, l Line) int
	idle int // lines in a row that may stand between the result's own
	// ready reports whether the block is a result; without it the lines mean nothing.
	ready func(b *block) bool
	// tokens reports whether the result is one of tokens; without it, it is refused.
	tokens func(b *block) bool
}

func (f lineFormat) format() Format {
	return Format{
		Name:    f.producer.format,
		Anchors: f.anchors,
		Sniff:   func(line []byte) bool { return f.sniff(bare(cleanLine(string(line)))) },
		Read:    f.read,
	}
}

func (f lineFormat) read(in *Input, out *Output) {
	above, line := in.above()
	b := f.block(in)
	b.above = above
	if f.ready != nil && !f.ready(b) {
		return
	}
	if f.tokens != nil && !f.tokens(b) {
		out.Problem(newProblem(f.refusal, b.file, b.first, "this result was printed by "+f.name, f.hint))
		return
	}
	head := readPreface(above, line, b.prefix)
	out.Record(f.record(b, head.inherit(in), head.settings))
}

// block takes the lines of one result.
func (f lineFormat) block(in *Input) *block {
	b := &block{file: in.File, first: in.line, last: in.line}
	in.begin()
	b.prefix = prefixOf(in, func(s string) int { return len(s) - len(bare(s)) })
	end := in.mark()
	for idle, n := 0, 0; idle <= f.idle && n < maxBlockLines; n++ {
		l, ok := in.next()
		if !ok {
			break
		}
		if b.badUTF8 == 0 && !utf8.ValidString(l.Text) {
			b.badUTF8 = l.No
		}
		s := b.prefix.strip(cleanLine(l.Text))
		if n == 0 {
			s = bare(cleanLine(l.Text))
		}
		kind := f.take(b, s, l)
		if kind == lineOutside {
			break
		}
		idle++
		if kind == lineTaken || kind == lineCloses || n == 0 {
			idle, end, b.last = 0, in.mark(), l.No
		}
		if kind == lineCloses {
			break
		}
	}
	in.reset(end)
	b.trim()
	return b
}

// known adds a line "Label: value" whose label the producer prints.
func (p producer) known(b *block, s string, l Line) int {
	if s == "" {
		return lineIdle
	}
	label, rest, ok := field(s)
	if !ok {
		return lineIdle
	}
	f := blockField{label: label, key: key(label), rest: rest, section: b.section, line: l.No, cut: !l.Ended}
	if _, ok := p.find(f); !ok {
		return lineIdle
	}
	b.fields = append(b.fields, f)
	return lineTaken
}

// bare removes a short prefix of a line: its number, a rank, a prompt, a mark of a diff or list.
func bare(s string) string {
	rest := unmarked(s)
	if strings.HasPrefix(s, "[") { // [1,0]<stdout>: or [TTFT]; only the first is a prefix
		if _, after, ok := strings.Cut(s, ">:"); ok {
			return strings.TrimSpace(after)
		}
	}
	return rest
}
