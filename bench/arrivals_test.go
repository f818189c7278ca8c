package bench_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/bench"
)

var inf = math.Inf(1)

func TestArrivalsEndWhenTheRateSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		rate := rapid.Float64Range(0.1, 1000).Draw(t, "rate")
		shape := rapid.SampledFrom([]float64{0.01, 0.5, 1, 3, inf}).Draw(t, "burstiness")
		seed := rapid.Uint64().Draw(t, "seed")
		due, err := bench.Arrivals(n, rate, shape, seed)
		require.NoError(t, err)
		require.Len(t, due, n)
		require.True(t, slices.IsSorted(due))
		require.InDelta(t, float64(n)/rate, due[n-1].Seconds(), 1e-6)
		again, _ := bench.Arrivals(n, rate, shape, seed)
		require.Equal(t, due, again)
	})
}

// The gaps of a gamma process of shape k have a coefficient of variation of 1/√k.
func TestBurstinessIsTheShapeOfTheGaps(t *testing.T) {
	t.Parallel()
	for _, shape := range []float64{0.5, 1, 4} {
		due, err := bench.Arrivals(20_000, 100, shape, 1)
		require.NoError(t, err)
		var sum, squares float64
		last := time.Duration(0)
		for _, at := range due {
			gap := (at - last).Seconds()
			sum, squares, last = sum+gap, squares+gap*gap, at
		}
		mean := sum / 20_000
		require.InDelta(t, 1/math.Sqrt(shape), math.Sqrt(squares/20_000-mean*mean)/mean, 0.05, "burstiness %v", shape)
	}
}

func TestConstantAndUnlimitedRates(t *testing.T) {
	t.Parallel()
	due, err := bench.Arrivals(3, 10, inf, 7)
	require.NoError(t, err)
	require.Equal(t, []time.Duration{100 * ms, 200 * ms, 300 * ms}, due)
	due, err = bench.Arrivals(3, inf, 1, 7)
	require.NoError(t, err)
	require.Equal(t, []time.Duration{0, 0, 0}, due)
}

func TestOtherSeedsArriveAtOtherTimes(t *testing.T) {
	t.Parallel()
	a, _ := bench.Arrivals(10, 1, 1, 1)
	b, _ := bench.Arrivals(10, 1, 1, 2)
	require.NotEqual(t, a, b)
}

func TestImpossibleRatesAreErrors(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]float64{{0, 1}, {-1, 1}, {math.NaN(), 1}, {1, 0}, {1, -1}, {1, math.NaN()}} {
		_, err := bench.Arrivals(3, c[0], c[1], 0)
		require.Error(t, err, "%v", c)
	}
}

func TestTraceOfArrivals(t *testing.T) {
	t.Parallel()
	due, err := bench.ReadArrivals("t", strings.NewReader("# seconds\n0\n0.5\n\n 0.5 \n2\n"))
	require.NoError(t, err)
	require.Equal(t, []time.Duration{0, 500 * ms, 500 * ms, 2 * time.Second}, due)
	for text, want := range map[string]string{
		"0\nx\n": `t:2: "x" is no time`, "1\n0.5\n": "t:2: 0.5 is before", "-1": "t:1:", "NaN": "t:1:", "1e300": "t:1:",
	} {
		_, err := bench.ReadArrivals("t", strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
}
