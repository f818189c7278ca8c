package parse

import (
	"math"
	"strings"

	"benchguide/metric"
)

// sglangServing is SGLang's bench_serving, of every version. It prints what was
// asked for in its first lines, and never how many requests failed.
func sglangServing() producer {
	p := producer{
		name: "sglang bench_serving",
		labels: []label{
			{key: "backend", setting: "backend"},
			{key: "traffic request rate", setting: "request_rate"},
			{key: "max reqeuest concurrency", id: metric.MaxConcurrency}, // sic
			{key: "max request concurrency", id: metric.MaxConcurrency},
			{key: successLabel, id: metric.CompletedRequests},
			{key: "benchmark duration (s)", id: metric.Duration, decimals: 2},
			{key: "total input tokens", id: metric.InputTokens},
			{key: "total input text tokens", id: metric.InputTextTokens},
			{key: "total input vision tokens", id: metric.InputVisionTokens},
			{key: "total generated tokens", id: metric.OutputTokens},
			{key: "total generated tokens (retokenized)", id: metric.RetokenizedOutput},
			{key: "request throughput (req/s)", id: metric.RequestThroughput, decimals: 2},
			{key: "input token throughput (tok/s)", id: metric.InputThroughput, decimals: 2},
			{key: "output token throughput (tok/s)", id: metric.OutputThroughput, decimals: 2},
			{key: "peak output token throughput (tok/s)", id: metric.PeakOutputRate, decimals: 2},
			{key: "peak concurrent requests", id: metric.PeakConcurrency},
			{key: "total token throughput (tok/s)", id: metric.TotalThroughput, decimals: 2},
			{key: "total throughput (tok/s)", id: metric.TotalThroughput, decimals: 2},
			{key: "concurrency", id: metric.MeanConcurrency, decimals: 2},
			{key: "accept length", id: metric.AcceptanceLength, decimals: 2},
			{key: "total prompt tokens", setting: "cache.prompt_tokens"},
			{key: "total cached tokens", id: metric.CachedTokens},
			{key: "cache hit rate", id: metric.CacheHitRate},
			{key: "device", setting: "cache.device_tokens", percent: countOnly},
			{key: "host", setting: "cache.host_tokens", percent: countOnly},
			{key: "device", setting: "cache.device_share", percent: shareOnly},
			{key: "host", setting: "cache.host_share", percent: shareOnly},
		},
		extra: sglangStorage,
		quantity: map[string]metric.Quantity{
			"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL, "e2e latency": metric.E2E,
		},
		versions: sglangDating().versions,
		whole:    closedByRule,
		means:    sglangMeans,
		finish:   sglangFinish,
	}
	tellTales := []string{
		"backend", "traffic request rate", "max request concurrency", "max reqeuest concurrency",
		"total generated tokens (retokenized)", "mean e2e latency (ms)", "accept length",
	}
	p.owns = func(b *block) bool { return b.hasAny(tellTales...) }
	return p
}

// sglangStorage reads "Storage (hf3fs)" of the cache section, which is printed with
// a count and again with a share.
func sglangStorage(f blockField) (label, bool) {
	if f.key != "storage" && !strings.HasPrefix(f.key, "storage (") {
		return label{}, false
	}
	if (label{percent: shareOnly}).fits(f) {
		return label{key: f.key, setting: "cache.storage_share"}, true
	}
	return label{key: f.key, setting: "cache.storage_tokens"}, true
}

func sglangDating() dating {
	return dating{
		first: "v0.1.22",
		since: []dated{
			{"total generated tokens (retokenized)", "v0.1.23"},
			{"mean e2e latency (ms)", "v0.1.23"},
			{"total token throughput (tok/s)", "v0.3.5.post2"},
			{"max reqeuest concurrency", "v0.3.6.post1"},
			{"concurrency", "v0.4.2"},
			{"accept length", "v0.4.3.post3"},
			{"max itl (ms)", "v0.4.3.post3"},
			{"max request concurrency", "v0.4.6.post4"},
			{"total input text tokens", "v0.5.3.post1"},
			{"peak concurrent requests", "v0.5.6"},
			{"p99 e2e latency (ms)", "v0.5.8"},
			{"p95 e2e latency (ms)", "v0.5.14"},
			{"cache hit rate", "v0.5.14"},
		},
		until: []dated{{"max reqeuest concurrency", "v0.4.6.post3"}},
		always: []dated{
			{"total token throughput (tok/s)", "v0.3.5.post1"},
			{"concurrency", "v0.4.1.post7"},
			{"max request concurrency", "v0.4.6.post3"},
			{"total input text tokens", "v0.5.3"},
			{"peak concurrent requests", "v0.5.5.post3"},
			{"p99 e2e latency (ms)", "v0.5.7"},
			{"p95 e2e latency (ms)", "v0.5.13"},
		},
		spelt: []datedSpelling{
			{"Inter-token Latency", "", "v0.4.3.post2"},
			{"Inter-Token Latency", "v0.4.3.post3", ""},
		},
		gaps: []datedGap{{"mean tpot (ms)", "mean ttft (ms)", "v0.4.3.post3", "v0.5.5.post1", "v0.5.5.post2"}},
	}
}

func sglangMeans(r *Record, b *block) []Definition {
	means := []Definition{RatesByDuration, FailuresHidden, InputByClient}
	if hasQuantity(r, metric.TPOT) {
		means = append(means, TPOTDecodeOnly)
	}
	if hasQuantity(r, metric.ITL) {
		means = append(means, sglangITL(r))
	}
	if b.has("peak output token throughput (tok/s)") {
		means = append(means, PeakPerChunk)
	}
	// Seen in 0.4.9, and no longer in 0.5.4; for the versions between nobody knows.
	if to, ok := latest(r.Versions); ok && older(to, "v0.5.4") {
		means = append(means, OutputAsAsked)
	}
	return means
}

// sglangITL tells the two meanings of ITL in one version. Against SGLang's own
// backends each gap may be divided by its tokens, and then ITL is near TPOT although
// several tokens are accepted at a time; per chunk it is near TPOT times as many.
func sglangITL(r *Record) Definition {
	accepted, ok := r.Number(metric.AcceptanceLength)
	itl, hasITL := r.Number(metric.Of(metric.Mean, metric.ITL))
	tpot, hasTPOT := r.Number(metric.Of(metric.Mean, metric.TPOT))
	if ok && hasITL && hasTPOT && accepted > 1.2 && itl/tpot < (1+accepted)/2 {
		return ITLPerToken
	}
	return ITLPerChunk
}

// sglangFinish compares the two counts of output tokens. They differ when the client
// counted what it had asked for, and the rates are wrong by as much.
func sglangFinish(r *Record, _ *block) {
	output, ok := r.Value(metric.OutputTokens)
	retokenized, both := r.Value(metric.RetokenizedOutput)
	if !ok || !both || output.Number == 0 {
		return
	}
	if retokenized.Number == 0 {
		dropValues(r, "the retokenized count is zero although tokens were generated", func(v Value) bool { return v.Metric == metric.RetokenizedOutput })
		return
	}
	if math.Abs(retokenized.Number/output.Number-1) > 0.1 {
		r.Problems = append(r.Problems, newProblem(CodeTokenCounts, r.File, retokenized.Line,
			"the client counted "+output.Text+" output tokens and its tokenizer "+retokenized.Text+"; rates and TPOT go by the first",
			"take the server's count; older clients count what was asked for, not what came"))
	}
}
