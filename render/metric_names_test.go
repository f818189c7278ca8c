package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/i18n"
	"benchguide/metric"
	"benchguide/render"
)

// TestMetricsThatALimitMayNameHaveNames: a limit on a metric without a name would stop
// the build of a study that is in order.
func TestMetricsThatALimitMayNameHaveNames(t *testing.T) {
	t.Parallel()
	c, err := render.LoadCatalogue(i18n.Files)
	require.NoError(t, err)
	ids := []metric.ID{metric.FailedRequests, metric.RequestThroughput, metric.RequestGoodput, metric.InputThroughput, metric.OutputThroughput,
		metric.TotalThroughput, metric.RequestLatency, metric.ErrorRate, metric.MeanConcurrency, metric.AcceptanceRate, metric.AcceptanceLength,
		metric.CommittedRate, metric.RealTimeFactor}
	for _, q := range metric.Quantities() {
		ids = append(ids, metric.Of(metric.Mean, q))
	}
	for _, lang := range render.Langs() {
		for _, id := range ids {
			_, err := c.Text(lang, "metric."+string(id), nil)
			require.NoError(t, err)
		}
	}
}
