package analyze_test

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
	"benchguide/study/studytest"
)

// judge analyses a study of several starts.
func judge(t require.TestingT, b studytest.Blocks) *analyze.Report {
	return analyze.Study(load(t, b.FS()))
}

// finding returns the first finding of a code.
func finding(t require.TestingT, r *analyze.Report, code string) analyze.Finding {
	i := slices.IndexFunc(r.Findings, func(f analyze.Finding) bool { return f.Code == code })
	require.GreaterOrEqual(t, i, 0, "no finding %s in %v", code, codes(r))
	return r.Findings[i]
}

func TestWinnerOfThreeBlocksIsAdopted(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Winner())
	require.Equal(t, analyze.Blocks, r.Rule)
	require.Equal(t, map[string]analyze.Verdict{"one/base": analyze.BaselineVerdict, "one/fast": analyze.Adopted,
		"one/flat": analyze.NotDistinguishable, "one/slow": analyze.NoGain, "one/same": analyze.NotDistinguishable}, verdicts(r))
	c := candidate(t, r, "one/fast").VersusIncumbent
	require.InDelta(t, 1.10, c.Ratio, 0.006)
	require.Equal(t, analyze.Test{Starts: 3, Against: 3, Blocks: 3, DF: 8, Spread: c.Test.Spread, Alpha: 0.01, Look: 1, K: 4}, *c.Test)
	require.GreaterOrEqual(t, c.Floor, 0.02-1e-12, "a gain below 2 % never counts")
	require.InDelta(t, 0.05, value(t, r, "rule:error"), 1e-12)
	require.Equal(t, 8.0, value(t, r, "spread:df:total_throughput"))
}

// TestEveryComparisonOfAStageIsOneOfItsCandidates: the share of the error level that one
// comparison has is that of all candidates, whichever two it compares.
func TestEveryComparisonOfAStageIsOneOfItsCandidates(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, s := range studytest.Scenarios() {
		for _, st := range judge(t, s.Study).Stages {
			own := slices.DeleteFunc(slices.Clone(st.Candidates), func(c analyze.Candidate) bool { return c.Verdict == analyze.BaselineVerdict })
			for _, c := range st.Candidates {
				for _, v := range []*analyze.Comparison{c.VersusIncumbent, c.VersusAdopted, c.VersusLeader} {
					if v != nil && v.Test != nil {
						compared++
						require.Equal(t, len(own), v.Test.K, "%s: %s against %s", s.Name, c.Ref, v.Against)
					}
				}
			}
		}
	}
	require.Greater(t, compared, 20)
}

// TestSlowBlocksChangeNothing: every second block of Noisy is 10 % slow as a whole,
// which the incumbent of the block takes out.
func TestSlowBlocksChangeNothing(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Winner())
	require.Less(t, value(t, r, "spread:starts:total_throughput"), 0.01)
}

func TestVerdictsOfStarts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		plan   studytest.Plan
		blocks int
		gains  map[string]float64
		want   analyze.Verdict // of one/fast
		few    bool
		need   int
	}{
		{"below the least gain", studytest.Fleet("fast", "b"), 6, map[string]float64{"fast": 0.012}, analyze.NotDistinguishable, false, 0},
		{"beyond it after six blocks", studytest.Fleet("fast", "b"), 6, map[string]float64{"fast": 0.04}, analyze.Adopted, false, 0},
		{"worse", studytest.Fleet("fast", "b"), 3, map[string]float64{"fast": -0.1}, analyze.NoGain, false, 0},
		{"one start a side", studytest.Fleet("fast", "b"), 1, map[string]float64{"fast": 0.5}, analyze.NotDistinguishable, true, 3},
		{"two starts a side", studytest.Fleet("fast", "b", "c", "d"), 2, map[string]float64{"fast": 0.5}, analyze.NotDistinguishable, true, 3},
		{"three blocks of one candidate", studytest.Fleet("fast"), 3, map[string]float64{"fast": 0.5}, analyze.NotDistinguishable, true, 5},
		{"five blocks of one candidate", studytest.Fleet("fast"), 5, map[string]float64{"fast": 0.5}, analyze.Adopted, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := judge(t, c.plan.Blocks(c.blocks, studytest.Noisy(c.gains)))
			fast := candidate(t, r, "one/fast")
			require.Equal(t, c.want, fast.Verdict)
			require.Equal(t, c.few, fast.VersusIncumbent.Test.TooFew)
			require.Equal(t, c.need, fast.VersusIncumbent.Test.Need)
			if c.few {
				require.Equal(t, float64(c.need), value(t, r, "one/fast:gain.total_throughput:need"))
				require.Equal(t, "one/base", r.Stages[0].Adopted)
				require.True(t, fast.VersusIncumbent.Gains[0].Within, "what was not tested is inside the noise")
			}
		})
	}
}

