package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// otherResults are results of clients and commands whose files are small, in the
// shape that their sources give them.
func otherResults() map[string]string {
	return map[string]string{
		"vllm v0.3.3": `{"date": "20240301-101010", "backend": "vllm", "version": "N/A", "model_id": "m", "tokenizer_id": "m", "best_of": 1, "use_beam_search": false, "num_prompts": 30,
"request_rate": "inf", "duration": 4.96, "completed": 30, "total_input_tokens": 1837, "total_output_tokens": 1203, "request_inthroughput": 6.05, "input_throughput": 370.37,
"output_throughput": 242.55, "mean_ttft_ms": 63.52, "median_ttft_ms": 60.0, "p99_ttft_ms": 90.0, "mean_tpot_ms": 12.74, "median_tpot_ms": 12.0, "p99_tpot_ms": 20.0}`,
		"vllm pooling": `{"date": "20261130-101010", "endpoint_type": "openai-embeddings", "backend": "openai-embeddings", "label": null, "model_id": "m", "tokenizer_id": "m", "num_prompts": 10,
"request_rate": "inf", "burstiness": 1.0, "max_concurrency": null, "duration": 2.0, "completed": 10, "total_input_tokens": 1000, "request_throughput": 5.0, "total_token_throughput": 500.0,
"mean_e2el_ms": 40.0, "median_e2el_ms": 39.0, "std_e2el_ms": 2.0, "p99_e2el_ms": 50.0}`,
		"vllm speculating": `{"endpoint_type": "openai", "backend": "openai", "model_id": "m", "tokenizer_id": "m", "num_prompts": 2, "request_rate": 4.5, "burstiness": 1.0, "max_concurrency": 2, "duration": 2.0,
"completed": 2, "failed": 0, "total_input_tokens": 10, "total_output_tokens": 20, "request_throughput": 1.0, "request_goodput": 0.5, "output_throughput": 10.0, "total_token_throughput": 15.0,
"max_output_tokens_per_s": 9.0, "max_concurrent_requests": 2, "rtfx": 0.0, "spec_decode_acceptance_rate": 46.14, "spec_decode_acceptance_length": 2.38, "spec_decode_num_drafts": 458,
"spec_decode_draft_tokens": 1374, "spec_decode_accepted_tokens": 634, "spec_decode_per_position_acceptance_rates": [0.7031, 0.4629, 0.2183],
"probe_completed": 5, "probe_failed": 1, "probe_median_e2el_ms": 12.5, "probe_p99_e2el_ms": 20.0, "probe_max_e2el_ms": 21.0}`,
		"vllm rust": `{"date": "20261130-101010", "endpoint_type": "openai", "backend": "openai", "model_id": "m", "tokenizer_id": "m", "num_prompts": 200, "request_rate": "inf", "max_concurrency": 200, "max_model_len": 8192,
"duration": 50.0, "completed": 200, "failed": 0, "total_input_tokens": 1000, "total_output_tokens": 2000, "request_throughput": 4.0, "input_throughput": 20.0, "output_throughput": 40.0,
"total_token_throughput": 60.0, "failed_requests": [], "mean_ttft_ms": 100.0, "steady_state": {"window": {"start_s": 3.1, "end_s": 40.2}, "request_throughput": 5.0, "output_throughput": 55.0, "mean_ttft_ms": 80.0},
"per_turn_metrics": [{"turn": 1, "mean_ttft_ms": 90.0}, {"turn": 2, "mean_ttft_ms": 70.0}]}`,
		"inferencex": `{"date": "20261130-101010", "backend": "openai", "model_id": "m", "tokenizer_id": "m", "num_prompts": 64, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 8,
"duration": 10.0, "completed": 64, "total_input_tokens": 6400, "total_output_tokens": 640, "request_throughput": 6.4, "request_goodput:": null, "output_throughput": 64.0, "total_token_throughput": 704.0,
"mean_ttft_ms": 30.0, "mean_tpot_ms": 8.0, "benchmark_start_time_unix": 1796000000.5, "benchmark_end_time_unix": 1796000010.5}`,
		"inferencex agg": `[{"hw": "h200", "conc": 16, "image": "i", "model": "m", "infmax_model_prefix": "dsr1", "framework": "sglang", "precision": "fp8", "spec_decoding": "none", "disagg": false, "isl": 1024, "osl": 1024,
"is_multinode": false, "tp": 8, "ep": 1, "dp_attention": "false", "tput_per_gpu": 500.5, "output_tput_per_gpu": 250.25, "input_tput_per_gpu": 250.25,
"mean_ttft": 0.25, "p99_ttft": 0.75, "mean_tpot": 0.0125, "mean_intvty": 80.0, "mean_itl": 0.0126, "mean_e2el": 12.5}]`,
		"trtllm serve": `{"date": "20261130-101010", "backend": "openai", "model_id": "m", "tokenizer_id": "m", "num_prompts": 1, "metadata": null, "duration": 1.64, "completed": 1, "total_input_tokens": 1018, "total_output_tokens": 1024,
"request_throughput": 0.61, "request_goodput:": null, "output_throughput": 624.4, "total_token_throughput": 1245.12, "user_throughput": 624.4, "avg_decoded_tokens_per_iter": {"mean": 1.5, "min": 1.0, "percentiles": {"p99.0": 2.0}},
"energy": {"total_energy_j": 1000.5, "output_tps_per_w": 0.9, "total_gpu_power_w": 610.0}, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 1, "mean_ttft_ms": 12.83, "mean_tpot_ms": 1.59, "mean_itl_ms": 1.59,
"output_lens": [3], "ttfts": [0.01283], "itls": [[0.00159, 0.00159]], "e2els": [0.01601], "errors": [""]}`,
		"trtllm-bench": `{"engine": {"model": "m", "model_path": "/data/m", "engine_dir": null, "version": "1.2.0", "backend": "Pytorch", "dtype": "bfloat16", "kv_cache_dtype": null, "quantization": "FP8"},
"machine": {"gpu": "H200"}, "world_info": {"tp_size": 1, "pp_size": 1, "ep_size": 1, "world_size": 1, "max_batch_size": 64, "max_num_tokens": 8192, "issue_rate": 1.0526e+15},
"request_info": {"num_requests": 100, "avg_num_concurrent_requests": 3.9, "avg_input_length": 128.0, "avg_output_length": 128.0},
"performance": {"total_latency_ms": 20000.0, "avg_request_latency_ms": 780.0, "request_throughput_req_s": 5.0, "system_output_throughput_tok_s": 640.0, "system_total_throughput_tok_s": 1280.0,
"output_throughput_per_user_tok_s": 165.0, "output_throughput_per_gpu_tok_s": 640.0, "request_latency_percentiles_ms": {"p50": 775.0, "p90": 800.0, "p99": 830.0, "minimum": 700.0, "maximum": 840.0, "average": 780.0}},
"streaming_metrics": {"token_output_speed_tok_s": 170.0, "avg_ttft_ms": 20.0, "avg_tpot_ms": 5.9, "tpot_percentiles": {"p50": 5.8, "p99": 6.5, "minimum": 5.0, "maximum": 6.6, "average": 5.9},
"ttft_percentiles": {"p50": 19.0, "p99": 40.0, "minimum": 10.0, "maximum": 41.0, "average": 20.0}, "gen_tps_percentiles": {"average": 170.0}},
"decoding_stats": {"mode": "MTP", "draft_acceptance_rate_percentiles": {"average": 0.62}, "acceptance_length_percentiles": {"average": 2.1}}, "dataset": {"max_isl": 128}}`,
		"vllm throughput": `{
    "elapsed_time": 10.0,
    "num_requests": 100,
    "total_num_tokens": 30000,
    "requests_per_second": 10.0,
    "tokens_per_second": 3000.0
}`,
		"vllm latency":          `{"avg_latency": 0.5, "latencies": [0.4, 0.5, 0.6], "percentiles": {"10": 0.41, "50": 0.5, "99": 0.6}}`,
		"sglang one batch":      `{"run_name": "default", "batch_size": 1, "input_len": 1024, "output_len": 16, "prefill_latency": 0.05, "prefill_throughput": 20480.0, "median_decode_latency": 0.006, "median_decode_throughput": 166.67, "total_latency": 0.14, "overall_throughput": 7428.57}`,
		"sglang batch server":   `{"run_name": "default", "batch_size": 32, "input_len": 1024, "output_len": 16, "latency": 2.0, "input_throughput": 40000.0, "output_throughput": 1600.0, "overall_throughput": 16640.0, "last_ttft": 0.5, "last_gen_throughput": 1280.0, "acc_length": -1, "cache_hit_rate": 0.25}`,
		"sglang offline":        `{"backend": "engine", "successful_requests": 10, "total_latency": 5.0, "total_input_tokens": 1000, "total_output_tokens": 500, "last_gen_throughput": 90.0, "request_throughput": 2.0, "input_throughput": 200.0, "output_throughput": 100.0, "total_throughput": 300.0}`,
		"sglang v0.2.11":        `{"backend": "sglang", "dataset_name": "random", "request_rate": 4.0, "total_input": 100, "total_input_tokens": 100, "total_output_tokens": 50, "total_output_tokens_retokenized": 50, "mean_e2e_latency": 1500.0, "median_e2e_latency": 1400.0, "median_ttft": 80.0, "median_itl": 12.0, "output_token_throughput": 10.0, "sharegpt_output_len": null, "random_input_len": 100, "random_output_len": 50, "random_range_ratio": 0.0, "duration": 5.0, "completed": 1, "benchmark_duration": 5.0}`,
		"sglang cache report":   `{"tag": null, "backend": "sglang-oai", "dataset_name": "random", "request_rate": "trace", "max_concurrency": null, "server_info": null, "duration": 1.0, "completed": 1, "total_input_tokens": 5, "total_output_tokens": 5, "total_output_tokens_retokenized": 5, "accept_length": -1.0, "cache_report": {"total_prompt_tokens": 1000, "total_cached_tokens": 387, "cache_hit_rate_pct": 38.7, "device_cached_tokens": 300, "host_cached_tokens": 87, "storage_cached_tokens": 0, "storage_backend": null}}`,
		"sglang asked, not got": `{"backend": "vllm-chat", "dataset_name": "sharegpt", "request_rate": 8.0, "max_concurrency": 4, "duration": 2.165, "completed": 30, "total_input_tokens": 1959, "total_output_tokens": 960, "total_output_tokens_retokenized": 653, "request_throughput": 13.86, "input_throughput": 904.85, "output_throughput": 443.45, "mean_e2e_latency_ms": 280.0, "std_e2e_latency_ms": 20.0, "mean_ttft_ms": 60.0, "mean_tpot_ms": 6.99, "mean_itl_ms": 10.42, "p95_itl_ms": 12.0, "concurrency": 3.9, "accept_length": null}`,
	}
}

