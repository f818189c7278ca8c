package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// look is how a bar is drawn. Bars differ by outline, filling and hatching as well as by colour, so
// that they can be told apart in grey and by readers who do not see the colours.
type look struct {
	fill    role
	filled  bool
	outline role
	width   vg.Length
	dashed  bool
	hatched bool
}

// barLooks returns the looks of the series of a bar chart, in order.
func barLooks(series int) []look {
	looks := []look{
		{fill: baseSoft, filled: true, outline: base, width: 1},
		{fill: accent, filled: true, outline: accent, width: 1},
		{outline: third, width: 1, hatched: true},
	}
	if series == 1 {
		return looks[1:2]
	}
	return looks
}

// bound returns the look of a bar of which only the upper bound is known: open, with a dashed outline.
func (l look) bound() look { return look{outline: l.outline, width: 1.25, dashed: true} }

// rectangle draws r in this look. The outline lies inside of r, so that a bar is as long as its value.
func (l look) rectangle(c draw.Canvas, r vg.Rectangle) {
	if l.filled {
		c.SetColor(l.fill)
		c.Fill(r.Path())
	}
	if l.hatched {
		hatch(c, l.outline, r)
	}
	if l.width <= 0 || l.filled && l.fill == l.outline {
		return
	}
	in := l.width / 2
	r.Min.X, r.Min.Y, r.Max.X, r.Max.Y = r.Min.X+in, r.Min.Y+in, r.Max.X-in, r.Max.Y-in
	if r.Max.X <= r.Min.X {
		r.Max.X = r.Min.X // a value near zero still shows as a line
	}
	sty := draw.LineStyle{Color: l.outline, Width: l.width}
	if l.dashed {
		sty.Dashes = []vg.Length{4, 3}
	}
	c.SetLineStyle(sty)
	c.Stroke(r.Path())
}

// hatch fills r with slanted lines. They are computed and not left to an SVG pattern: patterns need
// ids, and other canvases have none.
func hatch(c draw.Canvas, r role, b vg.Rectangle) {
	const gap = 6
	w, h := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y
	var p vg.Path
	for d := vg.Length(gap) / 2; d < w+h; d += gap {
		// The line x - y = d - h, cut at the sides of the box.
		lo := vg.Point{X: b.Min.X + max(0, d-h), Y: b.Min.Y + max(0, h-d)}
		hi := vg.Point{X: b.Min.X + min(w, d), Y: b.Max.Y - max(0, d-w)}
		p.Move(lo)
		p.Line(hi)
	}
	c.SetLineStyle(draw.LineStyle{Color: r, Width: 1})
	c.Stroke(p)
}

// stroke returns a plain line style.
func stroke(r role, w vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: r, Width: w, Dashes: dashes}
}
