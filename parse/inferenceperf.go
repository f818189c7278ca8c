package parse

import (
	"bytes"

	"benchguide/metric"
)

// inferencePerfJSON reads the life-cycle reports of inference-perf: the summary and
// those of the stages. All times are in seconds.
func inferencePerfJSON() Format {
	return Format{
		Name: "inference-perf-json",
		Sniff: func(head []byte) bool {
			return jsonHas(head, "load_summary") && !bytes.Contains(head, []byte("=== START_")) // else it is a log
		},
		Read: func(in *Input, out *Output) {
			readJSON(in, out, skipNothing, func(d document) {
				if d.root.closed {
					out.Record(inferencePerfRecord(d, "inference-perf-json"))
				}
			})
		},
	}
}

// skipNothing is for reports that hold no data of requests.
func skipNothing(string) bool { return false }

// inferencePerfRecord reads one report. Only successful requests have latencies; failed
// ones are counted.
func inferencePerfRecord(d document, format string) Record {
	root := d.root
	r := Record{Format: format, Producer: "inference-perf", File: d.file, Line: root.line, EndLine: root.end}
	successes := root.get("successes")
	switch {
	case root.has("benchmark_time_seconds"):
		r.Versions = "v0.7.0 or near"
	case successes.has("latency", "request_latency", "p50"):
		r.Versions = "v0.1.0"
	default:
		r.Versions = "v0.1.1 to v0.6.1"
	}
	r.measureNode(metric.Duration, root.get("benchmark_time_seconds"), "benchmark_time_seconds", "s")
	r.measureNode(metric.TotalRequests, root.get("load_summary", "count"), "load_summary.count", "")
	r.measureNode(metric.RequestRate, root.get("load_summary", "requested_rate"), "load_summary.requested_rate", "req/s")
	r.measureNode(metric.MaxConcurrency, root.get("load_summary", "concurrency"), "load_summary.concurrency", "")
	r.measureNode(metric.CompletedRequests, successes.get("count"), "successes.count", "")
	r.measureNode(metric.FailedRequests, root.get("failures", "count"), "failures.count", "")
	inferencePerfLatencies(&r, successes.get("latency"))
	inferencePerfRates(&r, successes)
	inferencePerfUnknown(&r, root)
	repeatedKeys(&r, d, root)
	r.define(TPOTLastToken, ITLPerChunk, E2EToEnd)
	if !root.has("load_summary", "requested_rate") && !root.has("load_summary", "concurrency") {
		r.define(RatesWithPauses) // a summary of stages
	}
	r.conclude(metric.Duration, []metric.ID{metric.CompletedRequests, metric.RequestThroughput}, func(v []float64) float64 { return v[0] / v[1] })
	dropUnmeasured(&r)
	return r
}

// inferencePerfLatencies reads the distributions. The normalized time per output token is
// the whole latency divided by all tokens, which no other tool calls anything.
func inferencePerfLatencies(r *Record, latency *node) {
	quantities := map[string]metric.Quantity{
		"request_latency": metric.E2E, "time_to_first_token": metric.TTFT,
		"time_per_output_token": metric.TPOT, "inter_token_latency": metric.ITL,
	}
	for _, m := range latency.members() {
		q, ok := quantities[m.key]
		for _, s := range m.members() {
			stat := metric.Stat(s.key)
			if s.key == "p50" {
				stat = metric.Median
			}
			id := metric.Of(stat, q)
			if _, known := metric.Lookup(id); ok && known {
				r.measureNode(id, s, "successes.latency."+m.key+"."+s.key, "s")
			}
		}
		if !ok && m.key != "normalized_time_per_output_token" {
			r.Unknown = append(r.Unknown, unknownNode(m, "successes.latency."+m.key))
		}
	}
}

// inferencePerfRates reads rates and tokens. Versions before v0.7 have no sums of tokens,
// only mean lengths.
func inferencePerfRates(r *Record, successes *node) {
	for _, m := range []struct {
		id        metric.ID
		key, unit string
	}{
		{metric.RequestThroughput, "requests_per_sec", "req/s"}, {metric.InputThroughput, "input_tokens_per_sec", "tok/s"},
		{metric.OutputThroughput, "output_tokens_per_sec", "tok/s"}, {metric.TotalThroughput, "total_tokens_per_sec", "tok/s"},
	} {
		r.measureNode(m.id, successes.get("throughput", m.key), "successes.throughput."+m.key, m.unit)
	}
	r.measureNode(metric.InputTokens, successes.get("prompt_tokens", "total"), "successes.prompt_tokens.total", "tokens")
	r.measureNode(metric.OutputTokens, successes.get("output_tokens", "total"), "successes.output_tokens.total", "tokens")
	if mean, ok := successes.get("prompt_len", "mean").number(); ok {
		r.tokens(metric.InputTokens, mean)
	}
	if mean, ok := successes.get("output_len", "mean").number(); ok {
		r.tokens(metric.OutputTokens, mean)
	}
}

// inferencePerfUnknown lists the keys that no version was seen to write.
func inferencePerfUnknown(r *Record, root *node) {
	for _, m := range root.members() {
		if !isOneOf(m.key, "benchmark_time_seconds", "load_summary", "successes", "failures") {
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	for _, m := range root.get("successes").members() {
		if !isOneOf(m.key, "count", "latency", "throughput", "prompt_len", "output_len", "prompt_tokens", "output_tokens", "request_size_bytes",
			"image", "video", "audio", "token_count_mismatches", "client_fallback_requests") {
			r.Unknown = append(r.Unknown, unknownNode(m, "successes."+m.key))
		}
	}
}
