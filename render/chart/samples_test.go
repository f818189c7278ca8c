package chart

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// loadFonts returns the checked-in fonts.
func loadFonts(t testing.TB) *Fonts {
	t.Helper()
	regular, err := os.ReadFile("../../templates/fonts/NotoSansSC-Regular.subset.otf")
	require.NoError(t, err)
	bold, err := os.ReadFile("../../templates/fonts/NotoSansSC-Bold.subset.otf")
	require.NoError(t, err)
	f, err := LoadFonts(regular, bold)
	require.NoError(t, err)
	return f
}

// sample is a figure with data like that of the guides.
type sample struct {
	name string
	fig  figure
}

func (s sample) svg(f *Fonts) ([]byte, error) {
	switch fig := s.fig.(type) {
	case Bars:
		return fig.SVG(f)
	case Lines:
		return fig.SVG(f)
	case Waterfall:
		return fig.SVG(f)
	case Candidates:
		return fig.SVG(f)
	}
	return nil, fmt.Errorf("no such figure: %T", s.fig)
}

// samples returns every kind of figure in both languages at both widths.
func samples() []sample {
	var out []sample
	for _, lang := range []string{"en", "zh"} {
		for _, width := range []float64{640, 340} {
			size := map[float64]string{640: "wide", 340: "narrow"}[width]
			m := func(id string) Meta {
				return Meta{ID: id + "-" + lang + "-" + size, Title: say(lang, "Chart", "图"), Desc: say(lang, "The table beside it has the same numbers.", "旁边的表格有同样的数据。"), Lang: lang, Width: width}
			}
			for _, s := range []sample{
				{"bars-latency", latencyBars(lang, m("latency"))},
				{"bars-throughput", throughputBars(lang, m("throughput"))},
				{"lines", latencyLines(lang, m("lines"))},
				{"waterfall", waterfall(lang, m("waterfall"))},
				{"candidates", candidates(lang, m("candidates"))},
				{"candidates-floor", backends(lang, m("backends"))},
			} {
				s.name += "-" + lang + "-" + size
				out = append(out, s)
			}
		}
	}
	return out
}

func say(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}

func seconds(id string, v float64) Text {
	return Fact(strconv.FormatFloat(v, 'f', 3, 64)+" s", id, strconv.FormatFloat(v, 'f', -1, 64))
}

func gain(id string, ratio float64) Text {
	s := fmt.Sprintf("%+.1f%%", (ratio-1)*100)
	if ratio >= 2 {
		s = fmt.Sprintf("%.1fx", ratio)
	}
	return Fact(s, id, strconv.FormatFloat(ratio-1, 'f', 4, 64))
}

func latencyBars(lang string, m Meta) Bars {
	c := Bars{
		Meta:       m,
		ValueLabel: Plain(say(lang, "Mean request latency (s), lower is better", "平均请求延迟（s），越小越好")),
		Series:     []Text{Plain(say(lang, "Baseline: vLLM defaults", "基准配置：vLLM 默认参数")), Join(Plain(say(lang, "Optimized: SGLang, ", "优化后配置：SGLang，")), Literal("FP8"), Plain(say(lang, ", speculation", "，投机解码")))},
	}
	base, opt := []float64{1.658, 1.683, 1.685, 1.768}, []float64{0.621, 0.707, 0.773, 1.077}
	for i, n := range []string{"1", "2", "4", "8"} {
		g := BarGroup{Name: Join(Literal("ShareGPT"), Plain(say(lang, ", concurrency ", "，并发数 ")), Literal("c"+n))}
		second := Bar{1, opt[i], Measured, seconds("c"+n+":opt", opt[i])}
		if n == "8" {
			second.Reading = AtMost
			second.Label = Join(Plain(say(lang, "at most ", "至多 ")), second.Label)
		} else {
			g.Side = gain("c"+n+":gain", base[i]/opt[i])
		}
		g.Bars = []Bar{{0, base[i], Measured, seconds("c"+n+":base", base[i])}, second}
		c.Groups = append(c.Groups, g)
	}
	return c
}

func throughputBars(lang string, m Meta) Bars {
	c := Bars{
		Meta:       m,
		ValueLabel: Plain(say(lang, "Total throughput (token/s), higher is better", "总吞吐量（token/s），越大越好")),
		Series:     []Text{Plain(say(lang, "Baseline", "基准配置")), Plain(say(lang, "Optimized", "优化后配置"))},
	}
	for i, g := range []struct {
		name      string
		base, opt float64
	}{{"ShareGPT", 6595.66, 10426.27}, {"Input 1K, output 4K", 5796.73, 16884.75}, {"Input 32K, output 128", 0, 31504.62}} {
		id := fmt.Sprintf("case%d", i)
		rate := func(part string, v float64) Text {
			return Fact(fmt.Sprintf("%.2f", v), id+":"+part, fmt.Sprint(v))
		}
		bg := BarGroup{Name: Literal(g.name), Side: gain(id+":gain", g.opt/max(g.base, 1000)), Bars: []Bar{{0, g.base, Measured, rate("base", g.base)}, {1, g.opt, Measured, rate("opt", g.opt)}}}
		if g.base == 0 {
			bg.Side = nil
			bg.Bars[0] = Bar{0, 0, Missing, Plain(say(lang, "did not start", "启动失败"))}
		}
		c.Groups = append(c.Groups, bg)
	}
	return c
}

