package parse

import "benchguide/metric"

// modular is Modular's `max benchmark`. Its token rates are per request, so that they
// are settings and not the run's throughput. Newer versions print the latencies as a
// table, whose lines are listed as not understood.
func modular() producer {
	p := vllm()
	p.name = "max benchmark"
	p.means = familyMeans
	p.owns = func(b *block) bool { return b.has("total nonempty serving response chunks") }
	p.versions = func(b *block) string {
		if b.has("input request rate (req/s)") {
			return "v25 or later"
		}
		return ""
	}
	p.labels = []label{
		{key: successLabel, id: metric.CompletedRequests},
		{key: "failed requests", id: metric.FailedRequests},
		{key: "benchmark duration (s)", id: metric.Duration, decimals: 2},
		{key: "total input tokens", id: metric.InputTokens},
		{key: "total generated tokens", id: metric.OutputTokens},
		{key: "total nonempty serving response chunks", setting: "nonempty_chunks"},
		{key: "input request rate (req/s)", setting: "request_rate"},
		{key: "request throughput (req/s)", id: metric.RequestThroughput, decimals: 5},
		{key: "max concurrency", id: metric.MaxConcurrency},
		{key: "max concurrent conversations", setting: "max_conversations"},
		{key: "max input tokens", setting: "input_length.max"},
		{key: "max output tokens", setting: "output_length.max"},
		{key: "max total tokens", setting: "total_length.max"},
		{key: "acceptance rate (%)", id: metric.AcceptanceRate, decimals: 2},
		{key: "acceptance length", id: metric.AcceptanceLength, decimals: 2},
		{key: "drafts", id: metric.Drafts},
		{key: "draft tokens", id: metric.DraftTokens},
		{key: "accepted tokens", id: metric.AcceptedTokens},
		{key: "per-position acceptance (%)", heading: true},
	}
	p.quantity = map[string]metric.Quantity{
		"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL, "request latency": metric.E2E,
	}
	p.extra = func(f blockField) (label, bool) {
		return settingOf(f.key, map[string]string{
			"input token throughput (tok/s)":  "input_tokens_per_s_of_a_request",
			"output token throughput (tok/s)": "output_tokens_per_s_of_a_request",
		})
	}
	return p
}
