package document

import (
	"strings"
	"unicode/utf8"

	"benchguide/parse"
)

// The kinds of pieces.
const (
	proseOf = iota
	itemOf
	headingOf
	codeOf
	tableOf
)

// piece is what a reader of some markup has found: a stretch of whole lines.
type piece struct {
	Lines
	kind     int
	level    int
	text     string   // of prose and headings
	lines    []string // of code, one after the other from Line on
	language string
	title    string
	rows     []Row
}

// assemble puts the pieces of a page and the results in it together. Where a result
// stands, whatever the markup makes of its lines is dropped: a rule of "=" is no
// underlined heading.
func assemble(pieces []piece, records []parse.Record) []Part {
	var parts []Part
	next := 0 // the first record that has no part yet
	emit := func(before int, title string) {
		for ; next < len(records) && records[next].Line < before; next++ {
			r := records[next]
			parts = append(parts, Block{Lines: Lines{r.Line, r.EndLine}, Record: r, Title: title})
		}
	}
	for _, p := range pieces {
		emit(p.Line, "")
		if p.kind != codeOf {
			if p.kind == tableOf || !covered(p.Lines, records) {
				parts = append(parts, p.part())
			}
			emit(p.EndLine+1, p.title)
			continue
		}
		for _, rest := range around(p, records) {
			emit(rest.Line, p.title)
			parts = append(parts, rest.part())
		}
		emit(p.EndLine+1, p.title)
	}
	emit(int(^uint(0)>>1), "")
	return parts
}

// covered reports whether a result stands in one of the lines.
func covered(l Lines, records []parse.Record) bool {
	for _, r := range records {
		if r.Line <= l.EndLine && r.EndLine >= l.Line {
			return true
		}
	}
	return false
}

// around cuts a listing into what stands before, between and after its results.
// Comments there are their labels, which the records have.
func around(p piece, records []parse.Record) []piece {
	taken := func(line int) bool { return covered(Lines{line, line}, records) }
	if !covered(p.Lines, records) {
		return []piece{p}
	}
	var rest []piece
	for i := 0; i < len(p.lines); {
		start := i
		for i < len(p.lines) && !taken(p.Line+i) {
			i++
		}
		if part, ok := p.cut(start, i); ok {
			rest = append(rest, part)
		}
		for i < len(p.lines) && taken(p.Line+i) {
			i++
		}
	}
	return rest
}

// cut returns the lines from start to end as a piece, unless they are empty or comments.
func (p piece) cut(start, end int) (piece, bool) {
	blank := func(s string) bool { s = strings.TrimSpace(s); return s == "" || strings.HasPrefix(s, "#") }
	for start < end && blank(p.lines[start]) {
		start++
	}
	for start < end && blank(p.lines[end-1]) {
		end--
	}
	line := p.Line + start
	p.Lines, p.lines = Lines{line, line + end - start - 1}, p.lines[start:end]
	return p, start < end
}

// withoutEmptyEnds drops the empty lines at both ends of a listing.
func (p piece) withoutEmptyEnds() piece {
	for len(p.lines) > 1 && strings.TrimSpace(p.lines[0]) == "" {
		p.lines = p.lines[1:]
		p.Line++
	}
	for len(p.lines) > 1 && strings.TrimSpace(p.lines[len(p.lines)-1]) == "" {
		p.lines = p.lines[:len(p.lines)-1]
		p.EndLine--
	}
	return p
}

func (p piece) part() Part {
	switch p.kind {
	case headingOf:
		return Heading{p.Lines, p.level, p.text}
	case tableOf:
		return Table{p.Lines, p.rows}
	case codeOf:
		p = p.withoutEmptyEnds()
		text := strings.Join(p.lines, "\n")
		if isShell(p.language) || p.language == "" && beginsWithCommand(p.lines) {
			return Command{p.Lines, text, p.language, p.title}
		}
		return Code{p.Lines, text, p.language, p.title}
	default:
		return Paragraph{p.Lines, p.text, p.kind == itemOf}
	}
}

// promoteNames makes headings of bare names that stand above a listing: writers put
// an engine or a variant there without saying that it is a heading.
func promoteNames(pieces []piece) []piece {
	level := 1
	for i, p := range pieces {
		if p.kind == headingOf {
			level = p.level
			continue
		}
		named := i+1 < len(pieces) && pieces[i+1].kind == codeOf && pieces[i+1].title != ""
		if p.kind == proseOf && named && isTitle(p.text) {
			pieces[i].kind, pieces[i].level = headingOf, level+1
		}
	}
	return pieces
}

// maxTitle is the length of the longest line, in characters, that can be a heading
// without being marked as one.
const maxTitle = 70

// isTitle reports whether a line has the form of a heading: short, no sentence, no value.
func isTitle(s string) bool {
	n := utf8.RuneCountInString(s)
	return n > 0 && n <= maxTitle && !strings.ContainsAny(s, "\t\n:：=<>|") && !endsSentence(s) && strings.ContainsFunc(s, isLetter)
}

func isLetter(r rune) bool { return r >= utf8.RuneSelf || r|0x20 >= 'a' && r|0x20 <= 'z' }

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".。!！?？;；,，:：、…", r)
}
