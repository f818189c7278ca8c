package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svgCanvas is the vg.Canvas that writes SVG. Transforms are applied to the coordinates, so that the
// output is flat and a reader, or a test, sees final positions. Only roles are accepted as colours.
type svgCanvas struct {
	height float64
	buf    bytes.Buffer
	state  state
	saved  []state
	err    error
}

var _ vg.Canvas = (*svgCanvas)(nil)

// state is what Push saves.
type state struct {
	color role
	width vg.Length
	dash  []vg.Length
	phase vg.Length
	to    affine
}

// affine maps a point to (a*x+c*y+e, b*x+d*y+f).
type affine struct{ a, b, c, d, e, f float64 }

func newSVG(height float64) *svgCanvas {
	return &svgCanvas{height: height, state: state{width: 1, to: affine{a: 1, d: 1}}}
}

// SetLineWidth sets the width of strokes.
func (c *svgCanvas) SetLineWidth(w vg.Length) { c.state.width = w }

// SetLineDash sets the dash pattern of strokes.
func (c *svgCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.state.dash, c.state.phase = pattern, offset
}

// SetColor sets the role to draw with. Black is gonum's initial colour and stands for ink; any other
// colour would not follow the theme and is an error.
func (c *svgCanvas) SetColor(col color.Color) {
	r, ok := col.(role)
	if !ok && col != color.Black {
		c.fail(fmt.Errorf("colour %v has no role in the palette", col))
	}
	c.state.color = r
}

// Rotate turns what is drawn next, counterclockwise.
func (c *svgCanvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.concat(affine{cos, sin, -sin, cos, 0, 0})
}

// Translate moves what is drawn next.
func (c *svgCanvas) Translate(pt vg.Point) {
	c.concat(affine{1, 0, 0, 1, float64(pt.X), float64(pt.Y)})
}

// Scale stretches what is drawn next.
func (c *svgCanvas) Scale(x, y float64) { c.concat(affine{x, 0, 0, y, 0, 0}) }

// Push saves the state.
func (c *svgCanvas) Push() { c.saved = append(c.saved, c.state) }

// Pop restores the state saved last.
func (c *svgCanvas) Pop() {
	if len(c.saved) == 0 {
		c.fail(errors.New("canvas state popped more often than pushed"))
		return
	}
	c.state = c.saved[len(c.saved)-1]
	c.saved = c.saved[:len(c.saved)-1]
}

// Stroke draws the outline of a path.
func (c *svgCanvas) Stroke(p vg.Path) {
	if c.state.width <= 0 || len(p) == 0 {
		return
	}
	fmt.Fprintf(&c.buf, `<path class="%sk %s" stroke-width="%s"`, prefix, c.state.color.class(), num(float64(c.state.width)))
	if len(c.state.dash) > 0 {
		c.buf.WriteString(` stroke-dasharray="`)
		for i, d := range c.state.dash {
			if i > 0 {
				c.buf.WriteByte(' ')
			}
			c.buf.WriteString(num(float64(d)))
		}
		c.buf.WriteByte('"')
	}
	if c.state.phase != 0 {
		fmt.Fprintf(&c.buf, ` stroke-dashoffset="%s"`, num(float64(c.state.phase)))
	}
	fmt.Fprintf(&c.buf, " d=\"%s\"/>\n", c.path(p))
}

// Fill fills a path.
func (c *svgCanvas) Fill(p vg.Path) {
	if len(p) == 0 {
		return
	}
	fmt.Fprintf(&c.buf, "<path class=\"%sf %s\" d=\"%s\"/>\n", prefix, c.state.color.class(), c.path(p))
}

// FillString writes one line of text. Gonum calls it for axis ticks only; our own labels know more
// about themselves and go through text.
func (c *svgCanvas) FillString(f font.Face, pt vg.Point, s string) {
	if err := missing(f, s); err != nil {
		c.fail(err)
		return
	}
	x, y := c.at(pt)
	fmt.Fprintf(&c.buf, `<text class="tick %s" x="%s" y="%s" font-size="%s"`, c.state.color.class(), num(x), num(y), num(float64(f.Font.Size)))
	if m := c.state.to; m.b != 0 {
		fmt.Fprintf(&c.buf, ` transform="rotate(%s %s %s)"`, num(-math.Atan2(m.b, m.a)*180/math.Pi), num(x), num(y))
	}
	fmt.Fprintf(&c.buf, " textLength=\"%s\" lengthAdjust=\"spacingAndGlyphs\">%s</text>\n", num(float64(f.Width(s))), escape(s))
}

// DrawImage refuses: figures are made of lines and text.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {
	c.fail(errors.New("charts draw no images"))
}

func (c *svgCanvas) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// concat puts a transform in front of those in force.
func (c *svgCanvas) concat(n affine) {
	m := c.state.to
	c.state.to = affine{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

// at maps a point of the drawing to SVG, whose y axis points down.
func (c *svgCanvas) at(p vg.Point) (x, y float64) {
	m, px, py := c.state.to, float64(p.X), float64(p.Y)
	return m.a*px + m.c*py + m.e, c.height - (m.b*px + m.d*py + m.f)
}

// num prints a coordinate with at most two decimals: a hundredth of a unit cannot be seen, and more
// digits would make equal drawings differ between processors.
func num(v float64) string {
	r := math.Round(v*100) / 100
	if r == 0 {
		r = 0 // drops the sign of a negative zero
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func escape(s string) string {
	var b bytes.Buffer
	// EscapeText fails only when its writer does, and a Buffer does not.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
