package jsonstream

import (
	"bytes"
	"fmt"
)

// maxDepth bounds how deep values may be nested. Tools nest five deep; a limit
// keeps a hostile input from using up the stack.
const maxDepth = 512

// Source is a text that is read through a window.
type Source interface {
	// Window returns the unread bytes that are at hand. It is valid until More.
	Window() []byte
	// More reads more of the text behind the window, and returns false at its end.
	More() bool
	// Take takes n bytes of the window.
	Take(n int)
	// Line returns the number of the line where the window begins.
	Line() int
}

// Kind is what a value is.
type Kind byte

// The kinds of values. A Number may be NaN or infinite; None is the end of the
// text, or of what could be read of it.
const (
	None Kind = iota
	Object
	Array
	String
	Number
	Bool
	Null
)

// Error says why a text could not be read further.
type Error struct {
	Line      int
	What      string
	Truncated bool // the text ended inside a value
}

// Error returns the reason with its line.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// Reader reads values from a source. After an error it returns nothing more; the
// source then stands at the byte that was not understood.
type Reader struct {
	src   Source
	buf   []byte // the window
	pos   int    // of the next byte in buf
	err   *Error
	depth int
	taken int // values so far, to see whether a callback took one
}

// NewReader returns a reader of the values in src. Call Sync before using src again.
func NewReader(src Source) *Reader {
	return &Reader{src: src, buf: src.Window()}
}

// Err returns why reading stopped, or nil.
func (r *Reader) Err() *Error { return r.err }

// Line returns the number of the current line.
func (r *Reader) Line() int {
	r.Sync()
	return r.src.Line()
}

// Sync takes from the source what was read.
func (r *Reader) Sync() {
	r.src.Take(r.pos)
	r.buf, r.pos = r.buf[r.pos:], 0
}

// fill reads more behind the window. Bytes from pos on stay.
func (r *Reader) fill() bool {
	r.src.Take(r.pos)
	r.pos = 0
	more := r.src.More()
	r.buf = r.src.Window()
	return more
}

// fail records the first error. The line is that of the byte at pos.
func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Line: r.Line(), What: fmt.Sprintf(format, args...)}
	}
}

// cut records that the text ended too early.
func (r *Reader) cut() {
	if r.err == nil {
		r.fail("the text ends inside a value")
		r.err.Truncated = true
	}
}

// next returns the next byte that is no blank, without taking it.
func (r *Reader) next() (byte, bool) {
	for r.err == nil {
		for r.pos < len(r.buf) {
			switch c := r.buf[r.pos]; c {
			case ' ', '\n', '\r', '\t':
				r.pos++
			default:
				return c, true
			}
		}
		if !r.fill() {
			return 0, false
		}
	}
	return 0, false
}

// SkipMark takes a byte-order mark, if one comes next.
func (r *Reader) SkipMark() {
	mark := []byte("\ufeff")
	for len(r.buf)-r.pos < len(mark) && r.fill() {
	}
	if bytes.HasPrefix(r.buf[r.pos:], mark) {
		r.pos += len(mark)
	}
}

// Peek returns the kind of the next value. A word is called a Number until it is read.
func (r *Reader) Peek() Kind {
	c, ok := r.next()
	switch {
	case !ok:
		return None
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '"':
		return String
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	default:
		return Number
	}
}

// Object reads an object and calls member for each of its members. A value that
// member does not take is skipped.
func (r *Reader) Object(member func(key string)) {
	if !r.open('{') {
		return
	}
	for first := true; r.more('}', &first); {
		if c, _ := r.next(); c != '"' {
			r.fail("%q stands where a key in quotes must", c)
			return
		}
		key := r.stringText(maxKey)
		if !r.colon(key) {
			return
		}
		r.element(func() { member(key) })
	}
}

// colon takes the colon after a key.
func (r *Reader) colon(key string) bool {
	c, ok := r.next()
	switch {
	case r.err != nil:
		return false
	case !ok:
		r.cut()
		return false
	case c != ':':
		r.fail("%q stands after the key %q instead of a colon", c, clip(key))
		return false
	}
	r.pos++
	return true
}

// Array reads an array and calls item for each of its values. A value that item
// does not take is skipped.
func (r *Reader) Array(item func()) {
	if !r.open('[') {
		return
	}
	for first := true; r.more(']', &first); {
		r.element(item)
	}
}

// element has one value taken.
func (r *Reader) element(take func()) {
	if _, ok := r.next(); !ok {
		r.cut()
		return
	}
	before := r.taken
	take()
	if r.taken == before {
		r.Skip()
	}
}

// open takes an opening bracket.
func (r *Reader) open(bracket byte) bool {
	c, ok := r.next()
	switch {
	case !ok:
		return false
	case c != bracket:
		r.fail("%q stands where %q must", c, bracket)
		return false
	case r.depth == maxDepth:
		r.fail("values are nested more than %d deep", maxDepth)
		return false
	}
	r.pos++
	r.depth++
	return true
}

// more takes what stands between two values, and returns false after the last one.
func (r *Reader) more(closing byte, first *bool) bool {
	c, ok := r.next()
	switch {
	case r.err != nil:
		return false
	case !ok:
		r.cut()
		return false
	case c == closing:
		r.pos++
		r.depth--
		r.taken++
		return false
	case *first:
		*first = false
		return true
	case c != ',':
		r.fail("%q stands where a comma or %q must", c, closing)
		return false
	}
	r.pos++
	switch c, ok := r.next(); {
	case !ok:
		r.cut()
	case c == closing:
		r.fail("a comma stands before %q", closing)
	}
	return r.err == nil
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
