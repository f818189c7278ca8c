package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Candidates sets the candidates of one stage against their incumbent and the noise band around it.
type Candidates struct {
	Meta
	ValueLabel Text // what the ratio is of: "latency, relative to the incumbent"
	Reference  Text // names the line at 1, the incumbent
	Band       Text // names the noise band
	Rows       []Candidate
	Floor      float64 // noise floor as a fraction: 0.13 draws a band from 1/1.13 to 1.13
}

// Candidate is one row. Rows are drawn in the order given: the study's, or by gain, is for the caller
// to say. Word says the verdict in the reader's language and stands beside every size.
type Candidate struct {
	Name    Text
	Ratio   float64 // gain over the incumbent, above 1 is better; not used when the verdict has no value
	Label   Text    // the ratio as printed; empty when the verdict has no value
	Verdict string  // a verdict of the design: "adopted", "tied", "not-distinguishable", ...
	Word    Text
	Adopted bool // the stage went on with it
}

// SVG draws the chart.
func (c Candidates) SVG(f *Fonts) ([]byte, error) { return render(f, c, "candidates") }

// PNG draws the chart in the light theme, with scale pixels for each user unit.
func (c Candidates) PNG(f *Fonts, scale float64) ([]byte, error) {
	return raster(f, c, "candidates", scale)
}

func (c Candidates) meta() Meta { return c.Meta }

const (
	dotHeight = 20.0
	dotGap    = 9.0
)

func (c Candidates) compose(s *sheet) {
	if c.check(s); s.err != nil {
		return
	}
	s.put(c.ValueLabel, small(muted), 6)
	cols := c.columns(s)
	rows, x0 := s.names(len(c.Rows),
		func(i int) (Text, style) { return c.Rows[i].Name, c.Rows[i].style(ink) },
		func(i int) (Text, style) {
			if s.stacked() {
				return c.Rows[i].verdict(), c.Rows[i].style(muted)
			}
			return nil, body(ink)
		},
		func(i int) float64 { return max(dotHeight, cols.height(i)) })
	gap := dotGap
	if s.stacked() {
		gap = 2 * dotGap
	}
	total := s.arrange(rows, gap)
	if s.err != nil {
		return
	}
	top, x1 := s.y, s.width-margin-cols.width
	lo, hi := c.ends()
	ticks, along := s.linearTicks(lo, hi, x0, x1, 64, ratioTick(hi)), s.stretches(rows, total)
	s.drawNames(rows, top)
	s.then(func(p pen) {
		plt := rowPlot(p.fonts, total, ticks, along)
		plt.X.Min, plt.X.Max = lo, hi
		plt.Add(c.noise(along), upright(1, stroke(muted, 1.5), along), c.marks(rows, total))
		plt.Draw(p.crop(box{x0, top, x1, top + total + p.fonts.axisHeight()}))
		cols.draw(p, rows, x1, top)
	})
	s.y += total + s.fonts.axisHeight()
	c.legend(s)
}

// columns are the sizes, aligned on their right so that digits stand under digits, and the verdicts to
// the right of the plot. On a narrow sheet they stand in line with the names instead, and the columns
// are empty.
type columns struct {
	gains, words []block
	gain, width  float64 // width of the sizes, and of everything
}

func (c Candidates) columns(s *sheet) columns {
	var cols columns
	if s.stacked() {
		return cols
	}
	word := 0.0
	for _, r := range c.Rows {
		g := s.set(r.Label, r.style(ink), s.inner()*0.15)
		w := s.set(r.Word, r.wordStyle(), s.inner()*0.24)
		cols.gains, cols.words = append(cols.gains, g), append(cols.words, w)
		cols.gain, word = max(cols.gain, g.w), max(word, w.w)
	}
	cols.width = columnGap + cols.gain + 10 + word
	return cols
}

// height is what the columns need in row i.
func (cols columns) height(i int) float64 {
	if len(cols.gains) == 0 {
		return 0
	}
	return max(cols.gains[i].h, cols.words[i].h)
}

func (cols columns) draw(p pen, rows []row, x, top float64) {
	for i := range cols.gains {
		y := top + rows[i].mid()
		p.middle(cols.gains[i], x+columnGap+cols.gain, y, right)
		p.middle(cols.words[i], x+columnGap+cols.gain+10, y, left)
	}
}

// style makes the candidate that the stage went on with stand out.
func (r Candidate) style(c role) style {
	if r.Adopted {
		return strong(accent)
	}
	return body(c)
}

