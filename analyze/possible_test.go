package analyze_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study"
	"benchguide/study/studytest"
)

// TestABoundCanBeWorkedOutFromTheReport: what a step reads over what the GPU delivers, each
// a fact; and fp8 halves the layers, not the output head.
func TestABoundCanBeWorkedOutFromTheReport(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Plan.Stages[0].Candidates[0].YAML = "add: --quantization fp8"
	r := judge(t, b)
	require.Len(t, r.Bounds, 5)
	layers, head := value(t, r, "bound:layers"), value(t, r, "bound:head")
	for i, bound := range r.Bounds {
		require.Equal(t, "NVIDIA H100 SXM", bound.GPU)
		width := map[bool]float64{true: 1, false: 2}[i == 1]
		require.InDelta(t, (layers*width+head*2)/1e9, value(t, r, bound.Weights), 1e-9, bound.Candidate)
		require.Positive(t, value(t, r, bound.KV))
		read := value(t, r, bound.Weights) + value(t, r, bound.KV)
		require.InDelta(t, 1000*read/value(t, r, bound.Bandwidth), value(t, r, bound.TPOT), 1e-9)
		least, _ := r.Facts.Get(bound.TPOT)
		require.Subset(t, least.Inputs, []string{bound.Weights, bound.KV, bound.Bandwidth})
	}
	bandwidth, _ := r.Facts.Get("bound:bandwidth")
	require.Contains(t, bandwidth.Formula, "data sheet")
}

// TestImpossibleConfigurationsStopABuild: what physics forbids was not measured.
func TestImpossibleConfigurationsStopABuild(t *testing.T) {
	t.Parallel()
	r := judge(t, studytest.Winner())
	require.NotEmpty(t, r.Bounds)
	require.NotContains(t, codes(r), analyze.CodeFasterThanPossible)

	b := studytest.Winner()
	trial := b.Starts[1].Trials["main"]
	for i, s := range b.Starts {
		if s.Ref == "one/fast" {
			trial.TPOT = 1 // 15 GB in a millisecond
			b.Starts[i].Trials = map[string]studytest.Trial{"main": trial}
		}
	}
	f := finding(t, judge(t, b), analyze.CodeFasterThanPossible)
	require.Equal(t, analyze.SeverityError, f.Severity)
	require.Equal(t, "one/fast/main", f.Subject)

	b = studytest.Winner()
	b.Edit = []string{"name: Qwen3-8B}", "name: Qwen3-8B, shape: {name: huge, layers: 2000, hidden: 4096, heads: 32, kv_heads: 8, head_size: 128, intermediate: 12288, vocabulary: 151936, source: nowhere}}"}
	f = finding(t, judge(t, b), analyze.CodeDoesNotFit)
	require.Equal(t, analyze.SeverityError, f.Severity)
}

// TestCacheThatCannotHoldTheLoadIsNoted: a KV cache larger than what the weights leave
// free is no error, since engines queue, but it explains waiting.
func TestCacheThatCannotHoldTheLoadIsNoted(t *testing.T) {
	t.Parallel()
	require.NotContains(t, codes(judge(t, studytest.Winner())), analyze.CodeCacheFull)

	b := studytest.Winner()
	b.Edit = []string{"name: Qwen3-8B}", "name: Qwen3-8B, shape: {name: wide, layers: 36, hidden: 4096, heads: 32, kv_heads: 800, head_size: 128, intermediate: 12288, vocabulary: 151936, source: nowhere}}"}
	for i := range b.Starts {
		for name, trial := range b.Starts[i].Trials {
			trial.TPOT = 100 // far above what reading so much takes
			b.Starts[i].Trials[name] = trial
		}
	}
	r := judge(t, b)
	require.NotContains(t, codes(r), analyze.CodeDoesNotFit)
	require.Equal(t, analyze.SeverityNote, finding(t, r, analyze.CodeCacheFull).Severity)
}

// TestBusyClientIsDoubted: a client that had no more of a core to take may have measured
// itself; just below that nothing is said.
func TestBusyClientIsDoubted(t *testing.T) {
	t.Parallel()
	for share, doubted := range map[string]bool{"0.79": false, "0.8": true} {
		b := studytest.Winner()
		b.Each(`"client_cpu": {"main": `+share+`}`, func(s studytest.Start) bool { return s.Ref == "one/fast" && s.Number == 1 })
		require.Equal(t, doubted, containsCode(judge(t, b), analyze.CodeClientBound), share)
	}
}

// TestUnknownHardwareHasNoBound: nothing is guessed for a GPU that no table has, and the
// page says so once.
func TestUnknownHardwareHasNoBound(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Edit = []string{"gpu: NVIDIA H100 SXM", "gpu: Acme X1"}
	r := judge(t, b)
	require.Empty(t, r.Bounds)
	require.Equal(t, "Acme X1", finding(t, r, analyze.CodeBoundUnknown).Names["Name"])
}

