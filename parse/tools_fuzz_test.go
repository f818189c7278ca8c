package parse_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchguide/metric"
	"benchguide/parse"
)

// fuzzTool runs one reader on what becomes of its seeds: the fixtures whose names
// match a pattern, and texts that lead to its corners.
func fuzzTool(f *testing.F, pattern string, seeds ...string) {
	names, err := filepath.Glob(filepath.Join(fixtures, "tools", pattern))
	if err != nil || len(names) == 0 {
		f.Fatalf("no seeds match %s: %v", pattern, err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src[:min(len(src), 16<<10)])
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(checkToolOutput)
}

// checkToolOutput fails when a text gives a record that no tool could mean.
func checkToolOutput(t *testing.T, src []byte) {
	records, problems := parse.Bytes("in", src)
	if len(records) == 0 && len(problems) == 0 {
		t.Fatal("neither a record nor a reason")
	}
	lines := bytes.Count(src, []byte{'\n'}) + 1
	for _, r := range records {
		if r.Line < 1 || r.EndLine < r.Line || r.EndLine > lines {
			t.Fatalf("%s in lines %d to %d of %d", r.Format, r.Line, r.EndLine, lines)
		}
		seen := map[metric.ID]bool{}
		for _, v := range r.Values {
			_, declared := metric.Lookup(v.Metric)
			if !declared || seen[v.Metric] || math.IsNaN(v.Number) || math.IsInf(v.Number, 0) || v.Line < r.Line || v.Line > r.EndLine {
				t.Fatalf("%s, lines %d to %d: %+v", r.Format, r.Line, r.EndLine, v)
			}
			seen[v.Metric] = true
		}
	}
	var streamed []parse.Record
	if _, err := parse.Stream("in", bytes.NewReader(src), func(r parse.Record) { streamed = append(streamed, r) }); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(records, streamed) { // which is much faster than a difference
		t.Fatalf("-bytes +stream:\n%s", cmp.Diff(records, streamed))
	}
}

func FuzzGuideLLMJSON(f *testing.F) { fuzzTool(f, "guidellm-*.json") }
func FuzzGuideLLMYAML(f *testing.F) {
	fuzzTool(f, "guidellm-*.yaml", "benchmarks:\n- type_: a\n  config:\n    strategy:\n      streams: 3\n  duration: 2.5\n  metrics:\n    request_totals:\n      successful: 3\n- - - a\n-\n  - b: [c\n")
}
func FuzzGuideLLMCSV(f *testing.F) {
	fuzzTool(f, "*guidellm-*.csv", "Run Info,a\nb\nc,\"d\n", "Run Info\n\n\n\n")
}
func FuzzGuideLLMConsole(f *testing.F) {
	fuzzTool(f, "guidellm-*.t*", "ℹ Run Summary Info\n|===|\n|a||\n|---|\n| b | c |\n")
}
func FuzzGPUStack(f *testing.F)      { fuzzTool(f, "shape-gpustack-*.json") }
func FuzzAIPerfJSON(f *testing.F)    { fuzzTool(f, "*perf-0.*.json") }
func FuzzAIPerfRecords(f *testing.F) { fuzzTool(f, "aiperf-*.jsonl") }
func FuzzAIPerfCSV(f *testing.F) {
	fuzzTool(f, "*perf-*.csv", "Metric,avg,min,max,p99\nx\n\nMetric\n\"a,1")
}
func FuzzAIPerfConsole(f *testing.F) {
	fuzzTool(f, "*perf-*.txt", "NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃\n│ a │ b │\n└─┘\nBenchmark Duration: 2 parsec\n")
}
func FuzzGenAIBench(f *testing.F) { fuzzTool(f, "genai-bench-*.json") }
func FuzzInferencePerf(f *testing.F) {
	fuzzTool(f, "inference-perf-*", "=== START_STAGE_1 ===\n{}\n=== END_STAGE_1 ===\n")
}
func FuzzEvalScopeJSON(f *testing.F) { fuzzTool(f, "evalscope-*.json") }
func FuzzEvalScopeConsole(f *testing.F) {
	fuzzTool(f, "*evalscope-*.*t*", "┃ Conc. ┃ RPS ┃ Lat.(s) ┃ a ┃ b ┃\n│ 1 │\n", "Performance Overview\n┃Conc. ┃ RPS ┃\n│ 1 │ 2 │\n")
}
func FuzzAISBench(f *testing.F) {
	fuzzTool(f, "shape-aisbench.txt", "│ Common Metric │ Stage │ Value │\n│ a │\n")
}
func FuzzLLMPerf(f *testing.F) { fuzzTool(f, "shape-llmperf.json") }
func FuzzHypercomputer(f *testing.F) {
	fuzzTool(f, "shape-hypercomputer.txt", "====Result for Model: x====\n")
}
func FuzzLlamaBench(f *testing.F) {
	fuzzTool(f, "llama-bench-*", "| model | backend | test | x | t/s |\n| a")
}
func FuzzGuideLLMHTML(f *testing.F) {
	fuzzTool(f, "shape-guidellm.html", "window.benchmarks = [{\"ttft\": {\"mean\": 1}}]", "x window.benchmarks=[")
}
