package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study/studytest"
)

// otherwise is TwoStages with a second workload, under which the candidates' gains are the
// other way round: what wins loses there. Its blocks are of the same speeds as those of main.
func otherwise() studytest.Blocks {
	b := studytest.TwoStages()
	value := studytest.Noisy(map[string]float64{"fast": -0.2, "slow": 0.3, "incumbent": -0.2, "more": -0.2 - 0.08, "less": -0.2 + 0.08})
	unlike := 0.0
	b.Also("other", func(s studytest.Start) studytest.Trial {
		stage, id, _ := strings.Cut(s.Ref, "/")
		v := value(id, s.Number)
		if stage == "next" {
			v *= 0.8 // the machine of its sitting
		}
		t := studytest.Throughput(v)
		unlike += 0.01
		t.TTFT += unlike // no two outputs are alike, byte for byte
		return t
	})
	return b
}

// besides are the comparisons under the other workloads, by "CANDIDATE/WORKLOAD".
func besides(r *analyze.Report) map[string]analyze.Beside {
	m := map[string]analyze.Beside{}
	for _, b := range r.Beside {
		m[b.Candidate+"/"+b.Workload] = b
	}
	return m
}

// TestWhatTheH200DidUnderTheOtherWorkloads: SGLang is 3 % slower with four requests in
// flight; what it is with one and with 64 was measured beside that.
func TestWhatTheH200DidUnderTheOtherWorkloads(t *testing.T) {
	t.Parallel()
	r := content(t, "qwen3-8b-h200-latency")
	got := besides(r)
	require.Len(t, got, 6)
	for name, want := range map[string]struct {
		gain   float64 // in E2E latency, per cent
		within bool
		ttft   float64
		tpot   float64
	}{
		"quantization/fp8/c1":  {39.68, false, 1.07, 41.52},
		"quantization/fp8/c64": {29.26, false, 7.52, 31.27},
		"engine/sglang/c1":     {0.50, true, 9.39, 0.37},
		"engine/sglang/c64":    {-13.69, false, 95.80, -23.15},
		"version/v0.20.2/c1":   {0.67, true, -3.38, 0.55},
		"version/v0.20.2/c64":  {1.83, true, -8.11, 0.75},
	} {
		c := got[name].Comparison
		require.Empty(t, c.Refused, name)
		require.Equal(t, metric.RequestLatency, c.Metric, name)
		require.Equal(t, want.within, !c.Distinguishable, name)
		for fact, gain := range map[string]float64{"request_latency": want.gain, "mean_ttft": want.ttft, "mean_tpot": want.tpot} {
			require.InDelta(t, gain, 100*(value(t, r, name+":gain."+fact)-1), 0.01, "%s %s", name, fact)
		}
	}
	before, now := got["engine/sglang/c64"].Incumbent, got["engine/sglang/c64"].Sample
	require.Equal(t, []string{"engine/incumbent/c64", "engine/sglang/c64"}, []string{before, now})
	facts(t, r, 0, map[string]float64{before + ":mean_ttft": 88, now + ":mean_ttft": 45})
}

// TestPublishedGuidesHaveNoOtherWorkloads: their stages were measured under one.
func TestPublishedGuidesHaveNoOtherWorkloads(t *testing.T) {
	t.Parallel()
	require.Empty(t, besides(latency8B(t)))
	require.Empty(t, besides(throughput14B(t)))
}

// TestOtherWorkloadsDecideNothing: with gains that are the other way round there, every
// verdict stays what it is, and so do the findings.
func TestOtherWorkloadsDecideNothing(t *testing.T) {
	t.Parallel()
	without, with := judge(t, studytest.TwoStages()), judge(t, otherwise())
	require.Empty(t, cmp.Diff(without.Stages, with.Stages))
	require.Empty(t, cmp.Diff(without.Findings, with.Findings))
	require.Empty(t, cmp.Diff(without.Cases, with.Cases))
	require.Empty(t, besides(without))
	require.Len(t, besides(with), 6)

	judged := analyze.Judged(load(t, otherwise().FS()))
	require.Empty(t, besides(judged), "a run asks for verdicts alone")
	require.False(t, judged.Facts.Has("one/fast/other:gain.total_throughput"))
}

