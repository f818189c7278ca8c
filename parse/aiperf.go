package parse

import (
	"slices"
	"strings"

	"benchguide/metric"
)

// AIPerf and GenAI-Perf, which it grew out of, print the same metrics as JSON, CSV and
// console tables. This file says what the metrics mean, the other two how each is written.

// aiperfReport collects one record of either tool.
type aiperfReport struct {
	Record
	isl, osl float64 // mean input and output tokens a request, 0 if not stated
	tell     string  // versions that a name tells
}

// stat adds one statistic of a metric. The name is the tool's, without unit, in lower case.
func (r *aiperfReport) stat(name, column string, s stated) {
	if versions, ok := aiperfTells(s.label, name); ok {
		r.tell = versions
	}
	q, id, known := aiperfMeans(name)
	stat, isStat := aiperfStat(column)
	switch {
	case !known:
		r.Unknown = append(r.Unknown, Unknown{Text: s.label + ": " + s.text, Line: s.line})
	case !isStat:
		r.Unknown = append(r.Unknown, Unknown{Text: s.label + " " + column + ": " + s.text, Line: s.line})
	case q != "" && stat != "":
		r.measure(metric.Of(stat, q), s)
	case stat != metric.Mean || s.text == "-": // a single value stands where the mean does
	case id != "":
		r.measure(id, s)
	default:
		r.length(name, s.text)
	}
}

// length keeps the mean lengths of a request, which older versions print instead of sums.
func (r *aiperfReport) length(name, text string) {
	n, kind := readNumber(text)
	if kind != isNumber {
		return
	}
	switch name {
	case "input sequence length":
		r.isl = n.value
	case "output sequence length":
		r.osl = n.value
	}
}

// aiperfMeans says what a metric measures: a distribution, one number, or nothing
// that has a canonical metric. It returns false for a name that no version was seen
// to print.
func aiperfMeans(name string) (metric.Quantity, metric.ID, bool) {
	switch name {
	case "time to first token":
		return metric.TTFT, "", true
	case "inter token latency":
		return metric.TPOT, "", true
	case "inter chunk latency":
		return metric.ITL, "", true
	case "request latency":
		return metric.E2E, "", true
	case "request count":
		return "", metric.CompletedRequests, true
	case "error request count":
		return "", metric.FailedRequests, true
	case "completed request count", "completed requests (success + error)":
		return "", metric.TotalRequests, true
	case "benchmark duration":
		return "", metric.Duration, true
	case "request throughput":
		return "", metric.RequestThroughput, true
	case "goodput", "request goodput":
		return "", metric.RequestGoodput, true
	case "input token throughput":
		return "", metric.InputThroughput, true
	case "output token throughput":
		return "", metric.OutputThroughput, true
	case "total token throughput":
		return "", metric.TotalThroughput, true
	case "total isl", "total input sequence length":
		return "", metric.InputTokens, true
	case "total osl", "total output sequence length":
		return "", metric.OutputTokens, true
	}
	return "", "", aiperfKnown(name)
}

// aiperfTells returns the versions that a name was seen in. Few versions were seen, so
// the words are careful.
func aiperfTells(label, name string) (versions string, ok bool) {
	switch {
	case name == "completed requests (success + error)":
		return "v0.13.0 or near", true
	case name == "prefill throughput":
		return "v0.3.0 or near", true
	case strings.HasPrefix(label, "Time To First Token"):
		return "v0.0.16 or near", true
	case strings.HasPrefix(label, "Time to first token"):
		return "before v0.0.16", true
	default:
		return "", false
	}
}

// aiperfKnown recognises what both tools print beside the canonical metrics.
func aiperfKnown(name string) bool {
	for _, prefix := range []string{
		"input sequence length", "output sequence length", "output token count", "total output tokens", "reasoning token",
		"total reasoning tokens", "output token throughput per user", "prefill throughput", "e2e output token throughput",
		"time to second token", "time to first output token", "good request count", "error isl", "total error isl",
		"min request timestamp", "max response timestamp", "minimum request timestamp", "maximum response timestamp",
		"request error rate", "decode duration", "tokens in flight", "credit to start latency", "credit-to-start latency",
		"effective ", "active ", "http ", "usage ", "total usage ", "osl mismatch ", "stream ", "adj ",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// aiperfStat returns the statistic of a column or key, "" for one that has no
// metric, and false for one that is not known. The tools print no median but p50.
func aiperfStat(column string) (metric.Stat, bool) {
	switch column {
	case "avg", "value":
		return metric.Mean, true
	case "min", "max", "std":
		return metric.Stat(column), true
	case "p50":
		return metric.Median, true
	case "p1", "p5", "p10", "p25", "p75", "p90", "p95", "p99":
		return metric.Stat(column), true
	case "sum", "count", "unit":
		return "", true
	default:
		return "", false
	}
}

// nameAndUnit splits "Request Latency (ms)". Parentheses that hold no unit are part
// of the name.
func nameAndUnit(label string) (name, unit string) {
	label = strings.ToLower(strings.Join(strings.Fields(label), " "))
	open := strings.LastIndex(label, " (")
	if open < 0 || !strings.HasSuffix(label, ")") || strings.Contains(label[open:], " + ") || strings.HasPrefix(label[open:], " (excl") {
		return label, ""
	}
	return label[:open], label[open+2 : len(label)-1]
}

// conclude adds what the stated values give, and says which definitions hold.
func (r *aiperfReport) conclude() Record {
	if r.Versions == "" {
		r.Versions = r.tell
	}
	r.define(TPOTDecodeOnly, ITLAsTPOT, E2EToText, OutputByClient)
	if _, ok := r.Value(metric.Of(metric.Mean, metric.ITL)); ok {
		r.define(ITLPerChunk)
	}
	if r.isl > 0 && r.osl > 0 {
		// By lengths and not by the duration, which does not cover what the rates divide by.
		r.Record.conclude(metric.TotalThroughput, []metric.ID{metric.OutputThroughput}, func(v []float64) float64 { return v[0] * (r.isl + r.osl) / r.osl })
		r.tokens(metric.InputTokens, r.isl)
		r.tokens(metric.OutputTokens, r.osl)
	}
	if !slices.Contains(r.Definitions, DurationOfSuccesses) { // else it is another time than rates divide by
		r.Record.conclude(metric.Duration, []metric.ID{metric.CompletedRequests, metric.RequestThroughput}, func(v []float64) float64 { return v[0] / v[1] })
	}
	dropUnmeasured(&r.Record)
	return r.Record
}
