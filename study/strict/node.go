package strict

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Kind is the shape of a node.
type Kind int

// The kinds. An Invalid node stands for syntax that was already reported, such as
// an alias; nothing more is said about it.
const (
	Invalid Kind = iota
	Null
	Scalar
	List
	Mapping
)

// Node is a value of the document with its source text and place. Hooks receive
// one: see [Unmarshaler] and [Validator].
type Node struct {
	doc     *document
	parent  *Node
	kind    Kind
	text    string // of a scalar: without quotes, escapes resolved, block folded
	quoted  bool   // a scalar in quotes or a block: always meant as text
	key     string // in a mapping
	index   int    // in a list; -1 elsewhere
	place   place
	keyAt   place // of the key, in a mapping
	items   []*Node
	entries []*Node
}

type place struct{ line, column int }

// document is what all nodes of one file share.
type document struct{ file string }

// Kind returns the shape of the node.
func (n *Node) Kind() Kind { return n.kind }

// Text returns the text of a scalar as the source has it: 1.10 stays "1.10".
// Quotes and escapes are resolved. It is "" for other kinds.
func (n *Node) Text() string { return n.text }

// Quoted tells whether a scalar was written in quotes or as a block, and so
// cannot have been meant as a number or a bool.
func (n *Node) Quoted() bool { return n.quoted }

// Items returns the values of a list.
func (n *Node) Items() []*Node { return n.items }

// Entries returns the values of a mapping in file order; [Node.Key] names each.
func (n *Node) Entries() []*Node { return n.entries }

// Key returns the key that the node stands under in its mapping, or "".
func (n *Node) Key() string { return n.key }

// Position returns the line and column to show for the node: a scalar's own, and
// for a block of lines the key above it.
func (n *Node) Position() (line, column int) { return n.place.line, n.place.column }

// Path returns where the node stands: stages[0].title.zh, or "" for the document.
func (n *Node) Path() string {
	switch {
	case n.parent == nil:
		return ""
	case n.index >= 0:
		return fmt.Sprintf("%s[%d]", n.parent.Path(), n.index)
	}
	key := n.key
	if strings.ContainsAny(key, ".[] ") {
		key = strconv.Quote(key)
	}
	if above := n.parent.Path(); above != "" {
		return above + "." + key
	}
	return key
}

// Problem returns a problem at the node that path leads to from n, or at the
// nearest one above it that exists.
func (n *Node) Problem(message, hint string, path ...any) Problem {
	found, _ := n.find(path)
	return found.problemAt(found.place, message, hint)
}

// KeyProblem is Problem for a fault of the key rather than of its value.
func (n *Node) KeyProblem(message, hint string, path ...any) Problem {
	found, _ := n.find(path)
	return found.problemAt(found.keyPlace(), message, hint)
}

// problemAt takes the path of n and the place of what is wrong with it.
func (n *Node) problemAt(at place, message, hint string) Problem {
	return Problem{File: n.doc.file, Line: at.line, Column: at.column, Path: n.Path(), Message: message, Hint: hint}
}

// keyPlace falls back to the value: an item of a list has no key.
func (n *Node) keyPlace() place {
	if n.keyAt.line > 0 {
		return n.keyAt
	}
	return n.place
}

// find follows path downwards as far as it exists, and tells whether that was to its end.
func (n *Node) find(path []any) (*Node, bool) {
	for _, step := range path {
		next := n.child(step)
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}

// child takes any string or int type as a step, so that callers need not convert
// their named ids.
func (n *Node) child(step any) *Node {
	v := reflect.ValueOf(step)
	switch {
	case v.Kind() == reflect.String:
		return n.entry(v.String())
	case v.CanInt() && v.Int() >= 0 && v.Int() < int64(len(n.items)):
		return n.items[v.Int()]
	default:
		return nil
	}
}

// entry searches in order; a mapping of a study has a handful of keys.
func (n *Node) entry(key string) *Node {
	for _, e := range n.entries {
		if e.key == key {
			return e
		}
	}
	return nil
}

// label names the node in a message.
func (n *Node) label() string {
	if n.parent == nil {
		return "the document"
	}
	return strconv.Quote(n.Path())
}

// found describes what stands at the node, for "must be ..., found ...".
func (n *Node) found() string {
	switch n.kind {
	case List:
		return "a list"
	case Mapping:
		return "a mapping"
	case Null:
		return "nothing"
	}
	const most = 40
	text := []rune(n.text)
	if len(text) > most {
		text = append(text[:most], '…')
	}
	if n.quoted {
		return "the text " + strconv.Quote(string(text))
	}
	return strings.ReplaceAll(string(text), "\n", " ")
}
