package gate

import "fmt"

// kind is the way in which an element binds its text.
type kind int

const (
	none kind = iota
	fact
	factElsewhere // an attribute of a fact on an element that cannot state one
	literal
	citation
)

// binding returns how an element binds its text. A data element is always a fact,
// even without an id: it is used for nothing else.
func binding(e *element) kind {
	_, isFact := e.get("data-fact")
	_, isLiteral := e.get("data-literal")
	_, isCitation := e.get("data-cite")
	switch {
	case e.name == "data" && !e.svg, isFact && e.svg:
		return fact
	case isFact:
		return factElsewhere
	case isLiteral:
		return literal
	case isCitation:
		return citation
	}
	return none
}

// check compares what an element binds with what is known.
func (p *page) check(e *element, text string) {
	switch binding(e) {
	case fact:
		p.checkFact(e, text)
	case literal:
		p.addLiteral(e.line, text, p.index)
	case citation:
		name, _ := e.get("data-cite")
		if code, message := p.index.cited(name, text); code != "" {
			p.add(code, e.line, text, message)
		}
	}
}

// checkFact checks text and value apart: either may be stale without the other.
func (p *page) checkFact(e *element, text string) {
	id, _ := e.get("data-fact")
	if id == "" {
		p.add(CodeUnknownFact, e.line, text, fmt.Sprintf("%q stands in a <%s> without data-fact: name its fact", text, e.name))
		return
	}
	// The bar of a chart bears its fact without a word; a label may not.
	mute := text == "" && e.svg && e.name != "text" && e.name != "tspan"
	if code, message := p.index.printed(id, text); code == CodeUnknownFact || code != "" && !mute {
		p.add(code, e.line, text, message)
	}
	known, ok := p.index.facts[id]
	if value := factValue(e); ok && value != known.Value {
		p.add(CodeFactValue, e.line, value, fmt.Sprintf("fact %q has the value %q here and is %q: let the fact print itself", id, value, known.Value))
	}
}

// factValue is the machine-readable value that an element gives to its fact.
func factValue(e *element) string {
	name := "value"
	if e.svg {
		name = "data-value"
	}
	value, _ := e.get(name)
	return value
}
