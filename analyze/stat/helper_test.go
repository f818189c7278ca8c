package stat_test

import (
	"fmt"
	"math"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze/stat"
)

// grid makes the starts of a design without gaps: one row for each block, one column
// for each configuration.
func grid(configs []string, rows ...[]float64) []stat.Obs {
	var obs []stat.Obs
	for j, row := range rows {
		for i, v := range row {
			obs = append(obs, stat.Obs{Config: configs[i], Block: fmt.Sprint("block ", j+1), Value: v})
		}
	}
	return obs
}

func mustFit(t require.TestingT, obs []stat.Obs) *stat.Model {
	m, err := stat.Fit(obs)
	require.NoError(t, err)
	return m
}

// anyStarts draws a run with gaps and repeated cells: 2 to 5 configurations, up to 20 %
// apart, in 1 to 7 blocks, values of any size, at least one start.
func anyStarts(t *rapid.T) []stat.Obs {
	configs, blocks := rapid.IntRange(2, 5).Draw(t, "configs"), rapid.IntRange(1, 7).Draw(t, "blocks")
	level := rapid.Float64Range(-9, 9).Draw(t, "level")
	var obs []stat.Obs
	for i := range configs {
		gain := rapid.Float64Range(-0.1, 0.1).Draw(t, "gain")
		for j := range blocks {
			for range rapid.SampledFrom([]int{0, 1, 1, 1, 1, 2}).Draw(t, "starts") {
				y := level + gain + rapid.Float64Range(-0.03, 0.03).Draw(t, "y")
				obs = append(obs, stat.Obs{Config: name(i), Block: fmt.Sprint(j), Value: math.Exp(y)})
			}
		}
	}
	if len(obs) == 0 {
		obs = append(obs, stat.Obs{Config: name(0), Block: "0", Value: math.Exp(level)})
	}
	return obs
}

func name(i int) string { return string(rune('a' + i)) }

// scale multiplies the values of the starts that are chosen.
func scale(obs []stat.Obs, by float64, chosen func(stat.Obs) bool) []stat.Obs {
	out := make([]stat.Obs, len(obs))
	for i, o := range obs {
		if chosen(o) {
			o.Value *= by
		}
		out[i] = o
	}
	return out
}

func near(t require.TestingT, want, got, within float64, what string) {
	require.LessOrEqualf(t, math.Abs(want-got), within, "%s: want %v, got %v", what, want, got)
}
