package parse

import (
	"bytes"
	"slices"

	"benchguide/parse/internal/jsonstream"
)

// document is one top-level value of a text.
type document struct {
	file  string
	root  *node
	twice []repeated
}

// treeReader builds a tree of what a reader of JSON reads.
type treeReader struct {
	r     *jsonstream.Reader
	skip  func(key string) bool
	twice []repeated
}

// readJSON hands every top-level value of the text to visit, also one that the text
// ends in: its root is not closed then. Values under a key that skip names are
// passed over: per-request data may be gigabytes.
func readJSON(in *Input, out *Output, skip func(key string) bool, visit func(document)) {
	skipTitles(in)
	r := jsonstream.NewReader(windowSource{in})
	r.SkipMark()
	values, rest := 0, false // what follows the last value is no JSON: a fence, a prompt
	for r.Err() == nil && r.Peek() != jsonstream.None {
		t := treeReader{r: r, skip: skip}
		root := t.value("", 0)
		rest = values > 0 && root.kind < nodeObject
		if !rest {
			visit(document{in.File, root, t.twice})
			values++
		}
	}
	r.Sync()
	switch err := r.Err(); {
	case err == nil || in.err != nil || rest:
	case err.Truncated:
		out.Problem(newProblem(CodeTruncated, in.File, err.Line, "the text ends inside a JSON value", "copy the file again; results that are not complete are left out"))
	default:
		out.Problem(newProblem(CodeMalformed, in.File, err.Line, "the text is no JSON: "+err.What, "give the file as the tool wrote it"))
	}
}

// maxTitles is how many lines may stand above the JSON of a file: a fence, a command.
const maxTitles = 10

// skipTitles takes the lines above the first JSON value.
func skipTitles(in *Input) {
	for range maxTitles {
		if in.head(); opensJSON(in.buf[in.pos:]) {
			return
		}
		if _, ok := in.next(); !ok {
			return
		}
	}
}

// value reads the next value. What an error leaves unread is missing in it, and it is not closed.
func (t *treeReader) value(key string, depth int) *node {
	n := &node{key: key, kind: nodeSkipped, line: t.r.Line()}
	switch kind := t.r.Peek(); {
	case depth == maxDepth || depth > 0 && key != "" && t.skip(key):
		t.r.Skip()
	case kind == jsonstream.Object:
		n.kind = nodeObject
		t.r.Object(func(key string) { t.member(n, key, depth+1) })
	case kind == jsonstream.Array:
		n.kind = nodeList
		t.r.Array(func() { t.member(n, "", depth+1) })
	default:
		s := t.r.Scalar()
		n.kind, n.text, n.line = scalarOf(s.Kind), s.Text, s.Line
		if s.Kind == jsonstream.Null {
			n.text = ""
		}
	}
	n.end, n.closed = t.r.Line(), t.r.Err() == nil
	return n
}

// member reads a member or element of n. Only a container may be kept in part: its
// members that were read are whole, and a scalar is whole or nothing.
func (t *treeReader) member(n *node, key string, depth int) {
	child := t.value(key, depth)
	if !child.closed && child.kind < nodeObject {
		return // it may be half of what stood there
	}
	if twice, ok := n.add(child); ok {
		t.twice = append(t.twice, twice)
	}
}

// scalarOf names the kinds of scalars as trees do. NaN and infinity are numbers, which
// the reader of a value reports.
func scalarOf(kind jsonstream.Kind) nodeKind {
	switch kind {
	case jsonstream.Number:
		return nodeNumber
	case jsonstream.String:
		return nodeText
	case jsonstream.Bool:
		return nodeBool
	default:
		return nodeNull
	}
}

// jsonHas reports whether head begins a JSON value, perhaps below a few lines about
// it, that names all the keys. Only the first bytes of a file are known, so the keys
// must be among its first ones.
func jsonHas(head []byte, keys ...string) bool {
	for range maxTitles {
		if opensJSON(head) {
			return !slices.ContainsFunc(keys, func(key string) bool { return !bytes.Contains(head, []byte(`"`+key+`"`)) })
		}
		_, rest, ok := bytes.Cut(head, []byte{'\n'})
		if !ok {
			return false
		}
		head = rest
	}
	return false
}

// opensJSON tells an object or a list of objects from a log that begins with "[INFO]".
func opensJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t")
	if len(head) < 2 || head[0] != '{' && head[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(head[1:], " \t\r\n")
	return head[0] == '{' && bytes.HasPrefix(next, []byte(`"`)) || head[0] == '[' && bytes.HasPrefix(next, []byte("{"))
}
