package parse

import (
	"strings"

	"benchguide/metric"
)

// vllmThroughputJSON is what `vllm bench throughput --output-json` saves. Its tokens
// a second are all tokens, prompts included.
func vllmThroughputJSON() dialect {
	return dialect{
		format:   "vllm-throughput-json",
		tells:    []string{"total_num_tokens"},
		owns:     func(o *object) bool { return o.has("elapsed_time", "tokens_per_second", "requests_per_second") },
		producer: func(*object) string { return "vllm bench throughput" },
		fields: []jsonField{
			{key: "elapsed_time", id: metric.Duration, unit: "s"},
			{key: "num_requests", id: metric.TotalRequests},
			{key: "total_num_tokens", setting: "total_num_tokens"},
			{key: "requests_per_second", id: metric.RequestThroughput},
			{key: "tokens_per_second", id: metric.TotalThroughput},
			{key: "output_tokens_per_second", id: metric.OutputThroughput},
		},
	}
}

// vllmLatencyJSON is what `vllm bench latency --output-json` saves: how long one
// batch takes, again and again.
func vllmLatencyJSON() dialect {
	return dialect{
		format:   "vllm-latency-json",
		tells:    []string{"avg_latency"},
		owns:     func(o *object) bool { return o.has("avg_latency", "percentiles") },
		producer: func(*object) string { return "vllm bench latency" },
		fields: []jsonField{
			{key: "avg_latency", id: metric.Of(metric.Mean, metric.E2E), scale: 1000, unit: "s"},
		},
		statistic: func(key string) (jsonField, bool) {
			p, ok := strings.CutPrefix(key, "percentiles.")
			if !ok {
				return jsonField{}, false
			}
			return statisticField(key, metric.Stat("p"+p), metric.E2E, 1000)
		},
		finish: func(_ *object, r *Record) { r.Definitions = []Definition{LatencyOfBatch} },
	}
}

// startupJSON is `vllm bench startup`: it sends no request.
func startupJSON() dialect {
	return refuseJSON("vllm bench startup", CodeNotTokens, "it measures how long a server takes to start; give the output of a benchmark of requests",
		"avg_cold_startup_time", "cold_startup_times")
}

// pytorchJSON is a copy of a result for PyTorch's dashboard, without its units.
func pytorchJSON() dialect {
	d := refuseJSON("the PyTorch benchmark export", CodeUnsupported, "give the JSON file that lies beside this one", "benchmark")
	d.tells = []string{"benchmark_values"}
	d.owns = func(o *object) bool { return o.has("benchmark", "metric") }
	return d
}

// refuseJSON returns a dialect that is known by any one of its keys, and not read.
func refuseJSON(name, code, hint string, tells ...string) dialect {
	return dialect{
		format:   name,
		tells:    tells,
		owns:     func(o *object) bool { return o.hasAny(tells...) },
		producer: func(*object) string { return name },
		refusal:  code,
		hint:     hint,
	}
}
