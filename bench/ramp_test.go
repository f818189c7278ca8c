package bench_test

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/parse"
)

// With constant gaps the ramp can be computed by hand: the gap before a request is the
// inverse of the rate that holds for it.
func TestRampsRise(t *testing.T) {
	t.Parallel()
	for strategy, rates := range map[string][]float64{"linear": {1, 2.5, 4}, "exponential": {1, 2, 4}} {
		due, err := bench.Ramp{Strategy: strategy, Start: 1, End: 4}.Arrivals(3, math.Inf(1), 0)
		require.NoError(t, err)
		at := 0.0
		for i, rate := range rates {
			at += 1 / rate
			require.InDelta(t, at, due[i].Seconds(), 1e-6, strategy)
		}
	}
}

// Drawn gaps have the mean of the rates, whatever the burstiness.
func TestDrawnRampsKeepTheirMean(t *testing.T) {
	t.Parallel()
	const n = 20000
	ramp := bench.Ramp{Strategy: "linear", Start: 10, End: 30}
	want, err := ramp.Arrivals(n, math.Inf(1), 0)
	require.NoError(t, err)
	for _, burstiness := range []float64{0.5, 1, 3} {
		due, err := ramp.Arrivals(n, burstiness, 1)
		require.NoError(t, err)
		require.True(t, slices.IsSorted(due))
		require.InEpsilon(t, want[n-1].Seconds(), due[n-1].Seconds(), 0.05)
		again, err := ramp.Arrivals(n, burstiness, 1)
		require.NoError(t, err)
		require.Equal(t, due, again)
	}
}

func TestImpossibleRampsAreErrors(t *testing.T) {
	t.Parallel()
	for _, r := range []bench.Ramp{
		{"steps", 1, 2}, {"linear", 0, 2}, {"linear", 2, 2}, {"linear", 2, 1}, {"linear", 1, math.Inf(1)}, {"linear", math.NaN(), 1},
	} {
		_, err := r.Arrivals(3, 1, 0)
		require.Error(t, err, "%v", r)
	}
	_, err := bench.Ramp{Strategy: "linear", Start: 1, End: 2}.Arrivals(3, 0, 0)
	require.ErrorContains(t, err, "burstiness")
}

func TestARampIsStated(t *testing.T) {
	t.Parallel()
	set := settings()
	set.Ramp = &bench.Ramp{Strategy: "linear", Start: 1, End: 4.5}
	var block, file bytes.Buffer
	require.NoError(t, bench.WriteBlock(&block, bench.Summarize(recorded(), bench.Goodput{}), set))
	require.Contains(t, block.String(), "Traffic ramp-up strategy: linear.\nWill increase RPS from 1.0 to 4.5 RPS over the duration of the benchmark.\n")
	require.NotContains(t, block.String(), "Traffic request rate")
	require.NoError(t, bench.WriteJSON(&file, recorded(), bench.Summarize(recorded(), bench.Goodput{}), set, false))
	records, _ := parse.Bytes("c.json", file.Bytes())
	require.Empty(t, records[0].Unknown)
	require.Contains(t, records[0].Settings, parse.Setting{Name: "ramp_up_end_rps", Text: "4.5", Line: 1})
}

func TestWaitingForAServer(t *testing.T) {
	t.Parallel()
	require.NoError(t, bench.WaitReady(t.Context(), serving(t, "/v1/models", `{"data":[{"id":"m"}]}`), time.Minute))
	err := bench.WaitReady(t.Context(), serving(t, "/elsewhere", ""), time.Millisecond)
	require.ErrorContains(t, err, "is not ready within 1ms")
}
