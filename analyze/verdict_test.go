package analyze_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study/studytest"
)

// tp is a good trial with this total throughput.
func tp(total float64) studytest.Trial { return studytest.Throughput(total) }

func TestVerdictsFollowTheFloor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		baseline   float64
		candidates []float64
		want       []analyze.Verdict
		adopted    string
	}{
		{"one beats the incumbent", 1000, []float64{1100}, []analyze.Verdict{analyze.Adopted}, "one/c1"},
		{"exactly the floor is not beyond it", 1000, []float64{1030}, []analyze.Verdict{analyze.NotDistinguishable}, "one/base"},
		{"just beyond the floor", 1000, []float64{1030.01}, []analyze.Verdict{analyze.Adopted}, "one/c1"},
		{"exactly the floor below", 1030, []float64{1000}, []analyze.Verdict{analyze.NotDistinguishable}, "one/base"},
		{"just beyond the floor below", 1030.01, []float64{1000}, []analyze.Verdict{analyze.NoGain}, "one/base"},
		{"equal", 1000, []float64{1000}, []analyze.Verdict{analyze.NotDistinguishable}, "one/base"},
		{"two that the floor cannot tell apart", 1000, []float64{1200, 1210}, []analyze.Verdict{analyze.Tied, analyze.Adopted}, "one/c2"},
		{"outperformed by the leader", 1000, []float64{1100, 1200}, []analyze.Verdict{analyze.Outperformed, analyze.Adopted}, "one/c2"},
		{"the first of equals leads", 1000, []float64{1200, 1200}, []analyze.Verdict{analyze.Adopted, analyze.Tied}, "one/c1"},
		{"every verdict at once", 1000, []float64{1200, 1190, 1100, 1010, 900},
			[]analyze.Verdict{analyze.Adopted, analyze.Tied, analyze.Outperformed, analyze.NotDistinguishable, analyze.NoGain}, "one/c1"},
		{"zero cannot be compared", 1000, []float64{0}, []analyze.Verdict{analyze.Invalid}, "one/base"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			trials := make([]studytest.Trial, len(c.candidates))
			for i, v := range c.candidates {
				trials[i] = tp(v)
			}
			r := report(t, studytest.Simple(tp(c.baseline), trials...))
			var got []analyze.Verdict
			for _, k := range r.Stages[0].Candidates[1:] {
				got = append(got, k.Verdict)
			}
			require.Empty(t, cmp.Diff(c.want, got))
			require.Equal(t, c.adopted, r.Stages[0].Adopted)
			require.Equal(t, c.adopted != "one/base", r.Stages[0].Changed)
			require.Equal(t, c.adopted, r.Final.Ref)
		})
	}
}

func TestFloorIsCrossedByTheSmallestStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now  float64
		want analyze.Verdict
	}{
		{1.5, analyze.NotDistinguishable},
		{math.Nextafter(1.5, 2), analyze.Adopted},
		{1 / 1.5, analyze.NotDistinguishable},
		{math.Nextafter(1/1.5, 0), analyze.NoGain},
	} {
		p := studytest.Simple(tp(1), tp(1))
		p.Floor = `"50%"`
		f := load(t, p.FS())
		setNumber(t, f, "one/base", metric.TotalThroughput, 1)
		setNumber(t, f, "one/c1", metric.TotalThroughput, c.now)
		require.Equal(t, c.want, verdicts(analyze.Study(f))["one/c1"], "%v", c.now)
	}
}

