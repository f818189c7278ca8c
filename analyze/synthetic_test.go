package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study/studytest"
)

// impossible is a trial whose means add up to more than its duration allows.
func impossible(total float64) studytest.Trial {
	t := tp(total)
	t.TPOT = 50
	return t
}

func slow(tpot float64) studytest.Trial {
	t := tp(1000)
	t.TPOT = tpot
	return t
}

func latencyPlan(baseline studytest.Trial, candidates ...studytest.Trial) studytest.Plan {
	p := studytest.Simple(baseline, candidates...)
	p.Goal = "latency"
	return p
}

func TestLatencyIsDerivedFromTheMeans(t *testing.T) {
	t.Parallel()
	r := report(t, latencyPlan(slow(8), slow(7)))
	f, ok := r.Facts.Get("one/base/main:request_latency")
	require.True(t, ok)
	require.InDelta(t, (60+8*(100.0-1))/1000, f.Value, 1e-12)
	require.True(t, f.Derived)
	require.Equal(t, []string{"one/base/main:mean_ttft", "one/base/main:mean_tpot", "one/base/main:output_tokens", "one/base/main:completed_requests"}, f.Inputs)
}

func TestLatencyAtItsBoundIsPossible(t *testing.T) {
	t.Parallel()
	p := latencyPlan(slow(8), slow(7))
	f := load(t, p.FS())
	bound := 4 * 30.005 / 100 // of a duration that is printed as 30.00
	setNumber(t, f, "one/base", metric.Of(metric.Mean, metric.TPOT), 0)
	setNumber(t, f, "one/base", metric.Of(metric.Mean, metric.TTFT), bound*1000-1e-6)
	trial, _ := analyze.Study(f).Trial("one/base/main")
	require.False(t, trial.NoLatency)
	setNumber(t, f, "one/base", metric.Of(metric.Mean, metric.TTFT), bound*1000+1e-6)
	r := analyze.Study(f)
	trial, _ = r.Trial("one/base/main")
	require.True(t, trial.NoLatency)
	require.NotContains(t, trial.Values, metric.RequestLatency)
	require.Contains(t, codes(r), "latency-impossible")
}

// Without a printed maximum only the duration itself is a bound; the number of
// requests is none where fewer were sent than may be in flight.
func TestBoundIsNeverAboveTheDuration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change  func(*studytest.Trial)
		formula string
		want    float64
	}{
		{func(*studytest.Trial) {}, "max_concurrency × duration / completed_requests", 1.2},
		{func(t *studytest.Trial) { t.Omit = []string{"Maximum"} }, "duration", 30},
		{func(t *studytest.Trial) { t.Concurrency = 1000 }, "duration", 30},
	} {
		trial := tp(1000)
		c.change(&trial)
		f, ok := report(t, latencyPlan(trial, slow(7))).Facts.Get("one/base/main:request_latency_bound")
		require.True(t, ok)
		require.Equal(t, c.formula, f.Formula)
		require.InDelta(t, c.want, f.Value, 1e-12)
	}
}

func TestLatencyNeedsAllThatItIsDerivedFrom(t *testing.T) {
	t.Parallel()
	for _, omit := range []string{"Mean TTFT", "Mean TPOT", "Total generated", "Successful"} {
		trial := tp(1000)
		trial.Omit = []string{omit}
		r := report(t, latencyPlan(trial, slow(7)))
		require.False(t, r.Facts.Has("one/base/main:request_latency"), omit)
	}
	t.Run("answers of less than a token", func(t *testing.T) {
		t.Parallel()
		trial := tp(1000)
		trial.Output = 50
		require.False(t, report(t, latencyPlan(trial, slow(7))).Facts.Has("one/base/main:request_latency"))
	})
}

