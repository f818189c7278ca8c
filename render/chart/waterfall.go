package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// StepKind says what is known about a step of a waterfall.
type StepKind int

// A step is a gain, or not distinguishable from the noise, or the rest that no stage explains.
const (
	Gain StepKind = iota
	NotDistinguishable
	Unattributed
)

// Waterfall shows how the gains of the stages multiply to the whole.
type Waterfall struct {
	Meta
	ValueLabel Text // what the axis shows: the speed relative to the baseline
	Steps      []Step
	Total      Step // its Factor is the product of the others; its Kind is not used
}

// Step is one factor. A step inside the noise needs a Note that says so: its size never stands alone.
type Step struct {
	Name, Label, Note Text
	Factor            float64
	Kind              StepKind
}

// SVG draws the chart.
func (c Waterfall) SVG(f *Fonts) ([]byte, error) { return render(f, c, "waterfall") }

// PNG draws the chart in the light theme, with scale pixels for each user unit.
func (c Waterfall) PNG(f *Fonts, scale float64) ([]byte, error) {
	return raster(f, c, "waterfall", scale)
}

func (c Waterfall) meta() Meta { return c.Meta }

// span is where the bar of a step runs, as factors of the baseline.
type span struct{ from, to float64 }

const (
	stepHeight = 22.0
	stepGap    = 12.0
)

func (c Waterfall) compose(s *sheet) {
	if c.check(s); s.err != nil {
		return
	}
	s.put(c.ValueLabel, small(muted), 6)
	steps, spans := append(c.Steps[:len(c.Steps):len(c.Steps)], c.Total), c.spans()
	rows, x0 := s.names(len(steps),
		func(i int) (Text, style) {
			if i == len(c.Steps) {
				return steps[i].Name, strong(ink)
			}
			return steps[i].Name, body(ink)
		},
		func(int) (Text, style) { return nil, body(ink) },
		func(int) float64 { return stepHeight })
	avail := s.width - margin - x0
	lo, hi, labels := c.scale(s, steps, spans, avail)
	for i := range rows {
		rows[i].body = max(stepHeight, labels[i].h)
	}
	total := s.arrange(rows, stepGap)
	if s.err != nil {
		return
	}
	top := s.y
	ticks, along := s.timesTicks(lo, hi, x0, x0+avail), s.stretches(rows, total)
	s.drawNames(rows, top)
	s.then(func(p pen) {
		plt := rowPlot(p.fonts, total, ticks, along)
		plt.X.Scale = plot.LogScale{}
		plt.X.Min, plt.X.Max = lo, hi
		plt.Add(c.marks(rows, steps, spans, total), upright(1, stroke(faint, 1), along))
		if len(along) == 1 { // where names stand above the bars, connectors would run through them
			plt.Add(connectors(rows, spans, total))
		}
		plt.Draw(p.crop(box{x0, top, s.width - margin, top + total + p.fonts.axisHeight()}))
		for i, sp := range spans {
			end := x0 + avail*math.Log(max(sp.from, sp.to)/lo)/math.Log(hi/lo)
			p.middle(labels[i], end+labelGap, top+rows[i].mid(), left)
		}
	})
	s.y += total + s.fonts.axisHeight()
}

// spans returns the bars of the steps, each from where the one before ended, and that of the total.
func (c Waterfall) spans() []span {
	at := 1.0
	var out []span
	for _, st := range c.Steps {
		out = append(out, span{at, at * st.Factor})
		at *= st.Factor
	}
	return append(out, span{1, at})
}

// scale measures the labels and chooses the ends of the axis. The axis is logarithmic: factors that
// multiply then have lengths that add, and the same gain is as long early as late. On a linear axis
// the last stages would look larger than they are.
func (c Waterfall) scale(s *sheet, steps []Step, spans []span, avail float64) (lo, hi float64, labels []block) {
	var rs []reach
	lo = 1.0
	for i, sp := range spans {
		t, st := steps[i].Label, strong(ink)
		if !steps[i].Note.empty() {
			t = Join(t, Plain("  "), steps[i].Note)
		}
		if steps[i].Kind != Gain && i < len(c.Steps) {
			st = body(muted)
		}
		// A note that makes the label too long goes smaller before it goes onto a second line.
		l := s.set(t, st, avail*0.7)
		if len(l.lines) > 1 {
			l = s.set(Join(steps[i].Label, Plain(" "), steps[i].Note), small(st.color), avail*0.7)
		}
		labels = append(labels, l)
		rs = append(rs, reach{math.Log(max(sp.from, sp.to)), l.w})
		lo = min(lo, sp.from, sp.to)
	}
	k := unitsPer(rs, math.Log(lo), avail)
	if k == 0 {
		k = avail / math.Log(2) // nothing was gained or lost
	}
	return lo, lo * math.Exp(avail/k), labels
}

func (c Waterfall) marks(rows []row, steps []Step, spans []span, total float64) mark {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for i, sp := range spans {
			mid := total - rows[i].mid()
			stepLook(steps[i], i == len(c.Steps)).rectangle(dc, vg.Rectangle{
				Min: vg.Point{X: x(min(sp.from, sp.to)), Y: y(mid - stepHeight/2)},
				Max: vg.Point{X: x(max(sp.from, sp.to)), Y: y(mid + stepHeight/2)},
			})
		}
	}
}

// connectors joins the end of each step with the start of the next.
func connectors(rows []row, spans []span, total float64) mark {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for i, sp := range spans[:len(spans)-1] {
			from, to := total-rows[i].mid()-stepHeight/2, total-rows[i+1].mid()+stepHeight/2
			dc.StrokeLine2(stroke(faint, 1), x(sp.to), y(from), x(sp.to), y(to))
		}
	}
}

// stepLook tells gains (full), steps inside the noise (dashed), the unattributed (hatched) and the
// total (dark) apart; losses are outlined in their own colour.
func stepLook(st Step, total bool) look {
	switch {
	case total:
		return look{fill: whole, filled: true, outline: whole, width: 1}
	case st.Kind == NotDistinguishable:
		return look{outline: base, width: 1.25, dashed: true}
	case st.Kind == Unattributed:
		return look{outline: base, width: 1, hatched: true}
	case st.Factor < 1:
		return look{fill: bad, filled: true, outline: bad, width: 1}
	}
	return look{fill: accent, filled: true, outline: accent, width: 1}
}

func (c Waterfall) check(s *sheet) {
	if len(c.Steps) == 0 {
		s.fail("no steps to draw")
	}
	product := 1.0
	for _, st := range append(c.Steps[:len(c.Steps):len(c.Steps)], c.Total) {
		switch {
		case st.Name.empty() || st.Label.empty():
			s.fail("step %q needs a name and a label", st.Name)
		case !(st.Factor >= 1e-3 && st.Factor <= 1e3):
			s.fail("step %q: factor %v is not a positive number between 0.001 and 1000", st.Name, st.Factor)
		case st.Kind == NotDistinguishable && st.Note.empty():
			s.fail("step %q is not distinguishable and needs a note that says so beside its size", st.Name)
		}
	}
	for _, st := range c.Steps {
		product *= st.Factor
	}
	// The remainder is what makes the product whole, so a difference is an error of the caller and not
	// of rounding; a thousandth is below what any label prints.
	if s.err == nil && math.Abs(product/c.Total.Factor-1) > 1e-3 {
		s.fail("the steps multiply to %.4f, the total says %.4f", product, c.Total.Factor)
	}
}
