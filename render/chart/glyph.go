package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyph is a marker. Markers differ in shape or filling, not only in colour.
type glyph struct {
	shape  shape
	color  role
	filled bool
	radius vg.Length
}

type shape int

const (
	// The order has no meaning; marks of one figure are told apart by shape and by filling.
	circle shape = iota
	square
	triangle
	cross
	bound // "at most": a bar with an arrow down from it
)

// boundDepth is how far the arrow of a bound reaches below the value.
const boundDepth = 15.0

// verdictGlyph returns the marker of a candidate; ok is false for a verdict that is not known. Filled
// markers beat the incumbent or lead, rings cannot be told from something, crosses lost or did not run.
// The one that the stage went on with is marked as such whatever its verdict, since an author may
// pick any of a tie group.
func verdictGlyph(r Candidate) (g glyph, ok bool) {
	switch r.Verdict {
	case "adopted":
		g = glyph{circle, accent, true, 5.5}
	case "tied":
		g = glyph{circle, accent, false, 5}
	case "outperformed":
		g = glyph{square, base, true, 4.5}
	case "not-distinguishable", "undecided":
		g = glyph{circle, base, false, 4.5}
	case "no-gain":
		g = glyph{cross, bad, false, 4.5}
	case "baseline":
		g = glyph{circle, ink, true, 4.5}
	case "infeasible", "invalid":
		g = glyph{cross, base, false, 4.5}
	default:
		return g, false
	}
	if r.Adopted {
		g.filled, g.radius, g.color = true, 5.5, accent
	}
	return g, true
}

// draw draws the marker around a point.
func (g glyph) draw(c draw.Canvas, at vg.Point) {
	r := g.radius
	by := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x, Y: at.Y + y} }
	var p vg.Path
	switch g.shape {
	case circle:
		p.Move(by(r, 0))
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
	case square:
		p = vg.Rectangle{Min: by(-r, -r), Max: by(r, r)}.Path()
	case triangle:
		// The centre of the triangle's area, not of its height, stands on the value.
		p = polygon(by(-r*1.1, -r*0.8), by(r*1.1, -r*0.8), by(0, r*1.2))
	case cross:
		g.lines(c, []vg.Point{by(-r, -r), by(r, r)}, []vg.Point{by(-r, r), by(r, -r)})
		return
	case bound:
		g.lines(c, []vg.Point{by(-1.3*r, 0), by(1.3*r, 0)}, []vg.Point{by(0, 0), by(0, -boundDepth)},
			[]vg.Point{by(-0.8*r, 0.8*r-boundDepth), by(0, -boundDepth), by(0.8*r, 0.8*r-boundDepth)})
		return
	}
	// A hollow marker is filled with paper, so that the line through it does not show inside.
	c.SetColor(paper)
	if g.filled {
		c.SetColor(g.color)
	}
	c.Fill(p)
	c.SetLineStyle(stroke(g.color, 1.75))
	c.Stroke(p)
}

func (g glyph) lines(c draw.Canvas, ls ...[]vg.Point) {
	c.StrokeLines(stroke(g.color, 2), ls...)
}

func polygon(pts ...vg.Point) vg.Path {
	var p vg.Path
	p.Move(pts[0])
	for _, pt := range pts[1:] {
		p.Line(pt)
	}
	p.Close()
	return p
}
