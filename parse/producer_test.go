package parse_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// told is what a case of TestTellsProducersApart asks of one record. Values and
// settings are those that the producer is known by; a record has more.
type told struct {
	producer, versions string
	values             map[metric.ID]float64
	absent             []metric.ID
	settings           map[string]string
	means              []parse.Definition
}

func TestTellsProducersApart(t *testing.T) {
	t.Parallel()
	type values = map[metric.ID]float64
	type settings = map[string]string
	for _, c := range []struct {
		file string
		want []told
	}{
		{"sglang-0.5.5.txt", []told{{
			producer: "sglang bench_serving", versions: "v0.5.5.post2 to v0.5.5.post3",
			values:   values{metric.MaxConcurrency: 20, metric.MeanConcurrency: 16.42, metric.RetokenizedOutput: 129591, "max_itl": 194.58, "mean_e2e_latency": 17609.46},
			settings: settings{"backend": "sglang-oai-chat", "request_rate": "20.0"},
			means:    []parse.Definition{parse.FailuresHidden, parse.RatesByDuration, parse.InputByClient},
		}}},
		{"sglang-cache-hits.txt", []told{{
			producer: "sglang bench_serving", versions: "v0.5.14 or later",
			values: values{metric.CachedTokens: 25362, metric.CacheHitRate: 38.7, "p95_e2e_latency": 9300},
			absent: []metric.ID{metric.MaxConcurrency, metric.RequestRate, metric.FailedRequests},
			settings: settings{
				"request_rate": "trace", "cache.device_tokens": "20000", "cache.storage_tokens": "362",
				"cache.device_share": "30.5%", "cache.host_share": "7.6%", "cache.storage_share": "0.6%",
			},
		}}},
		{"sglang-offline.txt", []told{{
			producer: "sglang bench_offline_throughput", versions: "v0.4.3.post3 or later",
			values:   values{metric.CompletedRequests: 2000, metric.InputThroughput: 1789.23, metric.TotalThroughput: 2898.68},
			settings: settings{"last_generation_throughput": "33.36"},
		}}},
		{"sglang-one-batch.txt", []told{{
			producer: "sglang bench_one_batch", versions: "v0.2.0 or later",
			values:   values{metric.Duration: 0.151, metric.TotalThroughput: 6887.42, "median_itl": 6.54},
			settings: settings{"batch_size": "1", "prefill_latency": "0.05031 s", "decode_throughput.median": "152.91 token/s"},
			means:    []parse.Definition{parse.LatencyOfBatch},
		}}},
		{"sglang-one-batch-server.txt", []told{{
			producer: "sglang bench_one_batch_server", versions: "v0.5.5.post1 or later",
			values: values{
				metric.Duration: 0.93, "max_ttft": 660, metric.AcceptanceLength: 2.31, metric.CacheHitRate: 12.5,
				metric.OutputTokens: 256, metric.OutputThroughput: 275.27, metric.TotalThroughput: 17892.47,
			},
			settings: settings{"decode_throughput": "948.15 tok/s", "batch_size": "16"},
			means:    []parse.Definition{parse.DecodeRateOnly, parse.LatencyOfBatch},
		}, {
			producer: "sglang bench_one_batch_server", versions: "v0.4.0 to v0.4.6.post3",
			values: values{metric.Duration: 1.25, metric.TotalThroughput: 1740.8},
			absent: []metric.ID{metric.OutputThroughput},
		}}},
		{"sglang-multiturn.txt", []told{{
			producer: "sglang hicache bench_multiturn", versions: "v0.4.6 or later",
			values: values{
				metric.CompletedRequests: 160, "mean_ttft": 7530, "p90_ttft": 12100, "mean_e2e_latency": 9410,
				metric.RequestThroughput: 0.95, metric.OutputThroughput: 243.2, metric.CacheHitRate: 71.613,
			},
			settings: settings{"input_length.mean": "5120.25 tokens"},
		}}},
		{"trtllm-1.0.txt", []told{{
			producer: "tensorrt-llm benchmark_serving", versions: "about v1.0",
			values:   values{metric.UserThroughput: 623.08, "mean_tpot": 1.59, "mean_e2e_latency": 1643.44},
			settings: settings{"request_acceptance.mean": "0.9980"},
		}}},
		{"trtllm-failed-energy.txt", []told{{
			producer: "tensorrt-llm benchmark_serving", versions: "after v1.0",
			values: values{
				metric.TotalRequests: 40, metric.CompletedRequests: 37, metric.FailedRequests: 3, "std_ttft": 6.31, "std_e2e_latency": 55.1,
				metric.Energy: 5120.25, metric.OutputTokensPerWatt: 1.8499, metric.GPUPower: 624.4207,
			},
			settings: settings{"decoded_tokens_per_iteration.mean": "1.85", "decoded_tokens_per_iteration.p99": "2.10"},
		}}},
		{"trtllm-bench-new.txt", []told{{
			producer: "trtllm-bench", versions: "v0.16.0 or later",
			values: values{
				metric.TotalRequests: 100, metric.MeanConcurrency: 94.6094, metric.Duration: 1.1555715, metric.OutputThroughput: 11076.77,
				metric.TotalThroughput: 22153.5399, metric.UserThroughput: 117.1544, metric.GPUThroughput: 11076.77,
				metric.InputTokens: 12800, "mean_ttft": 162.6706, "min_tpot": 6.645, "p50_ttft": 159.7857, "max_e2e_latency": 1145.13,
			},
			absent:   []metric.ID{metric.CompletedRequests},
			settings: settings{"issue_rate": "1.0526E+15", "tp_size": "1", "kv_memory_percentage": "90.00%"},
		}}},
		{"trtllm-bench-old.txt", []told{{
			producer: "trtllm-bench", versions: "v0.12.0 to v0.15.0",
			values:   values{metric.OutputThroughput: 32.2742, metric.Duration: 6345.6240554, "mean_ttft": 147.7502, "mean_tpot": 30.9274},
			absent:   []metric.ID{metric.TotalThroughput, "mean_itl"},
			settings: settings{"generation_latency.p99": "63374.7770", "acceptance.min": "1.00"},
		}}},
		{"gpustack.txt", []told{{
			producer: "gpustack performance lab (guidellm)", versions: "guidellm v0.4.0 to v0.6.1",
			values:   values{"mean_e2e_latency": 24110, "p99_e2e_latency": 51160, "mean_tpot": 9.45, "p99_tpot": 118.73, "mean_ttft": 1604.23},
			absent:   []metric.ID{"mean_itl", metric.PeakOutputRate, "p95_ttft", "median_tpot"},
			settings: settings{"time_per_output_token_with_ttft_ms.mean": "15.12", "peak_output_throughput_artefact": "20132659.20"},
			means:    []parse.Definition{parse.ITLAsTPOT, parse.TPOTWithTTFT, parse.TPOTLastToken, parse.RatesOverstated, parse.TokensEstimated},
		}}},
		{"fastdeploy.txt", []told{{
			producer: "fastdeploy benchmark_serving",
			values:   values{metric.CompletedRequests: 100, "mean_ttft": 120.5, "p99.95_ttft": 310.2, "mean_tpot": 24.3, metric.TotalThroughput: 1500},
			settings: settings{"decode_tokens_per_s.mean": "41.20", "decode_tokens_per_s.p80": "44.10", "server_ttft_ms.mean": "100.10", "cached_tokens.mean": "12.00"},
		}}},
		{"modular.txt", []told{{
			producer: "max benchmark", versions: "v25 or later",
			values:   values{metric.RequestThroughput: 5, metric.MaxConcurrency: 8, "mean_tpot": 15.9, "mean_e2e_latency": 855},
			absent:   []metric.ID{metric.OutputThroughput, metric.InputThroughput},
			settings: settings{"output_tokens_per_s_of_a_request.mean": "61.20", "request_rate": "inf"},
		}}},
		{"vllm-rust-steady.txt", []told{{
			producer: "vllm-bench (Rust)", versions: "main of 2026-07-17 or later",
			values:   values{metric.RequestThroughput: 9.07, metric.OutputThroughput: 1160.99, "mean_ttft": 512.44, "mean_tpot": 21.05},
			absent:   []metric.ID{metric.InputThroughput, "p90_tpot"},
			settings: settings{"steady.mean_ttft": "540.31", "steady.output_throughput": "1228.80", "steady.p90_tpot": "27.70", "steady.window": "3.1s -> 40.2s  (37.1s)"},
			means:    []parse.Definition{parse.OutputByServer},
		}}},
		{"vllm-rust-multi-turn.txt", []told{{
			producer: "vllm-bench (Rust) multi-turn", versions: "main of 2026-07-17 or later",
			values:   values{metric.CompletedRequests: 40, metric.MaxConcurrency: 4, metric.Duration: 21.4, "mean_ttft": 61.1},
			settings: settings{"turn.1.mean_ttft": "80.20", "turn.2.mean_ttft": "42.00", "turn.2.completed_requests": "20", "conversations_completed_of_total": "20/20"},
		}}},
		{"vllm-rust-sweep.txt", []told{
			{producer: "vllm-bench (Rust) sweep", versions: "main of 2026-07-17 or later", values: values{metric.TotalThroughput: 1152, "p50_ttft": 50, "p50_tpot": 7}},
			{
				producer: "vllm-bench (Rust) sweep", versions: "main of 2026-07-17 or later", values: values{metric.OutputThroughput: 780.8, "p50_ttft": 80},
				settings: settings{"steady.request_throughput": "6.50"},
			},
		}},
		{"vllm-throughput.txt", []told{
			{producer: "vllm bench throughput", versions: "v0.8.0 or later", values: values{metric.TotalThroughput: 2124.55, metric.OutputThroughput: 236.06, metric.InputTokens: 204800}},
			{producer: "vllm bench throughput", versions: "v0.8.0 or later", values: values{metric.TotalThroughput: 2458.73, metric.RequestThroughput: 2.13}},
			{producer: "vllm bench throughput", versions: "vllm-bench (Rust)", values: values{metric.Duration: 90.26, metric.OutputTokens: 1024000}},
			{producer: "vllm bench throughput", versions: "v0.2.0 to v0.6.3", values: values{metric.TotalThroughput: 4656}, absent: []metric.ID{metric.OutputThroughput}},
		}},
		{"vllm-latency.txt", []told{{
			producer: "vllm bench latency", versions: "v0.4.1 or later",
			values: values{"mean_e2e_latency": 853.2187419011258, "p10_e2e_latency": 847.8122709784657, "p99_e2e_latency": 864.0271921735257},
			means:  []parse.Definition{parse.LatencyOfBatch},
		}}},
		{"mlperf-server.txt", []told{{
			producer: "mlperf loadgen", versions: "v3.1 or later",
			values: values{
				metric.RequestThroughput: 101.51, metric.OutputThroughput: 29522.56, "mean_e2e_latency": 37756.80707,
				"mean_ttft": 963.332124, "p99_ttft": 1760.966679, "p99.9_tpot": 227.870358,
			},
			settings: settings{"scenario": "Server", "result": "INVALID", "ttft_limit_ns": "2000000000"},
		}}},
		{"mlperf-offline.txt", []told{{
			producer: "mlperf loadgen", values: values{metric.OutputThroughput: 3652.11, metric.RequestThroughput: 12.5503},
			absent: []metric.ID{"mean_e2e_latency", "p99.9_e2e_latency"},
		}}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes(c.file, fixture(t, c.file))
			require.Empty(t, problems)
			require.Len(t, records, len(c.want))
			for i, want := range c.want {
				checkTold(t, want, &records[i])
			}
		})
	}
}