func TestReadsTheOtherShapes(t *testing.T) {
	t.Parallel()
	type values map[metric.ID]float64
	for name, c := range map[string]struct {
		format, producer string
		want             values
	}{
		"vllm v0.3.3":           {"vllm-json", "vllm benchmark_serving.py", values{metric.RequestThroughput: 6.05, metric.TotalThroughput: 612.92, metric.FailedRequests: 0, "mean_tpot": 12.74}},
		"vllm pooling":          {"vllm-json", "vllm bench serve", values{metric.TotalThroughput: 500, metric.FailedRequests: 0, "mean_e2e_latency": 40}},
		"vllm speculating":      {"vllm-json", "vllm bench serve", values{metric.RequestRate: 4.5, metric.RequestGoodput: 0.5, metric.AcceptanceRate: 46.14, metric.AcceptanceLength: 2.38, metric.Drafts: 458, metric.DraftTokens: 1374, metric.AcceptedTokens: 634, metric.AcceptanceAt(0): 70.31, metric.AcceptanceAt(2): 21.83, metric.ProbesCompleted: 5, metric.ProbesFailed: 1, "p99_probe_e2e_latency": 20, "max_probe_e2e_latency": 21}},
		"vllm rust":             {"vllm-json", "vllm-bench (Rust)", values{metric.RequestThroughput: 4, "mean_ttft": 100, metric.InputThroughput: 20}},
		"inferencex":            {"vllm-json", "inferencex benchmark_serving", values{metric.TotalThroughput: 704, "mean_tpot": 8}},
		"inferencex agg":        {"inferencex-agg-json", "inferencex process_result", values{metric.GPUThroughput: 250.25, "mean_ttft": 250, "p99_ttft": 750, "mean_tpot": 12.5, "mean_itl": 12.6, "mean_e2e_latency": 12500, metric.MaxConcurrency: 16}},
		"trtllm serve":          {"trtllm-serve-json", "tensorrt-llm benchmark_serving", values{metric.UserThroughput: 624.4, metric.AcceptanceLength: 1.5, metric.Energy: 1000.5, metric.OutputTokensPerWatt: 0.9, metric.GPUPower: 610, "mean_e2e_latency": 16.01}},
		"trtllm-bench":          {"trtllm-bench-json", "trtllm-bench", values{metric.Duration: 20, metric.TotalRequests: 100, metric.MeanConcurrency: 3.9, metric.RequestThroughput: 5, metric.OutputThroughput: 640, metric.TotalThroughput: 1280, "mean_e2e_latency": 780, "p99_e2e_latency": 830, "min_e2e_latency": 700, "mean_ttft": 20, "max_ttft": 41, "mean_tpot": 5.9, "p50_tpot": 5.8, metric.AcceptanceRate: 62, metric.AcceptanceLength: 2.1, metric.GPUThroughput: 640}},
		"vllm throughput":       {"vllm-throughput-json", "vllm bench throughput", values{metric.Duration: 10, metric.TotalRequests: 100, metric.RequestThroughput: 10, metric.TotalThroughput: 3000}},
		"vllm latency":          {"vllm-latency-json", "vllm bench latency", values{"mean_e2e_latency": 500, "p10_e2e_latency": 410, "p50_e2e_latency": 500, "p99_e2e_latency": 600}},
		"sglang one batch":      {"sglang-one-batch-json", "sglang bench_one_batch", values{metric.Duration: 0.14, "median_itl": 6, metric.TotalThroughput: 7428.57}},
		"sglang batch server":   {"sglang-one-batch-server-json", "sglang bench_one_batch_server", values{metric.Duration: 2, "max_ttft": 500, metric.TotalThroughput: 16640, metric.CacheHitRate: 25}},
		"sglang offline":        {"sglang-offline-json", "sglang bench_offline_throughput", values{metric.CompletedRequests: 10, metric.Duration: 5, metric.TotalThroughput: 300, metric.OutputThroughput: 100}},
		"sglang v0.2.11":        {"sglang-json", "sglang bench_serving", values{metric.Duration: 5, "mean_e2e_latency": 1500, "median_ttft": 80, "median_itl": 12, metric.OutputThroughput: 10}},
		"sglang cache report":   {"sglang-json", "sglang bench_serving", values{metric.CachedTokens: 387, metric.CacheHitRate: 38.7}},
		"sglang asked, not got": {"sglang-json", "sglang bench_serving", values{metric.OutputThroughput: 443.45, metric.RetokenizedOutput: 653}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := one(t, name, []byte(otherResults()[name]))
			require.Equal(t, c.format, r.Format)
			require.Equal(t, c.producer, r.Producer)
			require.True(t, r.Usable(), "%v", r.Problems)
			for id, want := range c.want {
				require.InEpsilon(t, 1+want, 1+must(t, r, id), 1e-9, "%s", id)
			}
			if name != "sglang v0.2.11" && name != "vllm rust" {
				require.Empty(t, r.Unknown)
			}
		})
	}
	require.Len(t, otherResults(), 16, "every shape has its case")
}