func TestNothingGainedKeepsTheBaseline(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Named("no gain"))
	require.False(t, r.Stages[0].Changed)
	require.Equal(t, "one/base", r.Final.Ref)
	require.Empty(t, r.Stages[0].Gain)
	require.Equal(t, analyze.NoGain, candidate(t, r, "one/slow").Verdict)
}

func TestCandidateThatDoesNotStartIsInfeasible(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Named("one candidate fails"))
	slow := candidate(t, r, "one/slow")
	require.Equal(t, analyze.Infeasible, slow.Verdict)
	require.Contains(t, slow.Failure, "CUDA out of memory")
	require.Nil(t, slow.VersusIncumbent)
	fast := candidate(t, r, "one/fast")
	require.Equal(t, analyze.Adopted, fast.Verdict)
	require.Equal(t, 4, fast.VersusIncumbent.Test.K, "a candidate that drops out keeps its share of alpha")

	r = judge(t, studytest.Named("every candidate fails"))
	require.Equal(t, "one/base", r.Final.Ref)
}

func TestInvalidStartsAreLeftOut(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Add("one/fast", 4, studytest.Throughput(9000), `"invalid": "another process held the GPU"`)
	r := judge(t, b)
	require.Equal(t, 3, candidate(t, r, "one/fast").VersusIncumbent.Test.Starts)
	require.Equal(t, value(t, judge(t, studytest.Winner()), "one/fast:gain.total_throughput"), value(t, r, "one/fast:gain.total_throughput"))

	r = judge(t, studytest.Named("one candidate is invalid"))
	flat := candidate(t, r, "one/flat")
	require.Equal(t, analyze.Invalid, flat.Verdict)
	require.Contains(t, flat.Excluded, "processes held the GPU")
}

// TestBaselineThatDoesNotStart has nothing to compare with, so there is no page.
func TestBaselineThatDoesNotStart(t *testing.T) {
	t.Parallel()
	for name, attempt := range map[string]string{"failed": "", "invalid": `"invalid": "the node was lost"`} {
		b := studytest.Winner()
		if attempt == "" {
			b.Drop("one/base")
			b.Fail("one/base", 1, "CUDA out of memory")
		} else {
			b.Each(attempt, studytest.Of("one/base"))
		}
		_, problems := study.Load(b.FS(), studytest.Dir)
		require.Len(t, problems, 1, name)
		require.Contains(t, problems[0].Message, "one/base/start-1/main.txt is missing", name)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Named("limit broken"))
	for _, c := range r.Stages[0].Candidates[1:] {
		require.NotEqual(t, analyze.Adopted, c.Verdict)
		require.Len(t, c.Broken, 1)
	}
	require.Equal(t, "one/base", r.Stages[0].Adopted, "what breaks a limit cannot be adopted")
	require.Equal(t, analyze.Infeasible, candidate(t, r, "one/fast").Verdict)
	require.Equal(t, 7.0, value(t, r, "limit:mean_tpot:at_most"))
	broken := finding(t, r, analyze.CodeLimitBroken)
	require.Equal(t, "one/fast", broken.Subject)

	r = judge(t, studytest.Named("limit kept"))
	require.Equal(t, analyze.Adopted, candidate(t, r, "one/fast").Verdict, "no request failed in any start")
	require.Empty(t, candidate(t, r, "one/fast").Broken)

	r = judge(t, studytest.Named("limit not measured"))
	require.Equal(t, analyze.Infeasible, candidate(t, r, "one/fast").Verdict, "nobody can say that the limit was kept")
	require.Empty(t, candidate(t, r, "one/fast").Broken[0].Value)
}

