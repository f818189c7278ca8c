package metric_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/metric"
)

func TestSpecialRunsHaveDeclaredMetrics(t *testing.T) {
	t.Parallel()
	for id, unit := range map[metric.ID]metric.Unit{
		metric.AcceptanceAt(0):                     metric.Percent,
		metric.AcceptanceAt(12):                    metric.Percent,
		metric.AcceptanceRate:                      metric.Percent,
		metric.CommittedRate:                       metric.TokensPerS,
		metric.Of(metric.Pct(99), metric.ProbeE2E): metric.Milliseconds,
		metric.Of(metric.Pct(99.9), metric.E2E):    metric.Milliseconds,
	} {
		m, ok := metric.Lookup(id)
		require.True(t, ok, "%s", id)
		require.Equal(t, unit, m.Unit, "%s", id)
	}
	for _, id := range []metric.ID{"acceptance_rate_at_", "acceptance_rate_at_-1", "acceptance_rate_at_01", "acceptance_rate_at_x", "p99_probe"} {
		_, ok := metric.Lookup(id)
		require.False(t, ok, "%s", id)
	}
}

func TestPositionsFollowTheDistributions(t *testing.T) {
	t.Parallel()
	require.Less(t, metric.Order("p99_e2e_latency"), metric.Order("mean_probe_e2e_latency"))
	require.Less(t, metric.Order("p99_probe_e2e_latency"), metric.Order(metric.AcceptanceAt(0)))
	require.Less(t, metric.Order(metric.AcceptanceAt(2)), metric.Order(metric.AcceptanceAt(10)))
}
