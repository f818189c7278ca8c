package parse_test

import (
	"bytes"
	"slices"
	"testing"
)

// fuzzAfter fuzzes one reader: what the fuzzer writes stands below the line that the
// reader's results begin with, as in the fixtures that are its seeds.
func fuzzAfter(f *testing.F, first string, files ...string) {
	f.Helper()
	for _, name := range files {
		src := fixture(f, name)
		_, rest, ok := bytes.Cut(src, []byte(first))
		if !ok {
			f.Fatalf("%s has no line %q", name, first)
		}
		f.Add(rest, uint16(len(rest)/2))
		f.Add(rest[:len(rest)/3], uint16(len(rest)/4))
	}
	f.Fuzz(func(t *testing.T, rest []byte, cut uint16) {
		checkText(t, slices.Concat([]byte(first), rest), cut)
	})
}

func FuzzServingBlock(f *testing.F) {
	fuzzAfter(f, "============ Serving Benchmark Result ============\n", "vllm-0.26-speculative.txt", "sglang-cache-hits.txt", "sglang-0.5.5.txt", "trtllm-failed-energy.txt",
		"fastdeploy.txt", "modular.txt", "vllm-0.5.5.txt", "vllm-0.26-nothing-succeeded.txt")
}

func FuzzRustBlock(f *testing.F) {
	fuzzAfter(f, "================= Serving Benchmark Result =================\n", "vllm-rust-steady.txt")
}

func FuzzMultiTurnBlock(f *testing.F) {
	fuzzAfter(f, "=============== Multi-Turn Benchmark Result ================\n", "vllm-rust-multi-turn.txt")
}

func FuzzOldServingLines(f *testing.F) {
	fuzzAfter(f, "Successful requests: ", "vllm-0.3.3.txt")
}

func FuzzVLLMThroughput(f *testing.F) { fuzzAfter(f, "Throughput: ", "vllm-throughput.txt") }

func FuzzVLLMLatency(f *testing.F) { fuzzAfter(f, "Avg latency: ", "vllm-latency.txt") }

func FuzzSGLangOneBatch(f *testing.F) { fuzzAfter(f, "Prefill. latency:", "sglang-one-batch.txt") }

func FuzzSGLangOneBatchServer(f *testing.F) {
	fuzzAfter(f, "batch size: ", "sglang-one-batch-server.txt")
}

func FuzzSGLangOneBatchTable(f *testing.F) { fuzzAfter(f, "| batch size | input len |", "tables.md") }

func FuzzSGLangMultiTurn(f *testing.F) {
	fuzzAfter(f, "Performance metrics summary:\n", "sglang-multiturn.txt")
}

func FuzzTRTLLMBench(f *testing.F) {
	fuzzAfter(f, "= PERFORMANCE OVERVIEW \n", "trtllm-bench-new.txt")
}

func FuzzOldTRTLLMBench(f *testing.F) {
	fuzzAfter(f, "= GENERAL OVERVIEW\n", "trtllm-bench-old.txt")
}

func FuzzMLPerf(f *testing.F) {
	fuzzAfter(f, "MLPerf Results Summary\n", "mlperf-server.txt", "mlperf-offline.txt")
}

func FuzzVLLMSweep(f *testing.F) { fuzzAfter(f, "==== Sweep Summary ====\n", "vllm-rust-sweep.txt") }

func FuzzServingTable(f *testing.F) { fuzzAfter(f, "| Metric |", "tables.md") }
