package chart

import (
	"fmt"
	"strconv"
)

// Label is a piece of text with what is known about it. A piece with a Fact is the printed form of
// that fact and carries its exact Value; a Literal contains a number that is no measurement.
type Label struct {
	Text    string
	Fact    string // id of the fact that Text prints
	Value   string // shortest exact decimal of the fact
	Literal bool
}

// Text is what a figure writes in one place: its pieces in reading order. Spaces between pieces
// belong to the pieces, as in "at most " followed by a fact.
type Text []Label

// Plain returns words that contain no number.
func Plain(s string) Text { return Text{{Text: s}} }

// Fact returns the printed form of a fact.
func Fact(text, id, value string) Text { return Text{{Text: text, Fact: id, Value: value}} }

// Literal returns a declared string with a number inside, such as a model's or a candidate's name.
func Literal(s string) Text { return Text{{Text: s, Literal: true}} }

// Join puts texts one after the other, with nothing in between.
func Join(ts ...Text) Text {
	var all Text
	for _, t := range ts {
		all = append(all, t...)
	}
	return all
}

// String returns the text without its bindings, for error messages.
func (t Text) String() string {
	s := ""
	for _, l := range t {
		s += l.Text
	}
	return s
}

// empty reports whether nothing would be drawn.
func (t Text) empty() bool { return t.String() == "" }

// check refuses a piece whose binding could not be verified later.
func (l Label) check() error {
	if l.Fact == "" {
		return nil
	}
	if l.Literal {
		return fmt.Errorf("label %q is declared both a fact and a literal; it can be one of them", l.Text)
	}
	if _, err := strconv.ParseFloat(l.Value, 64); err != nil {
		return fmt.Errorf("label %q: value %q of fact %s is not a decimal number", l.Text, l.Value, l.Fact)
	}
	return nil
}
