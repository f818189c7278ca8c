package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pen draws on a gonum canvas in the coordinates of the figure: from the top left corner, y down.
type pen struct {
	draw.Canvas
	fonts  *Fonts
	height float64
}

// align says which part of a text stands at its x.
type align float64

const (
	left   align = 0
	center align = 0.5
	right  align = 1
)

// at turns a point of the figure into one of gonum, whose y axis points up.
func (p pen) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(p.height - y)}
}

// text writes a block with its upper edge at y and each line aligned at x.
func (p pen) text(b block, x, y float64, a align) {
	var frags []placed
	for i, l := range b.lines {
		for _, f := range l.frags {
			frags = append(frags, placed{f, x - float64(a)*l.w + f.x, y + b.baseline(i)})
		}
	}
	if c, ok := p.Canvas.Canvas.(*svgCanvas); ok {
		c.text(b, frags)
		return
	}
	face := p.fonts.face(b.size, b.bold)
	p.SetColor(b.color)
	for _, f := range frags {
		p.FillString(face, p.at(f.x, f.y), f.text)
	}
}

// middle writes a block vertically centred on y.
func (p pen) middle(b block, x, y float64, a align) { p.text(b, x, y-b.h/2, a) }

// box is a rectangle of the figure.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
}

func (b box) inside(o box) bool {
	return b.x0 >= o.x0 && b.x1 <= o.x1 && b.y0 >= o.y0 && b.y1 <= o.y1
}

// crop returns the part of the canvas that lies in a box.
func (p pen) crop(b box) draw.Canvas {
	lo, hi := p.at(b.x0, b.y1), p.at(b.x1, b.y0)
	return draw.Canvas{Canvas: p.Canvas.Canvas, Rectangle: vg.Rectangle{Min: lo, Max: hi}}
}

// rectangle fills and outlines a box as a look says.
func (p pen) rectangle(b box, l look) { l.rectangle(p.Canvas, p.crop(b).Rectangle) }

// mark is a plotter that draws straight with gonum's transforms of the data.
type mark func(c draw.Canvas, x, y func(float64) vg.Length)

var _ plot.Plotter = mark(nil)

// Plot draws the mark.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m(c, x, y)
}