func checkTold(t *testing.T, want told, r *parse.Record) {
	t.Helper()
	require.Equal(t, want.producer, r.Producer)
	require.Equal(t, want.versions, r.Versions)
	require.True(t, r.Usable(), "%v", r.Problems)
	require.Empty(t, r.Unknown)
	got := map[metric.ID]float64{}
	for id := range want.values {
		if n, ok := r.Number(id); ok {
			got[id] = n
		}
	}
	if diff := cmp.Diff(want.values, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	for _, id := range want.absent {
		v, ok := r.Value(id)
		require.False(t, ok, "%s is %v", id, v)
	}
	for name, text := range want.settings {
		i := slices.IndexFunc(r.Settings, func(s parse.Setting) bool { return s.Name == name })
		require.GreaterOrEqual(t, i, 0, "setting %s is missing: %v", name, r.Settings)
		require.Equal(t, text, r.Settings[i].Text, name)
	}
	for _, d := range want.means {
		require.Contains(t, r.Definitions, d)
	}
}

// vLLM's block from InferenceX's script is the same to the letter.
func TestInferenceXIsNamedByTheWordsAroundIt(t *testing.T) {
	t.Parallel()
	block := string(fixture(t, "vllm-0.9.2.txt"))
	records, _ := parse.Bytes("in", []byte("+ python3 /workspace/InferenceMAX/utils/bench_serving/benchmark_serving.py --model m\n"+block))
	require.Len(t, records, 1)
	require.Equal(t, "inferencex benchmark_serving", records[0].Producer)
	records, _ = parse.Bytes("in", []byte(block))
	require.Equal(t, "vllm bench serve", records[0].Producer)
}

// SGLang's ITL is the gap between chunks, or that gap divided by its tokens: the
// ratio to TPOT tells which, where several tokens are accepted at a time.
func TestTellsTheTwoMeaningsOfITL(t *testing.T) {
	t.Parallel()
	src := fixture(t, "corpus/sglang-0.5.10-mimo-v25-accept-length.txt")
	records, _ := parse.Bytes("in", src)
	require.Contains(t, records[0].Definitions, parse.ITLPerToken)
	require.NotContains(t, records[0].Definitions, parse.ITLPerChunk)
	records, _ = parse.Bytes("in", fixture(t, "corpus/sglang-0.4.1.post5-multitoken.txt"))
	require.Contains(t, records[0].Definitions, parse.ITLPerChunk)
	records, _ = parse.Bytes("in", fixture(t, "corpus/vllm-0.26.0-spec-decoding.txt"))
	require.Contains(t, records[0].Definitions, parse.ITLEmptyChunks, "the client's arguments say openai-chat")
	records, _ = parse.Bytes("in", fixture(t, "corpus/vllm-0.26.0-goodput-multitoken.txt"))
	require.NotContains(t, records[0].Definitions, parse.ITLEmptyChunks, "completions have no empty chunks")
}

func TestOnlyTheBenchmarkPassOfOneBatchIsRead(t *testing.T) {
	t.Parallel()
	src := fixture(t, "sglang-one-batch.txt")
	records, _ := parse.Bytes("in", src)
	require.Len(t, records, 1)
	require.Equal(t, 8, records[0].Line, "the first pass is the warm-up")
}