func TestAPartOfARunStandsBesideTheRun(t *testing.T) {
	t.Parallel()
	r := one(t, "rust", []byte(otherResults()["vllm rust"]))
	got := map[string]string{}
	for _, s := range r.Settings {
		if strings.HasPrefix(s.Name, "steady.") || strings.HasPrefix(s.Name, "turn.") {
			got[s.Name] = s.Text
		}
	}
	want := map[string]string{
		"steady.request_throughput": "5.0", "steady.output_throughput": "55.0", "steady.mean_ttft": "80.0",
		"turn.1.mean_ttft": "90.0", "turn.2.mean_ttft": "70.0", "turn.1.turn": "1", "turn.2.turn": "2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	require.Equal(t, []parse.Unknown{{"steady.window.start_s: 3.1", 3}, {"steady.window.end_s: 40.2", 3}}, r.Unknown)
}

func TestSpecialNumbersAreNoMeasurements(t *testing.T) {
	t.Parallel()
	r := one(t, "x", []byte(otherResults()["sglang cache report"]))
	_, ok := r.Number(metric.AcceptanceLength)
	require.False(t, ok, "-1 says that there is none")
	require.Contains(t, r.Settings, parse.Setting{Name: "request_rate", Text: "trace", Line: 1})
	r = one(t, "x", []byte(otherResults()["vllm speculating"]))
	_, ok = r.Number(metric.RealTimeFactor)
	require.False(t, ok, "0.0 is written for text")
	r = one(t, "x", []byte(otherResults()["sglang asked, not got"]))
	require.Equal(t, []string{parse.CodeTokenCounts}, codes(r))
	require.Contains(t, r.Definitions, parse.OutputAsAsked)
}

func TestObjectsThatAreNoServingRunAreNamed(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]struct{ code, name string }{
		`{"avg_cold_startup_time": 30.5, "cold_startup_times": [30.5], "avg_warm_startup_time": 10.1}`:                                     {parse.CodeNotTokens, "vllm bench startup"},
		`[{"benchmark": {"name": "vLLM benchmark"}, "model": {"name": "m"}, "metric": {"name": "mean_ttft_ms", "benchmark_values": [1]}}]`: {parse.CodeUnsupported, "PyTorch"},
	} {
		records, problems := parse.Bytes("x", []byte(src))
		require.Empty(t, records)
		require.Len(t, problems, 1)
		require.Equal(t, want.code, problems[0].Code)
		require.Contains(t, problems[0].Message, want.name)
	}
}

