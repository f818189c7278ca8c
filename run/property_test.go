package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/run"
	"benchguide/study"
)

// drawSim draws a run with any gains, faults now and then, and other machines now and then.
func drawSim(t *rapid.T) *sim {
	p := two()
	p.YAML = rapid.SampledFrom([]string{"run: {blocks: 3, confirm: 1}\n", "run: {confirm: 1, ablation: true}\n", "run: {blocks: 4, confirm: 0, seed: 5}\n"}).Draw(t, "plan")
	s := newSim(t, p)
	gain := rapid.SampledFrom([]float64{-0.3, -0.06, 0, 0.001, 0.03, 0.1})
	s.gain = byCandidate(map[string]float64{"--fast": gain.Draw(t, "fast"), "--slow": gain.Draw(t, "slow"), "--more": gain.Draw(t, "more"), "--flat": gain.Draw(t, "flat")})
	fault := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 9).Draw(t, "any") > 0 {
			return ""
		}
		return rapid.SampledFrom([]string{"invalid", study.FailConfig, study.FailFlaky, study.FailInfra, study.FailUser}).Draw(t, "kind")
	})
	s.fault = func(run.Start) string { return fault.Draw(t, "fault") }
	return s
}

// TestWhateverHappensARunEnds and nothing that it decided is ever decided otherwise: not
// by what is measured later, nor on another machine.
func TestWhateverHappensARunEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSim(t)
		var decided []run.Decision
		taken := map[string]bool{}
		for made := 0; ; made++ {
			require.Less(t, made, mostStarts)
			if rapid.IntRange(0, 11).Draw(t, "elsewhere") == 0 {
				s.sitting += "x"
			}
			step := s.next()
			for i, d := range decided {
				require.Greater(t, len(step.Decided), i, "a decision is gone")
				require.Equal(t, []any{d.Adopted, d.Block, d.Rows}, []any{step.Decided[i].Adopted, step.Decided[i].Block, step.Decided[i].Rows}, "a decision has changed")
			}
			decided = step.Decided
			requireTheyRan(t, s, decided)
			if step.Start == nil {
				require.True(t, step.Stuck != "" || len(decided) == 2)
				return
			}
			folder := fmt.Sprint(step.Start.Ref(), step.Start.Number, step.Start.Try, step.Start.Block, step.Start.Phase)
			require.False(t, taken[folder], "an attempt is repeated: %s", line(*step.Start))
			taken[folder] = true
			s.do(*step.Start)
		}
	})
}

// requireTheyRan proves that nothing was adopted of which a start failed before.
func requireTheyRan(t *rapid.T, s *sim, decided []run.Decision) {
	for _, d := range decided {
		for _, made := range s.folder.Runs[0].Starts {
			if d.Changed && made.Ref() == d.Adopted && made.Phase() != study.Confirm {
				require.Nil(t, made.Attempt.Failure, "%s was adopted", d.Adopted)
			}
		}
	}
}

// TestEveryBlockHasItsIncumbent: without it nothing in the block can be compared with
// anything outside of it.
func TestEveryBlockHasItsIncumbent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSim(t)
		s.fault = func(run.Start) string { return "" }
		step := s.finish()
		require.True(t, step.Done(), step.Stuck)
		blocks, incumbents := map[string]bool{}, map[string]bool{}
		for _, st := range s.folder.Runs[0].Starts {
			key := strings.Join([]string{st.Stage, st.Attempt.Phase, string(rune('0' + st.Block()))}, " ")
			blocks[key] = true
			if st.Candidate == study.IncumbentSide || st.Candidate == "base" {
				require.False(t, incumbents[key], "two incumbents in block %s", key)
				incumbents[key] = true
			}
		}
		require.Equal(t, blocks, incumbents)
	})
}
