package parse

import (
	"strings"

	"benchguide/metric"
)

// trtllmServeJSON is TensorRT-LLM's benchmark_serving: vLLM's keys and some more.
func trtllmServeJSON() dialect {
	d := vllmJSON()
	d.format = "trtllm-serve-json"
	d.owns = func(o *object) bool { return ownsVLLM(o) && o.hasAny("user_throughput", "avg_decoded_tokens_per_iter") }
	d.producer = func(*object) string { return "tensorrt-llm benchmark_serving" }
	d.dating = dating{}
	d.fields = append(d.fields,
		jsonField{key: "user_throughput", id: metric.UserThroughput},
		jsonField{key: "avg_decoded_tokens_per_iter.mean", id: metric.AcceptanceLength},
		jsonField{key: "avg_decoded_tokens_per_iter.*", setting: "avg_decoded_tokens_per_iter"},
		jsonField{key: "energy.total_energy_j", id: metric.Energy, unit: "J"},
		jsonField{key: "energy.output_tps_per_w", id: metric.OutputTokensPerWatt},
		jsonField{key: "energy.total_gpu_power_w", id: metric.GPUPower, unit: "W"},
		jsonField{key: "metadata", setting: "metadata"},
	)
	return d
}

// trtllmBenchJSON is the report of `trtllm-bench throughput` and `latency`.
func trtllmBenchJSON() dialect {
	return dialect{
		format:   "trtllm-bench-json",
		tells:    []string{"request_info", "system_output_throughput_tok_s"},
		owns:     func(o *object) bool { return o.has("request_info", "performance") },
		producer: func(*object) string { return "trtllm-bench" },
		fields: []jsonField{
			{key: "request_info.num_requests", id: metric.TotalRequests},
			{key: "request_info.avg_num_concurrent_requests", id: metric.MeanConcurrency},
			{key: "request_info.avg_input_length", setting: "avg_input_length"},
			{key: "request_info.avg_output_length", setting: "avg_output_length"},
			{key: "performance.total_latency_ms", id: metric.Duration, scale: 0.001, unit: "ms"},
			{key: "performance.avg_request_latency_ms", id: metric.Of(metric.Mean, metric.E2E), unit: "ms"},
			{key: "performance.request_throughput_req_s", id: metric.RequestThroughput},
			{key: "performance.system_output_throughput_tok_s", id: metric.OutputThroughput},
			{key: "performance.system_total_throughput_tok_s", id: metric.TotalThroughput},
			{key: "performance.output_throughput_per_user_tok_s", id: metric.UserThroughput},
			{key: "performance.output_throughput_per_gpu_tok_s", id: metric.GPUThroughput},
			{key: "performance.request_latency_percentiles_ms.average"}, // as avg_request_latency_ms
			{key: "streaming_metrics.avg_ttft_ms", id: metric.Of(metric.Mean, metric.TTFT), unit: "ms"},
			{key: "streaming_metrics.avg_tpot_ms", id: metric.Of(metric.Mean, metric.TPOT), unit: "ms"},
			{key: "streaming_metrics.token_output_speed_tok_s", setting: "token_output_speed_tok_s"},
			{key: "streaming_metrics.ttft_percentiles.average"},
			{key: "streaming_metrics.tpot_percentiles.average"},
			{key: "streaming_metrics.gen_tps_percentiles"},
			{key: "decoding_stats.mode", setting: "decoding_mode"},
			{key: "decoding_stats.acceptance_length_percentiles.average", id: metric.AcceptanceLength},
			{key: "decoding_stats.draft_acceptance_rate_percentiles.average", id: metric.AcceptanceRate, scale: 100},
			{key: "decoding_stats.*"},
			{key: "engine.model", setting: "model"},
			{key: "engine.version", setting: "version"},
			{key: "engine.backend", setting: "backend"},
			{key: "engine.quantization", setting: "quantization"},
			{key: "engine.dtype", setting: "dtype"},
			{key: "engine.kv_cache_dtype", setting: "kv_cache_dtype"},
			{key: "world_info.tp_size", setting: "tp_size"},
			{key: "world_info.pp_size", setting: "pp_size"},
			{key: "world_info.ep_size", setting: "ep_size"},
			{key: "world_info.world_size", setting: "world_size"},
			{key: "world_info.max_batch_size", setting: "max_batch_size"},
			{key: "world_info.max_num_tokens", setting: "max_num_tokens"},
			// What else these hold describes the machine and names its folders.
			{key: "engine*"}, {key: "machine"}, {key: "world_info.*"}, {key: "dataset"},
		},
		statistic: trtllmBenchStatistic,
		finish: func(_ *object, r *Record) {
			r.Definitions = []Definition{RatesByDuration, TPOTDecodeOnly, FailuresHidden}
		},
	}
}

// trtllmBenchStatistic reads the percentile objects.
func trtllmBenchStatistic(key string) (jsonField, bool) {
	for prefix, q := range map[string]metric.Quantity{
		"performance.request_latency_percentiles_ms.": metric.E2E,
		"streaming_metrics.ttft_percentiles.":         metric.TTFT,
		"streaming_metrics.tpot_percentiles.":         metric.TPOT,
	} {
		stat, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		switch stat {
		case "minimum":
			stat = string(metric.Min)
		case "maximum":
			stat = string(metric.Max)
		}
		return statisticField(key, metric.Stat(stat), q, 1)
	}
	return jsonField{}, false
}