func TestReadsTheTableOfASweep(t *testing.T) {
	t.Parallel()
	const src = `,date,endpoint_type,backend,label,model_id,tokenizer_id,num_prompts,request_rate,burstiness,max_concurrency,duration,completed,failed,total_input_tokens,total_output_tokens,request_throughput,request_goodput,output_throughput,total_token_throughput,max_output_tokens_per_s,max_concurrent_requests,rtfx,mean_ttft_ms,p99.9_ttft_ms,run_number,num_gpus
0,20261130-220640,openai-chat,openai-chat,,m,m,8,inf,1.0,1,2.178,8,0,1096,192,3.67,,88.14,591.32,96.0,5,0.0,51.45,56.2,0,1
1,20261130-220705,openai-chat,openai-chat,,m,m,8,inf,1.0,3,2.24,8,0,1096,192,3.57,,85.7,574.94,92.0,5,0.0,54.14,60.19,1,1
2,20261130-220705,openai-chat,openai-chat,,m,m,8,inf,1.0,3,2.2`
	records, problems := parse.Bytes("summary.csv", []byte(src))
	require.Empty(t, problems)
	require.Len(t, records, 3)
	for i, want := range []map[metric.ID]float64{
		{metric.MaxConcurrency: 1, metric.TotalThroughput: 591.32, "p99.9_ttft": 56.2, metric.CompletedRequests: 8},
		{metric.MaxConcurrency: 3, metric.TotalThroughput: 574.94, "p99.9_ttft": 60.19, metric.CompletedRequests: 8},
	} {
		require.Equal(t, i+2, records[i].Line)
		require.Equal(t, "vllm-sweep-csv", records[i].Format)
		require.True(t, records[i].Usable())
		for id, n := range want {
			require.Equal(t, n, must(t, records[i], id))
		}
		_, ok := records[i].Number(metric.RequestGoodput)
		require.False(t, ok)
		require.Contains(t, records[i].Settings, parse.Setting{Name: "request_rate", Text: "inf", Line: i + 2})
		require.Equal(t, []parse.Unknown{{Text: "num_gpus: 1", Line: i + 2}}, records[i].Unknown)
	}
	require.False(t, records[2].Usable(), "the row is cut off")
	_, ok := records[2].Number(metric.Duration)
	require.False(t, ok, "2.2 may be half of 2.24")
}

