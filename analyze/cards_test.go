package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study/studytest"
)

// TestGPUsOfUnlikePowerAreToldApart: where they differ by more than the starts on one of
// them, and only where anybody can tell by how much those differ.
func TestGPUsOfUnlikePowerAreToldApart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		watts [3]float64
		gpus  [3]string
		want  map[string][2]float64 // by GPU: starts and mean power
	}{
		"apart":                  {[3]float64{500, 505, 430}, [3]string{"GPU-a", "GPU-a", "GPU-b"}, map[string][2]float64{"GPU-a": {2, 502.5}, "GPU-b": {1, 430}}},
		"more on the second":     {[3]float64{430, 500, 505}, [3]string{"GPU-a", "GPU-b", "GPU-b"}, map[string][2]float64{"GPU-a": {1, 430}, "GPU-b": {2, 502.5}}},
		"pairs of GPUs":          {[3]float64{500, 505, 430}, [3]string{"GPU-a, GPU-b", "GPU-a, GPU-b", "GPU-c, GPU-d"}, map[string][2]float64{"GPU-a, GPU-b": {2, 502.5}, "GPU-c, GPU-d": {1, 430}}},
		"just within the spread": {[3]float64{500, 510, 495}, [3]string{"GPU-a", "GPU-a", "GPU-b"}, nil},
		"just beyond it":         {[3]float64{500, 510, 494.9}, [3]string{"GPU-a", "GPU-a", "GPU-b"}, map[string][2]float64{"GPU-a": {2, 505}, "GPU-b": {1, 494.9}}},
		"one start each":         {[3]float64{500, 400, 300}, [3]string{"GPU-a", "GPU-b", "GPU-c"}, nil},
		"one GPU":                {[3]float64{500, 400, 300}, [3]string{"GPU-a", "GPU-a", "GPU-a"}, nil},
		"not all known":          {[3]float64{500, 505, 430}, [3]string{"GPU-a", "GPU-a", ""}, nil},
	} {
		b := studytest.Made()
		if strings.Contains(c.gpus[0], ",") {
			b.Edit = append(b.Edit, "count: 1}", "count: 2}")
		}
		for n := 1; n <= 3; n++ {
			b.Each(fmt.Sprintf(`"power_watts": {"main": %v}, "environment": {"gpu_uuid": %q}`, c.watts[n-1], c.gpus[n-1]),
				func(s studytest.Start) bool { return s.Number == n })
		}
		r := of(t, b)
		require.NotEmpty(t, r.Made.Telemetry, name)
		for _, telemetry := range r.Made.Telemetry {
			require.Equal(t, c.want, cards(t, r, telemetry), "%s: %s", name, telemetry.Sample)
			for _, card := range telemetry.Cards {
				s, _ := r.Sample(telemetry.Sample)
				require.NotEmpty(t, s.Trials)
				require.InDelta(t, value(t, r, telemetry.Energy)*value(t, r, card.Power)/value(t, r, telemetry.Power), value(t, r, card.Energy), 0.06*value(t, r, card.Energy),
					"%s: energy goes with power, as far as the starts are equally fast", name)
			}
		}
	}
}

func cards(t *testing.T, r *analyze.Report, of analyze.Telemetry) map[string][2]float64 {
	t.Helper()
	var list map[string][2]float64
	for _, c := range of.Cards {
		if list == nil {
			list = map[string][2]float64{}
		}
		list[c.GPU] = [2]float64{value(t, r, c.Starts), value(t, r, c.Power)}
	}
	return list
}
