package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze/stat"
)

// TestAStageWithoutEffectAdoptsOneInTwentyTimesAtMost is the promise of the rule, for
// every plan. The rates found keep clear of it by more than the chance of a simulation.
func TestAStageWithoutEffectAdoptsOneInTwentyTimesAtMost(t *testing.T) {
	t.Parallel()
	for _, s := range simulated() {
		if s.world.effect > 0 {
			continue
		}
		for p := range plans {
			require.LessOrEqual(t, s.adopted[p], s.studies/20, "%+v, plan %d", s.world, p)
		}
		require.LessOrEqual(t, s.adopted[after3], s.studies/100, "%+v: the first look spends 1 %%", s.world)
	}
}

// TestConfirmedGainsAreUnbiased: a gain from fresh starts is right on average, however
// the winner was chosen; one from the starts that chose it is not.
func TestConfirmedGainsAreUnbiased(t *testing.T) {
	t.Parallel()
	flattered := 0
	for _, s := range simulated() {
		if s.confirmed.n < 100 {
			continue // too few winners to speak of an average
		}
		// The mean of a ratio lies above the ratio of means by half the variance of its log.
		slack := 4*s.confirmed.standardError() + 0.001
		require.LessOrEqual(t, math.Abs(s.confirmed.mean()), slack, "%+v: %d winners", s.world, int(s.confirmed.n))
		if s.printed.mean() > slack {
			flattered++
		}
	}
	require.Positive(t, flattered, "gains of the choosing starts flatter where noise is large")
}

// TestPowerIsWhatSimulationFinds holds the integral against the studies.
func TestPowerIsWhatSimulationFinds(t *testing.T) {
	t.Parallel()
	rule := stat.DefaultRule()
	for _, s := range simulated() {
		if s.world.tail || s.world.effect == 0 {
			continue
		}
		want := rule.Power(s.world.effect, s.world.total(), candidates, 3)
		got := float64(s.beyond) / float64(s.studies)
		slack := 4*math.Sqrt(want*(1-want)/float64(s.studies)) + 0.001
		near(t, want, got, slack, fmt.Sprintf("%+v", s.world))
		// Both looks find at least what the second one alone would, less the studies
		// in which another candidate came first.
		both := float64(s.found[after6]+s.adopted[after6]) / float64(s.studies)
		require.GreaterOrEqual(t, both, rule.Power(s.world.effect, s.world.total(), candidates, 6)-0.01, "%+v", s.world)
	}
}

// TestTheFastStageIsFitAndTest carries studies of every world out again by the code
// that judges real ones, with blocks that differ by more than any gain.
func TestTheFastStageIsFitAndTest(t *testing.T) {
	t.Parallel()
	fast := newStrategy(stat.DefaultRule().Looks...)
	winners := 0
	for i, w := range worlds() {
		rng := rand.New(rand.NewPCG(uint64(i), 99))
		for range 60 {
			var blocks [mostBlocks]block
			w.draw(rng, blocks[:])
			want, got := fast.decide(blocks[:]), slowly(t, blocks[:], rng)
			require.Equal(t, want.winner, got.winner, "%+v", w)
			require.Equal(t, want.blocks, got.blocks, "%+v", w)
			near(t, want.logRatio, got.logRatio, 1e-9, "log ratio")
			winners += min(1, got.winner)
		}
	}
	require.Greater(t, winners, 500, "the comparison has to see winners")
}

// slowly decides a stage with Fit and Test.
func slowly(t *testing.T, blocks []block, rng *rand.Rand) outcome {
	rule := stat.DefaultRule()
	var obs []stat.Obs
	for j, b := range blocks[:6] {
		level := 1000 * math.Exp(rng.NormFloat64())
		for i, y := range b {
			obs = append(obs, stat.Obs{Config: name(i), Block: fmt.Sprint(j), Value: level * math.Exp(y)})
		}
		if _, look, ok := rule.At(j + 1); !ok || look.Blocks != j+1 {
			continue
		}
		m := mustFit(t, obs)
		best := outcome{blocks: j + 1}
		for i := 1; i <= candidates; i++ {
			r := rule.Test(m, name(i), name(0), candidates, j+1)
			if r.Verdict == stat.Better && r.LogRatio > best.logRatio {
				best.winner, best.logRatio = i, r.LogRatio
			}
		}
		if best.winner > 0 {
			return best
		}
	}
	return outcome{}
}
