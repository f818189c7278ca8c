package strict

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits on what the parser is given. It descends once a level, and Go cannot
// recover from an exhausted stack, so depth is bounded before it starts. Depth by
// indentation needs no limit: MaxSize has room for a few hundred such levels.
const (
	maxOpeners = 64 // "- ", "? ", "[" and the like on one line, or open at once
	maxExtras  = 64 // anchors, aliases and tags in a file, each of which is refused
)

// parse reads clean text into nodes. It returns false where the syntax is broken,
// with the problems that say so.
func parse(doc *document, text string) (root *Node, problems []Problem, ok bool) {
	// The library indexes past its tokens on some broken inputs. What it had to
	// say is lost then, and so is the place.
	defer func() {
		if cause := recover(); cause != nil {
			p := Problem{File: doc.file, Line: 1, Column: 1, Message: fmt.Sprintf("the YAML reader gave up: %v", cause), Hint: "check quotes, brackets and indentation"}
			root, problems, ok = nil, []Problem{p}, false
		}
	}()
	tokens := lexer.Tokenize(text)
	if p := unreadable(tokens); p != nil {
		p.File = doc.file
		return nil, []Problem{*p}, false
	}
	b := builder{doc: doc, source: newSource(text)}
	b.problems = b.source.badEscapes(doc.file, tokens)
	// Duplicate keys are reported with the others, not as broken syntax.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	switch {
	case err != nil && len(b.problems) > 0:
		return nil, b.problems, false // the escape ate the closing quote
	case err != nil:
		return nil, []Problem{syntaxProblem(doc.file, err)}, false
	}
	root = b.build(file)
	return root, b.problems, root != nil && !b.misread
}

// unreadable refuses what would be read deeper than the stack allows, and
// directives, which change how the rest is to be read.
func unreadable(tokens token.Tokens) *Problem {
	line, onLine, open, extras := 0, 0, 0, 0
	for _, t := range tokens {
		at := &Problem{Line: t.Position.Line, Column: t.Position.Column}
		if t.Position.Line != line {
			line, onLine = t.Position.Line, 0
		}
		switch t.Type {
		case token.DirectiveType:
			at.Message, at.Hint = "a YAML directive", `delete the line that starts with "%", and the "---" after it`
			return at
		case token.MappingStartType, token.SequenceStartType:
			open++
			onLine++
		case token.MappingEndType, token.SequenceEndType:
			open--
		case token.SequenceEntryType, token.MappingKeyType:
			onLine++
		case token.AnchorType, token.AliasType, token.TagType:
			onLine++
			extras++
		}
		if extras > maxExtras {
			at.Message, at.Hint = "too many anchors, aliases and tags", "write the values out in each place"
			return at
		}
		if onLine > maxOpeners || open > maxOpeners {
			at.Message, at.Hint = tooDeepMessage, "flatten it, or check the indentation"
			return at
		}
	}
	return nil
}

// tooDeepMessage is said by the check of tokens and by that of the tree.
const tooDeepMessage = "nested too deep"

// syntaxProblem turns the library's error, which has a place, into a problem.
func syntaxProblem(file string, err error) Problem {
	p := Problem{File: file, Line: 1, Column: 1}
	var located yaml.Error
	if !errors.As(err, &located) {
		p.Message = "broken YAML: " + err.Error() // slow on the errors below: it prints the source
	} else {
		p.Message = "broken YAML: " + located.GetMessage()
		if t := located.GetToken(); t != nil && t.Position != nil {
			p.Line, p.Column = max(1, t.Position.Line), max(1, t.Position.Column)
		}
	}
	p.Hint = syntaxHint(p.Message)
	return p
}

// syntaxHint knows the slips behind the library's commonest words.
func syntaxHint(message string) string {
	for _, known := range []struct{ words, hint string }{
		{"mapping value is not allowed", `put a text that contains ": " in quotes, and indent keys of one mapping alike`},
		{"reserved character", "put the text in quotes"},
		{"could not find end character", "close the quote"},
		{"unknown escape", `write a backslash as \\ inside double quotes, or use single quotes`},
		{"could not find '", "put a text that contains brackets in quotes"},
		{"not found", "close the bracket"},
		{"must be specified", "separate with commas and close the bracket"},
		{"unexpected key name", `write "key: value", with a space after the colon`},
		{"non-map value", `write "key: value", with a space after the colon`},
		{"invalid key", "a key is a text on one line, without brackets around it"},
		{"multi-line content", "indent the text below its key"},
	} {
		if strings.Contains(message, known.words) {
			return known.hint
		}
	}
	return "check the indentation, quotes and brackets of this line and of the one before"
}
