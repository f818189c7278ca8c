package parse

import (
	"bytes"
	"encoding/binary"
	"math"
)

// finder searches for many anchors in one pass. It looks at the end of a window as
// wide as the shortest anchor; what stands there says how far the window can move
// without passing one, which is most of its width in a text that is about other
// things. A pass for each anchor would be faster for one or two and slower for more.
type finder struct {
	anchors [][]byte
	width   int // of the window
	longest int
	shift   [1 << 16]uint8 // by the last two bytes of the window; 0 means: look
	first   [256]bool      // the bytes that anchors begin with
}

// narrow is the width below which a window would move too slowly. An anchor that
// short has a search of its own: see rareByte.
const narrow = 8

// newFinder returns a finder of anchors that have at least two bytes.
func newFinder(anchors [][]byte) *finder {
	f := &finder{anchors: anchors, width: math.MaxUint8}
	for _, a := range anchors {
		f.width = min(f.width, len(a))
		f.longest = max(f.longest, len(a))
	}
	for i := range f.shift {
		f.shift[i] = uint8(f.width - 1)
	}
	for _, a := range anchors {
		f.first[a[0]] = true
		for i := range f.width - 1 {
			pair := &f.shift[uint16(a[i])|uint16(a[i+1])<<8]
			*pair = min(*pair, uint8(f.width-2-i))
		}
	}
	return f
}

// A text is looked at for any anchor in pieces, before the place is asked for.
const (
	piece      = 32 << 10
	leastPiece = 512
)

// index returns where the first anchor in b begins, and its length, or -1.
func (f *finder) index(b []byte) (at, length int) {
	start := 0
	for {
		size := min(piece, len(b)-f.width-start) &^ 3 // four quarters
		if size < leastPiece || !f.quiet(b, start, size/4) {
			return f.walk(b, start)
		}
		start += size
	}
}

// walk moves one window from start to the first anchor.
func (f *finder) walk(b []byte, start int) (at, length int) {
	for start+f.width <= len(b) {
		s := f.look(b, start+f.width-2)
		if s == 0 {
			if length := f.match(b[start:]); length > 0 {
				return start, length
			}
			s = 1
		}
		start += s
	}
	return -1, 0
}

// look returns how far a window may move whose last two bytes are at i.
func (f *finder) look(b []byte, i int) int {
	return int(f.shift[binary.LittleEndian.Uint16(b[i:])])
}

// quiet reports whether no anchor begins in four quarters of b from start on. It moves
// four windows side by side, each through its quarter: where the next one stands
// depends on what the last one saw, so the processor waits for memory most of the
// time, and four waits at once take no longer than one.
func (f *finder) quiet(b []byte, start, quarter int) bool {
	i := start + f.width - 2
	j, k, l := i+quarter, i+2*quarter, i+3*quarter
	ends := [4]int{j, k, l, l + quarter}
	for i < ends[0] && j < ends[1] && k < ends[2] && l < ends[3] {
		si, sj, sk, sl := f.look(b, i), f.look(b, j), f.look(b, k), f.look(b, l)
		if si == 0 || sj == 0 || sk == 0 || sl == 0 {
			if f.ends(b, i, si) || f.ends(b, j, sj) || f.ends(b, k, sk) || f.ends(b, l, sl) {
				return false
			}
			si, sj, sk, sl = max(si, 1), max(sj, 1), max(sk, 1), max(sl, 1)
		}
		i, j, k, l = i+si, j+sj, k+sk, l+sl
	}
	return f.quietTo(b, i, ends[0]) && f.quietTo(b, j, ends[1]) && f.quietTo(b, k, ends[2]) && f.quietTo(b, l, ends[3])
}

// quietTo moves one window to the end of its quarter.
func (f *finder) quietTo(b []byte, i, end int) bool {
	for i < end {
		s := f.look(b, i)
		if f.ends(b, i, s) {
			return false
		}
		i += max(s, 1)
	}
	return true
}

// ends reports whether an anchor begins in the window whose last two bytes are at i,
// where it may move by s.
func (f *finder) ends(b []byte, i, s int) bool {
	start := i - f.width + 2
	return s == 0 && f.first[b[start]] && f.match(b[start:]) > 0
}

// match returns the length of the anchor that b begins with, or 0.
func (f *finder) match(b []byte) int {
	for _, a := range f.anchors {
		if bytes.HasPrefix(b, a) {
			return len(a)
		}
	}
	return 0
}

// single searches for one anchor by the byte in it that texts have least of.
type single struct {
	anchor []byte
	rare   int // its place in the anchor
}

func newSingle(anchor []byte) single {
	s := single{anchor: anchor}
	for i, c := range anchor {
		if frequency(c) < frequency(anchor[s.rare]) {
			s.rare = i
		}
	}
	return s
}

// frequency ranks bytes by how often logs have them.
func frequency(c byte) int {
	switch {
	case c == ' ' || c == 'e' || c == 't' || c == '0':
		return 5
	case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
		return 4
	case bytes.IndexByte([]byte("-.:,/()[]=\"'_"), c) >= 0:
		return 3
	case c >= 'A' && c <= 'Z':
		return 2
	default:
		return 1
	}
}

func (s single) index(b []byte) (at, length int) {
	for i := s.rare; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], s.anchor[s.rare])
		if n < 0 {
			break
		}
		i += n
		if bytes.HasPrefix(b[i-s.rare:], s.anchor) {
			return i - s.rare, len(s.anchor)
		}
	}
	return -1, 0
}

// searcher is a finder, or a single.
type searcher interface {
	index(b []byte) (at, length int)
}

var (
	_ searcher = (*finder)(nil)
	_ searcher = single{}
)

// search is a searcher in the window of an Input. It remembers what it has found,
// so that no byte is searched twice.
type search struct {
	by      searcher
	overlap int // bytes that an anchor cut by the end of the window may have there
	at      int // offset of the next occurrence in the window, or -1
	scanned int // the occurrence is the first one that ends in the window up to here
}

// searchesFor divides anchors among as few searches as are fast.
func searchesFor(anchors []string) []search {
	var all []search
	var wide [][]byte
	for _, a := range anchors {
		if len(a) < narrow {
			all = append(all, search{by: newSingle([]byte(a)), overlap: len(a) - 1, at: -1})
			continue
		}
		wide = append(wide, []byte(a))
	}
	if len(wide) > 0 {
		f := newFinder(wide)
		all = append(all, search{by: f, overlap: f.longest - 1, at: -1})
	}
	return all
}

// next returns the offset in buf of the first anchor at or after pos, or -1.
func (s *search) next(buf []byte, pos int) int {
	if s.at >= pos {
		return s.at
	}
	from := max(pos, s.scanned-s.overlap)
	s.at, s.scanned = -1, len(buf)
	if n, length := s.by.index(buf[from:]); n >= 0 {
		s.at = from + n
		s.scanned = s.at + length
	}
	return s.at
}

// drop adjusts to a window that has lost its first n bytes.
func (s *search) drop(n int) {
	s.at = max(-1, s.at-n)
	s.scanned = max(0, s.scanned-n)
}
