package stat_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze/stat"
)

func TestPowerWithoutATestIsNone(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	require.Zero(t, rule.Power(0.5, 0.01, 4, 2), "two starts are no look")
	require.Zero(t, rule.Power(0.5, 0.01, 1, 4), "three degrees of freedom")
	require.Positive(t, rule.Power(0.5, 0.01, 1, 5))
	require.Zero(t, rule.Power(0.5, 0.01, 4, 0))
	require.Zero(t, rule.Power(0.5, 0.01, 4, -1))
}

func TestPowerWithoutNoiseIsAllOrNothing(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	near(t, 1, rule.Power(0.05, 0, 4, 6), 1e-9, "above the threshold")
	near(t, 0, rule.Power(0.01, 0, 4, 6), 1e-9, "below the least gain")
}

// TestPowerOfNoEffectIsTheErrorOfOneCandidate: where the least gain and the least
// spread do not bind, the test errs as often as it says.
func TestPowerOfNoEffectIsTheErrorOfOneCandidate(t *testing.T) {
	t.Parallel()
	for _, k := range []int{1, 2, 4, 8} {
		near(t, 0.04/float64(k), stat.DefaultRule().Power(0, 0.2, k, 6), 2e-4, "second look")
		near(t, 0.01/float64(k), stat.DefaultRule().Power(0, 0.2, k, 5), 2e-4, "first look")
	}
}

func TestPowerRisesWithEffectAndFallsWithSpread(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := stat.DefaultRule()
		effect, s := rapid.Float64Range(0, 0.2).Draw(t, "effect"), rapid.Float64Range(0.001, 0.05).Draw(t, "s")
		k, n := rapid.IntRange(1, 6).Draw(t, "k"), rapid.IntRange(2, 12).Draw(t, "starts")
		p := rule.Power(effect, s, k, n)
		require.True(t, p >= 0 && p <= 1, "%v", p)
		require.GreaterOrEqual(t, rule.Power(effect+0.01, s, k, n), p-1e-9)
		require.LessOrEqual(t, rule.Power(0, s, k, n), 0.04/float64(k)+1e-3, "no effect, no gain")
		if effect > rule.Delta { // below it more starts only show that it does not count
			require.GreaterOrEqual(t, rule.Power(effect, s, k, n+1), p-1e-4, "another start")
			require.LessOrEqual(t, rule.Power(effect, s+0.001, k, n), p+1e-4, "more spread")
		}
	})
}

func TestNeedIsTheLeastNumberThatSuffices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := stat.DefaultRule()
		effect, s := rapid.Float64Range(0.025, 0.2).Draw(t, "effect"), rapid.Float64Range(0.002, 0.03).Draw(t, "s")
		k := rapid.IntRange(1, 6).Draw(t, "k")
		n, ok := rule.Need(effect, s, k, 0.8)
		if !ok {
			require.Less(t, rule.Power(effect, s, k, 200), 0.8)
			return
		}
		require.GreaterOrEqual(t, rule.Power(effect, s, k, n), 0.8)
		require.Less(t, rule.Power(effect, s, k, n-1), 0.8)
	})
}

func TestNoNumberOfStartsFindsWhatDoesNotCount(t *testing.T) {
	t.Parallel()
	_, ok := stat.DefaultRule().Need(0.015, 0.01, 4, 0.8)
	require.False(t, ok, "1.5 % is below the least gain")
}

func TestPowerTableKeepsItsOrder(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	cells := rule.PowerTable([]float64{0.03, 0.05}, []float64{0.01}, []int{3, 6}, 4)
	require.Len(t, cells, 4)
	require.Equal(t, stat.PowerCell{Effect: 0.03, Spread: 0.01, Starts: 6, Power: rule.Power(0.03, 0.01, 4, 6)}, cells[1])
	require.Equal(t, 0.05, cells[2].Effect)
}