// TestOtherWorkloadsAreComparedAsTheStageCompares: with the incumbent that the stage measured
// itself, within blocks, by the spread of that workload, among all candidates of the stage.
func TestOtherWorkloadsAreComparedAsTheStageCompares(t *testing.T) {
	t.Parallel()
	r := judge(t, otherwise())
	got := besides(r)
	for name, want := range map[string]float64{"one/fast/other": 0.8, "one/slow/other": 1.3, "one/flat/other": 1, "next/more/other": 0.72 / 0.8, "next/less/other": 0.88 / 0.8} {
		b := got[name]
		require.InEpsilon(t, want, b.Comparison.Ratio, 0.006, name)
		require.Equal(t, want != 1, b.Comparison.Distinguishable, name)
		stage, _, _ := strings.Cut(name, "/")
		require.Equal(t, map[string]int{"one": 4, "next": 2}[stage], b.Comparison.Test.K, name)
		require.Equal(t, map[string]string{"one": "one/base/other", "next": "next/incumbent/other"}[stage], b.Incumbent, name)
	}
	for id, from := range map[string]string{"one/slow/other:gain.total_throughput": "/other:", "one/slow/other:gain.total_throughput:threshold": "/other:", "one/slow:gain.total_throughput:threshold": "/main:"} {
		f, ok := r.Facts.Get(id)
		require.True(t, ok, id)
		require.NotEmpty(t, f.Formula, id)
		require.NotEmpty(t, f.Inputs, id)
		for _, in := range f.Inputs {
			require.Contains(t, in, from, id)
		}
	}
}

// TestOtherWorkloadsHaveTheirOwnNoise: a load under which starts scatter by 10 % tells no
// difference of 8 %, and the calm one that decides still does.
func TestOtherWorkloadsHaveTheirOwnNoise(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Also("other", func(s studytest.Start) studytest.Trial {
		v := s.Trials["main"].Total
		if (s.Number%2 == 0) == slices.Contains([]string{"one/base", "one/flat"}, s.Ref) { // some in odd blocks, the others in even ones
			v *= 1.1
		}
		return studytest.Throughput(v)
	})
	r := judge(t, b)
	require.True(t, candidate(t, r, "one/fast").VersusIncumbent.Distinguishable)
	c := besides(r)["one/fast/other"].Comparison
	require.False(t, c.Distinguishable)
	require.Greater(t, c.Floor, 0.1)
}

// TestOtherWorkloadsNeedBothSides: what was not measured on a side, or is compared with
// nothing in its own stage, is not compared here.
func TestOtherWorkloadsNeedBothSides(t *testing.T) {
	t.Parallel()
	only := func(refs ...string) []string {
		b := studytest.Winner()
		b.Drop("one/slow")
		b.Fail("one/slow", 1, "CUDA out of memory")
		b.Also("other", func(s studytest.Start) studytest.Trial {
			if slices.Contains(refs, s.Ref) {
				return studytest.Good()
			}
			return studytest.Trial{}
		})
		var names []string
		for name := range besides(judge(t, b)) {
			names = append(names, name)
		}
		return names
	}
	require.Equal(t, []string{"one/fast/other"}, only("one/base", "one/fast"))
	require.Empty(t, only("one/fast", "one/flat"))
}

// TestOtherWorkloadsSayTheirOwnDoubtsAlone: what differs between two starts is said once, by
// the comparison that decides; what is odd under one workload is said of that workload.
func TestOtherWorkloadsSayTheirOwnDoubtsAlone(t *testing.T) {
	t.Parallel()
	subjects := func(change func(*studytest.Blocks)) []string {
		b := studytest.Winner()
		b.Also("other", func(s studytest.Start) studytest.Trial { return s.Trials["main"] })
		change(&b)
		r := judge(t, b)
		require.Len(t, besides(r), 4)
		var list []string
		for _, f := range r.Findings {
			if slices.Contains([]string{analyze.CodeNotComparable, analyze.CodeEnvironmentDiffers, analyze.CodeTokensDiffer}, f.Code) {
				list = append(list, f.Code+" "+f.Subject)
			}
		}
		return list
	}
	require.Empty(t, subjects(func(*studytest.Blocks) {}))
	require.Equal(t, []string{"environment-differs one/fast"}, subjects(func(b *studytest.Blocks) {
		b.Each(`"environment": {"driver": "580.1"}`, func(s studytest.Start) bool { return s.Ref != "one/fast" })
		b.Each(`"environment": {"driver": "580.2"}`, studytest.Of("one/fast"))
	}))
	require.Equal(t, []string{"environment-differs one/fast", "not-comparable one/fast"}, subjects(func(b *studytest.Blocks) {
		b.Each(`"environment": {"gpu": "other"}`, studytest.Of("one/fast"))
	}))
	for code, trial := range map[string]studytest.Trial{
		analyze.CodeTokensDiffer:  {Completed: 100, Concurrency: 4, Input: 20000, Output: 10150, Total: 1000, TTFT: 60, TPOT: 8},
		analyze.CodeNotComparable: {Completed: 90, Failed: 10, Concurrency: 4, Input: 20000, Output: 10000, Total: 1000, TTFT: 60, TPOT: 8},
	} {
		require.Equal(t, []string{code + " one/fast/other"}, subjects(func(b *studytest.Blocks) {
			for _, s := range b.Starts {
				if s.Ref == "one/fast" {
					s.Trials["other"] = trial
				}
			}
		}))
	}
}
