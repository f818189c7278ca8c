package parse

import (
	"slices"
	"strings"

	"benchguide/metric"
)

// vllm is `vllm bench serve`, and benchmark_serving.py before it, from v0.4.0 on.
// It prints counts as integers and everything else with two decimals, so that a
// shorter number has lost its end.
func vllm() producer {
	return producer{
		name:     "vllm bench serve",
		owns:     func(*block) bool { return true },
		labels:   vllmLabels(),
		quantity: vllmQuantities(),
		versions: vllmDating().versions,
		whole:    closedByRule,
		means:    vllmMeans,
	}
}

func closedByRule(b *block) bool { return b.closed }

// familyMeans says what the words of the block mean in vLLM's client and its forks.
func familyMeans(r *Record, b *block) []Definition {
	means := []Definition{RatesByDuration, TPOTDecodeOnly, ITLPerChunk}
	if b.has("peak output token throughput (tok/s)") {
		means = append(means, PeakPerChunk)
	}
	if !b.has("failed requests") {
		means = append(means, FailuresHidden)
	}
	return means
}

// vllmMeans adds what depends on the version, and on the kind of requests, which
// the client's arguments around the block tell.
func vllmMeans(r *Record, b *block) []Definition {
	means := familyMeans(r, b)
	to, ok := latest(r.Versions)
	// The empty chunks began between v0.6.6 and v0.8.5; clients of that time and
	// later are at least those that the labels cannot place before v0.6.6.
	if hasQuantity(r, metric.ITL) && isChat(r) && (!ok || older("v0.6.6.post1", to)) {
		means = append(means, ITLEmptyChunks)
	}
	if ok && older(to, "v0.15.0") {
		means = append(means, InputByClient)
	}
	return means
}

// latest returns the last version of a range, and false when it is open.
func latest(versions string) (string, bool) {
	if versions == "" || strings.HasSuffix(versions, " or later") {
		return "", false
	}
	if _, to, ok := strings.Cut(versions, " to "); ok {
		return to, true
	}
	return versions, true
}

// isChat reports whether the settings show a chat endpoint.
func isChat(r *Record) bool {
	for _, s := range r.Settings {
		if s.Name == "backend" && strings.HasSuffix(s.Text, "-chat") || s.Name == "endpoint" && strings.Contains(s.Text, "/chat/") {
			return true
		}
	}
	return false
}

func hasQuantity(r *Record, q metric.Quantity) bool {
	return slices.ContainsFunc(r.Values, isOf(q))
}

// isOf returns whether a value is a statistic of a quantity.
func isOf(q metric.Quantity) func(Value) bool {
	return func(v Value) bool {
		_, quantity, _ := strings.Cut(string(v.Metric), "_")
		return quantity == string(q)
	}
}

func vllmQuantities() map[string]metric.Quantity {
	return map[string]metric.Quantity{
		"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL, "e2el": metric.E2E,
		"probe e2el": metric.ProbeE2E,
	}
}

const successLabel = "successful requests"

func vllmLabels() []label {
	return []label{
		{key: successLabel, id: metric.CompletedRequests},
		{key: "failed requests", id: metric.FailedRequests},
		{key: "maximum request concurrency", id: metric.MaxConcurrency},
		{key: "request rate configured (rps)", id: metric.RequestRate, decimals: 2},
		{key: "benchmark duration (s)", id: metric.Duration, decimals: 2},
		{key: "total input tokens", id: metric.InputTokens},
		{key: "total generated tokens", id: metric.OutputTokens},
		{key: "request throughput (req/s)", id: metric.RequestThroughput, decimals: 2},
		{key: "request goodput (req/s)", id: metric.RequestGoodput, decimals: 2},
		{key: "input token throughput (tok/s)", id: metric.InputThroughput, decimals: 2},
		{key: "output token throughput (tok/s)", id: metric.OutputThroughput, decimals: 2},
		{key: "peak output token throughput (tok/s)", id: metric.PeakOutputRate, decimals: 2},
		{key: "peak concurrent requests", id: metric.PeakConcurrency, decimals: 2},
		{key: "rtfx (inverse real-time factor)", id: metric.RealTimeFactor, decimals: 2},
		{key: "total token throughput (tok/s)", id: metric.TotalThroughput, decimals: 2},
		{key: "probe requests completed", id: metric.ProbesCompleted},
		{key: "probe requests failed", id: metric.ProbesFailed},
		{key: "acceptance rate (%)", id: metric.AcceptanceRate, decimals: 2},
		{key: "acceptance length", id: metric.AcceptanceLength, decimals: 2},
		{key: "drafts", id: metric.Drafts},
		{key: "draft tokens", id: metric.DraftTokens},
		{key: "accepted tokens", id: metric.AcceptedTokens},
		{key: "per-position acceptance (%)", heading: true},
		{key: "committed throughput (tok/s)", id: metric.CommittedRate},
		{key: "denoising steps per canvas", id: metric.StepsPerCanvas},
		{key: "committed per denoising step", id: metric.CommittedPerStep},
		{key: "committed tokens", id: metric.CommittedTokens},
		{key: "denoising steps", id: metric.DenoisingSteps},
		{key: "canvas positions evaluated", id: metric.CanvasPositions},
	}
}

