package analyze_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
)

// h200 analyses the real outputs with dummy weights, with some words of study.yaml
// changed.
func h200(t *testing.T, edit ...string) *analyze.Report {
	t.Helper()
	root := os.DirFS("../testdata/h200-study")
	if len(edit) > 0 {
		files := fstest.MapFS{}
		require.NoError(t, walk(root, files))
		source := files["studies/h200/study.yaml"]
		source.Data = []byte(strings.NewReplacer(edit...).Replace(string(source.Data)))
		root = files
	}
	f, problems := study.Load(root, "studies/h200")
	require.Empty(t, problems)
	return analyze.Study(f)
}

// TestH200RepeatsAreSeenAsHot: what looks like a server warming up in three trials in a
// row is the prefix cache.
func TestH200RepeatsAreSeenAsHot(t *testing.T) {
	t.Parallel()
	r := h200(t)
	for id, want := range map[string][2]float64{
		"first/base/c4": {0.16, 0.19}, "first/base/c4.2": {0.95, 0.99}, "first/base/c4.3": {0.95, 0.99},
		"first/base/c1": {0.95, 0.99}, "first/base/c8": {0.95, 0.99}, "first/base/warm": {0, 0},
		"first/fp8/c4": {0.16, 0.19}, "first/fp8/c4.2": {0.95, 0.99}, "first/fp8/c4.3": {0.95, 0.99},
	} {
		trial, ok := r.Trial(id)
		require.True(t, ok, id)
		hits := value(t, r, trial.CacheHits)
		require.True(t, hits >= want[0] && hits <= want[1], "%s: the cache had %v of the prompts", id, hits)
	}
	var hot []string
	for _, f := range r.Findings {
		if f.Code == analyze.CodeHotRepeat || f.Code == analyze.CodeHotPrompts {
			hot = append(hot, f.Code+" "+f.Subject)
		}
	}
	require.Equal(t, []string{
		"hot-repeat first/base/c4.2", "hot-prompts first/base/c1", "hot-prompts first/base/c8",
		"hot-repeat first/fp8/c4.2", "hot-prompts first/fp8/c1",
		"hot-repeat first/sglang/c4.2",
	}, hot)
	sglang, _ := r.Trial("first/sglang/c4.2")
	require.Equal(t, 1.0, value(t, r, sglang.SentBefore), "its log tells no hits, but its prompts were sent before")
}

// TestH200RepeatsDecideNothing: they lie 2.2 % apart in throughput, and a sample is the
// cold trial of its start alone.
func TestH200RepeatsDecideNothing(t *testing.T) {
	t.Parallel()
	r := h200(t, "goal: latency", "goal: throughput")
	s, _ := r.Sample("first/base/c4")
	require.Equal(t, []string{"first/base/c4"}, s.Trials)
	require.Len(t, r.Repeats, 3)
	require.Equal(t, "first/base/c4", r.Repeats[0].Trial)
	require.True(t, r.Repeats[0].Hot)
	require.Equal(t, 3.0, value(t, r, r.Repeats[0].Trials))
	require.InDelta(t, 0.022, value(t, r, r.Repeats[0].Range), 0.001)
}

// TestH200OneStartASideIsTooFew: SGLang and vLLM, and fp8 and bf16, were started once
// each, so nothing is ranked, however large the difference.
func TestH200OneStartASideIsTooFew(t *testing.T) {
	t.Parallel()
	r := h200(t)
	for ref, ratio := range map[string]float64{"first/sglang": 1.070 / 1.080, "first/fp8": 1.070 / 0.768} {
		c := candidate(t, r, ref)
		require.Equal(t, analyze.NotDistinguishable, c.Verdict, ref)
		require.True(t, c.VersusIncumbent.Test.TooFew, ref)
		require.InDelta(t, ratio, c.VersusIncumbent.Ratio, 0.002, ref)
		require.Equal(t, 3, c.VersusIncumbent.Test.Need)
	}
	require.Equal(t, "first/base", r.Final.Ref, "fp8 is no recommendation")
	require.Equal(t, "dummy-weights", r.Mark)
}

// TestH200UnlikeTrialsAreNotRanked: another client drew other prompts from the same data
// set, and a client whose server had gone printed a complete block of zeros.
func TestH200UnlikeTrialsAreNotRanked(t *testing.T) {
	t.Parallel()
	r := h200(t)
	own := candidate(t, r, "first/own-client")
	require.Equal(t, analyze.RefusedTokens, own.VersusIncumbent.Refused)
	require.True(t, slices.ContainsFunc(own.VersusIncumbent.Ledger, func(d analyze.Difference) bool {
		return d.Name == "client" && d.Effect == analyze.EffectRefusal
	}))
	trial, _ := r.Trial("first/own-client/c4")
	require.InDelta(t, 0.064, value(t, r, trial.CacheHits), 0.001, "from the counters of its only trial")
	died := candidate(t, r, "first/died")
	require.Equal(t, analyze.Invalid, died.Verdict)
	require.Equal(t, analyze.RefusedIncomplete, died.VersusIncumbent.Refused)
}