func TestTheAuthorPicksInsideTheTieGroupOnly(t *testing.T) {
	t.Parallel()
	pick := func(id string) string {
		return fmt.Sprintf("pick:\n  candidate: %s\n  reason: {zh: 省心, en: Simple}\n", id)
	}
	for _, c := range []struct {
		name, pick string
		values     []float64
		adopted    string
		verdicts   map[string]analyze.Verdict
		group      []string
		codes      []string
	}{
		{"inside", "c2", []float64{1200, 1190}, "one/c2",
			map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "tied", "one/c2": "adopted"}, []string{"one/c1", "one/c2"}, []string{}},
		{"the leader itself", "c1", []float64{1200, 1190}, "one/c1",
			map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "adopted", "one/c2": "tied"}, []string{"one/c1", "one/c2"}, []string{}},
		{"outperformed", "c2", []float64{1200, 1100}, "one/c1", nil, []string{"one/c1"}, []string{"pick-outside-tie"}},
		{"the baseline, which is beaten", "base", []float64{1200}, "one/c1", nil, []string{"one/c1"}, []string{"pick-outside-tie"}},
		{"no gain", "c2", []float64{1010, 900}, "one/base", nil, []string{"one/base", "one/c1"}, []string{"pick-outside-tie"}},
		{"not distinguishable where nothing gains", "c1", []float64{1010}, "one/c1",
			map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "not-distinguishable"}, []string{"one/base", "one/c1"}, []string{}},
		{"the baseline where nothing gains", "base", []float64{1010}, "one/base",
			map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "not-distinguishable"}, []string{"one/base", "one/c1"}, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var trials []studytest.Trial
			for _, v := range c.values {
				trials = append(trials, tp(v))
			}
			p := studytest.Simple(tp(1000), trials...)
			p.Stages[0].YAML = pick(c.pick)
			r := report(t, p)
			st := r.Stages[0]
			require.Equal(t, c.adopted, st.Adopted)
			require.Equal(t, c.group, st.TieGroup)
			require.Equal(t, c.codes, codes(r))
			require.Equal(t, len(c.codes) > 0, r.Failed())
			if len(c.codes) > 0 {
				require.Equal(t, "study.yaml", r.Findings[0].File)
				require.Positive(t, r.Findings[0].Line)
				require.Positive(t, r.Findings[0].Column)
				return
			}
			require.Equal(t, c.verdicts, verdicts(r))
			require.True(t, st.Picked)
		})
	}
}

func TestPickMovesTheIncumbentOfTheNextStage(t *testing.T) {
	t.Parallel()
	p := studytest.Simple(tp(1000), tp(1200), tp(1190))
	p.Stages[0].YAML = "pick: {candidate: c2, reason: {zh: 省心, en: Simple}}\n"
	p.Stages = append(p.Stages, studytest.Stage{ID: "two", Candidates: []studytest.Candidate{{ID: "d1", YAML: "set: --max-num-seqs 9", Trial: tp(1300)}}})
	r := report(t, p)
	require.Equal(t, "one/c2", r.Stages[1].Incumbent)
	require.Equal(t, "vllm serve Qwen/Qwen3-8B --max-num-seqs 9", r.Final.Command)
	require.InDelta(t, 1300.0/1190, value(t, r, "two/d1:gain.total_throughput"), 0)
	require.InDelta(t, 1300.0/1000, value(t, r, "stage/two:cumulative.total_throughput"), 1e-12)
	c1 := candidate(t, r, "one/c1")
	require.Equal(t, "one/c2", c1.VersusAdopted.Against)
	require.Nil(t, candidate(t, r, "one/c1").VersusLeader, "the leader needs no comparison with itself")
	require.Equal(t, "one/c1", candidate(t, r, "one/c2").VersusLeader.Against)
}

// A candidate that only spells the incumbent differently is a repetition, and no
// size of their difference can be a gain or a loss: it is the floor.
func TestRepetitionOfTheIncumbentIsNeverTold(t *testing.T) {
	t.Parallel()
	p := studytest.Simple(tp(1000), tp(1001))
	p.Stages[0].Candidates[0].YAML += "\nsame_as: {candidate: one/base, reason: {zh: 默认, en: The default}}"
	rapid.Check(t, func(rt *rapid.T) {
		f := load(rt, p.FS())
		base, now := rapid.Float64Range(1e-3, 1e6).Draw(rt, "base"), rapid.Float64Range(1e-3, 1e6).Draw(rt, "now")
		setNumber(t, f, "one/base", metric.TotalThroughput, base)
		setNumber(t, f, "one/c1", metric.TotalThroughput, now)
		r := analyze.Study(f)
		require.Equal(rt, analyze.NotDistinguishable, verdicts(r)["one/c1"])
	})
}

