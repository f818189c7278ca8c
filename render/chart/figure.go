package chart

import (
	"bytes"
	"fmt"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Meta is what every figure states about itself.
type Meta struct {
	ID      string  // unique on the page; the ids inside the figure start with it
	Title   string  // accessible name
	Desc    string  // accessible description
	Lang    string  // language of the words, "zh" or "en"
	Heading Text    // drawn above the figure; pages leave it empty, pictures shown alone need one
	Note    Text    // drawn below, for what must travel with the figure: simulated, rehearsed, speed only
	Width   float64 // in user units, 640 if zero; below 520 names stand above their rows, as phones need
	Bare    bool    // leave Stylesheet out, because the page brings it
}

const (
	defaultWidth = 640.0
	leastWidth   = 300.0
	mostWidth    = 1600.0
)

// figure is one kind of chart. It checks its values and composes itself on a sheet.
type figure interface {
	meta() Meta
	compose(*sheet)
}

// render returns a figure as an SVG document that also stands inside of HTML.
func render(f *Fonts, fig figure, kind string) (out []byte, err error) {
	defer guard(kind, &err)
	s, err := layOut(f, fig, kind)
	if err != nil {
		return nil, err
	}
	c := newSVG(s.y)
	s.draw(draw.NewCanvas(c, vg.Length(s.width), vg.Length(s.y)))
	if c.err != nil {
		return nil, fmt.Errorf("draw %s %s: %w", kind, s.meta.ID, c.err)
	}
	var b bytes.Buffer
	m := s.meta
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="%s %s-%s" id="%s" lang="%s" role="img" aria-labelledby="%[4]s-title %[4]s-desc" width="%[6]s" height="%[7]s" viewBox="0 0 %[6]s %[7]s">`+"\n",
		root, root, kind, m.ID, escape(m.Lang), num(s.width), num(s.y))
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n<desc id=\"%[1]s-desc\">%[3]s</desc>\n", m.ID, escape(m.Title), escape(m.Desc))
	if !m.Bare {
		fmt.Fprintf(&b, "<style>%s</style>\n", Stylesheet())
	}
	b.Write(c.buf.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// raster returns a figure as a PNG in the light theme, with scale pixels for each user unit.
func raster(f *Fonts, fig figure, kind string, scale float64) (out []byte, err error) {
	defer guard(kind, &err)
	if !(scale >= 0.5 && scale <= 8) {
		return nil, fmt.Errorf("draw %s: scale %v is not between 0.5 and 8", kind, scale)
	}
	s, err := layOut(f, fig, kind)
	if err != nil {
		return nil, err
	}
	// At 72 dots per inch gonum's point is one pixel, and one point is one of our units.
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(s.width), vg.Length(s.y)), vgimg.UseDPI(int(72*scale)))
	s.draw(draw.NewCanvas(c, vg.Length(s.width), vg.Length(s.y)))
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&b); err != nil {
		return nil, fmt.Errorf("encode %s %s: %w", kind, s.meta.ID, err)
	}
	return b.Bytes(), nil
}

// layOut checks and composes a figure.
func layOut(f *Fonts, fig figure, kind string) (*sheet, error) {
	m := fig.meta()
	if m.Width == 0 {
		m.Width = defaultWidth
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("draw %s: %w", kind, err)
	}
	s := &sheet{setter: setter{fonts: f}, meta: m, width: m.Width, y: margin}
	s.put(m.Heading, style{sizeHeading, true, ink}, 8)
	fig.compose(s)
	s.note(m.Note)
	if s.err != nil {
		return nil, fmt.Errorf("draw %s %s: %w", kind, m.ID, s.err)
	}
	s.y += margin
	return s, nil
}

// guard turns a panic into an error. Gonum panics on values that it cannot scale; figures refuse
// those before, and should one slip through, a build must still end with a message.
func guard(kind string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("draw %s: gonum/plot gave up: %v", kind, r)
	}
}

var idPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func (m Meta) check() error {
	switch {
	case !idPattern.MatchString(m.ID):
		return fmt.Errorf("id %q: want a letter, then letters, digits, - or _", m.ID)
	case m.Title == "" || m.Desc == "":
		return fmt.Errorf("%s: a figure needs a title and a description for readers who do not see it", m.ID)
	case !(m.Width >= leastWidth && m.Width <= mostWidth):
		return fmt.Errorf("%s: width %v is not between %v and %v", m.ID, m.Width, leastWidth, mostWidth)
	}
	return nil
}