// vllm03 is benchmark_serving.py of v0.3.1 to v0.3.3: no rules, units after the values.
func vllm03() producer {
	return producer{
		name:     "vllm benchmark_serving.py",
		owns:     func(b *block) bool { return b.title == "" && b.has("benchmark duration") },
		headless: true,
		versions: func(*block) string { return "v0.3.1 to v0.3.3" },
		whole:    func(b *block) bool { return b.has("p99 tpot") },
		means:    vllmMeans,
		labels: []label{
			{key: successLabel, id: metric.CompletedRequests},
			{key: "benchmark duration", id: metric.Duration, unit: "s", decimals: 6},
			{key: "total input tokens", id: metric.InputTokens},
			{key: "total generated tokens", id: metric.OutputTokens},
			{key: "request throughput", id: metric.RequestThroughput, unit: "requests/s", decimals: 2},
			{key: "input token throughput", id: metric.InputThroughput, unit: "tokens/s", decimals: 2},
			{key: "output token throughput", id: metric.OutputThroughput, unit: "tokens/s", decimals: 2},
			{key: "mean ttft", id: metric.Of(metric.Mean, metric.TTFT), unit: "ms", decimals: 2},
			{key: "median ttft", id: metric.Of(metric.Median, metric.TTFT), unit: "ms", decimals: 2},
			{key: "p99 ttft", id: metric.Of(metric.Pct(99), metric.TTFT), unit: "ms", decimals: 2},
			{key: "mean tpot", id: metric.Of(metric.Mean, metric.TPOT), unit: "ms", decimals: 2},
			{key: "median tpot", id: metric.Of(metric.Median, metric.TPOT), unit: "ms", decimals: 2},
			{key: "p99 tpot", id: metric.Of(metric.Pct(99), metric.TPOT), unit: "ms", decimals: 2},
		},
	}
}

const (
	firstLabel01 = "total time"
	lastLabel01  = "average latency per output token"
)

// vllm01 is benchmark_serving.py of v0.1.0 to v0.2.7. Its two latencies per token
// divide by counts that it does not print, so they are kept as settings and are
// not taken for TPOT.
func vllm01() producer {
	return producer{
		name:     "vllm benchmark_serving.py",
		owns:     func(b *block) bool { return b.has(firstLabel01) && b.has("average latency per token") },
		headless: true,
		versions: func(*block) string { return "v0.1.0 to v0.2.7" },
		whole:    func(b *block) bool { return b.has(lastLabel01) },
		means:    func(*Record, *block) []Definition { return []Definition{RatesByDuration, FailuresHidden} },
		labels: []label{
			{key: firstLabel01, id: metric.Duration, unit: "s", decimals: 2},
			{key: "throughput", id: metric.RequestThroughput, unit: "requests/s", decimals: 2},
			{key: "average latency", id: metric.Of(metric.Mean, metric.E2E), unit: "s", scale: 1000, decimals: 2},
			{key: "average latency per token", setting: "average_latency_per_token"},
			{key: lastLabel01, setting: "average_latency_per_output_token"},
		},
	}
}
