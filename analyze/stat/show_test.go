package stat_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze/stat"
)

func TestShownSpread(t *testing.T) {
	t.Parallel()
	got, err := stat.ShowSpread([]float64{686.93, 673.33, 688.48}) // tokens/s, repeats of one start
	require.NoError(t, err)
	least, most := 673.33, 688.48
	want := stat.ShownSpread{N: 3, Least: least, Most: most, Median: 686.93, Range: most/least - 1}
	require.Empty(t, cmp.Diff(want, got))
	got, err = stat.ShowSpread([]float64{4, 1, 3, 2})
	require.NoError(t, err)
	require.Equal(t, 2.5, got.Median)
}

func TestShownValuesMustBePositive(t *testing.T) {
	t.Parallel()
	_, err := stat.ShowSpread([]float64{1})
	require.ErrorContains(t, err, "at least two")
	for _, bad := range []float64{0, -2, math.NaN(), math.Inf(1)} {
		_, err = stat.ShowSpread([]float64{1, bad})
		require.ErrorContains(t, err, "value 2 of 2")
		_, err = stat.ShowInterval([]float64{1, 2}, []float64{1, 2, bad})
		require.ErrorContains(t, err, "value 3 of 3")
		_, err = stat.ShowPaired([]float64{1, 2}, []float64{1, bad})
		require.ErrorContains(t, err, "value 2 of 2")
	}
	_, err = stat.ShowInterval(nil, []float64{1, 2})
	require.ErrorContains(t, err, "no values")
	_, err = stat.ShowInterval([]float64{1, 2}, []float64{1})
	require.ErrorContains(t, err, "at least two")
	_, err = stat.ShowPaired([]float64{1}, []float64{1})
	require.ErrorContains(t, err, "at least two")
	_, err = stat.ShowPaired([]float64{1, 2}, []float64{1, 2, 3})
	require.ErrorContains(t, err, "2 values cannot be paired with 3")
}

func TestShownIntervalHoldsTheRatioAndIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1, 3), 2, 30)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		got, err := stat.ShowInterval(a, b)
		require.NoError(t, err)
		require.LessOrEqual(t, got.Low, got.High)
		other, err := stat.ShowInterval(rapid.Permutation(a).Draw(t, "order"), b)
		require.NoError(t, err)
		near(t, got.Ratio, other.Ratio, 1e-12, "ratio in another order")
		require.Equal(t, [2]float64{got.Low, got.High}, [2]float64{other.Low, other.High})
		require.GreaterOrEqual(t, got.Low, 1.0/3)
		require.LessOrEqual(t, got.High, 3.0)
	})
}

// TestPairsDropWhatPromptsDifferBy: where every prompt gains the same, there is nothing
// that drawing prompts could move; and which pair comes first says nothing.
func TestPairsDropWhatPromptsDifferBy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Float64Range(0.01, 100), 2, 30).Draw(t, "seconds")
		gain := rapid.Float64Range(0.5, 3).Draw(t, "gain")
		a := make([]float64, len(b))
		for i := range b {
			a[i] = b[i] * gain
		}
		got, err := stat.ShowPaired(a, b)
		require.NoError(t, err)
		for _, v := range []float64{got.Ratio, got.Low, got.High} {
			near(t, gain, v, 1e-9, "each resample")
		}
	})
	a, b := []float64{3, 1, 2, 5}, []float64{1, 1.5, 2, 4}
	x, err := stat.ShowPaired(a, b)
	require.NoError(t, err)
	slices.Reverse(a)
	slices.Reverse(b)
	y, err := stat.ShowPaired(a, b)
	require.NoError(t, err)
	require.Equal(t, x, y)
}

// TestShownIntervalHasTheWidthOfItsStandardError compares with the normal interval,
// which a mean of 400 requests has.
func TestShownIntervalHasTheWidthOfItsStandardError(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := make([]float64, 400), make([]float64, 400)
	for i := range a {
		a[i], b[i] = 11+rng.NormFloat64(), 10+rng.NormFloat64()
	}
	got, err := stat.ShowInterval(a, b)
	require.NoError(t, err)
	se := math.Sqrt(1/121.0+1/100.0) / 20
	near(t, 2*1.96*se, math.Log(got.High/got.Low), 0.15*2*1.96*se, "width")
	near(t, 1.1, got.Ratio, 4*se, "ratio")
	require.True(t, got.Low < got.Ratio && got.Ratio < got.High)
}
