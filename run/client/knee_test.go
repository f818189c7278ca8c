package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/metric"
	"benchguide/parse"
	"benchguide/run/client"
	"benchguide/study"
)

func pointsOf(goodputs []float64, ttfts ...float64) []client.Point {
	var all []client.Point
	for i, g := range goodputs {
		p := client.Point{Rate: float64(i + 1), Goodput: g, Values: map[metric.ID]float64{}}
		if i < len(ttfts) {
			p.Values["p99_ttft"] = ttfts[i]
		}
		all = append(all, p)
	}
	return all
}

func TestKnee(t *testing.T) {
	t.Parallel()
	limit := 200.0
	limits := []study.Limit{{Metric: "p99_ttft", AtMost: &limit}}
	for name, c := range map[string]struct {
		points []client.Point
		limits []study.Limit
		best   int
		stop   bool
	}{
		"nothing measured":                       {nil, limits, -1, false},
		"one rate":                               {pointsOf([]float64{1}), nil, 0, false},
		"still rising":                           {pointsOf([]float64{1, 2, 3}), nil, 2, false},
		"fallen once":                            {pointsOf([]float64{1, 2, 1.5}), nil, 1, false},
		"fallen twice":                           {pointsOf([]float64{1, 2, 1.5, 1.8}), nil, 1, true},
		"fallen and recovered":                   {pointsOf([]float64{1, 2, 1.5, 2.5}), nil, 3, false},
		"level is no rise":                       {pointsOf([]float64{1, 2, 2, 2}), nil, 1, true},
		"broken once":                            {pointsOf([]float64{1, 2, 3}, 100, 150, 300), limits, 1, false},
		"broken twice":                           {pointsOf([]float64{1, 2, 3, 4}, 100, 150, 300, 400), limits, 1, true},
		"fallen, then broken":                    {pointsOf([]float64{2, 1, 3}, 100, 150, 300), limits, 0, true},
		"all broken":                             {pointsOf([]float64{1, 2}, 300, 400), limits, 1, true},
		"kept after broken":                      {pointsOf([]float64{3, 1}, 300, 100), limits, 1, true},
		"a limit on what was not measured":       {pointsOf([]float64{1, 2}), limits, 1, false},
		"nothing is good at any rate":            {pointsOf([]float64{0, 0, 0}), nil, 0, true},
		"broken limits do not count without any": {pointsOf([]float64{1, 2}, 300, 400), nil, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			best, stop := client.Knee(c.points, c.limits)
			require.Equal(t, c.best, best)
			require.Equal(t, c.stop, stop)
		})
	}
}

// No point that was measured is better than the one that is chosen.
func TestTheKneeIsTheBest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		goodputs := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 12).Draw(r, "goodputs")
		best, _ := client.Knee(pointsOf(goodputs), nil)
		for _, g := range goodputs {
			require.GreaterOrEqual(r, goodputs[best], g)
		}
	})
}

func TestAPointOfARecord(t *testing.T) {
	t.Parallel()
	records, _, err := parse.File("../../testdata/parse/corpus/h200-vllm-0.26.0-c4.1.txt")
	require.NoError(t, err)
	p := client.PointOf(4, records[0])
	require.Equal(t, 3.5, p.Goodput, "without limits every request is a good one")
	require.Equal(t, 31.73, p.Values["mean_ttft"])
	p = client.PointOf(4, parse.Record{Values: []parse.Value{{Metric: "request_throughput", Number: 4}, {Metric: "request_goodput", Number: 3}}})
	require.Equal(t, 3.0, p.Goodput)
}