// TestLittlesLaw: the real output of a client that prints its mean concurrency keeps the
// law, and breaks it when the number is another one.
func TestLittlesLaw(t *testing.T) {
	t.Parallel()
	const name = "studies/h200/runs/dummy/first/own-client/start-1/c4.txt"
	for from, broken := range map[string]bool{"": false, "3.87": true} {
		files := fstest.MapFS{}
		require.NoError(t, walk(os.DirFS("../testdata/h200-study"), files))
		text := string(files[name].Data)
		if from != "" {
			require.Contains(t, text, from)
			text = strings.Replace(text, from, "2.87", 1)
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
		f, problems := study.Load(files, "studies/h200")
		require.Empty(t, problems)
		r := analyze.Study(f)
		require.Equal(t, broken, containsCode(r, analyze.CodeIdentityBroken))
		if broken {
			found := finding(t, r, analyze.CodeIdentityBroken)
			require.Equal(t, "mean_concurrency", found.Names["Metric"])
			require.InDelta(t, 3.87, value(t, r, found.Facts["Expected"]), 0.005)
		}
	}
}

func containsCode(r *analyze.Report, code string) bool {
	for _, c := range codes(r) {
		if c == code {
			return true
		}
	}
	return false
}

// TestWhatStartsHaveInCommonIsSaidOnce: a finding about the workload of a configuration
// is not repeated for each of its starts.
func TestWhatStartsHaveInCommonIsSaidOnce(t *testing.T) {
	t.Parallel()
	b := studytest.Fleet("fast", "flat").Blocks(3, studytest.Noisy(studytest.Gains()))
	for i, s := range b.Starts {
		trial := s.Trials["main"]
		trial.Concurrency = 16
		b.Starts[i].Trials = map[string]studytest.Trial{"main": trial}
	}
	few := func(accept string) (list []string) {
		b.Plan.YAML = accept
		r := judge(t, b)
		require.NotContains(t, codes(r), analyze.CodeAcceptUnused)
		for _, f := range r.Findings {
			if f.Code != analyze.CodeFewPrompts {
				continue
			}
			said := f.Subject
			if count, ok := f.Facts["Configurations"]; ok {
				said += fmt.Sprint(" ", value(t, r, count))
			}
			if f.Accepted != nil {
				said += " " + f.Accepted.In("en")
			}
			list = append(list, said)
		}
		return list
	}
	accept := func(subject string) string {
		return "accept:\n  - code: few-prompts\n" + subject + "    reason: {zh: 知道, en: known}\n"
	}
	require.Equal(t, []string{"main 3"}, few(""), "once for the workload, with the number of its configurations")
	require.Equal(t, []string{"main 3 known"}, few(accept("")))
	require.Equal(t, []string{"main 3 known"}, few(accept("    subject: main\n")), "by the subject as it is printed")
	require.Equal(t, []string{"main 2", "one/fast/start-1/main known"}, few(accept("    subject: one/fast/start-1/main\n")),
		"a reason that was given for one configuration is no reason for the others")
}

// TestRoundedDurationsMakeNothingImpossible: one request after another, so that latencies
// add up to the duration, of which only hundredths are printed.
func TestRoundedDurationsMakeNothingImpossible(t *testing.T) {
	t.Parallel()
	one := studytest.Trial{Completed: 20, Concurrency: 1, Input: 2000, Output: 20 * 91, Duration: 18.22, TPOT: 10}
	for ttft, impossible := range map[float64]bool{11.0: false, 11.1: false, 12: true} {
		one.TTFT = ttft
		p := studytest.Simple(one, one)
		p.Goal = "latency"
		r := analyze.Study(load(t, p.FS()))
		require.Equal(t, impossible, slices.Contains(codes(r), analyze.CodeLatencyImpossible), "TTFT %v ms", ttft)
	}
}

// TestASampleHasOneBound: a candidate that is judged by another's starts is no further row.
func TestASampleHasOneBound(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Plan.Stages[0].Candidates = append(b.Plan.Stages[0].Candidates, studytest.Candidate{ID: "again", YAML: "add: --max-num-seqs 1\nresult: one/fast"})
	r := judge(t, b)
	require.Equal(t, "one/fast/main", candidate(t, r, "one/again").Sample)
	var samples []string
	for _, bound := range r.Bounds {
		samples = append(samples, bound.Sample)
	}
	require.Equal(t, []string{"one/base/main", "one/fast/main", "one/flat/main", "one/slow/main", "one/same/main"}, samples)
}
