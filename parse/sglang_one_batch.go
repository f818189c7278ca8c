package parse

import (
	"strings"

	"benchguide/metric"
)

// sglangOneBatch is SGLang's bench_one_batch: one static batch without a server. It
// prints everything twice, first for the warm-up, which is no result.
func sglangOneBatch() Format {
	f := lineFormat{anchors: []string{"Prefill. latency"}, idle: 6}
	f.producer = producer{
		name: "sglang bench_one_batch", format: "sglang-one-batch-text", headless: true,
		labels: []label{
			{key: "prefill latency", setting: "prefill_latency"},
			{key: "prefill throughput", setting: "prefill_throughput"},
			{key: "decode batch size", setting: "batch_size"},
			{key: "decode median latency", id: metric.Of(metric.Median, metric.ITL), unit: "s", scale: 1000, decimals: 5},
			{key: "decode median throughput", setting: "decode_throughput.median"},
			{key: "total latency", id: metric.Duration, unit: "s", decimals: 3},
			{key: "total throughput", id: metric.TotalThroughput, unit: "token/s", decimals: 2},
		},
		versions: func(*block) string { return "v0.2.0 or later" },
		whole:    func(b *block) bool { return b.has("total throughput") },
		means:    func(*Record, *block) []Definition { return []Definition{LatencyOfBatch, RatesByDuration} },
	}
	f.sniff = func(s string) bool { return strings.HasPrefix(s, "Prefill. latency:") }
	f.take = takeOneBatch
	f.ready = func(b *block) bool {
		return strings.LastIndex(b.above, "Warmup") <= strings.LastIndex(b.above, "Benchmark ...")
	}
	return f.format()
}

// takeOneBatch reads "Decode.  median latency: 0.00500 s, median throughput: 200.00 token/s".
func takeOneBatch(b *block, s string, l Line) int {
	stage, rest, ok := strings.Cut(s, ".")
	name := strings.ToLower(stage)
	if !ok || strings.HasPrefix(name, "prefill") && len(b.fields) > 0 {
		if ok {
			return lineOutside
		}
		return lineIdle
	}
	step := strings.HasPrefix(name, "decode ") // one step of many; only its batch size says anything
	if name, _, _ = strings.Cut(name, " "); name != "prefill" && name != "decode" && name != "total" {
		return lineIdle
	}
	parts := strings.Split(rest, ", ")
	for i, part := range parts {
		label, value, ok := field(strings.TrimSpace(part))
		k := name + " " + key(label)
		if !ok || step && k != "decode batch size" || k == "decode latency" || k == "decode throughput" || k == "decode batch size" && b.has(k) {
			continue
		}
		b.fields = append(b.fields, blockField{label: label, key: k, rest: value, line: l.No, cut: !l.Ended && i == len(parts)-1})
	}
	if name == "total" && b.has("total throughput") {
		return lineCloses
	}
	return lineTaken
}
