package stat_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze/stat"
)

// tolerance is what two ways of computing the same log ratio may differ by. A verdict
// that hangs on less is not compared.
const tolerance = 1e-9

// plan draws what a test needs besides the starts.
func plan(t *rapid.T) (k, blocks int) {
	return rapid.IntRange(1, 6).Draw(t, "k"), rapid.IntRange(0, 8).Draw(t, "blocks")
}

// same requires two results to agree but for rounding.
func same(t require.TestingT, want, got stat.Result) {
	near(t, want.LogRatio, got.LogRatio, tolerance, "log ratio")
	near(t, want.VarianceFactor, got.VarianceFactor, tolerance, "variance factor")
	near(t, want.RawS, got.RawS, tolerance, "spread")
	near(t, want.Threshold, got.Threshold, 1e-6, "threshold") // a critical value of one degree of freedom is large
	require.Equal(t, want.NeedStarts, got.NeedStarts)
	require.Equal(t, want.DF, got.DF)
	if !onTheEdge(want) {
		require.Equal(t, want.Verdict, got.Verdict)
	}
}

func onTheEdge(r stat.Result) bool {
	return r.Tested() && math.Abs(math.Abs(r.LogRatio)-r.Threshold) < 1e-6
}

var rank = map[stat.Verdict]int{stat.Worse: 1, stat.NotDistinguishable: 2, stat.Better: 3}

func TestScalingACandidateForTheBetterNeverWorsensItsVerdict(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		obs := anyStarts(t)
		k, blocks := plan(t)
		by := 1 + rapid.Float64Range(0, 0.2).Draw(t, "by")
		rule := stat.DefaultRule()
		before := rule.Test(mustFit(t, obs), "a", "b", k, blocks)
		after := rule.Test(mustFit(t, scale(obs, by, func(o stat.Obs) bool { return o.Config == "a" })), "a", "b", k, blocks)
		require.Equal(t, before.Tested(), after.Tested())
		if !before.Tested() {
			require.Equal(t, before.Verdict, after.Verdict)
			return
		}
		near(t, before.LogRatio+math.Log(by), after.LogRatio, tolerance, "log ratio")
		near(t, before.RawS, after.RawS, tolerance, "spread")
		if !onTheEdge(before) {
			require.GreaterOrEqual(t, rank[after.Verdict], rank[before.Verdict])
		}
	})
}

func TestSwappingSidesInvertsTheRatio(t *testing.T) {
	t.Parallel()
	opposite := map[stat.Verdict]stat.Verdict{stat.Better: stat.Worse, stat.Worse: stat.Better}
	rapid.Check(t, func(t *rapid.T) {
		m := mustFit(t, anyStarts(t))
		k, blocks := plan(t)
		ab := stat.DefaultRule().Test(m, "a", "b", k, blocks)
		ba := stat.DefaultRule().Test(m, "b", "a", k, blocks)
		require.Equal(t, -ab.LogRatio, ba.LogRatio)
		require.Equal(t, -ab.T, ba.T)
		require.Equal(t, ab.Threshold, ba.Threshold)
		want := ab.Verdict
		if turned, ok := opposite[want]; ok {
			want = turned
		}
		require.Equal(t, want, ba.Verdict)
	})
}

func TestAnotherUnitChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		obs := anyStarts(t)
		k, blocks := plan(t)
		by := rapid.SampledFrom([]float64{1e-3, 1e3, 60, 3600, 1.0 / 8, 1e9}).Draw(t, "unit")
		other := scale(obs, by, func(stat.Obs) bool { return true })
		rule := stat.DefaultRule()
		same(t, rule.Test(mustFit(t, obs), "a", "b", k, blocks), rule.Test(mustFit(t, other), "a", "b", k, blocks))
	})
}

func TestAFactorOfABlockChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		obs := anyStarts(t)
		k, blocks := plan(t)
		block := rapid.SampledFrom(obs).Draw(t, "start").Block
		by := rapid.Float64Range(0.5, 2).Draw(t, "by")
		other := scale(obs, by, func(o stat.Obs) bool { return o.Block == block })
		rule := stat.DefaultRule()
		same(t, rule.Test(mustFit(t, obs), "a", "b", k, blocks), rule.Test(mustFit(t, other), "a", "b", k, blocks))
	})
}

func TestTheOrderOfStartsChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		obs := anyStarts(t)
		k, blocks := plan(t)
		before := append([]stat.Obs(nil), obs...)
		other := rapid.Permutation(obs).Draw(t, "order")
		rule := stat.DefaultRule()
		want := rule.Test(mustFit(t, obs), "a", "b", k, blocks)
		require.Empty(t, cmp.Diff(want, rule.Test(mustFit(t, other), "a", "b", k, blocks)), "to the last bit")
		require.Empty(t, cmp.Diff(before, obs), "the caller's starts are left as they were")
	})
}

func TestNoResultHoldsANumberThatIsNone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := mustFit(t, anyStarts(t))
		k := rapid.IntRange(-1, 9).Draw(t, "k")
		blocks := rapid.IntRange(-1, 12).Draw(t, "blocks")
		rule := stat.DefaultRule()
		rule.MinDF = rapid.IntRange(-1, 6).Draw(t, "min df")
		r := rule.Test(m, "a", "b", k, blocks)
		for _, v := range []float64{r.LogRatio, r.Ratio, r.Threshold, r.Margin, r.Critical, r.T, r.S, r.RawS, r.VarianceFactor} {
			require.False(t, math.IsNaN(v) || math.IsInf(v, 0), "%+v", r)
		}
		require.Equal(t, r.Verdict == stat.TooFew, r.NeedStarts > 0, "%+v", r)
		if r.Verdict == stat.TooFew {
			require.GreaterOrEqual(t, r.NeedStarts, 3)
		}
	})
}
