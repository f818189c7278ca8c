package parse

import "benchguide/metric"

const offlineTitle = "Offline Throughput Benchmark Result"

// sglangOffline is SGLang's bench_offline_throughput: the engine without a server,
// all requests at once, and so no latency of a request.
func sglangOffline() producer {
	return producer{
		name: "sglang bench_offline_throughput",
		owns: func(b *block) bool { return b.title == offlineTitle || b.has("last generation throughput (tok/s)") },
		labels: []label{
			{key: "backend", setting: "backend"},
			{key: successLabel, id: metric.CompletedRequests},
			{key: "benchmark duration (s)", id: metric.Duration, decimals: 2},
			{key: "total input tokens", id: metric.InputTokens},
			{key: "total generated tokens", id: metric.OutputTokens},
			{key: "average e2e latency (s)", id: metric.Of(metric.Mean, metric.E2E), scale: 1000, decimals: 2},
			{key: "last generation throughput (tok/s)", setting: "last_generation_throughput"},
			{key: "request throughput (req/s)", id: metric.RequestThroughput, decimals: 2},
			{key: "input token throughput (tok/s)", id: metric.InputThroughput, decimals: 2},
			{key: "output token throughput (tok/s)", id: metric.OutputThroughput, decimals: 2},
			{key: "total token throughput (tok/s)", id: metric.TotalThroughput, decimals: 2},
		},
		versions: dating{
			first:  "v0.3.5.post2",
			since:  []dated{{"last generation throughput (tok/s)", "v0.4.3.post3"}},
			always: []dated{{"last generation throughput (tok/s)", "v0.4.3.post2"}},
		}.versions,
		whole: closedByRule,
		means: func(*Record, *block) []Definition { return []Definition{RatesByDuration, FailuresHidden} },
	}
}
