package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestAnyLabelsStayClear draws figures with names of every length, values of every size and both
// widths. A figure may refuse, with a reason; one that is drawn has no text on another.
func TestAnyLabelsStayClear(t *testing.T) {
	t.Parallel()
	fonts := loadFonts(t)
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		m := Meta{ID: "r", Title: "t", Desc: "d", Width: rapid.SampledFrom([]float64{300, 340, 480, 640, 900}).Draw(t, "width")}
		svg, err := anyFigure(t, m).svg(fonts)
		if err != nil {
			require.Regexp(t, "fit|room", err.Error())
			return
		}
		drawn++
		requireClear(t, parse(t, svg))
	})
	require.Positive(t, drawn)
}

var words = []string{"吞吐量", "延迟", "基准配置，", "speculative", "--attention-backend", "draft", "tokens", "Tengyunw/qwen3_8b_eagle3", "a", "（FP8）"}

func anyName(t *rapid.T) Text {
	n := rapid.IntRange(1, 8).Draw(t, "words")
	var ws []string
	for range n {
		ws = append(ws, rapid.SampledFrom(words).Draw(t, "word"))
	}
	return Literal(strings.Join(ws, " "))
}

func anyFigure(t *rapid.T, m Meta) sample {
	value := rapid.Float64Range(0, 40000)
	ratio := rapid.Float64Range(0.4, 3)
	n := rapid.IntRange(1, 9).Draw(t, "n")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		c := Bars{Meta: m, ValueLabel: anyName(t), Series: []Text{anyName(t), anyName(t)}}
		for range n {
			g := BarGroup{Name: anyName(t), Side: Plain("fast")}
			for s := range 2 {
				v := value.Draw(t, "v")
				g.Bars = append(g.Bars, Bar{s, v, Reading(rapid.IntRange(0, 2).Draw(t, "reading")), Fact(fmt.Sprintf("%.2f", v), "f", "1")})
			}
			c.Groups = append(c.Groups, g)
		}
		return sample{fig: c}
	case 1:
		c := Lines{Meta: m, XLabel: anyName(t), ValueLabel: anyName(t), Series: []LineSeries{{Name: anyName(t)}, {Name: anyName(t)}}}
		for i := range n {
			c.X = append(c.X, float64(int(1)<<i))
			for s := range 2 {
				v := value.Draw(t, "v")
				c.Series[s].Points = append(c.Series[s].Points, Point{v, Reading(rapid.IntRange(0, 1).Draw(t, "reading")), Fact(fmt.Sprintf("%.2f", v), "f", "1")})
			}
		}
		return sample{fig: c}
	case 2:
		c := Waterfall{Meta: m, ValueLabel: anyName(t), Total: Step{Name: anyName(t), Label: Fact("2.7x", "f", "1"), Factor: 1}}
		for range n {
			f := ratio.Draw(t, "ratio")
			c.Total.Factor *= f
			c.Steps = append(c.Steps, Step{Name: anyName(t), Label: gain("f", f), Factor: f, Note: Plain("not distinguishable"), Kind: StepKind(rapid.IntRange(0, 2).Draw(t, "step"))})
		}
		if c.Total.Factor > 1e3 || c.Total.Factor < 1e-3 {
			c.Steps, c.Total.Factor = c.Steps[:1], c.Steps[0].Factor
		}
		return sample{fig: c}
	}
	c := Candidates{Meta: m, ValueLabel: anyName(t), Reference: anyName(t), Band: anyName(t), Floor: rapid.Float64Range(0, 0.4).Draw(t, "floor")}
	for range n {
		f := ratio.Draw(t, "ratio")
		c.Rows = append(c.Rows, Candidate{Name: anyName(t), Ratio: f, Label: gain("f", f), Verdict: "tied", Word: Plain("not distinguishable")})
	}
	return sample{fig: c}
}

func TestLinesBreakOnlyWhereTheyMay(t *testing.T) {
	t.Parallel()
	face := loadFonts(t).face(sizeBody, false)
	check := func(text Text, limit float64, want ...string) {
		t.Helper()
		var got []string
		for _, l := range wrap(face, text, limit) {
			s := ""
			for _, f := range l.frags {
				s += f.text
				if f.space {
					s += " "
				}
			}
			got = append(got, strings.TrimSpace(s))
			if text[0].Fact == "" {
				require.LessOrEqual(t, l.w, limit)
			}
		}
		require.Equal(t, want, got)
	}
	check(Plain("draft tokens"), 200, "draft tokens")
	check(Plain("draft tokens"), 60, "draft", "tokens")
	check(Plain("投机解码，量化"), 43, "投机解", "码，量", "化")
	check(Plain("投机解码，量化"), 60, "投机解", "码，量化")
	check(Plain("（单个 H100）上"), 75, "（单个", "H100）上")
	check(Plain("--attention-backend"), 90, "--attention-", "backend")
	check(Fact("8403.97 token/s", "f", "8403.97"), 40, "8403.97 token/s")
	check(Join(Plain("at most "), Fact("1.077 s", "f", "1.077")), 80, "at most", "1.077 s")
}

