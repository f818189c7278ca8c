package parse

import "benchguide/parse/internal/jsonstream"

// windowSource lets the JSON reader read from an Input, in place.
type windowSource struct{ in *Input }

var _ jsonstream.Source = windowSource{}

func (s windowSource) Window() []byte { return s.in.buf[s.in.pos:] }
func (s windowSource) Take(n int)     { s.in.advance(s.in.pos + n) }
func (s windowSource) Line() int      { return s.in.line }

func (s windowSource) More() bool {
	if s.in.eof {
		return false
	}
	before := len(s.in.buf) - s.in.pos
	s.in.fill()
	return len(s.in.buf)-s.in.pos > before
}
