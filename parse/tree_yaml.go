package parse

import "strings"

// yamlReader builds a tree from the YAML that tools write: block style, one scalar a
// line, strings folded over deeper lines. It is no YAML reader: what it does not know
// it passes over. It reads line by line, since a report with its requests is too
// large for a reader that holds it.
type yamlReader struct {
	skip  func(key string) bool
	stack []yamlLevel
	twice []repeated

	// passed is the indentation of the scalar or skipped key whose deeper lines belong to it, or -1.
	passed int
	// passedList tells that list elements at the very indentation belong to it too.
	passedList bool
}

// yamlLevel is a container that is still open, and the indentation of what is in it.
type yamlLevel struct {
	n      *node
	indent int
}

// readYAML returns the document of the text. A container that the text ends in is
// closed only if whole says that nothing of it is missing, which YAML cannot tell.
func readYAML(in *Input, skip func(key string) bool, whole func(n *node) bool) document {
	root := &node{kind: nodeObject, line: 1}
	r := &yamlReader{skip: skip, stack: []yamlLevel{{root, 0}}, passed: -1}
	last, folded := in.line, false
	for {
		l, ok := in.next()
		if !ok {
			break
		}
		last = l.No
		if !folded && (l.Ended || len(l.Text) >= maxLine/2) {
			r.line(strings.TrimRight(strings.TrimPrefix(l.Text, "\ufeff"), "\r "), l.No)
		}
		folded = !l.Ended
	}
	for _, level := range r.stack {
		level.n.end = last
		level.n.closed = whole(level.n)
	}
	return document{in.File, root, r.twice}
}

// line reads one line, unless it continues what was passed: a folded string or the
// value of a skipped key. PyYAML indents both deeper than their key, and lists not at all.
func (r *yamlReader) line(s string, no int) {
	text := strings.TrimLeft(s, " ")
	indent := len(s) - len(text)
	if text == "" || text[0] == '#' || text == "---" || strings.Contains(s, "\t") {
		return
	}
	if r.passed >= 0 && (indent > r.passed || r.passedList && indent == r.passed && isListItem(text)) {
		return
	}
	r.passed = -1
	r.close(indent, isListItem(text), no-1)
	for isListItem(text) && len(r.stack) <= maxDepth {
		r.element(indent, no)
		rest := strings.TrimLeft(text[1:], " ")
		indent += len(text) - len(rest)
		text = rest
	}
	r.entry(text, indent, no)
}

func isListItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// close ends the containers that a line is no longer in.
func (r *yamlReader) close(indent int, element bool, end int) {
	for len(r.stack) > 1 {
		top := r.stack[len(r.stack)-1]
		if top.holds(indent, element) {
			return
		}
		top.n.end, top.n.closed = end, true
		r.stack = r.stack[:len(r.stack)-1]
	}
}

// holds reports whether a line is in the container. One that nothing was read of
// may become a list, whose elements stand as deep as its key.
func (l yamlLevel) holds(indent int, element bool) bool {
	return indent > l.indent || indent == l.indent && element == (l.n.kind == nodeList || l.n.kind == nodeNull)
}

func (r *yamlReader) top() *node { return r.stack[len(r.stack)-1].n }

// element opens an element of the list that the indentation belongs to.
func (r *yamlReader) element(indent, no int) {
	if top := &r.stack[len(r.stack)-1]; top.n.kind == nodeNull || top.isNewElement() {
		top.n.kind, top.indent = nodeList, indent
	}
	if r.top().kind != nodeList {
		return
	}
	n := &node{kind: nodeObject, line: no}
	r.top().add(n)
	r.stack = append(r.stack, yamlLevel{n, indent + 2})
}

// isNewElement reports whether the level is a list element that nothing was read of.
func (l yamlLevel) isNewElement() bool {
	return l.n.kind == nodeObject && l.n.key == "" && len(l.n.items) == 0 && l.indent > 0
}

// entry reads "key: value", or the scalar of a list element.
func (r *yamlReader) entry(text string, indent, no int) {
	key, value, ok := yamlEntry(text)
	top := &r.stack[len(r.stack)-1]
	if !ok {
		if top.isNewElement() {
			top.n.kind, top.n.text = yamlScalar(text)
		}
		r.passed, r.passedList = indent, false
		return
	}
	if top.n.kind == nodeNull {
		top.n.kind, top.indent = nodeObject, indent
	}
	if top.n.kind != nodeObject {
		return
	}
	n := &node{key: key, line: no, end: no}
	if twice, ok := top.n.add(n); ok {
		r.twice = append(r.twice, twice)
	}
	switch {
	case r.skip(key):
		n.kind, n.closed = nodeSkipped, true
		r.passed, r.passedList = indent, true
	case value == "":
		r.stack = append(r.stack, yamlLevel{n, indent}) // an object, a list or null: the next line tells
	default:
		n.kind, n.text = yamlScalar(value)
		n.closed = true
		r.passed, r.passedList = indent, false
	}
}

// yamlEntry splits "key: value". A colon without a blank after it is part of a string,
// as in an address or a time of day.
func yamlEntry(text string) (key, value string, ok bool) {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		end := strings.IndexByte(text[1:], text[0])
		if end < 0 || !strings.HasPrefix(text[end+2:], ":") {
			return "", "", false
		}
		return text[1 : end+1], strings.TrimSpace(text[end+3:]), true
	}
	key, value, ok = strings.Cut(text, ":")
	if !ok || strings.ContainsAny(key, " {[") || value != "" && value[0] != ' ' {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}

// yamlScalar tells numbers from texts as YAML does, so that a quoted 1 is a text.
func yamlScalar(text string) (nodeKind, string) {
	switch text {
	case "null", "~", "":
		return nodeNull, ""
	case "true", "false":
		return nodeBool, text
	case ".nan", ".NaN":
		return nodeNumber, "nan"
	case ".inf", "-.inf":
		return nodeNumber, strings.Replace(text, ".", "", 1)
	case "[]":
		return nodeList, ""
	case "{}":
		return nodeObject, ""
	}
	if text[0] == '"' || text[0] == '\'' {
		return nodeText, strings.Trim(text, text[:1])
	}
	if n, kind := readNumber(text); kind == isNumber && n.note == "" {
		return nodeNumber, text
	}
	return nodeText, text
}
