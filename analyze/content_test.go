package analyze_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
)

// content analyses a study that ships with the repository.
func content(t *testing.T, id string) *analyze.Report {
	t.Helper()
	f, problems := study.Load(os.DirFS("../content"), "studies/"+id)
	require.Empty(t, problems)
	return analyze.Study(f)
}

func latency8B(t *testing.T) *analyze.Report { return content(t, "qwen3-8b-h100-latency") }
func throughput14B(t *testing.T) *analyze.Report {
	return content(t, "qwen3-14b-h100-throughput")
}

// facts asserts numbers at the precision at which they are known.
func facts(t *testing.T, r *analyze.Report, decimals int, want map[string]float64) {
	t.Helper()
	scale := math.Pow(10, float64(decimals))
	for id, v := range want {
		require.Equal(t, v, math.Round(value(t, r, id)*scale)/scale, id)
	}
}

func TestThroughputStudyHasItsKnownNumbers(t *testing.T) {
	t.Parallel()
	r := throughput14B(t)
	require.False(t, r.Failed())
	facts(t, r, 2, map[string]float64{
		"engine/sglang/sharegpt:total_throughput":       8403.97,
		"engine/tensorrt-llm/sharegpt:total_throughput": 8315.15,
		"engine/vllm/sharegpt:total_throughput":         6595.66,
	})
	facts(t, r, 3, map[string]float64{
		"stage/engine:gain.total_throughput":       1.274,
		"stage/quantization:gain.total_throughput": 1.241,
		"total:gain.total_throughput":              1.581,
		"noise:total_throughput":                   0.03,
	})
	facts(t, r, 4, map[string]float64{"spread:quantization/fp8/sharegpt:total_throughput": 0.0008})
	facts(t, r, 3, map[string]float64{"case/random-32k:apart.output_tokens": 0.011})
	apart := value(t, r, "engine/sglang/sharegpt:total_throughput")/value(t, r, "engine/tensorrt-llm/sharegpt:total_throughput") - 1
	require.InDelta(t, 0.011, apart, 0.0005)
}

func TestThroughputStudyHasItsKnownVerdicts(t *testing.T) {
	t.Parallel()
	r := throughput14B(t)
	require.Empty(t, cmp.Diff(map[string]analyze.Verdict{
		"engine/vllm": "baseline", "engine/sglang": "adopted", "engine/tensorrt-llm": "tied",
		"quantization/fp8": "adopted",
		"attention/fa3":    "not-distinguishable", "attention/flashinfer": "no-gain", "attention/triton": "no-gain",
	}, verdicts(r)))
	require.Equal(t, []string{"engine/sglang", "engine/tensorrt-llm"}, r.Stages[0].TieGroup)
	require.True(t, r.Stages[0].Picked)
	require.False(t, r.Stages[2].Changed)
	require.Equal(t, "quantization/fp8", r.Final.Ref)
	require.Equal(t, "quantization/fp8", candidate(t, r, "attention/fa3").SameAs)
	for _, c := range r.Cases {
		require.Empty(t, c.Comparison.Refused, c.Workload)
		require.Equal(t, c.Workload == "random-32k", slices.Contains(c.Comparison.Cautions, "output-tokens-differ"), c.Workload)
	}
}

func TestLatencyStudyHasItsKnownNumbers(t *testing.T) {
	t.Parallel()
	r := latency8B(t)
	require.False(t, r.Failed())
	facts(t, r, 3, map[string]float64{
		"speculation/s4-k4-d16/c4:request_latency":    0.874,
		"cases/optimized/c4:request_latency":          0.773,
		"cases/optimized/c8:request_latency_formula":  1.101,
		"cases/optimized/c8:request_latency_bound":    1.077,
		"cases/baseline/c8:request_latency":           1.768,
		"noise:request_latency":                       0.130,
		"noise:total_throughput":                      0.068,
		"engine/sglang:gain.request_latency":          1.049,
		"stage/quantization:gain.request_latency":     1.255,
		"stage/speculation:gain.request_latency":      1.465,
		"stage/speculation:gain.total_throughput":     1.489,
		"stage/engine:gain.total_throughput":          1.058,
		"torch-compile/enabled:gain.total_throughput": 0.974,
	})
}

func TestLatencyStudyHasItsKnownVerdicts(t *testing.T) {
	t.Parallel()
	r := latency8B(t)
	require.Empty(t, cmp.Diff(map[string]analyze.Verdict{
		"engine/vllm": "baseline", "engine/sglang": "not-distinguishable", "engine/tensorrt-llm": "not-distinguishable",
		"cuda-graph/max-bs-8": "not-distinguishable",
		"quantization/fp8":    "adopted",
		"attention/triton":    "not-distinguishable", "attention/flashinfer": "no-gain",
		"speculation/s4-k4-d16": "adopted", "speculation/s2": "tied", "speculation/d32": "tied", "speculation/k8": "tied", "speculation/d8": "tied",
		"speculation/angelslim": "outperformed", "speculation/s8": "outperformed", "speculation/s2-k1-d4": "outperformed", "speculation/defaults": "outperformed",
		"torch-compile/enabled": "not-distinguishable",
	}, verdicts(r)))
	require.Equal(t, "engine/sglang", r.Stages[0].Adopted)
	require.True(t, candidate(t, r, "engine/sglang").Picked, "the author's pick, which the data cannot tell from the incumbent")
}