// TestH200Roofline: how far from the memory's bandwidth the trials at concurrency 1 are.
func TestH200Roofline(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	require.NoError(t, walk(os.DirFS("../testdata/h200-study"), files))
	source := files["studies/h200/study.yaml"]
	yaml, _, _ := strings.Cut(string(source.Data), "      - id: sglang\n")
	source.Data = []byte(strings.Replace(yaml, "workload: c4", "workload: c1", 1))
	for name := range files { // what was not measured at concurrency 1
		if strings.Contains(name, "/first/") && !strings.Contains(name, "/base/") && !strings.Contains(name, "/fp8/") {
			delete(files, name)
		}
	}
	f, problems := study.Load(files, "studies/h200")
	require.Empty(t, problems)
	r := analyze.Study(f)
	shares := map[string]float64{}
	for _, b := range r.Bounds {
		shares[b.Sample] = value(t, r, b.Share)
	}
	require.InDelta(t, 0.61, shares["first/base/c1"], 0.005)
	require.InDelta(t, 0.47, shares["first/fp8/c1"], 0.005)
}

// TestH200FormulaIsNearTheTruth: mean TTFT + mean TPOT x (n - 1) is within 1.1 % of the
// mean latency of the requests, but for two trials of fp8, where it is within 1.4 %.
func TestH200FormulaIsNearTheTruth(t *testing.T) {
	t.Parallel()
	r := h200(t)
	checked := 0
	for _, trial := range r.Trials {
		if trial.Ref == "first/died" {
			continue
		}
		v := func(id metric.ID) float64 { return value(t, r, trial.Values[id]) }
		fact, _ := r.Facts.Get(trial.Values[metric.RequestLatency])
		require.Equal(t, analyze.LatencyOfRequests, fact.Formula, trial.ID)
		formula := (v(metric.Of(metric.Mean, metric.TTFT)) + v(metric.Of(metric.Mean, metric.TPOT))*(v(metric.OutputTokens)/v(metric.CompletedRequests)-1)) / 1000
		off := 0.011
		if trial.ID == "first/fp8/c4" || trial.ID == "first/fp8/warm" {
			off = 0.014
		}
		require.InEpsilon(t, fact.Value, formula, off, trial.ID)
		checked++
	}
	require.Equal(t, 15, checked)
}

// TestH200SteadyPart: ramp and drain pull the printed throughput down, the more so the
// fewer prompts there are for each slot.
func TestH200SteadyPart(t *testing.T) {
	t.Parallel()
	r := h200(t)
	steady := map[string]analyze.Steady{}
	for _, s := range r.Steady {
		steady[s.Sample] = s
	}
	require.InDelta(t, 673.33, value(t, r, steady["first/base/c4"].Printed), 0.005)
	require.InEpsilon(t, 717, value(t, r, steady["first/base/c4"].Output), 0.005)
	require.InDelta(t, 1115.96, value(t, r, steady["first/base/c8"].Printed), 0.005)
	require.InEpsilon(t, 1370, value(t, r, steady["first/base/c8"].Output), 0.01)
	require.InDelta(t, 0.73, value(t, r, steady["first/base/c8"].Share), 0.01)
	require.InEpsilon(t, value(t, r, steady["first/base/c1"].Printed), value(t, r, steady["first/base/c1"].Output), 0.001, "one at a time has no ramp")

	warm := value(t, r, steady["first/base/warm"].TTFT)
	printed, _ := r.Sample("first/base/warm")
	require.Less(t, warm, value(t, r, printed.Values[metric.Of(metric.Mean, metric.TTFT)])/2, "the first requests of a start take 124 to 141 ms")
	require.NotContains(t, steady, "first/own-client/c4", "its client saved no times of sending")
}

// TestH200HotRepeatAtConcurrency4 is the trial of which 688 tokens a second are printed
// and 738 were reached; it is a repeat, so the numbers are taken from another study
// file, in which it stands for its start.
func TestH200HotRepeatAtConcurrency4(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	require.NoError(t, walk(os.DirFS("../testdata/h200-study"), files))
	start := "studies/h200/runs/dummy/first/base/start-1/"
	for _, ext := range []string{".txt", ".json"} {
		files[start+"c4"+ext] = files[start+"c4.2"+ext]
		delete(files, start+"c4.2"+ext)
		delete(files, start+"c4.3"+ext)
	}
	f, problems := study.Load(files, "studies/h200")
	require.Empty(t, problems)
	r := analyze.Study(f)
	i := slices.IndexFunc(r.Steady, func(s analyze.Steady) bool { return s.Sample == "first/base/c4" })
	require.InDelta(t, 688.48, value(t, r, r.Steady[i].Printed), 0.005)
	require.InEpsilon(t, 738, value(t, r, r.Steady[i].Output), 0.005)
}
