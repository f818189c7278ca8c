package parse

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"benchguide/metric"
)

// guidellmJSON reads GuideLLM reports, v0.2.0 to now, and what GPUStack's runner
// makes of them. A report holds several benchmarks; each is a record.
func guidellmJSON() Format {
	return Format{
		Name:  "guidellm-json",
		Sniff: sniffGuideLLM,
		Read: func(in *Input, out *Output) {
			readJSON(in, out, skipsInGuideLLM, func(d document) { guidellmReport(d, "guidellm-json", out) })
		},
	}
}

// sniffGuideLLM knows a report by its list of benchmarks and by a word that only
// GuideLLM writes, among the first bytes: its own name may stand behind gigabytes.
func sniffGuideLLM(head []byte) bool {
	if !jsonHas(head, "benchmarks") {
		return false
	}
	for _, word := range []string{"generative_benchmark", "guidellm", `"strategy"`, "request_totals"} {
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return false
}

// skipsInGuideLLM names what may be huge and is not needed: requests, and the
// densities of the distributions.
func skipsInGuideLLM(key string) bool {
	switch key {
	case "requests", "requests_truncated", "pdf", "cumulative_distribution_function":
		return true
	default:
		return false
	}
}

// guidellmReport hands on a record for each whole benchmark of a report. What the root
// holds beside them belongs to all; it is said once, with the first.
func guidellmReport(d document, format string, out *Output) {
	if list := d.root.get("benchmarks"); list == nil {
		out.Problem(newProblem(CodeUnsupported, d.file, d.root.line, "this JSON value holds no list of benchmarks", "give GuideLLM's benchmarks.json as it was written"))
	}
	version := d.root.get("metadata", "guidellm_version").scalar()
	var unknown []Unknown
	for _, m := range d.root.members() {
		if !isOneOf(m.key, "metadata", "args", "config", "benchmarks", "conclusions") {
			unknown = append(unknown, unknownNode(m, m.key))
		}
	}
	for _, b := range d.root.get("benchmarks").elements() {
		if !b.closed {
			continue // the end of the text is reported by the reader of the document
		}
		if b.get("metrics") == nil {
			out.Problem(newProblem(CodeUnsupported, d.file, b.line, "this benchmark has no metrics, as those of GuideLLM v0.1", "run it again with GuideLLM v0.2.0 or later"))
			continue
		}
		r := guidellmRecord(d, b, format, version)
		r.Unknown, unknown = append(unknown, r.Unknown...), nil
		out.Record(r)
	}
}

// guidellmEra is the part of a version that decides what words mean.
type guidellmEra int

const (
	guidellm02 guidellmEra = iota // v0.2: prompts counted twice
	guidellm03
	guidellm04 // v0.4 to v0.6: rates overstated
	guidellm07 // v0.7 on: rates by events in the window
)

// eraOf tells the version of a benchmark by its keys, since a report may state it
// behind everything else, or not at all.
func eraOf(b *node) (guidellmEra, string) {
	sample := b.get("metrics", "request_latency", "successful")
	switch {
	case b.has("metrics", "slo_determined_requests"):
		return guidellm07, "v0.8.0 or later"
	case b.has("metrics", "time_to_first_output_token_ms"):
		return guidellm07, "v0.7.0 to v0.7.4"
	case sample.has("pdf"), b.has("scheduler_metrics"), b.has("config"):
		return guidellm04, "v0.4.0 to v0.6.1"
	case sample.has("percentiles", "p50"):
		return guidellm03, "v0.3.0 to v0.3.1"
	default:
		return guidellm02, "v0.2.0 to v0.2.1"
	}
}

// guidellmRecord reads one benchmark. The version that the report states is printed as
// it is; what words mean goes by the keys, which cannot be edited away by accident.
func guidellmRecord(d document, b *node, format, version string) Record {
	era, versions := eraOf(b)
	if version != "" {
		versions = "v" + version
	}
	r := Record{Format: format, Producer: "guidellm", Versions: versions, File: d.file, Line: b.line, EndLine: b.end}
	if b.has("requests_truncated") {
		r.Producer = "gpustack benchmark-runner (guidellm)"
	}
	guidellmLoad(&r, b)
	guidellmCounts(&r, b)
	guidellmDistributions(&r, b.get("metrics"))
	guidellmRates(&r, b.get("metrics"))
	guidellmUnknown(&r, b)
	repeatedKeys(&r, d, b)
	guidellmMeaning(&r, era)
	dropUnmeasured(&r)
	return r
}

// guidellmLoad reads what was asked for: the strategy, and its label as the console prints it.
func guidellmLoad(r *Record, b *node) {
	strategy := b.get("args", "strategy")
	if strategy == nil {
		strategy = b.get("config", "strategy")
	}
	kind := strategy.get("type_").scalar()
	r.note("strategy", strategy.get("type_"))
	label := kind
	if n := strategy.get("streams"); n.scalar() != "" {
		r.measureNode(metric.MaxConcurrency, n, "strategy.streams", "")
		label += "@" + n.text
	} else {
		r.measureNode(metric.MaxConcurrency, strategy.get("max_concurrency"), "strategy.max_concurrency", "")
	}
	if n := strategy.get("rate"); n.scalar() != "" {
		r.measureNode(metric.RequestRate, n, "strategy.rate", "req/s")
		if v, ok := n.number(); ok {
			label += "@" + metric.MustLookup(metric.RequestRate).Format(v)
		}
	}
	if label != "" {
		r.Labels = []string{label}
	}
	for _, path := range [][]string{{"worker", "backend_model"}, {"config", "backend", "model"}} {
		r.note("model", b.get(path...))
	}
}

// guidellmCounts reads how many requests there were. Requests that the end of the run
// cut off are neither completed nor failed; GuideLLM alone counts them.
func guidellmCounts(r *Record, b *node) {
	r.measureNode(metric.Duration, b.get("duration"), "duration", "s")
	totals := b.get("metrics", "request_totals")
	if totals == nil {
		totals = b.get("request_totals")
	}
	r.measureNode(metric.CompletedRequests, totals.get("successful"), "request_totals.successful", "")
	r.measureNode(metric.FailedRequests, totals.get("errored"), "request_totals.errored", "")
	r.measureNode(metric.TotalRequests, totals.get("total"), "request_totals.total", "")
	r.note("incomplete_requests", totals.get("incomplete"))
}

// guidellmDistributions reads the latencies of successful requests. Those of all
// requests average failed ones as zero.
func guidellmDistributions(r *Record, metrics *node) {
	for _, q := range []struct {
		key, unit string
		quantity  metric.Quantity
	}{
		{"request_latency", "s", metric.E2E},
		{"time_to_first_token_ms", "ms", metric.TTFT},
		{"inter_token_latency_ms", "ms", metric.TPOT},
	} {
		summary := metrics.get(q.key, "successful")
		if !measuredSummary(summary) {
			continue
		}
		label := q.key + ".successful."
		for _, m := range append(summary.members(), summary.get("percentiles").members()...) {
			if stat, ok := guidellmStat(m.key); ok {
				r.measureNode(metric.Of(stat, q.quantity), m, label+m.key, q.unit)
			}
		}
	}
}

// measuredSummary reports whether a summary summarises anything: an empty one is all zeros.
func measuredSummary(n *node) bool {
	count, ok := n.get("count").number()
	return n != nil && (!ok || count > 0)
}

// guidellmStat returns the statistic of a summary's key, and false for those that
// have no metric: mode, variance, count and sum.
func guidellmStat(key string) (metric.Stat, bool) {
	switch key {
	case "mean", "median", "min", "max":
		return metric.Stat(key), true
	case "std_dev":
		return metric.Std, true
	case "p001":
		return metric.Pct(0.1), true
	case "p999":
		return metric.Pct(99.9), true
	case "p01", "p05":
		return metric.Stat("p" + key[2:]), true
	case "p10", "p25", "p50", "p75", "p90", "p95", "p99":
		return metric.Stat(key), true
	default:
		return "", false
	}
}

// guidellmRates reads rates, tokens and concurrency. Only means are read of rates:
// their percentiles are artefacts of spreading tokens evenly over a request.
func guidellmRates(r *Record, metrics *node) {
	for _, m := range []struct {
		key, stat, unit string
		id              metric.ID
	}{
		{"requests_per_second", "mean", "req/s", metric.RequestThroughput},
		{"prompt_tokens_per_second", "mean", "tok/s", metric.InputThroughput},
		{"output_tokens_per_second", "mean", "tok/s", metric.OutputThroughput},
		{"tokens_per_second", "mean", "tok/s", metric.TotalThroughput},
		{"request_concurrency", "mean", "", metric.MeanConcurrency},
		{"request_concurrency", "max", "", metric.PeakConcurrency},
		{"prompt_token_count", "total_sum", "tokens", metric.InputTokens},
		{"output_token_count", "total_sum", "tokens", metric.OutputTokens},
	} {
		if summary := metrics.get(m.key, "successful"); measuredSummary(summary) {
			r.measureNode(m.id, summary.get(m.stat), m.key+".successful."+m.stat, m.unit)
		}
	}
}

// guidellmMeaning applies what each version's words turned out to mean when they
// were recomputed from per-request data.
func guidellmMeaning(r *Record, era guidellmEra) {
	r.define(TPOTLastToken, ITLAsTPOT, E2EToEnd)
	if era < guidellm04 {
		r.define(RatesOverSpan, TPOTPerToken)
		correctDoubledPrompts(r)
		if era == guidellm02 && !slices.Contains(r.Definitions, PromptsTwice) {
			leaveOutDoubledPrompts(r)
		}
		return
	}
	r.define(TPOTByTokens, TPOTWithTTFT, InputByServer)
	if era == guidellm07 {
		r.define(RatesInWindow)
		return
	}
	r.define(RatesOverstated)
	perSecond := func(v []float64) float64 { return v[0] / v[1] }
	correctOverstated(r, metric.InputThroughput, []metric.ID{metric.InputTokens, metric.Duration}, perSecond)
	correctOverstated(r, metric.OutputThroughput, []metric.ID{metric.OutputTokens, metric.Duration}, perSecond)
	correctOverstated(r, metric.TotalThroughput, totalParts(), totalPerSecond)
}

// correctOverstated recomputes a rate, unless the duration is printed so coarsely
// that it cannot tell the two apart.
func correctOverstated(r *Record, id metric.ID, from []metric.ID, formula func([]float64) float64) {
	right, _, ok := r.apply(from, formula)
	printed, _ := r.Number(id)
	duration, _ := r.Value(metric.Duration)
	halfDigit := math.Pow(10, float64(-max(decimals(duration.Text), 0))) / 2
	if ok && math.Abs(printed-right) > right*halfDigit/duration.Number {
		r.correct(id, "the tool overstates this rate; recomputed from tokens and duration", from, formula)
	}
}

// totalParts are what a total rate is computed from.
func totalParts() []metric.ID {
	return []metric.ID{metric.InputTokens, metric.OutputTokens, metric.Duration}
}

func totalPerSecond(v []float64) float64 { return (v[0] + v[1]) / v[2] }

// correctDoubledPrompts recomputes a total rate that counts every prompt twice, as
// v0.2 does and v0.3 does not. It is recognised by itself and not by the version,
// which a table of v0.2 and v0.3 does not state.
func correctDoubledPrompts(r *Record) {
	total, ok := r.Number(metric.TotalThroughput)
	if !ok {
		return
	}
	from := []metric.ID{metric.InputTokens, metric.OutputTokens, metric.CompletedRequests, metric.RequestThroughput}
	once := func(v []float64) float64 { return (v[0] + v[1]) / v[2] * v[3] }
	twice := func(v []float64) float64 { return (2*v[0] + v[1]) / v[2] * v[3] }
	right, _, ok := r.apply(from, once)
	if !ok {
		return
	}
	wrong, _, _ := r.apply(from, twice)
	if math.Abs(total-wrong) < math.Abs(total-right) {
		r.correct(metric.TotalThroughput, "the tool counts each prompt twice; recomputed from tokens per request", from, once)
		r.define(PromptsTwice)
	}
}

// leaveOutDoubledPrompts removes v0.2's total rate where there are no tokens to
// recompute it from, as when only the second table was copied.
func leaveOutDoubledPrompts(r *Record) {
	v, ok := r.Value(metric.TotalThroughput)
	if _, hasTokens := r.Value(metric.InputTokens); !ok || hasTokens {
		return
	}
	r.drop(metric.TotalThroughput)
	r.define(PromptsTwice)
	r.Problems = append(r.Problems, newProblem(CodeInflated, r.File, v.Line,
		fmt.Sprintf("%q counts each prompt twice in this version, and there are no tokens to recompute it from; it is left out", v.Label),
		"copy the table with the tokens too"))
}

// guidellmUnknown lists the keys that no version of the tool was seen to write.
func guidellmUnknown(r *Record, b *node) {
	for _, m := range b.members() {
		if !isOneOf(m.key, "type_", "id_", "run_id", "args", "run_stats", "worker", "request_loader", "extras", "metrics",
			"request_totals", "request_samples", "requests", "requests_truncated", "start_time", "end_time", "duration", "config",
			"scheduler_state", "scheduler_metrics", "warmup_duration", "cooldown_duration", "warnings") {
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	for _, m := range b.get("metrics").members() {
		if !isOneOf(m.key, "request_totals", "requests_per_second", "request_concurrency", "request_latency", "prompt_token_count",
			"output_token_count", "total_token_count", "time_to_first_token_ms", "time_to_first_output_token_ms",
			"time_per_output_token_ms", "inter_token_latency_ms", "prompt_tokens_per_second", "output_tokens_per_second",
			"tokens_per_second", "request_streaming_iterations_count", "output_tokens_per_iteration", "iter_tokens_per_iteration",
			"text", "image", "video", "audio", "tool_call", "request_dispatch_delay", "request_scheduled_latency",
			"turn_predecessor_delay", "turn_scheduling_delay", "root_dispatch_delay", "time_to_last_round_trip_ms",
			"avg_round_trip_time_ms", "turns", "slo_attainment", "slo_determined_requests", "request_goodput") {
			r.Unknown = append(r.Unknown, unknownNode(m, "metrics."+m.key))
		}
	}
}

// isOneOf is contains for a list that stands where it is used.
func isOneOf(s string, all ...string) bool { return contains(all, s) }

// unknownNode reports a member that no reader knows, with as much of it as fits a line.
func unknownNode(n *node, path string) Unknown {
	text := n.text
	switch n.kind {
	case nodeObject:
		text = "{" + strings.Join(keysOf(n.items), ", ") + "}"
	case nodeList, nodeSkipped:
		text = "[...]"
	case nodeNull:
		text = "null"
	}
	return Unknown{Text: path + ": " + shortened(text), Line: n.line}
}

// keysOf lists the keys of members, in order.
func keysOf(members []*node) []string {
	var keys []string
	for _, m := range members {
		keys = append(keys, m.key)
	}
	return keys
}

// shortened cuts a text to a line's length, at a character.
func shortened(s string) string {
	const most = 120
	for i := range s {
		if i > most {
			return s[:i] + "..."
		}
	}
	return s
}

// repeatedKeys reports the keys under n that stand twice in one object with two
// values: the first one is read, and JSON readers of other makes take the last.
func repeatedKeys(r *Record, d document, n *node) {
	for _, twice := range d.twice {
		if line := twice.second.line; line >= n.line && line <= n.end {
			r.Problems = append(r.Problems, newProblem(CodeDuplicate, r.File, line,
				"the key \""+shortened(twice.second.key)+"\" stands twice with two values", "give the file as the tool wrote it"))
		}
	}
}