func TestLatencyStudyTakesItsFloorFromTheWinnerMeasuredTwice(t *testing.T) {
	t.Parallel()
	r := latency8B(t)
	for _, f := range r.Floors {
		require.Equal(t, []string{"speculation/s4-k4-d16/c4", "cases/optimized/c4"}, f.Trials)
	}
	baseline, ok := r.Trial("cases/baseline/c4")
	require.True(t, ok)
	require.Equal(t, "engine/vllm/c4", baseline.SameBytesAs, "one block printed twice is no repetition")
	first, _ := r.Trial("speculation/s4-k4-d16/c4")
	second, _ := r.Trial("cases/optimized/c4")
	require.NotEqual(t, first.Command, second.Command)
	require.Equal(t, first.Fingerprint, second.Fingerprint, "two spellings of one configuration")
}

func TestOneOf25LatenciesIsImpossible(t *testing.T) {
	t.Parallel()
	r := latency8B(t)
	passed, failed := 0, []string{}
	for _, trial := range r.Trials {
		if trial.NoLatency {
			failed = append(failed, trial.ID)
			require.NotContains(t, trial.Values, metric.RequestLatency)
			continue
		}
		require.Contains(t, trial.Values, metric.RequestLatency)
		passed++
	}
	require.Equal(t, 24, passed)
	require.Equal(t, []string{"cases/optimized/c8"}, failed)
	for _, c := range r.Cases {
		want := metric.RequestLatency
		if c.Workload == "c8" {
			want = metric.TotalThroughput
		}
		require.Equal(t, want, c.Comparison.Metric, c.Workload)
	}
	require.False(t, r.Facts.Has("case/c8:gain.request_latency"))
}

func TestPublishedFiguresThatTheDataContradict(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]map[string]string{
		"qwen3-8b-h100-latency": {
			"1.78s/req": "differs", "1.10s/req": "no-data", "1.6x": "no-data", "SGLang(1.61 s) < vLLM (1.68 s) > TensorRT-LLM (1.74 s)": "differs",
			"+4.3%": "differs", "+25.8%": "differs", "+66.2%": "differs",
		},
		"qwen3-14b-h100-throughput": {"8424.86 tok/s": "differs", "+27.7%": "differs", "+23.8%": "differs"},
	} {
		r := content(t, id)
		got := map[string]string{}
		contradicted := 0
		for _, c := range r.Claims {
			if c.Status != analyze.ClaimHolds {
				got[c.Says] = string(c.Status)
				contradicted++
			}
		}
		require.Empty(t, cmp.Diff(want, got), id)
		require.Equal(t, float64(contradicted), value(t, r, "claims:contradicted"))
		require.Equal(t, float64(len(r.Claims)), value(t, r, "claims:checked"))
	}
}

// TestAPageSaysNoOtherVerdictThanARun: what a report has beside its verdicts moves none of
// them, and no fact that they rest on.
func TestAPageSaysNoOtherVerdictThanARun(t *testing.T) {
	t.Parallel()
	collection, problems := study.LoadCollection(os.DirFS("../content"))
	require.Empty(t, problems)
	for _, f := range collection.Folders {
		page, judged := analyze.Study(f), analyze.Judged(f)
		require.NotEmpty(t, judged.Stages, f.ID)
		for i := range page.Stages {
			page.Stages[i].Ablation = nil // has starts of its own, which come after all verdicts
		}
		require.Empty(t, cmp.Diff(page.Stages, judged.Stages), f.ID)
		require.Empty(t, cmp.Diff(page.FactList[:len(judged.Facts.All())], judged.Facts.All()), f.ID)
	}
}

// Every number that leaves analyze is finite and leads to a line of a file, or to what the
// tables of GPUs and models name as their sources.
func TestEveryFactLeadsToItsSources(t *testing.T) {
	t.Parallel()
	for _, r := range []*analyze.Report{latency8B(t), throughput14B(t)} {
		for _, f := range r.FactList {
			require.False(t, math.IsNaN(f.Value) || math.IsInf(f.Value, 0), f.ID)
			sources := r.Facts.Sources(f.ID)
			require.True(t, len(sources) > 0 || fromTables(r, f.ID), "%s comes from nowhere", f.ID)
			for _, s := range sources {
				require.Positive(t, s.Line, f.ID)
				require.True(t, strings.HasPrefix(s.File, "runs/") || s.File == "study.yaml", "%s: %s", f.ID, s.File)
			}
			require.True(t, r.Facts.Has(f.Inputs...), f.ID)
			require.Equal(t, f.Source == nil, f.Formula != "", "%s has a source or a formula, not both", f.ID)
		}
	}
}

// fromTables reports whether a fact, or all that it is computed from, names a data sheet or
// a model's configuration.
func fromTables(r *analyze.Report, id string) bool {
	f, _ := r.Facts.Get(id)
	for _, source := range []string{" data sheet", "config.json of "} {
		if strings.Contains(f.Formula, source) {
			return true
		}
	}
	return len(f.Inputs) > 0 && !slices.ContainsFunc(f.Inputs, func(in string) bool { return !fromTables(r, in) })
}

func TestEveryCandidateHasBothComparisons(t *testing.T) {
	t.Parallel()
	for _, r := range []*analyze.Report{latency8B(t), throughput14B(t)} {
		for _, st := range r.Stages {
			for _, c := range st.Candidates {
				require.Equal(t, c.Verdict == analyze.BaselineVerdict, c.VersusIncumbent == nil, c.Ref)
				require.Equal(t, c.Ref == st.Adopted, c.VersusAdopted == nil, c.Ref)
			}
		}
	}
}