func (r Candidate) wordStyle() style {
	st := r.style(muted)
	st.size = sizeSmall
	return st
}

// verdict returns size and verdict as one text.
func (r Candidate) verdict() Text {
	if r.Label.empty() {
		return r.Word
	}
	return Join(r.Label, Plain(" "), r.Word)
}

// ends returns the ends of the axis: all ratios and the noise band, with room for the markers.
func (c Candidates) ends() (lo, hi float64) {
	lo, hi = 1/(1+c.Floor), 1+c.Floor
	for _, r := range c.Rows {
		if !r.Label.empty() {
			lo, hi = min(lo, r.Ratio), max(hi, r.Ratio)
		}
	}
	pad := max(0.06*(hi-lo), 0.02)
	return lo - pad, hi + pad
}

// ratioTick returns how ticks are printed: as a gain in percent, or as a factor where facts on the
// axis reach the size at which they are printed as factors.
func ratioTick(hi float64) func(v float64, decimals int) string {
	if hi >= 2.2 {
		return func(v float64, _ int) string { return times(v) }
	}
	return func(v float64, decimals int) string {
		percent := math.Round((v-1)*1e6) / 1e4 // exact again after the arithmetic of the ticks
		s := plainTick(percent, max(0, decimals-2)) + "%"
		if percent > 0 {
			s = "+" + s
		}
		return s
	}
}

func (c Candidates) check(s *sheet) {
	if len(c.Rows) == 0 {
		s.fail("no candidates to draw")
	}
	if !(c.Floor >= 0 && c.Floor < 10) {
		s.fail("noise floor %v is not a fraction from zero up", c.Floor)
	}
	for _, r := range c.Rows {
		if r.Name.empty() || r.Word.empty() {
			s.fail("candidate %q needs a name and its verdict in words", r.Name)
		}
		if _, ok := verdictGlyph(r); !ok {
			s.fail("candidate %q: verdict %q is not one that a chart knows", r.Name, r.Verdict)
		}
		if !r.Label.empty() && !(r.Ratio > 0 && r.Ratio <= 1e3) {
			s.fail("candidate %q: ratio %v is not a positive number up to 1000", r.Name, r.Ratio)
		}
	}
}

// noise draws the band inside which a candidate cannot be told from the incumbent.
func (c Candidates) noise(along []stretch) mark {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		if c.Floor == 0 {
			return
		}
		for _, s := range along {
			r := vg.Rectangle{Min: vg.Point{X: x(1 / (1 + c.Floor)), Y: y(s.lo)}, Max: vg.Point{X: x(1 + c.Floor), Y: y(s.hi)}}
			dc.SetColor(band)
			dc.Fill(r.Path())
			for _, at := range []vg.Length{r.Min.X, r.Max.X} {
				dc.StrokeLine2(stroke(faint, 1, 2, 3), at, r.Min.Y, at, r.Max.Y)
			}
		}
	}
}

// marks draws a stem from the incumbent to the marker of each candidate. A stem, and not a bar, because
// its length is a difference from 1 and the band has to show behind it.
func (c Candidates) marks(rows []row, total float64) mark {
	return func(dc draw.Canvas, x, y func(float64) vg.Length) {
		for i, r := range c.Rows {
			if r.Label.empty() {
				continue
			}
			g, _ := verdictGlyph(r)
			at := vg.Point{X: x(r.Ratio), Y: y(total - rows[i].mid())}
			dc.StrokeLine2(stroke(g.color, 1.5), x(1), at.Y, at.X, at.Y)
			g.draw(dc, at)
		}
	}
}

func (c Candidates) legend(s *sheet) {
	var es []entry
	if !c.Reference.empty() {
		es = append(es, entry{c.Reference, 3, func(p pen, x, y float64) {
			p.StrokeLines(stroke(muted, 1.5), []vg.Point{p.at(x+1.5, y-7), p.at(x+1.5, y+7)})
		}})
	}
	if !c.Band.empty() && c.Floor > 0 {
		es = append(es, entry{c.Band, 18, func(p pen, x, y float64) {
			p.rectangle(box{x, y - 6, x + 18, y + 6}, look{fill: band, filled: true})
			for _, at := range []float64{x, x + 18} {
				p.StrokeLines(stroke(faint, 1, 2, 3), []vg.Point{p.at(at, y-6), p.at(at, y+6)})
			}
		}})
	}
	s.legend(es)
}