func TestLimitOnAPercentileWithoutDataIsRefused(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Edit = studytest.Limits("{metric: p99_tpot, at_most: 50}")
	_, problems := study.Load(b.FS(), studytest.Dir)
	require.Len(t, problems, 1)
	p := problems[0]
	lines := strings.Split(b.Text("study.yaml"), "\n")
	require.Contains(t, lines[p.Line-1], "p99_tpot")
	require.Equal(t, "p99_tpot", lines[p.Line-1][p.Column-1:][:len("p99_tpot")])
	require.Contains(t, p.Message, "p99_tpot of 100 requests")
	require.Contains(t, p.Hint, "1000 requests")
}

// TestSittingsAreJoinedThroughTheIncumbent: the second stage ran on a machine that is
// 20 % slower. Its incumbent was measured there too, so the stage's gain and the case
// over both stages are those of the configurations.
func TestSittingsAreJoinedThroughTheIncumbent(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.TwoStages())
	require.Equal(t, "next/more", r.Final.Ref)
	require.InDelta(t, 1.18/1.10, value(t, r, "next/more:gain.total_throughput"), 0.01)
	require.Equal(t, "next/incumbent", candidate(t, r, "next/more").VersusIncumbent.Against)
	require.InDelta(t, 1.18, value(t, r, "case/main:gain.total_throughput"), 0.015)
	require.InDelta(t, value(t, r, "total:gain.total_throughput"), value(t, r, "total:stages.total_throughput")*value(t, r, "total:unattributed.total_throughput"), 1e-12)
	require.InDelta(t, 0.10, value(t, r, "rule:error"), 1e-12, "two stages of 5 % each")
}

// TestSittingsWithoutASharedIncumbentAreNotCompared: without the incumbent in the second
// sitting nothing says how its machine differs from the first one's.
func TestSittingsWithoutASharedIncumbentAreNotCompared(t *testing.T) {
	t.Parallel()
	b := studytest.TwoStages()
	b.Drop("next/incumbent")
	b.Plan.Cases = nil
	r := judge(t, b)
	more := candidate(t, r, "next/more")
	require.Equal(t, analyze.Invalid, more.Verdict)
	require.Equal(t, analyze.RefusedNoBlock, more.VersusIncumbent.Refused)
	require.Empty(t, more.VersusIncumbent.Gains)
	require.Equal(t, "one/fast", r.Final.Ref)
}

// TestCasesOfARunAreThoseOfItsStages: a case that names no results compares the starts
// of the baseline with those of the final configuration, wherever they lie.
func TestCasesOfARunAreThoseOfItsStages(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.CasesOfStages())
	require.Len(t, r.Cases, 1)
	require.Equal(t, "one/base/main", r.Cases[0].Baseline)
	require.Equal(t, "next/more/main", r.Cases[0].Optimized)
	require.Equal(t, value(t, judge(t, studytest.TwoStages()), "case/main:gain.total_throughput"), value(t, r, "case/main:gain.total_throughput"))
	require.Equal(t, "case/other", finding(t, r, analyze.CodeUnmeasured).Subject, "the other workload was not measured")
}

// TestNothingAdoptedLeavesNoCase: baseline and final configuration are one, and there is
// nothing to compare.
func TestNothingAdoptedLeavesNoCase(t *testing.T) {
	t.Parallel()
	b := studytest.Fleet("slow").Blocks(5, studytest.Noisy(map[string]float64{"slow": -0.06}))
	b.Plan.Cases = []studytest.Case{{Workload: "main", YAML: ""}}
	r := judge(t, b)
	require.Empty(t, r.Cases)
	require.NotContains(t, codes(r), analyze.CodeNotComparable)
}

// TestAStoppedRunShowsWhatItMeasured: the stage that lacks a candidate is not judged, and
// that is said.
func TestAStoppedRunShowsWhatItMeasured(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Stopped())
	require.Len(t, r.Stages, 1)
	require.Equal(t, "one/fast", r.Final.Ref)
	f := finding(t, r, analyze.CodeUnmeasured)
	require.Equal(t, "next", f.Subject)
	require.Positive(t, f.Line)
	require.False(t, r.Failed())
}

