package gate

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// fence is the line that opens a block of code.
type fence struct {
	marks string // ``` or ~~~, of any length
}

var fenceLine = regexp.MustCompile("^(?:(`{3,})[^`]*|(~{3,}).*)$")

// openFence reads the content of a line as the opening of a fenced block. How far it is
// indented does not matter: inside of lists and admonitions it may be anything, and a
// block taken for code too readily is a finding, since its bytes are unknown.
func openFence(rest []byte) (fence, bool) {
	m := fenceLine.FindSubmatch(rest)
	if m == nil {
		return fence{}, false
	}
	return fence{marks: string(m[1]) + string(m[2])}, true
}

// closes reports whether a line closes the block.
func (f fence) closes(rest []byte) bool {
	rest = bytes.TrimRight(rest, " \t\r\n")
	return len(rest) >= len(f.marks) && len(bytes.Trim(rest, f.marks[:1])) == 0
}

// blockID finds an id in an info string, and the quoted texts in which there is none.
var blockID = regexp.MustCompile(`"[^"]*"|'[^']*'|(?:^|[\s{])#[^\s{}]+`)

// info reads the info string of a fenced block, since some renderers print it as a
// title. An id in it is, like a heading's, not seen by a reader.
func (d *document) info(start, end int) {
	for _, m := range blockID.FindAllIndex(d.src[start:end], -1) {
		if c := d.src[start+m[0]]; c != '"' && c != '\'' {
			d.skip(start+m[0], start+m[1])
		}
	}
	d.unboundPlain(d.region(start, end), "the opening line of a fenced block", d.index)
}

// fenced checks the block that opens on a line and returns the line behind it.
func (d *document) fenced(line, content int, f fence) (next int) {
	start, end := d.extent(line)
	d.info(content+len(f.marks), end)
	prefix := d.src[start:content]
	var code strings.Builder
	for next = line + 1; next < len(d.starts); next++ {
		from, _ := d.extent(next)
		to := len(d.src)
		if next+1 < len(d.starts) {
			to = d.starts[next+1]
		}
		rest := unprefix(d.src[from:to], prefix)
		if f.closes(bytes.TrimLeft(rest, " ")) {
			d.verbatim(line+1, code.String(), d.index)
			return next + 1
		}
		code.Write(rest)
	}
	d.add(CodeMalformed, line+1, f.marks, fmt.Sprintf("the block that opens with %s is never closed: close it with the same mark", f.marks))
	d.verbatim(line+1, code.String(), d.index)
	return next
}

// unprefix removes from a line of code what its containers put before it: quote marks
// as such, and as much white space as the opening line has in front.
func unprefix(line, prefix []byte) []byte {
	for _, c := range prefix {
		switch {
		case len(line) == 0:
			return line
		case c == '>' && line[0] != '>', c != '>' && line[0] != ' ' && line[0] != '\t':
			return line
		}
		line = line[1:]
	}
	return line
}

// counts reports whether an ordinal continues the list at its column, or begins one.
func (d *document) counts(column int, digits string) bool {
	n, err := strconv.Atoi(digits)
	if err != nil || n != 1 && n != d.ordinals[column]+1 {
		return false
	}
	d.ordinals[column] = n
	return true
}
