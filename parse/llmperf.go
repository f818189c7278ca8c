package parse

import (
	"strings"

	"benchguide/metric"
)

// llmperfJSON reads the summary of LLMPerf. All times are in seconds. What it calls
// inter-token latency is the whole latency divided by all tokens, so it is left out.
func llmperfJSON() Format {
	return Format{
		Name:  "llmperf-json",
		Sniff: func(head []byte) bool { return jsonHas(head, "results_ttft_s_mean") },
		Read: func(in *Input, out *Output) {
			readJSON(in, out, skipNothing, func(d document) {
				if d.root.closed {
					out.Record(llmperfRecord(d))
				}
			})
		},
	}
}

// llmperfRecord reads a summary. Tokens are given as means of a request.
func llmperfRecord(d document) Record {
	r := Record{Format: "llmperf-json", Producer: "llmperf", File: d.file, Line: d.root.line, EndLine: d.root.end}
	for _, m := range d.root.members() {
		id, unit, known := llmperfMeans(m.key)
		switch {
		case id != "":
			r.measureNode(id, m, m.key, unit)
		case m.key == "model" || m.key == "version":
			r.note(m.key, m)
		case !known:
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	for id, key := range map[metric.ID]string{metric.InputTokens: "results_number_input_tokens_mean", metric.OutputTokens: "results_number_output_tokens_mean"} {
		if mean, ok := d.root.get(key).number(); ok {
			r.tokens(id, mean)
		}
	}
	sortValues(&r)
	repeatedKeys(&r, d, d.root)
	r.define(TPOTWithTTFT, E2EToEnd)
	dropUnmeasured(&r)
	return r
}

// llmperfMeans says what a key measures, and false for one that is not known. Keys carry
// the unit and the statistic in their names.
func llmperfMeans(key string) (id metric.ID, unit string, known bool) {
	switch key {
	case "num_concurrent_requests":
		return metric.MaxConcurrency, "", true
	case "results_num_completed_requests":
		return metric.CompletedRequests, "", true
	case "results_number_errors":
		return metric.FailedRequests, "", true
	case "results_num_requests_started":
		return metric.TotalRequests, "", true
	case "results_num_completed_requests_per_min":
		return metric.RequestThroughput, "req/min", true
	case "results_mean_output_throughput_token_per_s":
		return metric.OutputThroughput, "token/s", true
	}
	for prefix, q := range map[string]metric.Quantity{"results_ttft_s_": metric.TTFT, "results_end_to_end_latency_s_": metric.E2E} {
		word, ok := strings.CutPrefix(key, prefix)
		stat, isStat := genaiBenchStat(strings.TrimPrefix(word, "quantiles_"))
		if ok && isStat {
			return metric.Of(stat, q), "s", true
		}
	}
	for _, prefix := range []string{
		"results_inter_token_latency_s_", "results_request_output_throughput_token_per_s_", "results_number_input_tokens_", "results_number_output_tokens_",
		"results_error_", "mean_", "stddev_", "additional_sampling_params", "name", "timestamp", "model", "version",
	} {
		if strings.HasPrefix(key, prefix) {
			return "", "", true
		}
	}
	return "", "", false
}