// TestLaterStagesLeaveAVerdictAlone: a run went on from a stage's verdict, so starts that
// came after it must not change it, however much they scatter.
func TestLaterStagesLeaveAVerdictAlone(t *testing.T) {
	t.Parallel()
	quiet, wild := studytest.TwoStages(), studytest.TwoStages()
	wild.Drop("next/more")
	for block, factor := range map[int]float64{1: 0.5, 2: 1, 3: 2} {
		wild.Add("next/more", block, studytest.Throughput(900*factor), `"sitting": "second"`)
	}
	a, b := judge(t, quiet), judge(t, wild)
	require.Equal(t, a.Stages[0].Candidates, b.Stages[0].Candidates)
	require.Less(t, a.Stages[1].Candidates[0].VersusIncumbent.Test.Spread, b.Stages[1].Candidates[0].VersusIncumbent.Test.Spread)
}

// TestConfirmStartsGiveTheGainAndDecideNothing: the winner gains 10 % in the starts that
// chose it and 8 % in those that came after.
func TestConfirmStartsGiveTheGainAndDecideNothing(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Confirmed())
	chosen := judge(t, studytest.Winner())
	require.Equal(t, verdicts(chosen), verdicts(r))
	require.Equal(t, candidate(t, chosen, "one/fast").VersusIncumbent.Test, candidate(t, r, "one/fast").VersusIncumbent.Test)
	require.Equal(t, value(t, chosen, "one/fast:gain.total_throughput"), value(t, r, "one/fast:gain.total_throughput"))
	require.InDelta(t, 1.08, value(t, r, "stage/one:confirmed.total_throughput"), 0.006)
	require.InDelta(t, 1.08, value(t, r, "total:gain.total_throughput"), 0.006, "the printed total is the confirmed one")
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key     string
		effect  analyze.Effect
		verdict analyze.Verdict
		found   bool
	}{
		{"gpu", analyze.EffectRefusal, analyze.Invalid, true},
		{"client", analyze.EffectRefusal, analyze.Invalid, true},
		{"driver", analyze.EffectCaution, analyze.Adopted, true},
		{"power_limit", analyze.EffectCaution, analyze.Adopted, true},
		{"hostname", analyze.EffectNote, analyze.Adopted, false},
	} {
		t.Run(c.key, func(t *testing.T) {
			t.Parallel()
			b := studytest.Winner()
			b.Each(fmt.Sprintf(`"environment": {%q: "before"}`, c.key), func(s studytest.Start) bool { return s.Ref != "one/fast" })
			b.Each(fmt.Sprintf(`"environment": {%q: "after"}`, c.key), studytest.Of("one/fast"))
			r := judge(t, b)
			fast := candidate(t, r, "one/fast")
			require.Equal(t, c.verdict, fast.Verdict)
			require.Contains(t, fast.VersusIncumbent.Ledger, analyze.Difference{Kind: "environment", Name: c.key, Before: "before", After: "after", Effect: c.effect})
			require.Equal(t, c.effect == analyze.EffectCaution, slices.Contains(fast.VersusIncumbent.Cautions, analyze.CodeEnvironmentDiffers))
			if c.found {
				f := finding(t, r, analyze.CodeEnvironmentDiffers)
				require.Equal(t, "one/fast", f.Subject)
			} else {
				require.NotContains(t, codes(r), analyze.CodeEnvironmentDiffers)
			}
			if c.effect == analyze.EffectRefusal {
				require.Equal(t, analyze.RefusedEnvironment, fast.VersusIncumbent.Refused)
				require.Empty(t, fast.VersusIncumbent.Gains)
			}
		})
	}
}

func TestLedgerHoldsTheStagesOwnChange(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Winner())
	require.Equal(t, []analyze.Difference{{Kind: "option", Name: "--max-num-seqs", After: "1", Effect: analyze.EffectChange}}, candidate(t, r, "one/fast").VersusIncumbent.Ledger)
}

