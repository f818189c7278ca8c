package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/net/html"
)

// element is one element of a page, while it is open.
type element struct {
	name string
	attr []html.Attribute
	line int
	svg  bool // it belongs to SVG or MathML: other rules for closing, no data element
}

// get returns the first attribute of that name; browsers, too, ignore any further one.
func (e *element) get(name string) (string, bool) {
	for _, a := range e.attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// visitor is told of a page in the order of its bytes.
type visitor interface {
	open(*element)
	text(s string, line, last int) // the lines that s begins and ends on
	close(*element)
}

// walker reads tokens instead of building a tree, because a tree has no lines. In
// exchange it must know which end tags may be left out, and it calls malformed
// whatever a browser would rearrange: there, what is bound on a screen is uncertain.
type walker struct {
	tokens *html.Tokenizer
	line   int
	stack  []*element
	to     visitor
	found  *findings
}

// walk reads a page and tells it to a visitor.
func walk(src []byte, to visitor, found *findings) {
	w := &walker{tokens: html.NewTokenizer(bytes.NewReader(src)), line: 1, to: to, found: found}
	for w.step() {
	}
	w.closeTo(0)
}

// step reads one token; it is false at the end.
func (w *walker) step() bool {
	w.tokens.AllowCDATA(w.top() != nil && w.top().svg)
	kind := w.tokens.Next()
	line := w.line
	w.line += bytes.Count(w.tokens.Raw(), []byte("\n"))
	switch kind {
	case html.ErrorToken:
		if err := w.tokens.Err(); !errors.Is(err, io.EOF) {
			w.malformed(line, "", fmt.Sprintf("the page cannot be read on: %v", err))
		} else if rest := bytes.TrimSpace(w.tokens.Raw()); len(rest) > 0 {
			w.malformed(line, excerpt(string(rest)), "the page ends inside a tag: it was cut short")
		}
		return false
	case html.TextToken:
		w.to.text(w.tokens.Token().Data, line, w.line)
	case html.StartTagToken, html.SelfClosingTagToken:
		w.start(w.tokens.Token(), line)
	case html.EndTagToken:
		w.end(w.tokens.Token().Data, line)
	}
	return true
}

func (w *walker) top() *element {
	if len(w.stack) == 0 {
		return nil
	}
	return w.stack[len(w.stack)-1]
}

// start opens an element. SVG has its own rules: nothing is closed by implication, and
// a slash at the end of a tag means what it says.
func (w *walker) start(tok html.Token, line int) {
	el := &element{name: tok.Data, attr: tok.Attr, line: line}
	if parent := w.top(); parent != nil && parent.svg && !integration[parent.name] {
		el.svg = true
		if breakout[el.name] {
			w.malformed(line, el.name, fmt.Sprintf("<%s> inside of SVG ends the drawing in a browser: use an SVG element, or close <svg> first", el.name))
		}
	} else {
		w.implyEnds(el.name)
		el.svg = el.name == "svg" || el.name == "math"
	}
	w.to.open(el)
	closed := tok.Type == html.SelfClosingTagToken && el.svg
	if closed && rawText[el.name] {
		w.malformed(line, el.name, fmt.Sprintf("<%s/> swallows what follows it: write an end tag", el.name))
	}
	if closed || !el.svg && void[el.name] {
		w.to.close(el)
		return
	}
	w.stack = append(w.stack, el)
	if el.name == "noscript" {
		w.tokens.NextIsNotRawText() // a reader without scripts sees it
	}
}

// end closes the innermost element of that name, and with it whatever is still open inside.
func (w *walker) end(name string, line int) {
	for i, el := range slices.Backward(w.stack) {
		if el.name == name {
			w.closeTo(i + 1)
			w.pop()
			return
		}
	}
	w.malformed(line, name, fmt.Sprintf("</%s> closes nothing: remove it, or open the element", name))
}

// implyEnds closes the elements whose end tag may be left out before a tag of this name.
func (w *walker) implyEnds(name string) {
	target := -1
	for i, el := range slices.Backward(w.stack) {
		if !optionalEnd[el.name] {
			break
		}
		if slices.Contains(ends(name), el.name) {
			target = i
		}
	}
	if target >= 0 {
		w.closeTo(target)
	}
}

// closeTo closes the open elements down to a depth, and reports those that needed an end tag.
func (w *walker) closeTo(depth int) {
	for len(w.stack) > depth {
		if el := w.top(); el.svg || !optionalEnd[el.name] {
			w.malformed(el.line, el.name, fmt.Sprintf("<%s> is never closed, or closed in the wrong order: write its end tag", el.name))
		}
		w.pop()
	}
}

func (w *walker) pop() {
	el := w.top()
	w.stack = w.stack[:len(w.stack)-1]
	w.to.close(el)
}

func (w *walker) malformed(line int, text, message string) {
	w.found.add(CodeMalformed, line, text, message)
}
