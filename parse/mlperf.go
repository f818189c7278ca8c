package parse

import (
	"strings"

	"benchguide/metric"
)

// mlperfSummary is the summary of MLPerf's load generator. Its times are in
// nanoseconds and its tokens are those of the output. Benchmarks without tokens have
// the same summary and are refused.
func mlperfSummary() Format {
	f := lineFormat{anchors: []string{"MLPerf Results Summary"}, idle: 6}
	f.producer = producer{
		name: "mlperf loadgen", format: "mlperf-summary", headless: true,
		labels: []label{
			{key: "sut name", setting: "sut_name"},
			{key: "scenario", setting: "scenario"},
			{key: "mode", setting: "mode"},
			{key: "result is", setting: "result"},
			{key: "samples per second", id: metric.RequestThroughput},
			{key: "completed samples per second", id: metric.RequestThroughput},
			{key: "scheduled samples per second", setting: "scheduled_samples_per_second"},
			{key: "tokens per second", id: metric.OutputThroughput},
			{key: "completed tokens per second", id: metric.OutputThroughput},
			{key: "tokens per second (inferred)", id: metric.OutputThroughput},
			{key: "min duration satisfied", setting: "min_duration_satisfied"},
			{key: "min queries satisfied", setting: "min_queries_satisfied"},
			{key: "early stopping satisfied", setting: "early_stopping_satisfied"},
			{key: "performance constraints satisfied", setting: "performance_constraints_satisfied"},
			{key: "target_qps", setting: "target_qps"},
			{key: "ttft_latency (ns)", setting: "ttft_limit_ns"},
			{key: "tpot_latency (ns)", setting: "tpot_limit_ns"},
			{key: "min_duration (ms)", setting: "min_duration_ms"},
			{key: "max_duration (ms)", setting: "max_duration_ms"},
			{key: "min_query_count", setting: "min_query_count"},
			{key: "max_query_count", setting: "max_query_count"},
			{key: "performance_sample_count", setting: "performance_sample_count"},
		},
		extra:    mlperfLatency,
		versions: mlperfVersions,
		whole:    func(b *block) bool { return b.has("target_qps") || b.has("mean latency (ns)") },
		means:    func(*Record, *block) []Definition { return []Definition{FailuresHidden, TPOTDecodeOnly} },
		finish:   mlperfFinish,
	}
	f.sniff = func(s string) bool { return strings.HasPrefix(s, "MLPerf Results Summary") }
	f.take = func(b *block, s string, l Line) int {
		switch {
		case strings.HasPrefix(s, "MLPerf Results Summary"):
			if len(b.fields) > 0 {
				return lineOutside
			}
			return lineTaken
		case s == "Additional Stats", s == "Test Parameters Used":
			return lineTaken
		case strings.HasPrefix(s, "```"):
			return lineOutside
		}
		return f.known(b, s, l)
	}
	f.refusal, f.hint = CodeNotTokens, "it measures samples without tokens; give the summary of a text generation benchmark"
	f.tokens = func(b *block) bool {
		return b.hasAny("tokens per second", "completed tokens per second", "tokens per second (inferred)", "mean first token latency (ns)")
	}
	return f.format()
}

func mlperfVersions(b *block) string {
	switch {
	case b.has("completed samples per second"):
		return "v3.1 or later"
	case b.has("scheduled samples per second"):
		return "before v3.1"
	default:
		return ""
	}
}

// mlperfLatency reads "99.00 percentile first token latency (ns)" and "Mean latency (ns)".
func mlperfLatency(f blockField) (label, bool) {
	k, ok := strings.CutSuffix(f.key, " (ns)")
	if !ok {
		return label{}, false
	}
	if percent, rest, ok := strings.Cut(k, " percentile "); ok {
		n, kind := readNumber(percent)
		if kind != isNumber {
			return label{}, false
		}
		k = string(metric.Pct(n.value)) + " " + rest
	}
	stat, word, ok := statOf(k)
	quantity, known := map[string]metric.Quantity{
		"latency": metric.E2E, "first token latency": metric.TTFT, "time to output token": metric.TPOT,
	}[word]
	return label{key: f.key, id: metric.Of(stat, quantity), scale: 1e-6}, ok && known
}

// mlperfFinish drops the latencies of an offline run, where every query is issued at
// once and the latency says when it was reached; it marks runs that the tool rejects.
func mlperfFinish(r *Record, b *block) {
	if b.rest("scenario") == "Offline" {
		dropValues(r, "latencies of an offline run tell the order of work and no time of a request", isOf(metric.E2E))
	}
	if b.rest("result is") == "INVALID" {
		r.Problems = append(r.Problems, newProblem(CodeInvalidRun, r.File, r.Line, "the load generator calls this run INVALID",
			"see which of its conditions were not satisfied"))
	}
}
