package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines follows a metric over the load. The x axis is logarithmic to base 2, since concurrencies are
// chosen as powers of it; the y axis starts at zero.
type Lines struct {
	Meta
	XLabel     Text // what x is: the concurrency
	ValueLabel Text // what the lines measure, with the unit
	X          []float64
	Series     []LineSeries
}

// LineSeries is one line. It has a point for each x; a missing one is a gap.
type LineSeries struct {
	Name   Text
	Points []Point
}

// Point is a value at one x. Its label may be empty, and with many series most should be: a label
// that finds no free place is an error. A missing point draws nothing.
type Point struct {
	Value   float64
	Reading Reading
	Label   Text
}

// SVG draws the chart.
func (c Lines) SVG(f *Fonts) ([]byte, error) { return render(f, c, "lines") }

// PNG draws the chart in the light theme, with scale pixels for each user unit.
func (c Lines) PNG(f *Fonts, scale float64) ([]byte, error) { return raster(f, c, "lines", scale) }

func (c Lines) meta() Meta { return c.Meta }

// trace is how a line is drawn. The baseline is dashed and hollow, so that the eye goes to the solid
// line of the optimized configuration.
type trace struct {
	dashes []vg.Length
	glyph  glyph
}

// traces returns the looks of the series, in order. Each has a dash pattern and a marker of its own.
func traces(series int) []trace {
	ts := []trace{
		{[]vg.Length{6, 4}, glyph{circle, base, false, 4.5}},
		{nil, glyph{circle, accent, true, 4.5}},
		{[]vg.Length{2, 3}, glyph{square, third, true, 4}},
		{[]vg.Length{9, 3, 2, 3}, glyph{triangle, fourth, true, 4.5}},
	}
	if series == 1 {
		return ts[1:2]
	}
	return ts
}

func (c Lines) compose(s *sheet) {
	if c.check(s); s.err != nil {
		return
	}
	s.put(c.ValueLabel, small(muted), 4)
	labels := c.labels(s)
	if s.err != nil {
		return
	}
	// A taller plot pulls points apart and makes room between them. Three heights, from the one that
	// looks best, because a figure should not grow for the sake of one label at every pixel.
	for _, height := range []float64{0.38 * s.width, 0.55 * s.width, 0.8 * s.width} {
		height = max(height, 190) + s.fonts.axisHeight()
		plt := c.plot(s, height)
		area := newArea(plt, box{margin, s.y, s.width - margin, s.y + height})
		spots, lines := c.spots(area, labels)
		if boxes, ok := place(spots, lines, area.data); ok {
			s.then(func(p pen) {
				plt.Draw(p.crop(area.outer))
				for i, b := range boxes {
					p.text(spots[i].b, b.x0, b.y0, left)
				}
			})
			s.y += height
			c.below(s, area)
			return
		}
	}
	s.fail("the labels of the points do not fit; shorten them, leave some out or widen the chart")
}

// labels measures the labels of all points. Those of the last series stand out; from three series on
// each has its own colour, because a label may then stand closer to another line.
func (c Lines) labels(s *sheet) (labels [][]block) {
	ts := traces(len(c.Series))
	for i, sr := range c.Series {
		st := small(muted)
		if i == len(c.Series)-1 {
			st = style{sizeSmall, true, ink}
		}
		if len(c.Series) > 2 && i > 0 {
			st.color = ts[i].glyph.color
		}
		var bs []block
		for _, pt := range sr.Points {
			bs = append(bs, s.set(pt.Label, st, s.inner()*0.3))
		}
		labels = append(labels, bs)
	}
	return labels
}

