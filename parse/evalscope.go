package parse

import (
	"strings"

	"benchguide/metric"
)

// EvalScope's perf command writes its labels as JSON keys and as rows of a table. The
// labels of v1 carry milliseconds, those of v0 seconds; each says which.

// evalscopeReport collects one record.
type evalscopeReport struct {
	Record
	input, output float64 // mean tokens a request
	old           bool    // printed before v0.9, when a token's time was all time divided by all tokens
}

// row adds what stands under a label. It returns false for a label that is not known.
func (r *evalscopeReport) row(s stated) bool {
	name := strings.ToLower(strings.Join(strings.Fields(s.label), " "))
	if strings.HasPrefix(name, "throughput(average tokens/s)") {
		r.old = true
		s.unit = "tok/s"
		r.measure(metric.OutputThroughput, s)
		return true
	}
	if base, unit := nameAndUnit(s.label); unit != "" {
		name, s.unit = base, unit
	}
	id, known := r.means(name)
	switch number, kind := readNumber(s.text); {
	case id != "" && kind == isNumber && number.value < 0: // -1 is "no limit", or "not streamed"
		r.Settings = append(r.Settings, Setting{Name: strings.ReplaceAll(name, " ", "_"), Text: s.text, Line: s.line})
	case id != "":
		r.measure(id, s)
	case name == "avg input tokens" || name == "average input tokens per request":
		r.input = number.value
	case name == "avg output tokens" || name == "average output tokens per request":
		r.output = number.value
	case name == "total / success / failed":
		return r.counts(s)
	}
	return known
}

// counts reads "16 / 16 / 0".
func (r *evalscopeReport) counts(s stated) bool {
	parts := strings.Split(s.text, "/")
	if len(parts) != 3 {
		return false
	}
	for i, id := range []metric.ID{metric.TotalRequests, metric.CompletedRequests, metric.FailedRequests} {
		r.measure(id, stated{s.label, strings.TrimSpace(parts[i]), "", s.line})
	}
	return true
}

// means says what a label measures, without its unit, and false for one that no version
// was seen to print.
func (r *evalscopeReport) means(name string) (metric.ID, bool) {
	switch name {
	case "time taken for tests", "test duration":
		return metric.Duration, true
	case "number of concurrency", "concurrency":
		return metric.MaxConcurrency, true
	case "request rate":
		return metric.RequestRate, true
	case "total requests":
		return metric.TotalRequests, true
	case "succeed requests", "success requests":
		return metric.CompletedRequests, true
	case "failed requests":
		return metric.FailedRequests, true
	case "output token throughput", "output throughput":
		return metric.OutputThroughput, true
	case "total token throughput", "total throughput":
		return metric.TotalThroughput, true
	case "input token throughput", "input throughput":
		return metric.InputThroughput, true
	case "request throughput", "req throughput":
		return metric.RequestThroughput, true
	case "average latency", "avg latency":
		return metric.Of(metric.Mean, metric.E2E), true
	case "average time to first token", "avg ttft":
		return metric.Of(metric.Mean, metric.TTFT), true
	case "average time per output token", "avg tpot":
		if r.old {
			return "", true
		}
		return metric.Of(metric.Mean, metric.TPOT), true
	case "average inter-token latency", "avg itl":
		return metric.Of(metric.Mean, metric.ITL), true
	default:
		return "", isOneOf(name, "avg input tokens", "avg output tokens", "average input tokens per request", "average output tokens per request",
			"average package latency", "average package per request", "average qps", "expected number of requests", "result db path",
			"stream requests", "non-stream requests", "total / success / failed", "average decoded tokens per iter", "average approx speculative decoding acceptance rate",
			"decoded tokens per iter", "cached tokens", "average turns per request", "avg turns", "avg cached tokens", "avg decode throughput", "decode throughput")
	}
}

