package parse

import (
	"strings"

	"benchguide/metric"
)

// genaiBenchJSON reads one point of a genai-bench experiment. Latencies are in the
// unit that the file names, seconds if it names none.
func genaiBenchJSON() Format {
	return Format{
		Name: "genai-bench-json",
		Sniff: func(head []byte) bool {
			return jsonHas(head, "aggregated_metrics") || jsonHas(head, "experiment_folder_name")
		},
		Read: func(in *Input, out *Output) {
			readJSON(in, out, func(key string) bool { return key == "individual_request_metrics" }, func(d document) { readGenAIBench(d, out) })
		},
	}
}

// readGenAIBench tells results from the settings that lie beside them in the folder.
func readGenAIBench(d document, out *Output) {
	switch {
	case !d.root.closed: // the unit of its latencies stands at its end
	case d.root.has("aggregated_metrics"):
		out.Record(genaiBenchRecord(d))
	default:
		out.Problem(newProblem(CodeUnsupported, d.file, d.root.line, "this file of genai-bench holds settings and no results", "give the files of its folder that end in s.json"))
	}
}

// genaiBenchRecord reads one point: one scenario at one concurrency.
func genaiBenchRecord(d document) Record {
	point := d.root.get("aggregated_metrics")
	r := Record{Format: "genai-bench-json", Producer: "genai-bench", File: d.file, Line: d.root.line, EndLine: d.root.end}
	if scenario := point.get("scenario").scalar(); scenario != "" {
		r.Labels = []string{scenario}
	}
	unit := "s"
	if n := d.root.get("_time_unit"); n != nil {
		unit = n.text
	}
	for _, m := range point.members() {
		id, unit, known := genaiBenchMeans(m.key)
		switch {
		case !known:
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		case id != "":
			r.measureNode(id, m, m.key, unit)
		case m.key == "scenario" || m.key == "iteration_type":
			r.note(m.key, m)
		}
	}
	genaiBenchStats(&r, point.get("stats"), unit)
	if point.has("stats", "num_reasoning_tokens") {
		r.Versions = "v0.0.5 or near"
	}
	for _, m := range d.root.members() {
		if !isOneOf(m.key, "aggregated_metrics", "individual_request_metrics", "_time_unit") {
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	repeatedKeys(&r, d, d.root)
	r.define(TPOTDecodeOnly, E2EToEnd)
	dropUnmeasured(&r)
	return r
}

// genaiBenchMeans says what a key of a point measures, and false for one that is not known.
func genaiBenchMeans(key string) (id metric.ID, unit string, known bool) {
	switch key {
	case "num_concurrency":
		return metric.MaxConcurrency, "", true
	case "request_rate":
		return metric.RequestRate, "req/s", true
	case "run_duration":
		return metric.Duration, "s", true
	case "num_completed_requests":
		return metric.CompletedRequests, "", true
	case "num_error_requests":
		return metric.FailedRequests, "", true
	case "num_requests":
		return metric.TotalRequests, "", true
	case "requests_per_second":
		return metric.RequestThroughput, "req/s", true
	case "mean_input_throughput_tokens_per_s":
		return metric.InputThroughput, "tok/s", true
	case "mean_output_throughput_tokens_per_s":
		return metric.OutputThroughput, "tok/s", true
	case "mean_total_tokens_throughput_tokens_per_s":
		return metric.TotalThroughput, "tok/s", true
	default:
		return "", "", isOneOf(key, "scenario", "iteration_type", "batch_size", "error_codes_frequency", "error_rate", "stats",
			"mean_total_chars_per_hour", "mean_total_chars_per_second")
	}
}

// genaiBenchStats reads the distributions, and the sums of tokens where they are the
// run's: with a warm-up, statistics leave out its requests.
func genaiBenchStats(r *Record, stats *node, unit string) {
	quantities := map[string]metric.Quantity{"ttft": metric.TTFT, "tpot": metric.TPOT, "e2e_latency": metric.E2E}
	for _, m := range stats.members() {
		q, ok := quantities[m.key]
		for _, s := range m.members() {
			if stat, known := genaiBenchStat(s.key); ok && known {
				r.measureNode(metric.Of(stat, q), s, "stats."+m.key+"."+s.key, unit)
			}
		}
		if !ok && !isOneOf(m.key, "output_latency", "output_inference_speed", "num_input_tokens", "num_output_tokens", "num_reasoning_tokens",
			"total_tokens", "input_throughput", "output_throughput", "audio_throughput") {
			r.Unknown = append(r.Unknown, unknownNode(m, "stats."+m.key))
		}
	}
	counted := stats.get("num_output_tokens")
	sum, hasSum := counted.get("sum").number()
	mean, hasMean := counted.get("mean").number()
	completed, hasCompleted := r.Number(metric.CompletedRequests)
	if hasSum && hasMean && hasCompleted && mean > 0 && sum/mean < completed-0.5 {
		r.define(WithoutWarmup)
		return
	}
	r.measureNode(metric.InputTokens, stats.get("num_input_tokens", "sum"), "stats.num_input_tokens.sum", "tokens")
	r.measureNode(metric.OutputTokens, counted.get("sum"), "stats.num_output_tokens.sum", "tokens")
}

// genaiBenchStat returns the statistic of a key, and false for sums and counts.
func genaiBenchStat(key string) (metric.Stat, bool) {
	switch key {
	case "mean", "min", "max":
		return metric.Stat(key), true
	case "stddev":
		return metric.Std, true
	case "p50":
		return metric.Median, true
	default:
		stat := metric.Stat(key)
		_, ok := metric.Lookup(metric.Of(stat, metric.TTFT))
		return stat, ok && strings.HasPrefix(key, "p")
	}
}
