package gate

import (
	"fmt"
	"slices"
)

// Page is a finished HTML page.
type Page struct {
	File string
	Src  []byte
}

// Same reports where the Chinese and the English page of one guide differ in what
// they state: the same sections must state the same facts with the same values.
//
// A section is what follows an h2 or h3 with an id, up to the next one; a heading
// without an id (of a menu, a table of contents) begins none, since nothing tells its
// partner in the other language. Sections are compared as sets of facts, in any order
// and number: a language may name a number twice in a sentence where the other needs
// it once, and says no more by it.
func Same(zh, en Page) []Finding {
	a, b := statements(zh), statements(en)
	differ(a, b)
	differ(b, a)
	values(a, b)
	return append(a.sorted(), b.sorted()...)
}

// statement is a fact where a page first states it in a section.
type statement struct {
	id, value string
	line      int
}

// section is a part of a page with its facts in the order of the page.
type section struct {
	id    string
	line  int
	facts []statement
}

func (s *section) states(id string) bool {
	return slices.ContainsFunc(s.facts, func(f statement) bool { return f.id == id })
}

// stated is the visitor that collects what a page states.
type stated struct {
	findings
	sections []*section
	current  *section
}

var _ visitor = (*stated)(nil)

func statements(p Page) *stated {
	s := &stated{findings: findings{file: p.File}}
	s.enter("", 1) // what stands above the first heading
	ignored := &findings{}
	walk(p.Src, s, ignored) // HTML has reported what is malformed
	return s
}

// enter begins a section; one id used twice is one section.
func (s *stated) enter(id string, line int) {
	if s.current = s.section(id); s.current == nil {
		s.current = &section{id: id, line: line}
		s.sections = append(s.sections, s.current)
	}
}

func (s *stated) section(id string) *section {
	for _, have := range s.sections {
		if have.id == id {
			return have
		}
	}
	return nil
}

// open takes a fact by its mark alone, wherever it stands: charts state facts as text does.
func (s *stated) open(e *element) {
	if e.name == "h2" || e.name == "h3" {
		if id, _ := e.get("id"); id != "" {
			s.enter(id, e.line)
		}
	}
	id, _ := e.get("data-fact")
	if id == "" || binding(e) != fact || s.current.states(id) {
		return
	}
	s.current.facts = append(s.current.facts, statement{id, factValue(e), e.line})
}

func (s *stated) text(string, int, int) {}
func (s *stated) close(*element)        {}

// differ reports at page a which sections and facts page b lacks. A missing section is
// one finding, whatever it states.
func differ(a, b *stated) {
	for _, s := range a.sections {
		other := b.section(s.id)
		if other == nil {
			a.add(CodeSectionMissing, s.line, s.id, fmt.Sprintf("section %q is missing in %s: write it there, or remove it here", s.id, b.file))
			continue
		}
		for _, f := range s.facts {
			if !other.states(f.id) {
				a.add(CodeFactMissing, f.line, f.id, fmt.Sprintf("fact %q in section %q is not stated there in %s: both languages state the same facts in the same sections", f.id, s.id, b.file))
			}
		}
	}
}

// values reports at each page every fact that has another value there than where it
// was first seen, in either language.
func values(pages ...*stated) {
	type origin struct{ value, file string }
	first := map[string]origin{}
	for _, p := range pages {
		for _, s := range p.sections {
			for _, f := range s.facts {
				seen, ok := first[f.id]
				if !ok {
					first[f.id] = origin{f.value, p.file}
				} else if seen.value != f.value {
					p.add(CodeFactDiffers, f.line, f.value, fmt.Sprintf("fact %q has the value %q here and %q in %s: a fact has one value", f.id, f.value, seen.value, seen.file))
				}
			}
		}
	}
}