// plot sets up gonum's plot for a given height.
func (c Lines) plot(s *sheet, height float64) *plot.Plot {
	plt := newPlot(s.fonts)
	lo, hi := math.Log2(c.X[0]), math.Log2(c.X[len(c.X)-1])
	// The outer points stand off the ends, or half of their labels would have no room.
	pad := max(0.07*(hi-lo), 0.2)
	plt.X.Min, plt.X.Max = lo-pad, hi+pad
	plt.X.Tick.Marker = plot.ConstantTicks(c.xTicks(s, plt))
	plt.Y.Padding = 4
	// Half of the labels at an x may stand above its highest point.
	room := float64((len(c.Series)+1)/2)*sizeSmall*lineHeight + 10
	plt.Y.Min, plt.Y.Max = 0, c.highest()*height/(height-s.fonts.axisHeight()-room)
	values, decimals := niceTicks(0, plt.Y.Max, int(height/44)+1)
	var ticks []plot.Tick
	for _, v := range values {
		ticks = append(ticks, plot.Tick{Value: v, Label: plainTick(v, decimals)})
	}
	plt.Y.Tick.Marker = plot.ConstantTicks(ticks)
	plt.Add(gridY())
	ts := traces(len(c.Series))
	for i, sr := range c.Series {
		for _, run := range sr.runs(c.X) {
			plt.Add(&plotter.Line{XYs: run, LineStyle: stroke(ts[i].glyph.color, 2, ts[i].dashes...)})
		}
		plt.Add(sr.markers(c.X, ts[i].glyph))
	}
	return plt
}

// xTicks returns a tick for each x, without those labels that would touch the one before.
func (c Lines) xTicks(s *sheet, plt *plot.Plot) []plot.Tick {
	var out []plot.Tick
	face := s.fonts.face(sizeSmall, false)
	free := math.Inf(-1)
	// The width of the data is known only once the y ticks are; 85 % of the sheet is less than it ever is.
	for _, x := range c.X {
		t := strconv.FormatFloat(x, 'f', -1, 64)
		at, w := plt.X.Norm(math.Log2(x))*s.inner()*0.85, width(face, t)
		if at-w/2 < free {
			continue
		}
		free = at + w/2 + 8
		out = append(out, plot.Tick{Value: math.Log2(x), Label: t})
	}
	return out
}

func (c Lines) highest() float64 {
	top := 0.0
	for _, sr := range c.Series {
		for _, pt := range sr.Points {
			if pt.Reading != Missing {
				top = max(top, pt.Value)
			}
		}
	}
	if top == 0 {
		return 1 // all values are zero; any scale shows that
	}
	return top
}

// runs returns the unbroken stretches of a series. Only measured points are joined: through a bound
// the line would claim a value.
func (sr LineSeries) runs(xs []float64) (runs []plotter.XYs) {
	var run plotter.XYs
	for i, pt := range sr.Points {
		if pt.Reading == Measured {
			run = append(run, plotter.XY{X: math.Log2(xs[i]), Y: pt.Value})
		}
		if pt.Reading != Measured || i == len(sr.Points)-1 {
			if len(run) > 1 {
				runs = append(runs, run)
			}
			run = nil
		}
	}
	return runs
}

func (sr LineSeries) markers(xs []float64, g glyph) mark {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for i, pt := range sr.Points {
			at := vg.Point{X: x(math.Log2(xs[i])), Y: y(pt.Value)}
			switch pt.Reading {
			case Measured:
				g.draw(dc, at)
			case AtMost:
				glyph{bound, g.color, false, g.radius + 1}.draw(dc, at)
			}
		}
	}
}

// area is where gonum will draw a plot, in the coordinates of the figure. Labels are placed by it before
// anything is drawn, so it asks gonum itself where the data will lie.
type area struct {
	outer, data box
	x, y        func(float64) float64
}

func newArea(plt *plot.Plot, outer box) area {
	w, h := outer.x1-outer.x0, outer.y1-outer.y0
	dc := plt.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: vg.Length(w), Y: vg.Length(h)}}})
	x := func(v vg.Length) float64 { return outer.x0 + float64(v) }
	y := func(v vg.Length) float64 { return outer.y1 - float64(v) }
	tx, ty := plt.Transforms(&dc)
	return area{
		outer: outer,
		data:  box{x(dc.Min.X), y(dc.Max.Y), x(dc.Max.X), y(dc.Min.Y)},
		x:     func(v float64) float64 { return x(tx(v)) },
		y:     func(v float64) float64 { return y(ty(v)) },
	}
}