// One ranking has one metric: a candidate without a latency puts the whole stage on
// throughput, or the leader would be chosen among ratios of different things.
func TestStageWithAnImpossibleLatencyRanksByThroughput(t *testing.T) {
	t.Parallel()
	r := report(t, latencyPlan(tp(1000), slow(6), impossible(1500)))
	require.Equal(t, map[string]analyze.Verdict{"one/base": "baseline", "one/c1": "not-distinguishable", "one/c2": "adopted"}, verdicts(r))
	for _, c := range r.Stages[0].Candidates[1:] {
		require.Equal(t, metric.TotalThroughput, c.VersusIncumbent.Metric)
	}
	require.True(t, r.Facts.Has("one/c1:gain.request_latency"), "the latency gain is still shown")
	require.Contains(t, codes(r), "latency-impossible")
}

func TestTrialWithoutTheRankingMetricIsSaid(t *testing.T) {
	t.Parallel()
	bare := tp(1500)
	bare.Omit = []string{"Mean TPOT"}
	r := report(t, latencyPlan(tp(1000), slow(6), bare))
	require.Contains(t, codes(r), "objective-not-printed")
	require.NotContains(t, codes(r), "latency-impossible")
	require.Equal(t, metric.TotalThroughput, candidate(t, r, "one/c1").VersusIncumbent.Metric)
}

func TestStudyWithoutGainKeepsItsBaseline(t *testing.T) {
	t.Parallel()
	p := studytest.Simple(tp(1000), tp(1010))
	p.Cases = []studytest.Case{{Workload: "main", YAML: "baseline: one/base\noptimized: one/base"}}
	r := report(t, p)
	require.Equal(t, "one/base", r.Final.Ref)
	require.Empty(t, r.Stages[0].Gain)
	require.Equal(t, 1.0, value(t, r, "total:stages.total_throughput"))
	require.NotEmpty(t, r.Facts.Sources("total:stages.total_throughput"), "even a product of nothing comes from somewhere")
}

func TestStudyWithoutCasesOrClaims(t *testing.T) {
	t.Parallel()
	r := report(t, studytest.Simple(tp(1000), tp(1100)))
	require.Empty(t, r.Cases)
	require.Empty(t, r.Claims)
	require.Empty(t, r.Summary.Parts)
	require.False(t, r.Facts.Has("claims:checked"))
	require.False(t, r.Failed())
}

func TestUnattributedIsWhatTheStagesDoNotExplain(t *testing.T) {
	t.Parallel()
	p := studytest.Simple(tp(1000), tp(1200))
	p.Cases = []studytest.Case{{Workload: "main", Baseline: tp(1000), Optimized: tp(1260)}}
	r := report(t, p)
	require.InDelta(t, 1.2, value(t, r, "total:stages.total_throughput"), 1e-12)
	require.InDelta(t, 1.26, value(t, r, "total:gain.total_throughput"), 1e-12)
	require.InDelta(t, 1.05, value(t, r, "total:unattributed.total_throughput"), 1e-12)
	require.True(t, r.Summary.Parts[0].Remeasured)
	require.Contains(t, codes(r), "same-bytes", "the baseline of the case is that of the stage, printed again")
}

func TestSameBytesAreOneTrial(t *testing.T) {
	t.Parallel()
	p := studytest.Simple(tp(1000), tp(1000), tp(1100))
	p.Stages[0].Candidates[0].YAML += "\nsame_as: {candidate: one/base, reason: {zh: 默认, en: The default}}"
	r := report(t, p)
	require.Equal(t, []string{"same-bytes"}, codes(r))
	require.Empty(t, r.Floors[0].Measured, "a copy shows no spread")
}

// A case may name a result that only spells the final configuration differently.
func TestCaseAcceptsAnotherSpelling(t *testing.T) {
	t.Parallel()
	p := studytest.Simple(tp(1000), tp(1200), tp(1201))
	p.Stages[0].YAML = "pick: {candidate: c1, reason: {zh: 省心, en: Simple}}"
	p.Stages[0].Candidates[1].YAML += "\nsame_as: {candidate: one/c1, reason: {zh: 默认, en: The default}}"
	p.Cases = []studytest.Case{{Workload: "main", YAML: "baseline: one/base\noptimized: one/c2"}}
	r := report(t, p)
	require.Equal(t, []string{"measured-again"}, codes(r))
}

