package metric_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/metric"
)

func TestRatiosAreAboveOneWhenBetter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id          metric.ID
		before, now float64
		want        float64
		ok          bool
	}{
		{metric.TotalThroughput, 100, 125, 1.25, true},
		{metric.RequestLatency, 1.25, 1, 1.25, true},
		{metric.RequestLatency, 1, 1.25, 0.8, true},
		{metric.Of(metric.Pct(99), metric.TTFT), 50, 25, 2, true},
		{metric.Duration, 2, 1, 0, false},
		{metric.TotalThroughput, 0, 1, 0, false},
		{metric.TotalThroughput, 1, 0, 0, false},
		{metric.TotalThroughput, -1, 1, 0, false},
		{metric.TotalThroughput, math.NaN(), 1, 0, false},
		{metric.TotalThroughput, 1, math.Inf(1), 0, false},
		{metric.TotalThroughput, math.SmallestNonzeroFloat64, math.MaxFloat64, 0, false},
		{metric.RequestLatency, math.SmallestNonzeroFloat64, math.MaxFloat64, 0, false},
	} {
		got, ok := metric.MustLookup(c.id).Ratio(c.before, c.now)
		require.Equal(t, c.ok, ok, "%+v", c)
		if ok {
			require.Equal(t, c.want, got, "%+v", c)
		}
	}
}

func TestSwappedSidesAreReciprocal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := metric.MustLookup(rapid.SampledFrom([]metric.ID{metric.TotalThroughput, metric.RequestLatency}).Draw(rt, "metric"))
		a, b := rapid.Float64Range(1e-9, 1e15).Draw(rt, "a"), rapid.Float64Range(1e-9, 1e15).Draw(rt, "b")
		one, ok1 := m.Ratio(a, b)
		other, ok2 := m.Ratio(b, a)
		require.True(rt, ok1 && ok2)
		require.InEpsilon(rt, 1, one*other, 1e-12)
	})
}

func TestIdsHaveOneSpelling(t *testing.T) {
	t.Parallel()
	for _, id := range []metric.ID{"mean_ttft", "p99_tpot", "p99.9_itl", "median_e2e_latency", "max_probe_e2e_latency", "duration", "total_throughput"} {
		m, ok := metric.Lookup(id)
		require.True(t, ok, id)
		require.Equal(t, id, m.ID)
		require.NotEmpty(t, m.Name)
	}
	for _, id := range []metric.ID{"", "ttft", "avg_ttft", "p_ttft", "p099_ttft", "p101_ttft", "p-1_ttft", "mean_", "mean_ttft ", "Mean_ttft", "pNaN_ttft"} {
		_, ok := metric.Lookup(id)
		require.False(t, ok, "%q", id)
	}
	require.Panics(t, func() { metric.MustLookup("nothing") })
}

func TestOrderIsThatOfPrint(t *testing.T) {
	t.Parallel()
	want := []metric.ID{"completed_requests", "duration", "total_throughput", "mean_ttft", "median_ttft", "std_ttft", "min_ttft", "max_ttft",
		"p50_ttft", "p99_ttft", "p99.9_ttft", "mean_tpot", "mean_itl", "mean_e2e_latency", "acceptance_rate_at_0", "acceptance_rate_at_1", "nothing"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b metric.ID) int {
		switch x, y := metric.Order(a), metric.Order(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	require.Equal(t, want, got)
}

func TestPercentilesNeedRequests(t *testing.T) {
	t.Parallel()
	for id, want := range map[metric.ID]int{"p50_ttft": 20, "p90_ttft": 100, "p99_ttft": 1000, "p99.9_ttft": 10000, "mean_ttft": 1, "max_ttft": 1, "p100_ttft": 1, "peak_concurrency": 1} {
		require.Equal(t, want, metric.MustLookup(id).NeedsRequests(), id)
	}
}

func TestValuesPrintWithTheirPrecision(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0.874", metric.MustLookup(metric.RequestLatency).Format(0.87449))
	require.Equal(t, "100", metric.MustLookup(metric.CompletedRequests).Format(100))
	require.Equal(t, []string{"higher", "lower", "neither"}, []string{metric.HigherIsBetter.String(), metric.LowerIsBetter.String(), metric.Neither.String()})
}
