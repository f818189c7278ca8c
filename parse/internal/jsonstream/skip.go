package jsonstream

import (
	"encoding/binary"
	"math/bits"
)

// Skip takes the next value whatever it is. Of objects and arrays it looks at the
// brackets and the quotes only: what stands between them is not read, so it cannot
// be wrong either.
func (r *Reader) Skip() {
	switch r.Peek() {
	case None:
	case String:
		r.pos++
		r.stringBody(nil)
		r.taken++
	case Object, Array:
		r.skipNested()
		r.taken++
	default:
		r.Scalar()
	}
}

// skipNested takes an object or an array, up to the bracket that closes it.
func (r *Reader) skipNested() {
	var open [maxDepth]byte // the closing brackets that are waited for
	for depth := 0; r.err == nil; {
		i := structural(r.buf[r.pos:])
		r.pos += i
		if r.pos == len(r.buf) {
			if !r.fill() {
				r.cut()
			}
			continue
		}
		switch c := r.buf[r.pos]; c {
		case '"':
			r.pos++
			r.stringBody(nil)
			continue
		case '{', '[':
			if r.depth+depth >= maxDepth {
				r.fail("values are nested more than %d deep", maxDepth)
				return
			}
			if depth > 0 && !r.mayOpen() {
				r.fail("%q stands where a comma or %q must", c, open[depth-1])
				return
			}
			open[depth] = c + 2 // in ASCII, each closing bracket follows its opening one by two
			depth++
		default:
			if c != open[depth-1] {
				r.fail("%q stands where %q must", c, open[depth-1])
				return
			}
			depth--
			if depth == 0 {
				r.pos++
				return
			}
		}
		r.pos++
	}
}

// mayOpen reports whether a value may begin at pos: after a comma, a colon or an
// opening bracket. A line that was cut off inside a list is told by it from the
// record on the next line. Where the window begins, nothing is known.
func (r *Reader) mayOpen() bool {
	for i := r.pos - 1; i >= 0; i-- {
		switch r.buf[i] {
		case ' ', '\n', '\r', '\t':
		case ',', ':', '[', '{':
			return true
		default:
			return false
		}
	}
	return true
}

// structural returns the offset of the first bracket or quote in b, or len(b).
//
// Eight bytes are tested at once. [ ] become { } by setting bit 5, which turns no
// other byte of a list of numbers into one; a byte that equals a pattern gives zero
// when combined with it, and the lowest zero byte of a word is found exactly.
func structural(b []byte) int {
	const (
		ones  = 0x0101010101010101
		tops  = 0x8080808080808080
		quote = '"' * ones
		open  = '{' * ones
		clos  = '}' * ones
		bit5  = 0x20 * ones
	)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		folded := w | bit5
		q, o, c := w^quote, folded^open, folded^clos
		found := ((q - ones) &^ q) | ((o - ones) &^ o) | ((c - ones) &^ c)
		if found &= tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case '"', '[', ']', '{', '}':
			return i
		}
	}
	return i
}
