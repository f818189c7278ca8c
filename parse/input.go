package parse

import (
	"bytes"
	"io"
)

// Sizes of the window that an Input moves over its text.
const (
	chunkSize   = 512 << 10 // read at once
	contextSize = 32 << 10  // kept before a result, to find its label lines
	maxLine     = 64 << 10  // longer lines are cut: no tool prints them in a result
)

// Input is a text that is searched by bytes and read by lines. It holds a window
// of the text: the context above the current line, and one chunk from there on.
type Input struct {
	File string

	r    io.Reader
	err  error
	eof  bool
	base int64  // offset of buf[0] in the text
	buf  []byte // the window
	pos  int    // start of the current line in buf
	line int    // number of the current line
	free int    // start of the text after the last result, in buf
	hold int    // start of the result being read, in buf, or -1

	searches []search

	outer []string // labels that the results of one group share: see preface
	want  detail   // how much of per-request data is read
}

// Line is one line of a text, without its line end.
type Line struct {
	Text  string
	No    int
	Ended bool // the line has its line end, so it was not cut by the end of the input
}

// mark is a place in the text to return to.
type mark struct {
	offset int64
	line   int
}

func newInput(file string, r io.Reader, anchors []string) *Input {
	return &Input{File: file, r: r, line: 1, hold: -1, searches: searchesFor(anchors)}
}

// head returns the first bytes of the text, without taking them.
func (in *Input) head() []byte {
	for !in.eof && len(in.buf) < contextSize {
		in.fill()
	}
	return in.buf[:min(len(in.buf), contextSize)]
}

// empty reports whether the text has no byte at all.
func (in *Input) empty() bool { return in.eof && in.base == 0 && len(in.buf) == 0 }

// lines returns how many lines were passed; the text after the last line end is one.
func (in *Input) lines() int {
	if in.pos > 0 && in.buf[in.pos-1] == '\n' {
		return in.line - 1
	}
	return in.line
}

// fill drops what is no longer needed and reads one more chunk.
func (in *Input) fill() {
	in.drop(in.needed())
	if cap(in.buf)-len(in.buf) < chunkSize {
		in.buf = append(make([]byte, 0, 2*len(in.buf)+chunkSize), in.buf...)
	}
	// A whole chunk, since after a short read the same tail would be searched again.
	n, err := io.ReadAtLeast(in.r, in.buf[len(in.buf):cap(in.buf)], chunkSize)
	in.buf = in.buf[:len(in.buf)+n]
	if err != nil {
		in.eof = true
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			in.err = err
		}
	}
}

// needed returns the offset in buf below which nothing will be looked at again.
func (in *Input) needed() int {
	keep := max(0, in.pos-contextSize, in.free)
	if in.hold >= 0 {
		keep = min(keep, in.hold)
	}
	return min(keep, in.pos)
}

func (in *Input) drop(n int) {
	if n == 0 {
		return
	}
	in.buf = in.buf[:copy(in.buf, in.buf[n:])]
	in.base += int64(n)
	in.pos -= n
	in.free = max(0, in.free-n)
	if in.hold >= 0 {
		in.hold -= n
	}
	for i := range in.searches {
		in.searches[i].drop(n)
	}
}

// skipToAnchor moves to the next line that holds an anchor, and returns false when there is none.
func (in *Input) skipToAnchor() bool {
	for {
		if at := in.nearest(); at >= 0 {
			in.advance(in.pos + bytes.LastIndexByte(in.buf[in.pos:at], '\n') + 1)
			in.pos += lastBreak(in.buf[in.pos:at])
			return true
		}
		switch last := bytes.LastIndexByte(in.buf[in.pos:], '\n'); {
		case in.eof:
			in.advance(len(in.buf))
			return false
		case last >= 0:
			in.advance(in.pos + last + 1)
		case len(in.buf)-in.pos > maxLine:
			// One endless line: keep its tail, where an anchor may be half read.
			in.pos = len(in.buf) - maxLine/2
		}
		in.fill()
	}
}

// nearest returns the offset in buf of the first anchor at or after pos, or -1.
func (in *Input) nearest() int {
	first := -1
	for i := range in.searches {
		if at := in.searches[i].next(in.buf, in.pos); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// advance moves to an offset in buf and counts the lines on the way.
func (in *Input) advance(to int) {
	in.line += bytes.Count(in.buf[in.pos:to], []byte{'\n'})
	in.pos = to
}

// peek returns the current line without taking it. It is valid until the next call.
func (in *Input) peek() []byte {
	end, _ := in.lineEnd()
	return in.buf[in.pos:end]
}

// next takes the current line, and returns false at the end of the text.
func (in *Input) next() (Line, bool) {
	end, skip := in.lineEnd()
	if end == in.pos && skip == 0 {
		return Line{}, false
	}
	l := Line{Text: string(in.buf[in.pos:end]), No: in.line, Ended: skip > 0}
	in.pos = end + skip
	if skip > 0 && in.buf[end] == '\n' {
		in.line++
	}
	return l, true
}

// lineEnd returns where the current line ends in buf, and the length of what ends
// it: a newline, or a break in the markup of a page (see breakAt). A line beyond
// maxLine ends there with nothing, so that 10 MB on one line are many unknown
// lines and not one allocation.
func (in *Input) lineEnd() (end, skip int) {
	for {
		window := in.buf[in.pos:min(len(in.buf), in.pos+maxLine)]
		if i, n := breakAt(window); i >= 0 {
			return in.pos + i, n
		}
		if i := bytes.IndexByte(window, '\n'); i >= 0 {
			return in.pos + i, 1
		}
		if len(window) == maxLine || in.eof {
			return in.pos + len(window), 0
		}
		in.fill()
	}
}

func (in *Input) mark() mark { return mark{in.base + int64(in.pos), in.line} }

// begin keeps the text from the current line on, so that reset can return into it.
func (in *Input) begin() { in.hold = in.pos }

// reset returns to a place that was passed since begin. Hits stay valid, since
// nothing is searched while a result is read.
func (in *Input) reset(m mark) {
	in.pos = int(m.offset - in.base)
	in.line = m.line
}

// release gives up the text held since begin.
func (in *Input) release() { in.hold = -1 }

// claim ends a result: label lines above the next one begin here.
func (in *Input) claim() { in.free = in.pos }

// above returns the text between the last result, or the beginning, and the
// current line, at most contextSize of it, and the number of its first line.
func (in *Input) above() (text string, line int) {
	b := in.buf[max(in.free, in.pos-contextSize):in.pos]
	return string(b), in.line - bytes.Count(b, []byte{'\n'})
}