// Candidates c1 and c2 lie so far apart in tokens that they cannot be held against
// each other, though each can be against the incumbent: the incumbent decides.
func TestCandidatesThatCannotBeComparedAreToldByTheirIncumbent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		second float64
		want   analyze.Verdict
	}{{1200, analyze.Outperformed}, {1950, analyze.Tied}} {
		first, second := tp(2000), tp(c.second)
		first.Input, second.Input = first.Input+240, second.Input-240
		r := report(t, studytest.Simple(tp(1000), first, second))
		require.Equal(t, map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "adopted", "one/c2": c.want}, verdicts(r))
	}
}

func TestInvalidCandidatesSayWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, reason string
		change       func(*studytest.Trial)
	}{
		{"fewer completed", analyze.RefusedIncomplete, func(t *studytest.Trial) { t.Completed = 99 }},
		{"some failed", analyze.RefusedIncomplete, func(t *studytest.Trial) { t.Completed, t.Failed = 99, 1 }},
		{"count not printed", analyze.RefusedIncomplete, func(t *studytest.Trial) { t.Omit = []string{"Successful"} }},
		{"total tokens", analyze.RefusedTokens, func(t *studytest.Trial) { t.Input += 301 }},
		{"output tokens", analyze.RefusedTokens, func(t *studytest.Trial) { t.Output += 501; t.Input -= 500 }},
		{"metric not printed", analyze.RefusedNoValue, func(t *studytest.Trial) { t.Omit = []string{"Total Token"} }},
		{"metric is zero", analyze.RefusedNoValue, func(t *studytest.Trial) { t.Total, t.Omit = 0, []string{"Benchmark duration"} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bad := tp(2000)
			c.change(&bad)
			r := report(t, studytest.Simple(tp(1000), tp(1100), bad))
			require.Equal(t, map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "adopted", "one/c2": "invalid"}, verdicts(r))
			require.Equal(t, c.reason, candidate(t, r, "one/c2").VersusIncumbent.Refused)
			require.Zero(t, candidate(t, r, "one/c2").VersusIncumbent.Ratio)
			require.Equal(t, []string{"not-comparable"}, codes(r))
			require.Equal(t, analyze.SeverityCaution, r.Findings[0].Severity)
			require.Equal(t, "one/c2", r.Findings[0].Subject)
			require.False(t, r.Facts.Has("one/c2:gain.total_throughput"), "a refused comparison has no size")
		})
	}
}

// Limits are of whole tokens, so that exactly 1 % of 30,000 is still 1 %.
func TestTokenLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		input, output int
		refused       string
		caution       bool
	}{
		{"total exactly 1 % apart", 20300, 10000, "", false},
		{"total just beyond", 20301, 10000, analyze.RefusedTokens, false},
		{"total exactly 1 % below", 19703, 10000, "", false},
		{"total just beyond below", 19702, 10000, analyze.RefusedTokens, false},
		{"output exactly 1 % apart", 20000, 10100, "", false},
		{"output just beyond 1 %", 20000, 10101, "", true},
		{"output exactly 5 % apart", 19500, 10500, "", true},
		{"output just beyond 5 %", 19499, 10501, analyze.RefusedTokens, false},
		{"input exactly 5 % apart", 21000, 9524, analyze.RefusedTokens, false}, // output 5.0 %, but the total is not
		{"no output", 20000, 0, analyze.RefusedTokens, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := tp(1100)
			now.Input, now.Output = c.input, c.output
			v := candidate(t, report(t, studytest.Simple(tp(1000), now)), "one/c1").VersusIncumbent
			require.Equal(t, c.refused, v.Refused)
			require.Equal(t, c.caution, len(v.Cautions) > 0, "%v", v.Cautions)
			swapped := candidate(t, report(t, studytest.Simple(now, tp(1000))), "one/c1").VersusIncumbent
			require.Equal(t, c.refused, swapped.Refused, "swapped sides")
			require.Equal(t, c.caution, len(swapped.Cautions) > 0, "swapped sides")
		})
	}
}