// spots returns the markers with their labels, which may be empty, and the lines. At each x the upper
// half of the points has its labels above and the lower half below, the inner ones first, so that a
// stack of labels stands in the order of its points.
func (c Lines) spots(a area, labels [][]block) (spots []spot, lines []segment) {
	for j, x := range c.X {
		for _, i := range c.fromTheMiddle(j) {
			pt := c.Series[i.series].Points[j]
			sp := spot{x: a.x(math.Log2(x)), y: a.y(pt.Value), b: labels[i.series][j], up: i.up}
			if pt.Reading == AtMost {
				sp.up, sp.below = true, boundDepth
			}
			spots = append(spots, sp)
		}
	}
	for _, sr := range c.Series {
		for _, run := range sr.runs(c.X) {
			for k := 1; k < len(run); k++ {
				lines = append(lines, segment{a.x(run[k-1].X), a.y(run[k-1].Y), a.x(run[k].X), a.y(run[k].Y)})
			}
		}
	}
	return spots, lines
}

// side is a series' point at some x and the side that its label goes to.
type side struct {
	series int
	up     bool
}

// fromTheMiddle returns the points at one x, those of the middle first.
func (c Lines) fromTheMiddle(j int) []side {
	var byValue []int // from the highest
	for i, sr := range c.Series {
		if sr.Points[j].Reading != Missing {
			byValue = append(byValue, i)
		}
	}
	slices.SortStableFunc(byValue, func(a, b int) int {
		return cmp.Compare(c.Series[b].Points[j].Value, c.Series[a].Points[j].Value)
	})
	upper := (len(byValue) + 1) / 2
	var out []side
	for k := upper - 1; k >= 0; k-- {
		out = append(out, side{byValue[k], true})
	}
	for _, i := range byValue[upper:] {
		out = append(out, side{i, false})
	}
	return out
}

// below puts the name of the x axis and the legend.
func (c Lines) below(s *sheet, a area) {
	b := s.set(c.XLabel, small(muted), s.inner())
	y, mid := s.y+1, (a.data.x0+a.data.x1)/2
	s.then(func(p pen) { p.text(b, min(mid, s.width-margin-b.w/2), y, center) })
	s.y += b.h
	if len(c.Series) < 2 {
		return
	}
	var es []entry
	for i, t := range traces(len(c.Series))[:len(c.Series)] {
		es = append(es, entry{c.Series[i].Name, 30, func(p pen, x, y float64) {
			p.StrokeLines(stroke(t.glyph.color, 2, t.dashes...), []vg.Point{p.at(x, y), p.at(x+30, y)})
			t.glyph.draw(p.Canvas, p.at(x+15, y))
		}})
	}
	s.legend(es)
}

func (c Lines) check(s *sheet) {
	if n := len(c.Series); n < 1 || n > 4 {
		s.fail("%d series; lines can tell one to four apart", n)
	}
	if len(c.X) == 0 {
		s.fail("no points to draw")
	}
	for i, x := range c.X {
		if !(x > 0 && finite(x)) || i > 0 && x <= c.X[i-1] {
			s.fail("x values %v are not positive and rising", c.X)
		}
	}
	drawn := 0
	for _, sr := range c.Series {
		if len(sr.Points) != len(c.X) || sr.Name.empty() {
			s.fail("series %q needs a name and %d points, one for each x; it has %d", sr.Name, len(c.X), len(sr.Points))
		}
		for _, pt := range sr.Points {
			if pt.Reading == Missing {
				continue
			}
			drawn++
			if !finite(pt.Value) || pt.Value < 0 {
				s.fail("series %q: value %v is not a finite number from zero up", sr.Name, pt.Value)
			}
		}
	}
	if drawn == 0 && s.err == nil {
		s.fail("all points are missing")
	}
}