// People collect results: under names of their own, between label lines, in a page.
func TestFindsResultsInWhatPeopleMakeOfThem(t *testing.T) {
	t.Parallel()
	result := func(done int) string {
		return fmt.Sprintf(`{"model_id": "m", "tokenizer_id": "m", "num_prompts": 9, "duration": 2.0, "completed": %d, "total_input_tokens": 5, "total_output_tokens": 7}`, done)
	}
	pretty := strings.NewReplacer("{", "{\n    ", ", ", ",\n    ", "}", "\n}").Replace(result(4))
	for name, c := range map[string]struct {
		src    string
		done   []float64
		labels [][]string
		lines  []int
	}{
		"one a line":          {result(1) + "\n" + result(2), []float64{1, 2}, [][]string{nil, nil}, []int{1, 2}},
		"one after the other": {result(1) + result(2), []float64{1, 2}, [][]string{nil, nil}, []int{1, 1}},
		"commas between":      {result(1) + ",\n" + result(2) + ",", []float64{1, 2}, [][]string{nil, nil}, []int{1, 2}},
		"indented":            {pretty + "\n" + pretty, []float64{4, 4}, [][]string{nil, nil}, []int{1, 10}},
		"in an array":         {"[\n" + result(1) + ",\n" + result(2) + "]\n", []float64{1, 2}, [][]string{nil, nil}, []int{2, 3}},
		"with a mark":         {"\ufeff" + result(1), []float64{1}, [][]string{nil}, []int{1}},
		"label lines":         {"# BS=1\n" + result(1) + "\n\n# BS=2\n" + result(2), []float64{1, 2}, [][]string{{"# BS=1"}, {"# BS=2"}}, []int{2, 5}},
		"under names":         {`{"c1": ` + result(1) + ",\n" + `"runs": [` + result(2) + "]}", []float64{1, 2}, [][]string{{"c1"}, {"runs"}}, []int{1, 2}},
		"in a page": {
			"## Results\n\nSome words about them.\n\n```json\n" + pretty + "\n```\n\n## Again\n\n```json\n" + result(2) + "\n```\n",
			[]float64{4, 2}, [][]string{{"## Results"}, {"## Again"}}, []int{6, 20},
		},
		"after a log":         {strings.Repeat("INFO 11-30 22:15:14 [loggers.py:122] nothing to see {here}\n", 20) + "saved: " + result(3) + "\n", []float64{3}, [][]string{nil}, []int{21}},
		"between text blocks": {base(t) + "\n" + result(1) + "\n" + base(t), []float64{25, 1, 25}, nil, nil},
		"before a text block": {result(1) + "\n\n" + base(t), []float64{1, 25}, nil, nil},
		"in a program":        {`print({"total_output_tokens": sum(lens)})` + "\n" + result(1), []float64{1}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes("in", []byte(c.src))
			require.Empty(t, problems)
			var done []float64
			var labels [][]string
			var lines []int
			for i := range records {
				require.True(t, records[i].Usable(), "%v", records[i].Problems)
				done = append(done, must(t, records[i], metric.CompletedRequests))
				labels = append(labels, records[i].Labels)
				lines = append(lines, records[i].Line)
			}
			require.Equal(t, c.done, done)
			if c.labels != nil {
				require.Equal(t, c.labels, labels)
				require.Equal(t, c.lines, lines)
			}
		})
	}
}
