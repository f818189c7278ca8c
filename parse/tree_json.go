package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// lineReader hands out the rest of an input and knows the line of every offset
// that was handed out, as long as offsets are asked for in order. It remembers only
// the line ends between the asker and itself, so a file of any size costs nothing.
type lineReader struct {
	in     *Input
	read   int64   // bytes handed out
	breaks []int64 // offsets of line ends handed out, those from next on not yet asked for
	next   int
	line   int
	last   byte
}

func newLineReader(in *Input) *lineReader {
	r := &lineReader{in: in, line: in.line}
	if len(in.head()) >= 3 && bytes.HasPrefix(in.buf[in.pos:], []byte("\ufeff")) {
		in.pos += 3
	}
	return r
}

// Read implements io.Reader.
func (r *lineReader) Read(p []byte) (int, error) {
	if r.in.pos == len(r.in.buf) && !r.in.eof {
		r.in.fill()
	}
	n := copy(p, r.in.buf[r.in.pos:])
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	r.breaks, r.next = append(r.breaks[:0], r.breaks[r.next:]...), 0
	for i := 0; i < n; i++ {
		next := bytes.IndexByte(p[i:n], '\n')
		if next < 0 {
			break
		}
		i += next
		r.breaks = append(r.breaks, r.read+int64(i))
	}
	r.read += int64(n)
	r.last = p[n-1]
	r.in.advance(r.in.pos + n)
	return n, nil
}

// at returns the line of an offset. Offsets must not decrease from call to call.
func (r *lineReader) at(offset int64) int {
	for r.next < len(r.breaks) && r.breaks[r.next] < offset {
		r.next++
		r.line++
	}
	return r.line
}

// jsonReader builds trees from JSON text.
type jsonReader struct {
	dec   *json.Decoder
	lines *lineReader
	skip  func(key string) bool
	twice []repeated
}

// document is one top-level value of a text.
type document struct {
	file  string
	root  *node
	twice []repeated
}

var errTooDeep = errors.New("is nested deeper than any benchmark tool nests")

// readJSON hands every top-level value of the text to visit, also one that the text
// ends in: its root is not closed then. Values under a key that skip names are
// passed over: per-request data may be gigabytes.
func readJSON(in *Input, out *Output, skip func(key string) bool, visit func(document)) {
	lines := newLineReader(in)
	r := &jsonReader{dec: json.NewDecoder(lines), lines: lines, skip: skip}
	r.dec.UseNumber()
	for {
		r.twice = nil
		root, err := r.value("", 0)
		if root != nil {
			visit(document{in.File, root, r.twice})
		}
		if err == io.EOF && root == nil || in.err != nil {
			return
		}
		if err != nil {
			out.Problem(r.problem(in.File, err))
			return
		}
	}
}

func (r *jsonReader) problem(file string, err error) Problem {
	line := r.here()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return newProblem(CodeTruncated, file, line, "the JSON text ends before its last value does", "copy the file again; results that are not complete are left out")
	}
	if !errors.Is(err, errTooDeep) {
		err = fmt.Errorf("is no JSON: %w", err)
	}
	return newProblem(CodeMalformed, file, line, "the text "+err.Error(), "give the file as the tool wrote it")
}

func (r *jsonReader) here() int { return r.lines.at(r.dec.InputOffset()) }

// value reads the next value. With an error it returns what was read of it.
func (r *jsonReader) value(key string, depth int) (*node, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &node{key: key, line: r.here()}
	delim, ok := tok.(json.Delim)
	if !ok {
		n.kind, n.text = scalarOf(tok)
		n.end, n.closed = n.line, true
		return n, nil
	}
	if depth == maxDepth {
		return nil, errTooDeep
	}
	n.kind = nodeList
	if delim == '{' {
		n.kind = nodeObject
	}
	if err := r.fill(n, depth); err != nil {
		return n, err
	}
	n.end, n.closed = r.here(), true
	return n, nil
}

// fill reads the members or elements of n, and its closing bracket.
func (r *jsonReader) fill(n *node, depth int) error {
	for r.dec.More() {
		key := ""
		if n.kind == nodeObject {
			tok, err := r.dec.Token()
			if err != nil {
				return err
			}
			key, _ = tok.(string)
		}
		child, err := r.member(key, depth+1)
		if child != nil {
			if twice, ok := n.add(child); ok && n.kind == nodeObject {
				r.twice = append(r.twice, twice)
			}
		}
		if err != nil {
			return err
		}
	}
	_, err := r.dec.Token()
	return err
}

func (r *jsonReader) member(key string, depth int) (*node, error) {
	if key == "" || !r.skip(key) {
		return r.value(key, depth)
	}
	n := &node{key: key, kind: nodeSkipped, line: r.here()}
	err := r.pass()
	n.end, n.closed = r.here(), err == nil
	return n, err
}

// pass reads over one value of any size and depth.
func (r *jsonReader) pass() error {
	for depth := 0; ; {
		tok, err := r.dec.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if r.here(); depth == 0 {
			return nil
		}
	}
}

func scalarOf(tok json.Token) (nodeKind, string) {
	switch v := tok.(type) {
	case json.Number:
		return nodeNumber, v.String()
	case string:
		return nodeText, v
	case bool:
		return nodeBool, fmt.Sprint(v)
	default:
		return nodeNull, ""
	}
}

// jsonHas reports whether head begins a JSON value that names all the keys. Only
// the first bytes of a file are known, so the keys must be among its first ones.
func jsonHas(head []byte, keys ...string) bool {
	if !beginsJSON(head) {
		return false
	}
	for _, key := range keys {
		if !bytes.Contains(head, []byte(`"`+key+`"`)) {
			return false
		}
	}
	return true
}

// beginsJSON tells an object or a list of objects from a log that begins with "[INFO]".
func beginsJSON(head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	if len(head) < 2 {
		return false
	}
	next := bytes.TrimSpace(head[1:])
	return head[0] == '{' && bytes.HasPrefix(next, []byte(`"`)) || head[0] == '[' && bytes.HasPrefix(next, []byte("{"))
}
