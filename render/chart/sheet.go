package chart

import "gonum.org/v1/plot/vg/draw"

const (
	margin  = 8.0   // around everything; half a tick label may stand in it
	stackAt = 520.0 // below this width names stand above their rows
)

// sheet is the page of one figure. Its parts are put from the top down, each measured when it is put;
// drawing comes last, when the height is known.
type sheet struct {
	setter
	meta  Meta
	width float64
	y     float64 // where the next part starts
	ops   []func(pen)
}

func (s *sheet) stacked() bool { return s.width < stackAt }

// inner is the width between the margins.
func (s *sheet) inner() float64 { return s.width - 2*margin }

// then adds something to draw.
func (s *sheet) then(op func(pen)) { s.ops = append(s.ops, op) }

// draw draws all parts in order.
func (s *sheet) draw(c draw.Canvas) {
	p := pen{Canvas: c, fonts: s.fonts, height: s.y}
	for _, op := range s.ops {
		op(p)
	}
}

// put adds a text over the whole width and space behind it.
func (s *sheet) put(t Text, st style, space float64) {
	b := s.set(t, st, s.inner())
	if b.h == 0 {
		return
	}
	y := s.y
	s.then(func(p pen) { p.text(b, margin, y, left) })
	s.y += b.h + space
}

// note adds the text below the figure.
func (s *sheet) note(t Text) {
	if !t.empty() {
		s.y += 6
	}
	s.put(t, small(muted), 0)
}

// entry is one item of a legend: a swatch and its words.
type entry struct {
	text   Text
	width  float64
	swatch func(p pen, x, y float64) // from the left end, centred on y
}

// legend adds items below the figure, side by side as far as they fit.
func (s *sheet) legend(es []entry) {
	const gap, between = 7.0, 20.0
	x, y, h := margin, s.y+12, 0.0
	for _, e := range es {
		b := s.set(e.text, small(muted), s.inner()-e.width-gap)
		if x > margin && x+e.width+gap+b.w > s.width-margin {
			x, y, h = margin, y+h+2, 0
		}
		ex, ey, first := x, y, b.size*lineHeight/2
		s.then(func(p pen) {
			e.swatch(p, ex, ey+first)
			p.text(b, ex+e.width+gap, ey, left)
		})
		x += e.width + gap + b.w + between
		h = max(h, b.h)
	}
	if len(es) > 0 {
		s.y = y + h
	}
}
