package chart

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

func TestBadValuesAreErrorsThatNameThem(t *testing.T) {
	t.Parallel()
	fonts := loadFonts(t)
	m := Meta{ID: "x", Title: "t", Desc: "d", Lang: "en"}
	type edit struct {
		name, want string
		draw       func() ([]byte, error)
	}
	bars := func(f func(*Bars)) func() ([]byte, error) {
		return func() ([]byte, error) { c := latencyBars("en", m); f(&c); return c.SVG(fonts) }
	}
	lines := func(f func(*Lines)) func() ([]byte, error) {
		return func() ([]byte, error) { c := latencyLines("en", m); f(&c); return c.SVG(fonts) }
	}
	falls := func(f func(*Waterfall)) func() ([]byte, error) {
		return func() ([]byte, error) { c := waterfall("en", m); f(&c); return c.SVG(fonts) }
	}
	cands := func(f func(*Candidates)) func() ([]byte, error) {
		return func() ([]byte, error) { c := candidates("en", m); f(&c); return c.SVG(fonts) }
	}
	for _, c := range []edit{
		{"NaN bar", "value NaN", bars(func(c *Bars) { c.Groups[1].Bars[0].Value = math.NaN() })},
		{"infinite bar", "value +Inf", bars(func(c *Bars) { c.Groups[1].Bars[0].Value = math.Inf(1) })},
		{"absurd bar", "value 1e+300", bars(func(c *Bars) { c.Groups[1].Bars[0].Value = 1e300 })},
		{"negative bar", "value -1", bars(func(c *Bars) { c.Groups[1].Bars[0].Value = -1 })},
		{"no groups", "no groups", bars(func(c *Bars) { c.Groups = nil })},
		{"no series", "0 series", bars(func(c *Bars) { c.Series = nil })},
		{"unknown series", "bar of series 7", bars(func(c *Bars) { c.Groups[0].Bars[0].Series = 7 })},
		{"bar without label", "has no label", bars(func(c *Bars) { c.Groups[0].Bars[0].Label = nil })},
		{"fact without value", "is not a decimal number", bars(func(c *Bars) { c.Groups[0].Bars[0].Label = Fact("2 s", "f", "") })},
		{"fact and literal", "both a fact and a literal", bars(func(c *Bars) { c.Groups[0].Bars[0].Label[0].Literal = true })},
		{"long label", "does not fit", bars(func(c *Bars) {
			c.Groups[0].Bars[0].Label = Plain("a label that goes on and on and on until it needs a second line beside the bar")
		})},
		{"missing glyph", "(U+9F98)", bars(func(c *Bars) { c.Groups[0].Name = Plain("并发 \u9f98") })},
		{"bad UTF-8", "not valid UTF-8", bars(func(c *Bars) { c.Groups[0].Name = Plain("a\xffb") })},
		{"id", `id "1 x"`, bars(func(c *Bars) { c.ID = "1 x" })},
		{"no description", "description", bars(func(c *Bars) { c.Desc = "" })},
		{"width", "width NaN", bars(func(c *Bars) { c.Width = math.NaN() })},
		{"NaN point", "value NaN", lines(func(c *Lines) { c.Series[0].Points[0].Value = math.NaN() })},
		{"x zero", "not positive and rising", lines(func(c *Lines) { c.X[0] = 0 })},
		{"x falls", "not positive and rising", lines(func(c *Lines) { c.X[0] = 3 })},
		{"no x", "no points", lines(func(c *Lines) { c.X = nil })},
		{"short series", "it has 2", lines(func(c *Lines) { c.Series[0].Points = c.Series[0].Points[:2] })},
		{"all missing", "all points are missing", lines(func(c *Lines) {
			for i := range c.Series {
				for j := range c.Series[i].Points {
					c.Series[i].Points[j].Reading = Missing
				}
			}
		})},
		{"zero factor", "factor 0", falls(func(c *Waterfall) { c.Steps[0].Factor = 0 })},
		{"NaN factor", "factor NaN", falls(func(c *Waterfall) { c.Steps[0].Factor = math.NaN() })},
		{"no steps", "no steps", falls(func(c *Waterfall) { c.Steps = nil })},
		{"product", "the steps multiply to", falls(func(c *Waterfall) { c.Total.Factor = 3 })},
		{"size alone", "needs a note", falls(func(c *Waterfall) { c.Steps[0].Note = nil })},
		{"NaN ratio", "ratio NaN", cands(func(c *Candidates) { c.Rows[0].Ratio = math.NaN() })},
		{"negative ratio", "ratio -1", cands(func(c *Candidates) { c.Rows[0].Ratio = -1 })},
		{"NaN floor", "noise floor NaN", cands(func(c *Candidates) { c.Floor = math.NaN() })},
		{"verdict", `verdict "winner"`, cands(func(c *Candidates) { c.Rows[0].Verdict = "winner" })},
		{"no rows", "no candidates", cands(func(c *Candidates) { c.Rows = nil })},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := c.draw()
			require.ErrorContains(t, err, c.want)
			require.Nil(t, out)
		})
	}
}

func TestAPanicInsideGonumBecomesAnError(t *testing.T) {
	t.Parallel()
	var err error
	func() {
		defer guard("bars", &err)
		plot.LogScale{}.Normalize(0, 1, 0.5)
	}()
	require.ErrorContains(t, err, "draw bars: gonum/plot gave up: Values must be greater than 0")
}

func TestTheCanvasRefusesColoursWithoutARole(t *testing.T) {
	t.Parallel()
	c := newSVG(10)
	c.SetColor(color.RGBA{R: 200, A: 255})
	c.Fill(vg.Rectangle{Max: vg.Point{X: 1, Y: 1}}.Path())
	require.ErrorContains(t, c.err, "no role")
}

func TestFontsThatAreNoFontsAreRefused(t *testing.T) {
	t.Parallel()
	_, err := LoadFonts([]byte("nope"), nil)
	require.ErrorContains(t, err, "read the regular chart font")
}

func TestGonumsDefaultsStayAsTheyWere(t *testing.T) {
	t.Parallel()
	before := []any{plot.DefaultFont, plotter.DefaultFont, plot.DefaultTextHandler}
	for _, s := range samples() {
		_, err := s.svg(loadFonts(t))
		require.NoError(t, err)
	}
	require.Equal(t, before, []any{plot.DefaultFont, plotter.DefaultFont, plot.DefaultTextHandler})
	require.False(t, font.DefaultCache.Has(descriptor(0, false)), "our face got into the global cache")
}
