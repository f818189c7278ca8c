package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Reading says what a value is.
type Reading int

// A value is measured, or only bounded from above, or not there at all: then its label says so in
// words, and nothing is drawn in its place.
const (
	Measured Reading = iota
	AtMost
	Missing
)

// Bars compares two or three series over the cases of a study: baseline against optimized. The bars lie,
// because standing ones have no room for the names of cases, or for their own values, on a phone.
type Bars struct {
	Meta
	ValueLabel Text   // what the bars measure, with the unit
	Series     []Text // one to three names, in the order of the bars
	Groups     []BarGroup
}

// BarGroup is one case.
type BarGroup struct {
	Name Text
	Side Text // a short text for the whole group, such as the speed-up
	Bars []Bar
}

// Bar is the value of one series in one case.
type Bar struct {
	Series  int // index into Bars.Series
	Value   float64
	Reading Reading
	Label   Text
}

// SVG draws the chart.
func (c Bars) SVG(f *Fonts) ([]byte, error) { return render(f, c, "bars") }

// PNG draws the chart in the light theme, with scale pixels for each user unit.
func (c Bars) PNG(f *Fonts, scale float64) ([]byte, error) { return raster(f, c, "bars", scale) }

func (c Bars) meta() Meta { return c.Meta }

const (
	barHeight = 19.0
	barGap    = 3.0
	groupGap  = 18.0
)

func (c Bars) compose(s *sheet) {
	if c.check(s); s.err != nil {
		return
	}
	looks := barLooks(len(c.Series))
	s.put(c.ValueLabel, small(muted), 6)
	rows, x0 := s.names(len(c.Groups),
		func(i int) (Text, style) { return c.Groups[i].Name, body(ink) },
		func(i int) (Text, style) { return c.Groups[i].Side, style{sizeSmall, true, accent} },
		func(i int) float64 { return float64(len(c.Groups[i].Bars))*(barHeight+barGap) - barGap })
	total := s.arrange(rows, groupGap)
	labels, scale := c.labels(s, s.width-margin-x0)
	if s.err != nil {
		return
	}
	// The axis ends where the sheet does, and the scale is such that the label behind every bar, not
	// only behind the longest, ends before it.
	top, avail := s.y, s.width-margin-x0
	hi := avail / scale
	ticks, along := s.linearTicks(0, hi, x0, x0+avail, 90, plainTick), s.stretches(rows, total)
	s.drawNames(rows, top)
	s.then(func(p pen) {
		plt := rowPlot(p.fonts, total, ticks, along)
		plt.X.Min, plt.X.Max = 0, hi
		plt.Add(c.marks(rows, looks, total), upright(0, stroke(faint, 1), along))
		plt.Draw(p.crop(box{x0, top, s.width - margin, top + total + p.fonts.axisHeight()}))
		c.drawLabels(p, rows, labels, x0, top, scale)
	})
	s.y += total + s.fonts.axisHeight()
	c.legend(s, looks)
}

// labels measures the labels of all bars and returns the scale at which they have room. A label gets at
// most 45 % of the width, so that the longest bar keeps the larger part.
func (c Bars) labels(s *sheet, avail float64) (labels [][]block, scale float64) {
	var rs []reach
	for _, g := range c.Groups {
		var bs []block
		for _, b := range g.Bars {
			// The last series is the one that the figure is about.
			st := body(muted)
			if b.Series == len(c.Series)-1 && b.Reading != Missing {
				st = strong(ink)
			}
			l := s.set(b.Label, st, avail*0.45)
			if l.h > barHeight+barGap {
				s.fail("label %q does not fit on one line beside its bar; shorten it or widen the chart", b.Label)
			}
			bs = append(bs, l)
			if b.Reading != Missing {
				rs = append(rs, reach{b.Value, l.w})
			}
		}
		labels = append(labels, bs)
	}
	if scale = unitsPer(rs, 0, avail); scale == 0 {
		scale = avail // all values are zero or missing: any scale shows that
	}
	return labels, scale
}

// barY returns the top of bar j of a row.
func barY(r row, j int) float64 {
	return r.mid() - r.body/2 + float64(j)*(barHeight+barGap)
}

// marks draws the bars. Their y is counted from the top of the plot, whose height is total.
func (c Bars) marks(rows []row, looks []look, total float64) mark {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for i, g := range c.Groups {
			for j, b := range g.Bars {
				if b.Reading == Missing {
					continue
				}
				l := looks[b.Series]
				if b.Reading == AtMost {
					l = l.bound()
				}
				t := barY(rows[i], j)
				l.rectangle(dc, vg.Rectangle{
					Min: vg.Point{X: x(0), Y: y(total - t - barHeight)},
					Max: vg.Point{X: x(b.Value), Y: y(total - t)},
				})
			}
		}
	}
}

func (c Bars) drawLabels(p pen, rows []row, labels [][]block, x0, top, scale float64) {
	for i, g := range c.Groups {
		for j, b := range g.Bars {
			x := x0 + labelGap
			if b.Reading != Missing {
				x += b.Value * scale
			}
			p.middle(labels[i][j], x, top+barY(rows[i], j)+barHeight/2, left)
		}
	}
}

func (c Bars) legend(s *sheet, looks []look) {
	if len(c.Series) < 2 {
		return
	}
	var es []entry
	for i, name := range c.Series {
		l := looks[i]
		es = append(es, entry{name, 14, func(p pen, x, y float64) { p.rectangle(box{x, y - 6, x + 14, y + 6}, l) }})
	}
	s.legend(es)
}

func (c Bars) check(s *sheet) {
	if n := len(c.Series); n < 1 || n > 3 {
		s.fail("%d series; bars can tell one to three apart", n)
	}
	if len(c.Groups) == 0 {
		s.fail("no groups to draw")
	}
	for _, g := range c.Groups {
		if g.Name.empty() || len(g.Bars) == 0 {
			s.fail("group %q needs a name and at least one bar", g.Name)
		}
		for _, b := range g.Bars {
			switch {
			case b.Series < 0 || b.Series >= len(c.Series):
				s.fail("group %q: bar of series %d, but there are %d series", g.Name, b.Series, len(c.Series))
			case b.Label.empty():
				s.fail("group %q: bar of series %q has no label", g.Name, c.Series[b.Series])
			case b.Reading != Missing && (!finite(b.Value) || b.Value < 0):
				s.fail("group %q: value %v of series %q is not a finite number from zero up", g.Name, b.Value, c.Series[b.Series])
			}
		}
	}
}
