package parse

import (
	"bytes"

	"benchguide/metric"
	"benchguide/parse/internal/jsonstream"
)

// guidellmHTML reads the data in GuideLLM's HTML reports, where a script holds the
// benchmarks as JSON.
func guidellmHTML() Format {
	return Format{
		Name:    "guidellm-html",
		Anchors: []string{htmlBenchmarks},
		Sniff: func(line []byte) bool {
			return bytes.Contains(line, []byte(htmlBenchmarks+" =")) || bytes.Contains(line, []byte(htmlBenchmarks+"="))
		},
		Read: readGuideLLMHTML,
	}
}

const htmlBenchmarks = "window.benchmarks"

// readGuideLLMHTML reads the value that the script assigns, in place: a page may be a
// megabyte on one line.
func readGuideLLMHTML(in *Input, out *Output) {
	at := bytes.Index(in.peek(), []byte(htmlBenchmarks))
	in.advance(in.pos + at + len(htmlBenchmarks) + bytes.IndexByte(in.peek()[at+len(htmlBenchmarks):], '=') + 1)
	t := treeReader{r: jsonstream.NewReader(windowSource{in}), skip: func(key string) bool { return key == "buckets" }}
	root := t.value("", 0)
	t.r.Sync()
	if err := t.r.Err(); err != nil {
		out.Problem(newProblem(CodeTruncated, in.File, err.Line, "the page ends inside the data of its benchmarks: "+err.What, "save the page again"))
		return
	}
	list := root
	if root.has("benchmarks") {
		list = root.get("benchmarks")
	}
	for _, b := range list.elements() {
		out.Record(guidellmPage(document{in.File, root, t.twice}, b))
	}
}

// guidellmPage reads one benchmark of a page. What the page calls "itl", "tpot" in other
// versions, is the same quantity: GuideLLM's inter-token latency.
func guidellmPage(d document, b *node) Record {
	r := Record{Format: "guidellm-html", Producer: "guidellm", File: d.file, Line: b.line, EndLine: b.end}
	for _, m := range b.members() {
		switch m.key {
		case "requestsPerSecond", "requests_per_second":
			r.measureNode(metric.RequestThroughput, m, m.key, "req/s")
		case "throughput":
			r.measureNode(metric.OutputThroughput, statisticsOf(m).get("mean"), "throughput.mean", "tok/s")
		case "itl", "tpot":
			guidellmPageSummary(&r, metric.TPOT, m, "ms")
		case "ttft":
			guidellmPageSummary(&r, metric.TTFT, m, "ms")
		case "timePerRequest", "time_per_request":
			guidellmPageSummary(&r, metric.E2E, m, "s")
		default:
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	repeatedKeys(&r, d, b)
	r.define(TPOTLastToken, ITLAsTPOT, E2EToEnd, RatesMayOverstate)
	dropUnmeasured(&r)
	return r
}

// statisticsOf returns where a summary holds its statistics: in itself, or a level down.
func statisticsOf(summary *node) *node {
	if inner := summary.get("statistics"); inner != nil {
		return inner
	}
	return summary
}

// guidellmPageSummary reads the statistics and the percentiles that the page shows.
func guidellmPageSummary(r *Record, q metric.Quantity, summary *node, unit string) {
	if !measuredSummary(statisticsOf(summary)) {
		return
	}
	for _, m := range statisticsOf(summary).members() {
		stat, ok := guidellmStat(m.key)
		if m.key == "std" || m.key == "stdDev" {
			stat, ok = metric.Std, true
		}
		if ok {
			r.measureNode(metric.Of(stat, q), m, summary.key+"."+m.key, unit)
		}
	}
	for _, key := range []string{"percentiles", "percentileRows", "percentile_rows"} {
		for _, row := range summary.get(key).elements() {
			if stat, ok := guidellmStat(row.get("percentile").scalar()); ok {
				r.measureNode(metric.Of(stat, q), row.get("value"), summary.key+"."+string(stat), unit)
			}
		}
	}
}