func latencyLines(lang string, m Meta) Lines {
	base, opt := []float64{1.658, 1.683, 1.685, 1.768}, []float64{0.621, 0.707, 0.773, 1.077}
	c := Lines{
		Meta:       m,
		XLabel:     Plain(say(lang, "Concurrency", "并发数")),
		ValueLabel: Plain(say(lang, "Mean request latency (s)", "平均请求延迟（s）")),
		X:          []float64{1, 2, 4, 8},
		Series:     []LineSeries{{Name: Plain(say(lang, "Baseline", "基准配置"))}, {Name: Plain(say(lang, "Optimized", "优化后配置"))}},
	}
	for i := range c.X {
		id := fmt.Sprintf("c%v", c.X[i])
		c.Series[0].Points = append(c.Series[0].Points, Point{base[i], Measured, seconds(id+":base", base[i])})
		p := Point{opt[i], Measured, seconds(id+":opt", opt[i])}
		if i == 3 {
			p = Point{opt[i], AtMost, Join(Plain("≤ "), p.Label)}
		}
		c.Series[1].Points = append(c.Series[1].Points, p)
	}
	return c
}

func waterfall(lang string, m Meta) Waterfall {
	step := func(en, zh string, f float64, k StepKind, note Text) Step {
		return Step{Name: Plain(say(lang, en, zh)), Label: gain("stage:"+en[:3], f), Note: note, Factor: f, Kind: k}
	}
	return Waterfall{
		Meta:       m,
		ValueLabel: Plain(say(lang, "Speed relative to the baseline (logarithmic)", "相对基准配置的速度（对数坐标）")),
		Steps: []Step{
			step("Inference engine", "推理引擎", 1.049, NotDistinguishable, Plain(say(lang, "not distinguishable", "无法区分"))),
			step("Quantization", "量化", 1.255, Gain, nil),
			step("Speculative decoding", "投机解码", 1.465, Gain, nil),
			step("Not attributed", "未归因的部分", 1.130, Unattributed, nil),
		},
		Total: step("Baseline to optimized", "基准配置到优化后配置", 1.049*1.255*1.465*1.130, Gain, nil),
	}
}

func candidates(lang string, m Meta) Candidates {
	words := map[string]string{
		"adopted": say(lang, "adopted", "采纳"), "tied": say(lang, "tied", "并列"), "outperformed": say(lang, "outperformed", "被超越"),
		"not-distinguishable": say(lang, "not distinguishable", "无法区分"), "no-gain": say(lang, "no gain", "无收益"), "infeasible": say(lang, "infeasible", "不可行"),
	}
	c := Candidates{
		Meta:       m,
		ValueLabel: Plain(say(lang, "Gain in latency over the incumbent", "相对当前最优配置的延迟收益")),
		Reference:  Join(Plain(say(lang, "Incumbent: SGLang, ", "当前最优配置：SGLang，")), Literal("FP8")),
		Band:       Join(Plain(say(lang, "Noise floor ", "噪声下限 ")), Fact("13%", "noise", "0.13")),
		Floor:      0.13,
	}
	for i, r := range []struct {
		name    string
		ratio   float64
		verdict string
	}{
		{"steps 4, top-k 4, draft tokens 16", 1.465, "adopted"}, {"steps 2, top-k 4, draft tokens 16", 1.42, "tied"},
		{"steps 4, top-k 4, draft tokens 32", 1.401, "tied"}, {"steps 4, top-k 8, draft tokens 16", 1.388, "tied"},
		{"steps 3, top-k 1, draft tokens 4", 1.215, "outperformed"}, {"steps 6, top-k 8, draft tokens 64", 0.82, "no-gain"},
		{"torch.compile, batch sizes up to 8", 1.021, "not-distinguishable"}, {"n-gram lookup, window 3", 0.951, "not-distinguishable"},
		{"EAGLE3, draft model Tengyunw/qwen3_8b_eagle3", 0, "infeasible"},
	} {
		row := Candidate{Name: Literal(r.name), Ratio: r.ratio, Verdict: r.verdict, Word: Plain(words[r.verdict]), Adopted: r.verdict == "adopted"}
		if r.ratio > 0 {
			row.Label = gain(fmt.Sprintf("cand%d:gain", i), r.ratio)
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// backends is a stage whose candidates lie within a tenth of a percent.
func backends(lang string, m Meta) Candidates {
	c := candidates(lang, m)
	c.Rows = c.Rows[:0]
	c.Floor = 0.03
	c.Band = Join(Plain(say(lang, "Declared floor ", "声明的噪声下限 ")), Fact("3%", "noise", "0.03"))
	for i, r := range []float64{1.0004, 0.9996, 1.0002} {
		c.Rows = append(c.Rows, Candidate{
			Name: Literal([]string{"--attention-backend fa3", "--attention-backend flashinfer", "--attention-backend triton"}[i]), Ratio: r,
			Label: gain(fmt.Sprintf("b%d", i), r), Verdict: "not-distinguishable", Word: Plain(say(lang, "not distinguishable", "无法区分")), Adopted: i == 0,
		})
	}
	c.Note = Plain(say(lang, "Speed only: quality was not measured.", "仅速度，未测质量。"))
	return c
}
