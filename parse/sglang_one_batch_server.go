package parse

import (
	"strconv"
	"strings"

	"benchguide/metric"
)

// sglangOneBatchServer is SGLang's bench_one_batch_server: one batch against a
// server. What it calls output throughput leaves the time of the prefill out, so
// that the run's own rate is derived from its counts.
func sglangOneBatchServer() Format {
	f := lineFormat{anchors: []string{"batch size: "}, idle: 2}
	f.producer = producer{
		name: "sglang bench_one_batch_server", format: "sglang-one-batch-server-text", headless: true,
		labels: []label{
			{key: "batch size", setting: "batch_size"},
			{key: "input_len", setting: "input_len"},
			{key: "output_len", setting: "output_len"},
			{key: "latency", id: metric.Duration, unit: "s", decimals: 2},
			{key: "input throughput", setting: "prefill_throughput"},
			{key: "output throughput", setting: "decode_throughput"},
			{key: "(input + output) throughput", id: metric.TotalThroughput, decimals: 2},
			{key: "ttft", id: metric.Of(metric.Max, metric.TTFT), unit: "s", scale: 1000, decimals: 2},
			{key: "last_ttft", id: metric.Of(metric.Max, metric.TTFT), unit: "s", scale: 1000, decimals: 2},
			{key: "last generation throughput", setting: "last_generation_throughput"},
			{key: "acc_length", id: metric.AcceptanceLength, decimals: 2},
			{key: "spec_accept_rate", id: metric.AcceptanceRate, scale: 100, decimals: 4},
			{key: "cache hit rate", id: metric.CacheHitRate, scale: 100, decimals: 4},
			{key: "total output tokens", setting: "output_tokens_and_requested"},
			{key: "early-stopped requests", setting: "early_stopped_of_batch"},
		},
		versions: func(b *block) string {
			switch {
			case b.has("last_ttft"):
				return "v0.5.5.post1 or later"
			case b.has("ttft"):
				return "v0.4.6.post4 to v0.5.5"
			case b.has("(input + output) throughput"):
				return "v0.4.0 to v0.4.6.post3"
			default:
				return ""
			}
		},
		whole: func(b *block) bool { return b.has("last generation throughput") || b.has("output throughput") },
		means: func(*Record, *block) []Definition { return []Definition{LatencyOfBatch, DecodeRateOnly, OutputAsAsked} },
		finish: func(r *Record, b *block) {
			r.Values = withoutUnavailable(r.Values)
			if !b.has("early-stopped requests") {
				deriveBatch(r)
			}
		},
	}
	f.sniff = func(s string) bool {
		n, ok := strings.CutPrefix(s, "batch size: ")
		return ok && n != "" && digitsEnd(n, 0) == len(n)
	}
	f.take = func(b *block, s string, l Line) int {
		label, _, _ := field(s)
		// A repeated label is the next result's, and so is one of an older version.
		if b.has(key(label)) || b.has("input_len") && key(label) == "(input + output) throughput" {
			return lineOutside
		}
		return f.known(b, s, l)
	}
	f.ready = func(b *block) bool { return b.has("latency") }
	return f.format()
}

// withoutUnavailable drops the -1 that the tool prints for what the server does not report.
func withoutUnavailable(values []Value) []Value {
	var kept []Value
	for _, v := range values {
		if v.Number >= 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

// deriveBatch computes the counts of a batch of equal requests, and the rates of the
// whole run, from what was asked for.
func deriveBatch(r *Record) {
	batch, ok1 := r.count("batch_size")
	input, ok2 := r.count("input_len")
	output, ok3 := r.count("output_len")
	duration, ok4 := r.Number(metric.Duration)
	if !ok1 || !ok2 || !ok3 || !ok4 || duration <= 0 {
		return
	}
	r.derived(metric.InputTokens, batch*input, metric.Duration)
	r.derived(metric.OutputTokens, batch*output, metric.Duration)
	r.derived(metric.OutputThroughput, round2(batch*output/duration), metric.OutputTokens, metric.Duration)
	if _, printed := r.Number(metric.TotalThroughput); !printed {
		r.derived(metric.TotalThroughput, round2(batch*(input+output)/duration), metric.InputTokens, metric.OutputTokens, metric.Duration)
	}
}

// count returns a setting that is a whole number.
func (r *Record) count(name string) (float64, bool) {
	for _, s := range r.Settings {
		if s.Name == name && s.Line >= r.Line {
			n, err := strconv.Atoi(firstWord(s.Text))
			return float64(n), err == nil && n > 0
		}
	}
	return 0, false
}
