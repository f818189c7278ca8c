package render

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze"
	"benchguide/metric"
)

func TestFactsPrintInEveryStyle(t *testing.T) {
	t.Parallel()
	ratio := func(v float64, id metric.ID) analyze.Fact {
		return analyze.Fact{ID: "f", Kind: analyze.Ratio, Value: v, Metric: id, Precision: 1}
	}
	gain := func(v float64) analyze.Fact { return ratio(v, metric.TotalThroughput) }
	for _, c := range []struct {
		name  string
		fact  analyze.Fact
		style string
		want  string // empty: the fact has no such style
	}{
		{"gain", gain(1.4649), "", "+46.5%"},
		{"loss", gain(0.9), "", "-10.0%"},
		{"nothing", gain(1), "", "0.0%"},
		{"rounds to nothing from above", gain(1.0004), "", "0.0%"},
		{"rounds to nothing from below", gain(0.9996), "", "0.0%"},
		{"rounds away from nothing", gain(1.0006), "", "+0.1%"},
		{"just below twice", gain(1.9999), "", "+100.0%"},
		{"twice", gain(2), "", "2.0x"},
		{"from twice on a multiple", gain(2.68), "", "2.7x"},
		{"percent whatever the size", gain(2.68), StylePercent, "+168.0%"},
		{"times below two has two decimals", gain(1.4649), StyleTimes, "1.46x"},
		{"times", gain(2.68), StyleTimes, "2.7x"},
		{"times below one", gain(0.5), StyleTimes, "0.50x"},
		{"factor", gain(2.68), StyleFactor, "2.7"},
		{"factor below two", gain(1.4649), StyleFactor, "1.46"},
		{"change of a throughput", gain(1.25), StyleChange, "+25.0%"},
		{"change of a latency is of the time itself", ratio(1.25, metric.RequestLatency), StyleChange, "-20.0%"},
		{"bare ratio", gain(1.25), StyleBare, ""},
		{"unknown style", gain(1.25), "fancy", ""},
		{"seconds", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 0.87449, Unit: "s", Precision: 3}, "", "0.874 s"},
		{"bare seconds", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 0.87449, Unit: "s", Precision: 3}, StyleBare, "0.874"},
		{"seconds as times", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 0.87449, Unit: "s", Precision: 3}, StyleTimes, ""},
		{"throughput", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 8403.97, Unit: "token/s", Precision: 2}, "", "8403.97 token/s"},
		{"tokens are named by the words around them", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 22061, Unit: "tokens"}, "", "22061"},
		{"percentages", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 71.4286, Unit: "%", Precision: 2}, "", "71.43%"},
		{"requests too", analyze.Fact{ID: "f", Kind: analyze.Measured, Value: 100, Unit: "requests"}, "", "100"},
		{"fraction", analyze.Fact{ID: "f", Kind: analyze.Fraction, Value: 0.1301, Precision: 1}, "", "13.0%"},
		{"small fraction", analyze.Fact{ID: "f", Kind: analyze.Fraction, Value: 0.00078, Precision: 2}, "", "0.08%"},
		{"fraction as times", analyze.Fact{ID: "f", Kind: analyze.Fraction, Value: 0.13, Precision: 1}, StyleTimes, ""},
		{"count", analyze.Fact{ID: "f", Kind: analyze.Count, Value: 40}, "", "40"},
		{"declared", analyze.Fact{ID: "f", Kind: analyze.Declared, Value: 4}, StyleBare, "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := factText(c.fact, c.style)
			require.Equal(t, c.want == "", err != nil, "%v", err)
			require.Equal(t, c.want, got)
		})
	}
}

// A gain and its change of the time have opposite signs, and no percentage prints a
// zero with a sign.
func TestPercentagesAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.Float64Range(0.05, 1.99).Draw(rt, "ratio")
		f := analyze.Fact{ID: "f", Kind: analyze.Ratio, Value: v, Metric: metric.RequestLatency}
		gain, err := factText(f, "")
		require.NoError(rt, err)
		change, err := factText(f, StyleChange)
		require.NoError(rt, err)
		require.NotRegexp(rt, `^[+-]0\.0%$`, gain)
		require.NotRegexp(rt, `^[+-]0\.0%$`, change)
		if gain[0] == '+' && change[0] != '0' {
			require.Equal(rt, byte('-'), change[0])
		}
	})
}

func TestExactValuesReadBack(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0.1: "0.1", 1e21: "1000000000000000000000", 22061: "22061", 1.0999999999999999: "1.0999999999999999"} {
		require.Equal(t, want, exact(v))
	}
}