// conclude adds what the stated values give, and says which definitions hold.
func (r *evalscopeReport) conclude() Record {
	if v, ok := r.Value(metric.InputThroughput); ok && v.Number == 0 && r.input > 0 {
		r.drop(metric.InputThroughput) // prompts were counted, so this zero was never computed
		r.define(InputRateZero)
	}
	r.define(TPOTDecodeOnly, ITLPerChunk, E2EToEnd)
	if r.old {
		r.define(TPOTWithTTFT)
	}
	if r.input > 0 {
		r.tokens(metric.InputTokens, r.input)
	}
	if r.output > 0 {
		r.tokens(metric.OutputTokens, r.output)
	}
	dropUnmeasured(&r.Record)
	return r.Record
}

// percentile adds one cell of a percentile table: "TTFT (ms)" at "99%".
func (r *evalscopeReport) percentile(column, at string, s stated) bool {
	name, unit := nameAndUnit(column)
	quantity, ok := map[string]metric.Quantity{"latency": metric.E2E, "ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL}[name]
	if !ok {
		return isOneOf(name, "input tokens", "output tokens", "output", "total", "decode", "decode toks/s", "throughput(tokens/s)", "output throughput(tok/s)", "total throughput(tok/s)")
	}
	stat, ok := evalscopeStat(at)
	if ok {
		s.label, s.unit = column+" "+at, unit
		r.measure(metric.Of(stat, quantity), s)
	}
	return ok
}

// evalscopeStat reads "50%", "p99" and "min".
func evalscopeStat(at string) (metric.Stat, bool) {
	switch at = strings.ToLower(strings.TrimSpace(at)); at {
	case "min", "max":
		return metric.Stat(at), true
	case "avg":
		return metric.Mean, true
	case "50%", "p50":
		return metric.Median, true
	}
	p, ok := strings.CutSuffix(at, "%")
	if !ok {
		p = strings.TrimPrefix(at, "p")
	}
	stat := metric.Stat("p" + p)
	_, ok = metric.Lookup(metric.Of(stat, metric.TTFT))
	return stat, ok
}

// evalscopeJSON reads benchmark_summary.json and benchmark_percentile.json.
func evalscopeJSON() Format {
	return Format{
		Name: "evalscope-json",
		Sniff: func(head []byte) bool {
			return jsonHas(head, "Time taken for tests (s)") || jsonHas(head, "Test Duration (s)") ||
				(jsonHas(head, "Percentiles") || jsonHas(head, "Percentile")) && jsonHas(head, "Latency (s)")
		},
		Read: func(in *Input, out *Output) {
			readJSON(in, out, skipNothing, func(d document) {
				if d.root.closed {
					out.Record(evalscopeDocument(d))
				}
			})
		},
	}
}

// evalscopeDocument reads a summary, which is an object, or percentiles, which are a list.
func evalscopeDocument(d document) Record {
	r := evalscopeReport{Record: Record{Format: "evalscope-json", Producer: "evalscope perf", File: d.file, Line: d.root.line, EndLine: d.root.end}}
	for _, m := range d.root.members() {
		if m.kind != nodeNull && !r.row(stated{m.key, m.text, "", m.line}) {
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	for _, row := range d.root.elements() {
		at := row.get("Percentiles").scalar() + row.get("Percentile").scalar()
		for _, m := range row.members() {
			if !isOneOf(m.key, "Percentiles", "Percentile") && m.kind == nodeNumber && !r.percentile(m.key, at, stated{text: m.text, line: m.line}) {
				r.Unknown = append(r.Unknown, unknownNode(m, m.key+" "+at))
			}
		}
	}
	r.Versions = r.versions()
	repeatedKeys(&r.Record, d, d.root)
	return r.conclude()
}

// versions tells the version by the words: v1 came with milliseconds and short labels.
func (r *evalscopeReport) versions() string {
	for _, v := range r.Values {
		switch {
		case v.Label == "Test Duration (s)", strings.HasPrefix(v.Label, "TTFT (ms)"), strings.HasPrefix(v.Label, "Avg "):
			return "v1.14.1 or near"
		case v.Label == "Average inter-token latency (s)":
			return "v0.17.0 or later"
		}
	}
	if r.old {
		return "before v0.13.0"
	}
	return ""
}