func TestUnlikeCacheStatesAreNotRanked(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Named("cache differs"))
	fast := candidate(t, r, "one/fast")
	require.Equal(t, analyze.Invalid, fast.Verdict)
	require.Equal(t, analyze.RefusedCache, fast.VersusIncumbent.Refused)
	f := finding(t, r, analyze.CodeCacheDiffers)
	require.InDelta(t, 0.17, value(t, r, f.Facts["Before"]), 1e-12)
	require.InDelta(t, 0.96, value(t, r, f.Facts["After"]), 1e-12)

	b := studytest.Winner()
	b.Each(`"cache_hits": {"main": 0.17}`, func(s studytest.Start) bool { return s.Ref != "one/fast" })
	b.Each(`"cache_hits": {"main": 0.21}`, studytest.Of("one/fast"))
	require.Equal(t, analyze.Adopted, candidate(t, judge(t, b), "one/fast").Verdict, "4 points apart are let pass")
}

func TestCostAndEnergy(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Named("price and power"))
	require.Len(t, r.Costs, 2)
	base, _ := r.Sample("one/base/main")
	total, output := value(t, r, base.Values[metric.TotalThroughput]), value(t, r, base.Values[metric.OutputThroughput])
	require.InDelta(t, 2.5/3600/total*1e6, value(t, r, r.Costs[0].Money), 1e-9)
	require.InDelta(t, 500/output, value(t, r, r.Costs[0].Energy), 1e-9)

	r = judge(t, studytest.Named("price alone"))
	require.NotEmpty(t, r.Costs[0].Money)
	require.Empty(t, r.Costs[0].Energy, "energy that was not measured is not guessed")
	require.Empty(t, judge(t, studytest.Winner()).Costs)
}

func TestAcceptedFindings(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Named("accepted"))
	f := finding(t, r, analyze.CodeEnvironmentDiffers)
	require.NotNil(t, f.Accepted)
	require.Equal(t, "Only the driver's patch level differs", f.Accepted.EN)
	require.NotContains(t, codes(r), analyze.CodeAcceptUnused)

	b := studytest.Winner()
	b.Plan.YAML = "accept:\n  - {code: environment-differs, reason: {zh: 无, en: None}}\n"
	r = judge(t, b)
	unused := finding(t, r, analyze.CodeAcceptUnused)
	require.Contains(t, strings.Split(b.Text("study.yaml"), "\n")[unused.Line-1], "environment-differs")

	b = studytest.Winner()
	b.Each(`"command": "vllm serve Qwen/Qwen3-8B --max-num-seqs 99"`, studytest.Of("one/fast"))
	b.Plan.YAML = "accept:\n  - {code: command-differs, reason: {zh: 无, en: None}}\n"
	r = judge(t, b)
	require.Nil(t, finding(t, r, analyze.CodeCommandDiffers).Accepted, "an error cannot be accepted")
	require.True(t, r.Failed())
}

// TestStartsOfACaseChooseNothing: results under cases/ are measured for the case, so a
// run may call them confirming or not.
func TestStartsOfACaseChooseNothing(t *testing.T) {
	t.Parallel()
	for _, phase := range []string{"", `"phase": "confirm"`} {
		b := studytest.Winner()
		b.Plan.Cases = []studytest.Case{{Workload: "main"}}
		noisy := studytest.Noisy(map[string]float64{"optimized": 0.09})
		for block := 1; block <= 5; block++ {
			b.Add("cases/baseline", block, studytest.Throughput(noisy("baseline", block)), phase)
			b.Add("cases/optimized", block, studytest.Throughput(noisy("optimized", block)), phase)
		}
		r := judge(t, b)
		require.Len(t, r.Cases, 1)
		require.InDelta(t, 1.09, value(t, r, "case/main:gain.total_throughput"), 0.006)
		require.True(t, r.Summary.Parts[0].Remeasured)
	}
}