func TestABoundIsNoMeasurement(t *testing.T) {
	t.Parallel()
	c := latencyLines("en", Meta{ID: "l", Title: "t", Desc: "d"})
	c.Series[0].Points[1].Reading = Missing
	runs := c.Series[0].runs(c.X)
	require.Len(t, runs, 1, "a lone point before the gap makes no line")
	require.Len(t, runs[0], 2)
	require.Len(t, c.Series[1].runs(c.X)[0], 3, "the bound at the end is not joined")
}

func TestNiceTicks(t *testing.T) {
	t.Parallel()
	check := func(lo, hi float64, most int, decimals int, want ...float64) {
		t.Helper()
		got, d := niceTicks(lo, hi, most)
		require.InDeltaSlice(t, want, got, 1e-9)
		require.Equal(t, decimals, d)
	}
	check(0, 1.9, 5, 1, 0, 0.5, 1, 1.5)
	check(0, 37000, 5, 0, 0, 10000, 20000, 30000)
	check(0.93, 1.07, 4, 2, 0.95, 1, 1.05)
	check(0, 0.1, 5, 3, 0, 0.025, 0.05, 0.075, 0.1)
	none, _ := niceTicks(1, 1, 5)
	require.Empty(t, none)
}

// TestTicksOfFactorsAreRegular: one is among them, and from each to the next is the same
// step, or else the same factor.
func TestTicksOfFactorsAreRegular(t *testing.T) {
	t.Parallel()
	s := &sheet{setter: setter{fonts: loadFonts(t)}, width: 720}
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(0.2, 1).Draw(t, "lo")
		hi := rapid.Float64Range(1.02, 20).Draw(t, "hi")
		x1 := rapid.Float64Range(250, 700).Draw(t, "end")
		const x0 = 60
		ticks := s.timesTicks(lo, hi, x0, x1)
		require.NotEmpty(t, ticks)
		at := func(i int) float64 { return x0 + (x1-x0)*math.Log(ticks[i].Value/lo)/math.Log(hi/lo) }
		one, steps, factors := false, true, true
		for i, tick := range ticks {
			one = one || math.Abs(tick.Value-1) < 1e-9
			require.LessOrEqual(t, len(tick.Label), len("0.0625x"))
			if i > 0 {
				require.Greater(t, at(i)-at(i-1), 50.0)
			}
			if i > 1 {
				steps = steps && math.Abs(tick.Value-2*ticks[i-1].Value+ticks[i-2].Value) < 1e-9
				factors = factors && math.Abs(tick.Value*ticks[i-2].Value/ticks[i-1].Value/ticks[i-1].Value-1) < 1e-9
			}
		}
		require.True(t, steps || factors, "%v", ticks)
		require.True(t, one || !s.tickFits("1x", x0+(x1-x0)*math.Log(1/lo)/math.Log(hi/lo), x1), "%v", ticks)
	})
}

func TestManyDrawingsAtOnceAreEqual(t *testing.T) {
	t.Parallel()
	fonts := loadFonts(t)
	c := candidates("zh", Meta{ID: "c", Title: "t", Desc: "d"})
	outs := make([][]byte, 16)
	var wg sync.WaitGroup
	for i := range outs {
		wg.Go(func() { outs[i], _ = c.SVG(fonts) })
	}
	wg.Wait()
	require.NotEmpty(t, outs[0])
	for _, o := range outs {
		require.True(t, bytes.Equal(outs[0], o))
	}
}

func TestPictureHasTheFigureInIt(t *testing.T) {
	t.Parallel()
	fonts := loadFonts(t)
	m := Meta{ID: "b", Title: "t", Desc: "d", Heading: Join(Literal("Qwen3-8B"), Plain(" 延迟"))}
	data, err := latencyBars("zh", m).PNG(fonts, 2)
	require.NoError(t, err)
	again, err := latencyBars("zh", m).PNG(fonts, 2)
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, again))
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 1280, img.Bounds().Dx())
	accents, inks := 0, 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			switch r, g, b, _ := img.At(x, y).RGBA(); [3]uint32{r >> 8, g >> 8, b >> 8} {
			case [3]uint32{0x0a, 0x66, 0xc2}:
				accents++
			case [3]uint32{0x1b, 0x20, 0x28}:
				inks++
			}
		}
	}
	require.Greater(t, accents, 20000, "the optimized bars")
	require.Greater(t, inks, 500, "the labels")
	_, err = latencyBars("zh", m).PNG(fonts, 0)
	require.ErrorContains(t, err, "scale 0")
}

func TestLabelsOfLinesStackInTheOrderOfTheirPoints(t *testing.T) {
	t.Parallel()
	c := Lines{Meta: Meta{ID: "l", Title: "t", Desc: "d"}, XLabel: Plain("x"), ValueLabel: Plain("y"), X: []float64{1}}
	values := []float64{1.6, 1.9, 1.7, 1.8}
	for i, v := range values {
		c.Series = append(c.Series, LineSeries{Name: Plain("s"), Points: []Point{{Value: v, Label: seconds(fmt.Sprint("f", i), v)}}})
	}
	svg, err := c.SVG(loadFonts(t))
	require.NoError(t, err)
	p := parse(t, svg)
	requireClear(t, p)
	at := map[string]float64{}
	for _, d := range p.texts {
		at[d.text] = d.y0
	}
	require.IsIncreasing(t, []float64{at["1.900 s"], at["1.800 s"], at["1.700 s"], at["1.600 s"]})
}
