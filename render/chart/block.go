package chart

import "fmt"

// Sizes in user units. A figure is meant to be shown at no less than its own width, so these are
// close to what the reader sees.
const (
	sizeHeading = 17.0
	sizeBody    = 14.0
	sizeSmall   = 13.0
	lineHeight  = 1.35
	capHeight   = 0.733 // of the face; digits and capitals are centred on their lines by it
)

// style is how a block of text looks.
type style struct {
	size  float64
	bold  bool
	color role
}

func body(c role) style   { return style{sizeBody, false, c} }
func strong(c role) style { return style{sizeBody, true, c} }
func small(c role) style  { return style{sizeSmall, false, c} }

// block is a text that has been checked, measured and wrapped.
type block struct {
	style
	text  Text
	lines []line
	w, h  float64
}

// setter measures texts. It keeps the first error, so that a layout can be written without a check
// after each label and still never be drawn when one of them is wrong.
type setter struct {
	fonts *Fonts
	err   error
}

// fail records an error unless there is one already.
func (s *setter) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// set checks a text, wraps it to limit and measures it. An empty text gives an empty block.
func (s *setter) set(t Text, st style, limit float64) block {
	b := block{style: st, text: t}
	if t.empty() || s.err != nil {
		return b
	}
	face := s.fonts.face(st.size, st.bold)
	for _, l := range t {
		err := l.check()
		if err == nil {
			err = missing(face, l.Text)
		}
		if err != nil {
			s.fail("%w", err)
			return b
		}
	}
	b.lines = balance(face, t, limit)
	b.w = widest(b.lines)
	if b.w > limit+0.01 {
		s.fail("label %q is %.0f units wide and has room for %.0f; shorten it or widen the chart", t, b.w, limit)
	}
	b.h = float64(len(b.lines)) * st.size * lineHeight
	return b
}

// baseline returns the distance from the top of the block to the base line of line i.
func (b block) baseline(i int) float64 {
	return (float64(i)+0.5)*b.size*lineHeight + capHeight/2*b.size
}
