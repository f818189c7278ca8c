package parse

import (
	"strings"

	"benchguide/metric"
)

// vllmThroughput is `vllm bench throughput`, and benchmark_throughput.py before it:
// the engine without a server, in one line and two counts.
func vllmThroughput() Format {
	f := lineFormat{anchors: []string{" requests/s, "}}
	f.producer = producer{
		name: "vllm bench throughput", format: "vllm-throughput-text", headless: true,
		labels: []label{
			{key: "throughput requests", id: metric.RequestThroughput, unit: "requests/s", decimals: 2},
			{key: "throughput tokens", id: metric.TotalThroughput, unit: "tokens/s", decimals: 2},
			{key: "throughput total tokens", id: metric.TotalThroughput, unit: "total tokens/s", decimals: 2},
			{key: "throughput output tokens", id: metric.OutputThroughput, unit: "output tokens/s", decimals: 2},
			{key: "total num prompt tokens", id: metric.InputTokens},
			{key: "total num output tokens", id: metric.OutputTokens},
			{key: "elapsed time", id: metric.Duration, unit: "s", decimals: 2},
		},
		versions: func(b *block) string {
			switch {
			case b.has("elapsed time"):
				return "vllm-bench (Rust)"
			case b.has("total num prompt tokens"):
				return "v0.8.0 or later"
			case b.has("throughput tokens"):
				return "v0.2.0 to v0.6.3"
			default:
				return "v0.6.4 or later"
			}
		},
		whole: func(b *block) bool { return b.hasAny("throughput tokens", "throughput output tokens") },
		means: func(*Record, *block) []Definition { return []Definition{RatesByDuration, FailuresHidden} },
	}
	f.sniff = func(s string) bool {
		return strings.HasPrefix(s, "Throughput: ") && strings.Contains(s, " requests/s, ")
	}
	f.take = func(b *block, s string, l Line) int {
		if rates, ok := strings.CutPrefix(s, "Throughput: "); ok {
			if len(b.fields) > 0 {
				return lineOutside
			}
			b.addRates(rates, l)
			return lineTaken
		}
		if elapsed, ok := strings.CutPrefix(s, "Elapsed time: "); ok && strings.HasSuffix(elapsed, "s") {
			s = "Elapsed time: " + strings.TrimSuffix(elapsed, "s") + " s" // the only unit without a blank
		}
		if kind := f.known(b, s, l); kind != lineIdle || s == "" {
			return kind
		}
		return lineOutside
	}
	return f.format()
}

// addRates reads "7.15 requests/s, 4656.00 total tokens/s, 1072.15 output tokens/s".
func (b *block) addRates(rates string, l Line) {
	parts := strings.Split(rates, ", ")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		_, unit, _ := strings.Cut(part, " ")
		name := "throughput " + strings.TrimSuffix(unit, "/s")
		cut := !l.Ended && i == len(parts)-1
		b.fields = append(b.fields, blockField{label: "Throughput", key: name, rest: part, line: l.No, cut: cut})
	}
}
