package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// row is a line of a figure whose names run down the left side, or stand above the marks on a
// narrow sheet. Rows, and not columns, are what lets names of any length be read on a phone.
type row struct {
	name block
	side block   // belongs to the whole row: under the name, or at the right end of its line if there is room
	body float64 // height that the marks need
	top  float64 // of the row, from the top of the plot
	head float64 // height of the name above the marks; zero when it stands beside them
	h    float64
	// inline says that the side text stands in line with the name
	inline bool
}

// mid is the middle of the marks, from the top of the plot.
func (r row) mid() float64 { return r.top + r.head + (r.h-r.head)/2 }

// A longer name wraps. A wider column would take from the marks what the figure is for.
const (
	nameShare = 0.36 // of the width, at most, for the column of names
	columnGap = 14.0
	headGap   = 4.0 // between a name and the marks below it
)

// names measures names and side texts and returns the rows and the left edge of the plot.
func (s *sheet) names(n int, name, side func(i int) (Text, style), body func(i int) float64) (rows []row, x0 float64) {
	limit := s.inner() * nameShare
	if s.stacked() {
		limit = s.inner()
	}
	for i := range n {
		r := row{body: body(i)}
		t, st := side(i)
		r.side = s.set(t, st, limit)
		t, st = name(i)
		r.name = s.set(t, st, limit)
		x0 = max(x0, r.name.w, r.side.w)
		rows = append(rows, r)
	}
	if s.stacked() {
		alignSides(rows, limit)
		return rows, margin
	}
	return rows, margin + x0 + columnGap
}

// alignSides puts the side texts in line with the names if that works for all rows. Some here and
// some there would be harder to read down the figure.
func alignSides(rows []row, limit float64) {
	fits := true
	for _, r := range rows {
		fits = fits && len(r.name.lines) == 1 && r.name.w+columnGap+r.side.w <= limit
	}
	for i := range rows {
		rows[i].inline = fits
	}
}

// arrange gives the rows their places, gap apart, and returns the height of all.
func (s *sheet) arrange(rows []row, gap float64) float64 {
	y := gap / 2
	for i := range rows {
		r := &rows[i]
		r.top, r.h = y, max(r.body, r.name.h+r.side.h)
		if s.stacked() {
			r.head = r.name.h + r.side.h + headGap
			if r.inline {
				r.head = max(r.name.h, r.side.h) + headGap
			}
			r.h = r.head + r.body
		}
		y += r.h + gap
	}
	return y - gap/2
}

// drawNames writes the names, and under or beside them the side texts. The plot starts at top.
func (s *sheet) drawNames(rows []row, top float64) {
	stacked, end := s.stacked(), s.width-margin
	s.then(func(p pen) {
		for _, r := range rows {
			y := top + r.top
			if !stacked {
				y = top + r.mid() - (r.name.h+r.side.h)/2
			}
			p.text(r.name, margin, y, left)
			if r.inline {
				p.text(r.side, end, y, right)
			} else {
				p.text(r.side, margin, y+r.name.h, left)
			}
		}
	})
}

// stretches are the parts of the height of a plot in which lines and bands across rows may run: all of
// it, or only beside the marks where names stand above them, so that nothing runs through a name.
func (s *sheet) stretches(rows []row, total float64) (out []stretch) {
	if !s.stacked() {
		return []stretch{{0, total}}
	}
	for _, r := range rows {
		from := total - r.top - r.head
		out = append(out, stretch{from - r.body - headGap/2, from + headGap/2})
	}
	return out
}

// stretch is a range of y in the data of a plot of rows, counted from its bottom.
type stretch struct{ lo, hi float64 }

// upright draws a vertical line at a value of x along the stretches.
func upright(at float64, sty draw.LineStyle, along []stretch) mark {
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		for _, s := range along {
			c.StrokeLine2(sty, x(at), y(s.lo), x(at), y(s.hi))
		}
	}
}

// rowPlot returns a plot of rows with an upright line of the grid at each tick.
func rowPlot(f *Fonts, total float64, ticks []plot.Tick, along []stretch) *plot.Plot {
	plt := newPlot(f)
	plt.Y.Min, plt.Y.Max = 0, total
	plt.X.Tick.Marker = plot.ConstantTicks(ticks)
	for _, t := range ticks {
		plt.Add(upright(t.Value, stroke(grid, 1), along))
	}
	return plt
}

// reach is a mark that ends at v, measured on the scale of the axis, with a label of width w behind.
type reach struct{ v, w float64 }

// labelGap separates a mark from the label behind it.
const labelGap = 6.0

// unitsPer returns the largest scale, in units for each step of the axis from lo, at which every
// label still ends inside of avail.
func unitsPer(rs []reach, lo, avail float64) float64 {
	scale := 0.0
	for _, r := range rs {
		if r.v <= lo {
			continue // ends where the axis starts, at every scale
		}
		if k := (avail - labelGap - r.w) / (r.v - lo); scale == 0 || k < scale {
			scale = k
		}
	}
	return scale
}
