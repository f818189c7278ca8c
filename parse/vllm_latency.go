package parse

import (
	"strconv"
	"strings"

	"benchguide/metric"
)

// vllmLatency is `vllm bench latency`, and benchmark_latency.py before it. Its
// latency is that of one batch from its first prompt to its last token.
func vllmLatency() Format {
	mean := label{key: "avg latency", id: metric.Of(metric.Mean, metric.E2E), unit: "seconds", scale: 1000}
	f := lineFormat{anchors: []string{"Avg latency: "}, idle: 2}
	f.producer = producer{
		name: "vllm bench latency", format: "vllm-latency-text", headless: true,
		labels: []label{mean},
		extra: func(f blockField) (label, bool) {
			digits, ok := strings.CutSuffix(f.key, "% percentile latency")
			percent, err := strconv.ParseFloat(digits, 64)
			if !ok || err != nil || percent < 0 || percent > 100 {
				return label{}, false
			}
			l := mean
			l.key, l.id = f.key, metric.Of(metric.Pct(percent), metric.E2E)
			return l, true
		},
		versions: func(b *block) string {
			if b.has("99% percentile latency") {
				return "v0.4.1 or later"
			}
			return "v0.1.0 or later"
		},
		whole: func(*block) bool { return true },
		means: func(*Record, *block) []Definition { return []Definition{LatencyOfBatch} },
	}
	f.sniff = func(s string) bool { return strings.HasPrefix(s, "Avg latency: ") && strings.Contains(s, " s") }
	f.take = func(b *block, s string, l Line) int {
		if strings.HasPrefix(s, "Avg latency: ") && len(b.fields) > 0 {
			return lineOutside
		}
		return f.known(b, s, l)
	}
	return f.format()
}