func TestInputAloneBeyondFivePercentIsRefused(t *testing.T) {
	t.Parallel()
	base, now := tp(1000), tp(1100)
	base.Input, base.Output = 1000, 99000
	now.Input, now.Output = 1051, 98949
	v := candidate(t, report(t, studytest.Simple(base, now)), "one/c1").VersusIncumbent
	require.Equal(t, analyze.RefusedTokens, v.Refused)
	now.Input = 1050
	v = candidate(t, report(t, studytest.Simple(base, now)), "one/c1").VersusIncumbent
	require.Empty(t, v.Refused)
	require.Empty(t, v.Cautions)
}

// Tokens that were not printed cannot be held apart; they are not zero.
func TestMissingTokenCountsAreNotZero(t *testing.T) {
	t.Parallel()
	now := tp(1100)
	now.Omit = []string{"Total input", "Total generated"}
	require.Equal(t, analyze.Adopted, verdicts(report(t, studytest.Simple(tp(1000), now)))["one/c1"])
}

func TestCandidateOrderDoesNotChangeVerdicts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.IntRange(70000, 140000), 1, 6, rapid.ID).Draw(rt, "values")
		order := rapid.Permutation(indexes(len(values))).Draw(rt, "order")
		trials := make([]studytest.Trial, len(values))
		for i, v := range values {
			trials[i] = tp(float64(v) / 100)
		}
		p := studytest.Simple(tp(1000), trials...)
		want := report(rt, p)
		shuffled := studytest.Plan{Baseline: p.Baseline, Stages: []studytest.Stage{{ID: "one"}}}
		for _, i := range order {
			shuffled.Stages[0].Candidates = append(shuffled.Stages[0].Candidates, p.Stages[0].Candidates[i])
		}
		got := report(rt, shuffled)
		require.Equal(rt, verdicts(want), verdicts(got))
		require.Equal(rt, want.Stages[0].Adopted, got.Stages[0].Adopted)
	})
}

// rank orders verdicts from worst to best, as far as a better number may move them.
func rank(v analyze.Verdict) int {
	return map[analyze.Verdict]int{analyze.NoGain: 0, analyze.NotDistinguishable: 1, analyze.Outperformed: 2, analyze.Tied: 3, analyze.Adopted: 4}[v]
}

func TestBetterNumberNeverWorsensAVerdict(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		value := func(name string) float64 { return float64(rapid.IntRange(700, 1500).Draw(rt, name)) }
		base, first, second := value("base"), value("first"), value("second")
		better := first + float64(rapid.IntRange(1, 300).Draw(rt, "more"))
		before := verdicts(report(rt, studytest.Simple(tp(base), tp(first), tp(second))))["one/c1"]
		after := verdicts(report(rt, studytest.Simple(tp(base), tp(better), tp(second))))["one/c1"]
		require.GreaterOrEqual(rt, rank(after), rank(before), "%v became %v", before, after)
	})
}

func TestSwappingSidesInverts(t *testing.T) {
	t.Parallel()
	for _, goal := range []string{"latency", "throughput"} {
		rapid.Check(t, func(rt *rapid.T) {
			draw := func(name string) studytest.Trial {
				trial := tp(rapid.Float64Range(500, 2000).Draw(rt, name))
				trial.TPOT = rapid.Float64Range(5, 15).Draw(rt, name+" TPOT")
				trial.Duration = 100
				return trial
			}
			a, b := draw("a"), draw("b")
			p, q := studytest.Simple(a, b), studytest.Simple(b, a)
			p.Goal, q.Goal = goal, goal
			one, other := candidate(rt, report(rt, p), "one/c1"), candidate(rt, report(rt, q), "one/c1")
			require.InDelta(rt, 1, one.VersusIncumbent.Ratio*other.VersusIncumbent.Ratio, 1e-12)
			require.Equal(rt, one.VersusIncumbent.Distinguishable, other.VersusIncumbent.Distinguishable)
			for i, g := range one.VersusIncumbent.Gains {
				require.Equal(rt, g.Metric, other.VersusIncumbent.Gains[i].Metric)
			}
		})
	}
}

func indexes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
