package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
)

// newPlot returns a gonum plot in our style: no frame, no tick marks, small tick labels in our face.
// Everything that gonum would take from its global defaults is set here.
func newPlot(f *Fonts) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.TextHandler = f.handler
	set := func(st *text.Style) { st.Font, st.Handler, st.Color = descriptor(sizeSmall, false), f.handler, muted }
	set(&p.Title.TextStyle)
	set(&p.Legend.TextStyle)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		set(&a.Label.TextStyle)
		set(&a.Tick.Label)
		a.Width, a.Tick.Length, a.Padding = 0, 0, 0
		a.Tick.Marker = plot.ConstantTicks(nil)
	}
	p.X.Padding = axisGap
	// Gonum centres a label on its whole height. Ours counts space above for Chinese, so that digits
	// would stand low; this centres the digits (measured, within a tenth of a unit).
	p.Y.Tick.Label.YAlign = -0.34
	return p
}

const axisGap = 3.0 // between the data and the tick labels below it

// axisHeight is what gonum takes for the tick labels below a plot.
func (f *Fonts) axisHeight() float64 {
	e := f.handler.Extents(descriptor(sizeSmall, false))
	return float64(e.Ascent+e.Descent) + axisGap
}

// gridY returns thin lines along the ticks of the y axis.
func gridY() *plotter.Grid { return &plotter.Grid{Horizontal: stroke(grid, 1)} }

// niceTicks returns at most most round values in [lo, hi], a step of 1, 2, 2.5 or 5 apart, and the
// number of decimals that the step needs.
func niceTicks(lo, hi float64, most int) (ticks []float64, decimals int) {
	if !(hi-lo > 1e-12) || !finite(hi-lo) || most < 1 {
		return nil, 0
	}
	for exp := math.Floor(math.Log10((hi-lo)/float64(most))) - 1; ; exp++ {
		for _, m := range []float64{1, 2, 2.5, 5} {
			step := m * math.Pow(10, exp)
			first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
			if last-first+1 > float64(most) {
				continue
			}
			for i := first; i <= last; i++ {
				ticks = append(ticks, i*step)
			}
			decimals = int(math.Max(0, -exp))
			if m == 2.5 {
				decimals = int(math.Max(0, 1-exp))
			}
			return ticks, decimals
		}
	}
}

// linearTicks returns ticks for the axis of a plot of rows between x0 and x1: about one in room units,
// and fewer where their labels would touch.
func (s *sheet) linearTicks(lo, hi, x0, x1, room float64, label func(v float64, decimals int) string) []plot.Tick {
	for most := int((x1-x0)/room) + 1; most > 0; most-- {
		values, decimals := niceTicks(lo, hi, most)
		var out []plot.Tick
		end, clear := math.Inf(-1), true
		for _, v := range values {
			t, x := label(v, decimals), x0+(v-lo)/(hi-lo)*(x1-x0)
			if !s.tickFits(t, x, x1) {
				continue
			}
			half := width(s.fonts.face(sizeSmall, false), t) / 2
			clear = clear && x-half >= end+8
			end = x + half
			out = append(out, plot.Tick{Value: v, Label: t})
		}
		if clear {
			return out
		}
	}
	return nil
}

// timesTicks returns ticks of a logarithmic axis of factors: one and what lies the same steps
// from it, as near together as their labels allow. Steps are a difference or, over a long
// axis, a factor; gonum's own logarithmic ticks know powers of ten only, and gains lie
// between one and three.
func (s *sheet) timesTicks(lo, hi, x0, x1 float64) []plot.Tick {
	const room = 52.0
	at := func(v float64) float64 { return x0 + (x1-x0)*math.Log(v/lo)/math.Log(hi/lo) }
	var most []plot.Tick
	for _, values := range timesSeries(lo, hi) {
		var ticks []plot.Tick
		end, clear := math.Inf(-1), true
		for _, v := range values {
			x := at(v)
			clear = clear && x-end >= room
			end = x
			if s.tickFits(times(v), x, x1) {
				ticks = append(ticks, plot.Tick{Value: v, Label: times(v)})
			}
		}
		if clear && len(ticks) > len(most) {
			most = ticks
		}
	}
	return most
}

// timesSeries are the regular series of factors between two ends, which go through one.
// Differences come first: of series with as many ticks, theirs are the plainer ones.
func timesSeries(lo, hi float64) [][]float64 {
	const most = 40 // ticks, more than any axis has room for
	var list [][]float64
	for _, step := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1} {
		first, last := math.Ceil((lo-1)/step-1e-9), math.Floor((hi-1)/step+1e-9)
		var values []float64
		for i := first; i <= last && len(values) < most; i++ {
			if v := 1 + i*step; v > 0 {
				values = append(values, v)
			}
		}
		list = append(list, values)
	}
	for _, factor := range []float64{2, 4, 10} {
		first, last := math.Ceil(math.Log(lo)/math.Log(factor)-1e-9), math.Floor(math.Log(hi)/math.Log(factor)+1e-9)
		var values []float64
		for i := first; i <= last && len(values) < most; i++ {
			values = append(values, math.Pow(factor, i))
		}
		list = append(list, values)
	}
	return list
}

// tickFits reports whether a tick label centred on x stays on the sheet and inside of the plot, which
// ends at x1: gonum would shrink the plot for a label that reaches beyond.
func (s *sheet) tickFits(label string, x, x1 float64) bool {
	half := width(s.fonts.face(sizeSmall, false), label) / 2
	return x-half >= 1 && x+half <= x1
}

func plainTick(v float64, decimals int) string {
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// times prints a ratio the way facts do from 2 on. Rounding takes out what the arithmetic of the ticks
// left behind: 1.4000000000000001.
func times(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) + "x"
}

// finite reports whether v can be drawn. The limit is far beyond any measurement and keeps the
// arithmetic of the axes exact.
func finite(v float64) bool { return math.Abs(v) <= 1e15 }