func TestWhatWasRunIsHeldAgainstWhatIsDerived(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, attempt string
		ok            bool
	}{
		{"as derived", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.11.0","command":"vllm serve Qwen/Qwen3-8B --max-num-seqs=1"}`, true},
		{"no command", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.11.0"}`, true},
		{"another value", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.11.0","command":"vllm serve Qwen/Qwen3-8B --max-num-seqs=2"}`, false},
		{"another version", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.12.0","command":"vllm serve Qwen/Qwen3-8B --max-num-seqs=1"}`, false},
		{"another version, no command", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.12.0"}`, false},
		{"another engine, no command", `{"schema":1,"imported":true,"engine":"sglang","version":"v0.11.0"}`, false},
		{"another environment", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.11.0","command":"vllm serve Qwen/Qwen3-8B --max-num-seqs=1","env":{"A":"1"}}`, false},
		{"unknown engine", `{"schema":1,"imported":true,"engine":"vlm","version":"v0.11.0","command":"vlm serve Qwen/Qwen3-8B"}`, false},
		{"not a command", `{"schema":1,"imported":true,"engine":"vllm","version":"v0.11.0","command":"vllm serve Qwen/Qwen3-8B | tee log"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := studytest.With(studytest.Simple(tp(1000), tp(1100)).FS(), map[string]string{studytest.Attempt("one/c1"): c.attempt})
			r := analyze.Study(load(t, files))
			require.Equal(t, !c.ok, r.Failed(), "%v", codes(r))
			if !c.ok {
				require.Equal(t, "command-differs", r.Findings[0].Code)
				require.Equal(t, "runs/published/one/c1/start-1/attempt.json", r.Findings[0].File)
			}
		})
	}
}

func TestChangesThatDoNotFitAreReportedAtTheirField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		yaml   string
		column int
	}{{"set: --b 1", 14}, {"remove: --b", 17}} {
		p := studytest.Simple(tp(1000), tp(1100))
		p.Stages[0].Candidates[0].YAML = c.yaml
		r := report(t, p)
		require.True(t, r.Failed())
		require.Equal(t, []string{"cannot-derive"}, codes(r))
		require.Contains(t, r.Findings[0].Names["Reason"], "--b is not there")
		require.Equal(t, "study.yaml", r.Findings[0].File)
		require.Equal(t, c.column, r.Findings[0].Column, c.yaml)
	}
}

func TestClaimsAreComparedAsTheyWerePrinted(t *testing.T) {
	t.Parallel()
	const gain, latency, throughput = "one/c1:gain.total_throughput", "one/c1/main:request_latency", "one/c1/main:total_throughput"
	for _, c := range []struct {
		says, fact string
		want       analyze.ClaimStatus
	}{
		{"+23.5%", gain, "holds"}, // 1.2345
		{"+23.4%", gain, "holds"}, // cut off at a half is no other number
		{"+23.6%", gain, "differs"},
		{"23%", gain, "holds"},
		{"-23%", gain, "differs"},
		{"\u221223%", gain, "differs"},
		{"1.23x", gain, "holds"},
		{"1.2×", gain, "holds"},
		{"1.2 倍", gain, "holds"},
		{"1.3x", gain, "differs"},
		{"1,234.5 tok/s", throughput, "holds"},
		{"1235", throughput, "holds"},
		{"1236", throughput, "differs"},
		{"0.85s/req", latency, "holds"},
		{"0.9 s", latency, "holds"},
		{"0.8 s", latency, "differs"},
		{"852 ms", latency, "holds"},
		{"851 ms", latency, "differs"},
	} {
		t.Run(c.says+" "+c.fact, func(t *testing.T) {
			t.Parallel()
			p := latencyPlan(tp(1000), tp(1234.5))
			p.YAML = fmt.Sprintf(publishedOne, c.says, c.fact)
			r := report(t, p)
			require.False(t, r.Failed(), "%v", codes(r))
			require.Equal(t, c.want, r.Claims[0].Status)
		})
	}
}

const publishedOne = `published:
  title: {zh: 原文, en: The original}
  claims:
    - id: claim
      where: {zh: 表, en: a table}
      says: %q
      fact: %s
`

func TestClaimOfNothingIsAnError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ says, fact, code string }{
		{"+23.5%", "one/c9:gain.total_throughput", "unknown-fact"},
		{"+23.5%", "one/c1:gain.total_throughputs", "unknown-fact"},
		{"much faster", "one/c1:gain.total_throughput", "claim-without-number"},
	} {
		p := studytest.Simple(tp(1000), tp(1234.5))
		p.YAML = fmt.Sprintf(publishedOne, c.says, c.fact)
		r := report(t, p)
		require.Equal(t, []string{c.code}, codes(r))
		require.Equal(t, analyze.SeverityError, r.Findings[0].Severity)
		require.Positive(t, r.Findings[0].Column)
	}
}

func TestPublishedOrderIsCheckedSignBySign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signs [2]string
		want  analyze.ClaimStatus
	}{{[2]string{"<", "<"}, "holds"}, {[2]string{"<", ">"}, "differs"}, {[2]string{"=", "<"}, "differs"}} {
		p := studytest.Simple(tp(1000), tp(1100), tp(1200))
		p.YAML = "published:\n  title: {zh: 原文, en: The original}\n  claims:\n    - id: order\n      where: {zh: 表, en: a table}\n      says: a < b < c\n" +
			fmt.Sprintf("      order: [one/base/main:total_throughput, %q, one/c1/main:total_throughput, %q, one/c2/main:total_throughput]\n", c.signs[0], c.signs[1])
		r := report(t, p)
		require.Equal(t, c.want, r.Claims[0].Status)
		require.Equal(t, []string{"<", "<"}, []string{r.Claims[0].Order[1], r.Claims[0].Order[3]})
	}
}

// What a trial prints may be anything that a study accepts; what is concluded from it
// is finite.
func TestNoFactIsInfinite(t *testing.T) {
	t.Parallel()
	number := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-9, 1e4), rapid.SampledFrom([]float64{1e-9, 1e15, -1}))
	ids := []metric.ID{metric.Duration, metric.InputTokens, metric.OutputTokens, metric.TotalThroughput, metric.OutputThroughput,
		metric.MaxConcurrency, metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT)}
	p := studytest.Simple(tp(1000), tp(1100), tp(1200))
	p.Stages[0].Candidates[1].YAML += "\nsame_as: {candidate: one/c1, reason: {zh: 默认, en: The default}}"
	p.Cases = []studytest.Case{{Workload: "main", YAML: "baseline: one/base\noptimized: one/base"}}
	rapid.Check(t, func(rt *rapid.T) {
		p.Goal = rapid.SampledFrom([]string{"latency", "throughput"}).Draw(rt, "goal")
		f := load(rt, p.FS())
		for _, ref := range []string{"one/base", "one/c1", "one/c2"} {
			for _, id := range ids {
				if rapid.Bool().Draw(rt, "change") {
					setNumber(t, f, ref, id, number.Draw(rt, ref+" "+string(id)))
				}
			}
		}
		r := analyze.Study(f)
		for _, fact := range r.FactList {
			require.False(rt, math.IsNaN(fact.Value) || math.IsInf(fact.Value, 0), "%s = %v", fact.ID, fact.Value)
		}
	})
}

// A block without its header is read, and said to be doubtful where it lies.
func TestDoubtsOfTheReaderAreFindings(t *testing.T) {
	t.Parallel()
	block := studytest.Throughput(1100).Block()
	_, block, _ = strings.Cut(block, "\n")
	files := studytest.With(studytest.Simple(tp(1000), tp(1100)).FS(), map[string]string{studytest.Result("one/c1", "main"): block})
	r := analyze.Study(load(t, files))
	require.Equal(t, []string{"doubtful-result"}, codes(r))
	f := r.Findings[0]
	require.Equal(t, analyze.SeverityCaution, f.Severity)
	require.Equal(t, "runs/published/one/c1/start-1/main.txt", f.File)
	require.Equal(t, 1, f.Line)
	require.Equal(t, "missing-header", f.Names["Doubt"])
	require.False(t, r.Failed())
}
