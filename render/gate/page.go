package gate

import (
	"fmt"
	"slices"
	"strings"
)

// HTML reads a finished HTML page, or an SVG file, and reports every number that is
// not bound and every binding that is false.
func HTML(file string, src []byte, k Known) []Finding {
	p := &page{index: newIndex(k), findings: findings{file: file}}
	p.encoding(src)
	walk(src, p, &p.findings)
	p.flush()
	return p.sorted()
}

// mode says what becomes of the text inside an element.
type mode int

const (
	reading   mode = iota // numbers are looked for
	plain                 // the same, where no element can stand: literals are known by their text
	bounding              // it is the text of a binding
	preserved             // it is compared with the blocks that are known
	ignored               // nobody sees it, or it is a tick
)

// frame is an open element with the mode of its text; starter says that the mode
// begins with this element.
type frame struct {
	mode    mode
	starter bool
}

// page is the visitor that checks.
type page struct {
	findings
	index  *index
	frames []frame
	run    text // visible text since the last border of a block
	plain  text
	bound  text
	pre    text
}

var _ visitor = (*page)(nil)

// mode is the mode of the text that comes next; outside of all elements it is read.
func (p *page) mode() mode {
	if len(p.frames) == 0 {
		return reading
	}
	return p.frames[len(p.frames)-1].mode
}

// open reads the attributes in every mode: a tooltip is seen on a bound piece, too.
func (p *page) open(e *element) {
	p.attributes(e, p.index)
	outer := p.mode()
	inner, starter := p.enter(e, outer)
	if outer == reading && !(inline[e.name] && !e.svg) && inner != bounding {
		p.flush()
	}
	p.frames = append(p.frames, frame{inner, starter})
}

// enter decides the mode inside an element. Bindings win over everything but the
// mode of blocks, in which there are none.
func (p *page) enter(e *element, outer mode) (inner mode, starter bool) {
	kind := binding(e)
	switch {
	case kind == factElsewhere:
		p.add(CodeMisplacedFact, e.line, e.name, fmt.Sprintf("data-fact on <%s>: outside of SVG only a <data> element states a fact", e.name))
		return outer, false
	case outer == preserved && kind == fact:
		p.add(CodeMisplacedFact, e.line, e.name, "a fact inside a block of code, which must be its source byte for byte: move it out")
		return outer, false
	case outer == bounding && kind != none:
		p.add(CodeNestedBinding, e.line, e.name, fmt.Sprintf("<%s> binds a text inside another binding: close the outer one first", e.name))
		return outer, false
	case outer == bounding || outer == preserved:
		return outer, false
	case kind != none && ownMode(e) != preserved:
		return bounding, true
	case outer == ignored:
		return ignored, false
	}
	if m := ownMode(e); m != reading {
		return m, true
	}
	return outer, false
}

// ownMode is the mode that an element sets for its text, by its kind.
func ownMode(e *element) mode {
	switch e.name {
	case "script", "style":
		return ignored
	case "title", "option", "textarea":
		return plain
	case "desc":
		if e.svg {
			return plain
		}
	case "pre":
		if !e.svg {
			return preserved
		}
	}
	if class, _ := e.get("class"); e.svg && slices.Contains(strings.Fields(class), "tick") {
		return ignored
	}
	return reading
}

// text puts a text where its mode wants it. Each mode but reading has one text only,
// since none begins inside another.
func (p *page) text(s string, line, last int) {
	switch p.mode() {
	case reading:
		p.run.addUpTo(s, line, last)
	case plain:
		p.plain.addUpTo(s, line, last)
	case bounding:
		p.bound.addUpTo(s, line, last)
	case preserved:
		p.pre.addUpTo(s, line, last)
	}
}

// close ends what its element began. Where a binding was, the run keeps a mark, so that
// what stands before and behind it is not read as one word.
func (p *page) close(e *element) {
	f := p.frames[len(p.frames)-1]
	p.frames = p.frames[:len(p.frames)-1]
	switch {
	case f.starter && f.mode == bounding:
		p.check(e, blanks(string(p.bound.b)))
		p.bound.reset()
		p.text(bound, e.line, e.line)
	case f.starter && f.mode == plain:
		p.unboundPlain(&p.plain, "<"+e.name+">", p.index)
		p.plain.reset()
	case f.starter && f.mode == preserved:
		p.verbatim(e.line, string(p.pre.b), p.index)
		p.pre.reset()
	case f.mode == reading && !(inline[e.name] && !e.svg):
		p.flush()
	}
}

// flush looks for numbers in the text of a block that has ended.
func (p *page) flush() {
	p.unbound(&p.run)
	p.run.reset()
}