// TestImportedRunOfSeveralStartsIsJudgedByThem: the rule for one start a side never
// judges results that have more.
func TestImportedRunOfSeveralStartsIsJudgedByThem(t *testing.T) {
	t.Parallel()
	files := studytest.Simple(studytest.Good(), studytest.Throughput(1100)).FS()
	require.Equal(t, analyze.OneStart, analyze.Study(load(t, files)).Rule)
	for _, name := range []string{"attempt.json", "main.txt"} {
		from := path.Join(studytest.Dir, "runs", studytest.Run, "one/base/start-1", name)
		files[strings.Replace(from, "start-1", "start-2", 1)] = files[from]
	}
	require.Equal(t, analyze.Blocks, analyze.Study(load(t, files)).Rule)
}

// TestScalingForTheBetterNeverWorsens: a candidate all of whose starts were faster by
// the same factor is judged no worse.
func TestScalingForTheBetterNeverWorsens(t *testing.T) {
	t.Parallel()
	rank := map[analyze.Verdict]int{analyze.NoGain: 0, analyze.NotDistinguishable: 1, analyze.Outperformed: 2, analyze.Tied: 3, analyze.Adopted: 4}
	rapid.Check(t, func(t *rapid.T) {
		gain := rapid.Float64Range(-0.1, 0.1).Draw(t, "gain")
		more := rapid.Float64Range(0, 0.1).Draw(t, "more")
		verdict := func(gain float64) analyze.Verdict {
			b := studytest.Fleet("fast", "flat").Blocks(3, studytest.Noisy(map[string]float64{"fast": gain, "flat": 0.03}))
			return candidate(t, judge(t, b), "one/fast").Verdict
		}
		require.GreaterOrEqual(t, rank[verdict((1+gain)*(1+more)-1)], rank[verdict(gain)])
	})
}

// TestSwappingTheSidesOfStartsInverts: with the values of incumbent and candidate
// exchanged, the ratio is the inverse and the verdict the opposite.
func TestSwappingTheSidesOfStartsInverts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		noisy := studytest.Noisy(map[string]float64{"fast": rapid.Float64Range(-0.2, 0.2).Draw(t, "gain")})
		swapped := func(id string, block int) float64 {
			return noisy(map[string]string{"base": "fast", "fast": "base", "flat": "flat"}[id], block)
		}
		plan := studytest.Fleet("fast", "flat")
		x := candidate(t, judge(t, plan.Blocks(3, noisy)), "one/fast")
		y := candidate(t, judge(t, plan.Blocks(3, swapped)), "one/fast")
		require.InEpsilon(t, 1, x.VersusIncumbent.Ratio*y.VersusIncumbent.Ratio, 1e-9)
		require.Equal(t, x.VersusIncumbent.Distinguishable, y.VersusIncumbent.Distinguishable)
		require.Equal(t, x.Verdict == analyze.Adopted, y.Verdict == analyze.NoGain)
	})
}

// TestUnitsChangeNothing: a run on a machine that is so much faster as a whole has the
// same verdicts, gains and thresholds.
func TestUnitsChangeNothing(t *testing.T) {
	t.Parallel()
	noisy := studytest.Noisy(studytest.Gains())
	want := judge(t, studytest.Winner())
	r := judge(t, studytest.Fleet("fast", "flat", "slow", "same").Blocks(3, func(id string, block int) float64 { return 8 * noisy(id, block) }))
	require.Equal(t, verdicts(want), verdicts(r))
	for _, ref := range []string{"one/fast", "one/flat", "one/slow"} {
		x, y := candidate(t, want, ref).VersusIncumbent, candidate(t, r, ref).VersusIncumbent
		require.InEpsilon(t, x.Ratio, y.Ratio, 1e-4, "but for the decimals that are printed")
		require.InEpsilon(t, x.Floor, y.Floor, 1e-2)
	}
}

// TestOrderOfStartsChangesNothing: numbering the starts of a block in another order
// changes no verdict and no gain.
func TestOrderOfStartsChangesNothing(t *testing.T) {
	t.Parallel()
	want := judge(t, studytest.Winner())
	b := studytest.Winner()
	for i := range b.Starts {
		n := b.Starts[i].Number
		b.Starts[i].Attempt, b.Starts[i].Number = fmt.Sprintf(`"block": %d`, n), 4-n
	}
	slices.Reverse(b.Starts)
	r := judge(t, b)
	require.Equal(t, verdicts(want), verdicts(r))
	require.InEpsilon(t, value(t, want, "one/fast:gain.total_throughput"), value(t, r, "one/fast:gain.total_throughput"), 1e-12)
}

