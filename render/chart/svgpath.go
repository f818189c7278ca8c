package chart

import (
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
)

// path writes a vg.Path as SVG path data.
func (c *svgCanvas) path(p vg.Path) string {
	var b strings.Builder
	var pen bool // a current point exists
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			c.cmd(&b, "M", comp.Pos)
		case vg.LineComp:
			c.cmd(&b, "L", comp.Pos)
		case vg.ArcComp:
			c.arc(&b, comp, pen)
		case vg.CurveComp:
			c.curve(&b, comp)
		case vg.CloseComp:
			b.WriteByte('Z')
		}
		pen = comp.Type != vg.CloseComp // gonum's arcs start with a line from the point before, if any
	}
	return b.String()
}

func (c *svgCanvas) cmd(b *strings.Builder, name string, pts ...vg.Point) {
	b.WriteString(name)
	for i, p := range pts {
		if i > 0 {
			b.WriteByte(' ')
		}
		x, y := c.at(p)
		b.WriteString(num(x))
		b.WriteByte(' ')
		b.WriteString(num(y))
	}
}

func (c *svgCanvas) curve(b *strings.Builder, comp vg.PathComp) {
	name := "Q"
	if len(comp.Control) == 2 {
		name = "C"
	}
	c.cmd(b, name, append(comp.Control[:len(comp.Control):len(comp.Control)], comp.Pos)...)
}

// arc writes an arc as cubic curves of at most a quarter turn, which stay right under any transform;
// the error of such a curve is below 0.03 % of the radius.
func (c *svgCanvas) arc(b *strings.Builder, comp vg.PathComp, pen bool) {
	n := math.Max(1, math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9))
	step := comp.Angle / n
	// k is the length of the control arms for which the curve meets the arc in its middle.
	k := 4.0 / 3 * math.Tan(step/4)
	on := func(a float64) (pt, tangent vg.Point) {
		sin, cos := math.Sincos(a)
		r := float64(comp.Radius)
		return vg.Point{X: comp.Pos.X + vg.Length(r*cos), Y: comp.Pos.Y + vg.Length(r*sin)},
			vg.Point{X: vg.Length(-r * sin * k), Y: vg.Length(r * cos * k)}
	}
	p0, t0 := on(comp.Start)
	if pen {
		c.cmd(b, "L", p0)
	} else {
		c.cmd(b, "M", p0)
	}
	for i := 1.0; i <= n; i++ {
		p1, t1 := on(comp.Start + step*i)
		c.cmd(b, "C", p0.Add(t0), p1.Sub(t1), p1)
		p0, t0 = p1, t1
	}
}
