package stat_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze/stat"
)

// noisy makes n blocks of an incumbent and candidates with exact gains. The noise of
// every start is the amount given, up or down, in a pattern that is orthogonal to
// configurations wherever n is even.
func noisy(n int, noise float64, gains ...float64) []stat.Obs {
	var obs []stat.Obs
	for j := range n {
		for i, gain := range append([]float64{0}, gains...) {
			sign := float64(1 - 2*((i+j)%2))
			y := math.Log1p(gain) + sign*noise + 0.1*float64(j) // the last is a block's own
			obs = append(obs, stat.Obs{Config: name(i), Block: fmt.Sprint(j), Value: math.Exp(y)})
		}
	}
	return obs
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	cases := []struct {
		name   string
		obs    []stat.Obs
		k      int
		blocks int
		want   stat.Verdict
		look   int
		need   int
	}{
		{"a clear gain at the first look", noisy(3, 0, 0.05, 0), 2, 3, stat.Better, 1, 0},
		{"a clear loss at the first look", noisy(3, 0, -0.05, 0), 2, 3, stat.Worse, 1, 0},
		{"just above the least gain", noisy(6, 0, 0.0201), 1, 6, stat.Better, 2, 0},
		{"just below the least gain", noisy(6, 0, 0.0199), 1, 6, stat.NotDistinguishable, 2, 0},
		{"just above the least loss", noisy(6, 0, 1/1.0201-1), 1, 6, stat.Worse, 2, 0},
		{"just below the least loss", noisy(6, 0, 1/1.0199-1), 1, 6, stat.NotDistinguishable, 2, 0},
		{"a gain inside the noise", noisy(6, 0.03, 0.05), 1, 6, stat.NotDistinguishable, 2, 0},
		{"two blocks are no look", noisy(2, 0, 0.5, 0.5, 0.5, 0.5), 4, 2, stat.TooFew, 0, 3},
		{"one start a side", noisy(1, 0, 0.5), 1, 1, stat.TooFew, 0, 5},
		{"one start a side, four candidates", noisy(1, 0, 0.5, 0, 0, 0), 4, 1, stat.TooFew, 0, 3},
		{"three blocks of one candidate leave two degrees of freedom", noisy(3, 0, 0.5), 1, 3, stat.TooFew, 0, 5},
		{"five blocks of one candidate are judged as the first look", noisy(5, 0, 0.5), 1, 5, stat.Better, 1, 0},
		{"a last block that was cut short", noisy(4, 0, 0.5, 0, 0)[:14], 3, 4, stat.Better, 1, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rule.Test(mustFit(t, c.obs), "b", "a", c.k, c.blocks)
			require.Equal(t, c.want, r.Verdict, "%+v", r)
			require.Equal(t, c.look, r.Look)
			require.Equal(t, c.need, r.NeedStarts)
			require.Equal(t, c.want != stat.TooFew, r.Tested())
		})
	}
}

func TestASideWithOneStartIsNotTested(t *testing.T) {
	t.Parallel()
	var obs []stat.Obs
	for _, o := range noisy(4, 0, 0.5, 0, 0) {
		if o.Config != "b" || o.Block == "0" {
			obs = append(obs, o)
		}
	}
	r := stat.DefaultRule().Test(mustFit(t, obs), "b", "a", 3, 4)
	require.Equal(t, stat.TooFew, r.Verdict)
	require.Equal(t, 3, r.NeedStarts)
	near(t, 1.5, r.Ratio, 1e-9, "the ratio is known all the same")
}

func TestNeededStartsSuffice(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	for k := 1; k <= 6; k++ {
		gains := make([]float64, k)
		short := rule.Test(mustFit(t, noisy(1, 0, gains...)), "b", "a", k, 1)
		require.Equal(t, stat.TooFew, short.Verdict)
		n := short.NeedStarts
		require.True(t, rule.Test(mustFit(t, noisy(n, 0, gains...)), "b", "a", k, n).Tested(), "%d candidates, %d starts", k, n)
		require.False(t, rule.Test(mustFit(t, noisy(n-1, 0, gains...)), "b", "a", k, n-1).Tested(), "%d candidates, one fewer", k)
	}
}

// TestTheThresholdIsTheFormula recomputes a result by hand, with a quantile from a
// printed table: t(0.99, 20) is 2.528.
func TestTheThresholdIsTheFormula(t *testing.T) {
	t.Parallel()
	m := mustFit(t, noisy(6, 0.02, 0.05, 0, 0, 0))
	require.Equal(t, 20, m.DF())
	r := stat.DefaultRule().Test(m, "b", "a", 4, 6)
	s, _ := m.Spread()
	require.Equal(t, s, r.S, "above the least spread")
	near(t, 2.528, r.Critical, 5e-4, "t(1 - 0.04/4, 20)")
	near(t, r.Critical*s*math.Sqrt(2.0/6), r.Margin, 1e-12, "margin")
	require.Equal(t, r.Margin, r.Threshold, "above 2 %")
	near(t, r.LogRatio/(s*math.Sqrt(2.0/6)), r.T, 1e-9, "t")
	near(t, math.Exp(r.LogRatio), r.Ratio, 1e-12, "ratio")
	require.Equal(t, 0.04, r.Alpha)
}

func TestQuantilesArePrintedTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		alpha  float64
		blocks int
		want   float64 // one candidate: blocks - 1 degrees of freedom
	}{{0.05, 5, 2.132}, {0.025, 11, 2.228}, {0.01, 6, 3.365}, {0.005, 31, 2.750}, {0.1, 5, 1.533}} {
		rule := stat.DefaultRule()
		rule.Looks = []stat.Look{{Blocks: 1, Alpha: c.alpha}}
		r := rule.Test(mustFit(t, noisy(c.blocks, 0.01, 0)), "b", "a", 1, c.blocks)
		near(t, c.want, r.Critical, 5e-4, fmt.Sprint(c))
	}
}

func TestTheLeastSpreadIsBelievedNoFurther(t *testing.T) {
	t.Parallel()
	r := stat.DefaultRule().Test(mustFit(t, noisy(6, 0, 0.05, 0)), "b", "a", 2, 6)
	require.Less(t, r.RawS, 1e-9)
	require.Equal(t, 0.005, r.S)
}

func TestARuleWithoutLooksDecidesNothing(t *testing.T) {
	t.Parallel()
	r := stat.Rule{}.Test(mustFit(t, noisy(6, 0, 0.5, 0)), "b", "a", 2, 6)
	require.Equal(t, stat.TooFew, r.Verdict)
}

func TestErrorLevelsAddUp(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	near(t, 0.05, rule.StageError(), 1e-12, "a stage")
	near(t, 0.20, rule.StudyError(4), 1e-12, "four stages")
	require.Equal(t, 1.0, rule.StudyError(40), "a chance is at most 1")
	require.Zero(t, rule.StudyError(0))
}

// TestRealRepeatsOfOneStartAreTooFew takes the mean latencies of two engines under one
// load, one start each, from a recording on one H200: 1.070 s against 1.080 s.
func TestRealRepeatsOfOneStartAreTooFew(t *testing.T) {
	t.Parallel()
	m := mustFit(t, []stat.Obs{{Config: "vllm", Block: "1", Value: 1 / 1.070}, {Config: "sglang", Block: "1", Value: 1 / 1.080}})
	r := stat.DefaultRule().Test(m, "sglang", "vllm", 1, 1)
	require.Equal(t, stat.TooFew, r.Verdict)
	require.Equal(t, 5, r.NeedStarts)
	near(t, 1.070/1.080, r.Ratio, 1e-12, "latency old / new")
}
