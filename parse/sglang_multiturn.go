package parse

import (
	"strings"

	"benchguide/metric"
)

// sglangMultiTurn is SGLang's hicache bench_multiturn. Its times are in seconds, and
// only its labels, which have no unit, say so by being this tool's.
func sglangMultiTurn() Format {
	f := lineFormat{anchors: []string{"Performance metrics summary:"}, idle: 2}
	p := producer{
		name: "sglang hicache bench_multiturn", format: "sglang-multiturn-text", headless: true,
		labels: []label{
			{key: "total requests", id: metric.CompletedRequests},
			{key: "input token throughput", id: metric.InputThroughput, unit: "tokens", decimals: 2},
			{key: "output token throughput", id: metric.OutputThroughput, unit: "tokens", decimals: 2},
			{key: "request throughput", id: metric.RequestThroughput, unit: "requests", decimals: 2},
			{key: "throughput", id: metric.RequestThroughput, unit: "requests", decimals: 2},
			{key: "cache hit rate", id: metric.CacheHitRate, scale: 100, decimals: 6},
			{key: "average prompt length", setting: "input_length.mean"},
			{key: "average output length", setting: "output_length.mean"},
			{key: "p90 prompt length", setting: "input_length.p90"},
			{key: "p99 prompt length", setting: "input_length.p99"},
			{key: "p90 output length", setting: "output_length.p90"},
			{key: "p99 output length", setting: "output_length.p99"},
		},
		versions: func(b *block) string {
			if b.has("request throughput") {
				return "v0.4.6 or later"
			}
			return "v0.4.0 or later"
		},
		whole: func(b *block) bool { return b.has("request throughput") || b.has("throughput") },
		means: func(*Record, *block) []Definition { return []Definition{RatesByDuration, FailuresHidden, ITLPerChunk} },
	}
	p.extra = multiTurnLatency
	f.producer = p
	f.sniff = func(s string) bool { return strings.HasPrefix(s, "Performance metrics summary:") }
	f.take = func(b *block, s string, l Line) int {
		if strings.HasPrefix(s, "Performance metrics summary:") {
			if len(b.fields) > 0 {
				return lineOutside
			}
			return lineTaken
		}
		return f.known(b, s, l)
	}
	f.ready = func(b *block) bool { return b.has("average ttft") }
	return f.format()
}

// multiTurnLatency reads "average ttft" and "p90 latency", which are in seconds.
func multiTurnLatency(f blockField) (label, bool) {
	stat, word, ok := statOf(strings.Replace(f.key, "average ", "mean ", 1))
	q, known := map[string]metric.Quantity{"ttft": metric.TTFT, "itl": metric.ITL, "latency": metric.E2E}[word]
	return label{key: f.key, id: metric.Of(stat, q), scale: 1000, decimals: 2}, ok && known
}
