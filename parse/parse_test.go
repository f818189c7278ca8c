package parse_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// fixtures is where the shortened real outputs lie.
const fixtures = "../testdata/parse"

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(fixtures, name))
	require.NoError(t, err)
	return src
}

// base is one complete block for the tests that spoil it.
func base(t testing.TB) string {
	t.Helper()
	_, block, ok := bytes.Cut(fixture(t, "vllm-0.11.2-some-failed.txt"), []byte("tip: install termplotlib and gnuplot to plot the metrics\n"))
	require.True(t, ok)
	return string(block)
}

// headline are the metrics that the cases of TestReadsEveryVersion compare.
func headline() []metric.ID {
	return []metric.ID{
		metric.CompletedRequests, metric.FailedRequests, metric.Duration, metric.OutputThroughput, metric.TotalThroughput,
		metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT), metric.Of(metric.Mean, metric.ITL),
		metric.Of(metric.Mean, metric.E2E),
	}
}

func TestReadsEveryVersion(t *testing.T) {
	t.Parallel()
	type values map[metric.ID]float64
	const (
		done, failed, s, out, total = metric.CompletedRequests, metric.FailedRequests, metric.Duration, metric.OutputThroughput, metric.TotalThroughput
		ttft, tpot, itl, e2e        = metric.ID("mean_ttft"), metric.ID("mean_tpot"), metric.ID("mean_itl"), metric.ID("mean_e2e_latency")
	)
	for _, c := range []struct {
		file, producer, versions string
		want                     values
	}{
		{"vllm-0.2.7.txt", "vllm benchmark_serving.py", "v0.1.0 to v0.2.7", values{s: 41.55, e2e: 12340}},
		{"vllm-0.3.3.txt", "vllm benchmark_serving.py", "v0.3.1 to v0.3.3", values{done: 30, s: 4.959876, out: 242.55, total: 612.92, ttft: 63.52, tpot: 12.74}},
		{"vllm-0.5.5.txt", "vllm bench serve", "v0.5.0 to v0.5.5", values{done: 30, s: 3.47, out: 210.81, total: 1318.22, ttft: 60.39, tpot: 4.44, itl: 10.74}},
		{"vllm-0.9.2.txt", "vllm bench serve", "v0.6.0 to v0.10.2", values{done: 30, s: 2.80, out: 228.99, total: 1598.67, ttft: 58.00, tpot: 3.66, itl: 7.70}},
		{"vllm-0.11.2-some-failed.txt", "vllm bench serve", "v0.11.1 to v0.12.0", values{done: 25, failed: 5, s: 2.64, out: 303.10, total: 1515.51, ttft: 65.57, tpot: 10.19, itl: 9.57}},
		{"vllm-0.26-one-token.txt", "vllm bench serve", "v0.13.0 or later", values{done: 20, failed: 0, s: 0.66, out: 30.25, total: 6079.82, ttft: 65.38}},
		{"vllm-0.26-speculative.txt", "vllm bench serve", "v0.14.0 or later", values{done: 24, failed: 0, s: 3.12, out: 368.98, total: 1422.12, ttft: 60.66, tpot: 6.83, itl: 15.24, e2e: 381.90}},
		{"vllm-0.26-nothing-succeeded.txt", "vllm bench serve", "v0.13.0 or later", values{done: 0, failed: 100, s: 0.22, out: 0, total: 0}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes(c.file, fixture(t, c.file))
			require.Empty(t, problems)
			require.Len(t, records, 1)
			r := records[0]
			got := values{}
			for _, id := range headline() {
				if n, ok := r.Number(id); ok {
					got[id] = n
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
			require.Equal(t, c.producer, r.Producer)
			require.Equal(t, c.versions, r.Versions)
			require.True(t, r.Usable(), "%v", r.Problems)
		})
	}
}

func TestTotalThroughputOfOldClientsIsDerived(t *testing.T) {
	t.Parallel()
	records, _ := parse.Bytes("old", fixture(t, "vllm-0.5.5.txt"))
	v, ok := records[0].Value(metric.TotalThroughput)
	require.True(t, ok)
	require.True(t, v.Derived)
	require.Equal(t, []metric.ID{metric.InputThroughput, metric.OutputThroughput}, v.From)
}

func TestReadsSpeculativeDecoding(t *testing.T) {
	t.Parallel()
	records, _ := parse.Bytes("spec", fixture(t, "vllm-0.26-speculative.txt"))
	r := records[0]
	for id, want := range map[metric.ID]float64{
		metric.AcceptanceRate: 46.14, metric.AcceptanceLength: 2.38, metric.Drafts: 458, metric.DraftTokens: 1374,
		metric.AcceptedTokens: 634, metric.AcceptanceAt(0): 70.31, metric.AcceptanceAt(2): 21.83,
	} {
		got, ok := r.Number(id)
		require.True(t, ok, "%s is missing", id)
		require.Equal(t, want, got, "%s", id)
	}
	require.Empty(t, r.Unknown)
}

func TestHarvestsTheLoadPrintedBeforeABlock(t *testing.T) {
	t.Parallel()
	records, _ := parse.Bytes("x", fixture(t, "vllm-0.26-one-token.txt"))
	want := []parse.Setting{{"request_rate", "inf", 1}, {"burstiness", "1.0 (Poisson process)", 2}, {"max_concurrency", "2", 3}}
	require.Equal(t, want, records[0].Settings)
	v, _ := records[0].Value(metric.MaxConcurrency)
	require.Greater(t, v.Line, records[0].Line, "the block's own line is the value, not the one before it")
}

func TestFindsTheLabelsOfEachBlock(t *testing.T) {
	t.Parallel()
	const fa3 = "python3 -m sglang.launch_server --model-path Qwen/Qwen3-14B-FP8 --attention-backend=fa3"
	const triton = "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B-FP8 --attention-backend triton"
	for _, c := range []struct {
		file string
		want [][]string
	}{
		{"guide-8b.txt", [][]string{
			{"基准测试结果", "vllm serve Qwen/Qwen3-8B", "推理服务脚本", "vLLM", "1. 选择推理引擎"},
			{"基准测试结果", "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B", "推理服务脚本", "SGLang"},
			{"# triton", "基准测试结果", triton, "推理服务脚本", "4. 注意力后端"},
			{"# flashinfer", "基准测试结果", triton, "推理服务脚本", "4. 注意力后端"},
			{"# BS=1", "基准配置的测试结果", "优化选项汇总"},
			{"# BS=2", "基准配置的测试结果", "优化选项汇总"},
		}},
		{"guide-14b-line-numbers.txt", [][]string{
			{"# fa3", "基准测试结果", fa3, "推理服务脚本", "3. SGLang 中的 注意力后端"},
			{"# --attention-backend=flashinfer", "基准测试结果", fa3, "推理服务脚本", "3. SGLang 中的 注意力后端"},
		}},
		{"admonitions-no-header.txt", [][]string{
			{"Benchmark result", "trtllm-serve <path>/DeepSeek-v3.2 --tp_size 8", "Serving script", "TensorRT-LLM"},
			{
				"Benchmark result",
				"vllm serve deepseek-ai/DeepSeek-V3.2 --tokenizer-mode deepseek_v32 --reasoning-parser deepseek_v3 -tp 1 -dp 8 --enable-expert-parallel --max-model-len 81920",
				"# 81920 is half context, full context OOM", "Serving script", "#### Parallelism: DP+EP",
			},
		}},
		{"vllm-0.26-nothing-succeeded.txt", [][]string{nil}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes(c.file, fixture(t, c.file))
			require.Empty(t, problems)
			var got [][]string
			for _, r := range records {
				got = append(got, r.Labels)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryValueStandsInItsLine(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(fixtures, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		lines := strings.Split(string(src), "\n")
		records, _ := parse.Bytes(name, src)
		for _, r := range records {
			for _, v := range r.Values {
				line, labels := lines[v.Line-1], lines[v.Line-1]
				if strings.HasSuffix(r.Format, "-table") {
					labels = string(src) // in a table the label is the heading of the row or column
				}
				if !v.Derived && (!strings.Contains(labels, v.Label) || !strings.Contains(line, v.Text)) {
					t.Errorf("%s:%d: %q is not the line of %s %q %q", name, v.Line, line, v.Metric, v.Label, v.Text)
				}
				if _, ok := metric.Lookup(v.Metric); !ok {
					t.Errorf("%s:%d: metric %s is not declared", name, v.Line, v.Metric)
				}
			}
		}
	}
}

// A benchmark without tokens under the header of a serving benchmark.
func TestImagesAndVideoAreNamedAndNotRead(t *testing.T) {
	t.Parallel()
	for file, name := range map[string]string{"sglang-video.txt": "multimodal_gen", "mlperf-images.txt": "mlperf"} {
		records, problems := parse.Bytes(file, fixture(t, file))
		require.Empty(t, records, file)
		require.Len(t, problems, 1, file)
		require.Equal(t, parse.CodeNotTokens, problems[0].Code, file)
		require.Contains(t, problems[0].Message, name, file)
		require.Equal(t, parse.Error, problems[0].Severity)
	}
}