// TestRepeatsDecideNothing: whatever a start measured again, and in whatever order, the
// report's verdicts and gains stay.
func TestRepeatsDecideNothing(t *testing.T) {
	t.Parallel()
	study := studytest.Fleet("fast", "flat").Blocks(3, studytest.Noisy(studytest.Gains()))
	want := judge(t, study)
	rapid.Check(t, func(t *rapid.T) {
		b := study
		b.Starts = slices.Clone(study.Starts)
		values := rapid.SliceOfN(rapid.Float64Range(1, 1e5), 2, 2).Draw(t, "repeats")
		for i := range b.Starts {
			b.Starts[i].Trials = map[string]studytest.Trial{"main": study.Starts[i].Trials["main"],
				"main.2": studytest.Throughput(values[i%2]), "main.3": studytest.Throughput(values[(i+1)%2])}
		}
		r := judge(t, b)
		require.Equal(t, want.Stages, r.Stages)
		require.Len(t, r.Repeats, len(b.Starts))
	})
}

// badTrials are results that no verdict may rest on.
func badTrials() map[string]studytest.Trial {
	good := studytest.Throughput(1200)
	with := func(change func(*studytest.Trial)) studytest.Trial {
		t := good
		change(&t)
		return t
	}
	return map[string]studytest.Trial{
		"all requests failed": studytest.Dead(),
		"half of them failed": with(func(t *studytest.Trial) { t.Completed, t.Failed = 50, 50 }),
		"zero throughput":     with(func(t *studytest.Trial) { t.Total, t.Duration = 0, 30 }),
		"no throughput":       with(func(t *studytest.Trial) { t.Omit = []string{"Total"} }),
		"other tokens":        with(func(t *studytest.Trial) { t.Input, t.Output = 40000, 20000 }),
		"no tokens":           with(func(t *studytest.Trial) { t.Output = 0 }),
	}
}

// TestBadTrialsAreNeverRanked puts one bad trial, or only bad ones, among a candidate's
// starts: it is not adopted, nothing is infinite, and something says why.
func TestBadTrialsAreNeverRanked(t *testing.T) {
	t.Parallel()
	for name, bad := range badTrials() {
		for _, all := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", name, all), func(t *testing.T) {
				t.Parallel()
				b := studytest.Winner()
				for i, s := range b.Starts {
					if s.Ref == "one/fast" && (all || s.Number == 2) {
						trial := bad
						if s.Number%2 == 0 {
							trial.Total *= 0.9 // as slow as its block
						}
						b.Starts[i].Trials = map[string]studytest.Trial{"main": trial}
					}
				}
				r := judge(t, b)
				require.NotEqual(t, analyze.Adopted, candidate(t, r, "one/fast").Verdict)
				require.Equal(t, analyze.NoGain, candidate(t, r, "one/slow").Verdict, "others are judged as ever")
				require.NotEmpty(t, candidate(t, r, "one/fast").VersusIncumbent.Refused)
				finding(t, r, analyze.CodeNotComparable)
				for _, f := range r.FactList {
					require.False(t, math.IsNaN(f.Value) || math.IsInf(f.Value, 0), "%s is %v", f.ID, f.Value)
				}
			})
		}
	}
}

// TestContradictingTrialIsSaid: a printed rate that its counts and duration deny.
func TestContradictingTrialIsSaid(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	trial := studytest.Throughput(1100)
	trial.Duration = 60 // 30,000 tokens in 60 s are 500 a second
	b.Starts[1].Trials = map[string]studytest.Trial{"main": trial}
	f := finding(t, judge(t, b), analyze.CodeIdentityBroken)
	require.Equal(t, "one/fast/start-1/main", f.Subject)
	require.Equal(t, analyze.SeverityCaution, f.Severity)
	require.NotEmpty(t, f.File)
	require.NotEmpty(t, f.Facts["Printed"])
}
