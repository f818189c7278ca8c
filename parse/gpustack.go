package parse

import (
	"strings"

	"benchguide/metric"
)

// gpustackJSON reads the rows of GPUStack's benchmark API. Its numbers come from
// GuideLLM and have GuideLLM's meaning.
func gpustackJSON() Format {
	return Format{
		Name: "gpustack-json",
		Sniff: func(head []byte) bool {
			return jsonHas(head, "requests_per_second_mean") && (jsonHas(head, "inter_token_latency_mean") || jsonHas(head, "time_to_first_token_mean"))
		},
		Read: func(in *Input, out *Output) {
			skip := func(key string) bool { return isOneOf(key, "raw_metrics", "snapshot") }
			readJSON(in, out, skip, func(d document) { gpustackRows(d, d.root, out) })
		},
	}
}

// gpustackRows visits one row, a list of rows, or a page of the API.
func gpustackRows(d document, n *node, out *Output) {
	switch {
	case n.kind == nodeList:
		for _, e := range n.items {
			gpustackRows(d, e, out)
		}
	case n.has("items"):
		gpustackRows(d, n.get("items"), out)
	case n.closed && n.has("requests_per_second_mean"):
		out.Record(gpustackRow(d, n))
	case n.kind == nodeObject:
		for _, m := range n.items {
			if m.kind >= nodeObject && m.kind != nodeSkipped {
				gpustackRows(d, m, out)
			}
		}
	}
}

// gpustackRow reads one benchmark of the table that the API returns.
func gpustackRow(d document, row *node) Record {
	r := Record{Format: "gpustack-json", Producer: "gpustack (guidellm)", File: d.file, Line: row.line, EndLine: row.end}
	if name := row.get("name").scalar(); name != "" {
		r.Labels = []string{name}
	}
	for _, m := range row.members() {
		id, unit := gpustackMeans(m.key)
		if id != "" {
			r.measureNode(id, m, m.key, unit)
		}
	}
	r.note("model", row.get("model_name"))
	r.note("strategy", row.get("strategy_type"))
	r.note("incomplete_requests", row.get("request_incomplete"))
	repeatedKeys(&r, d, row)
	r.define(TPOTLastToken, ITLAsTPOT, TPOTWithTTFT, E2EToEnd, RatesMayOverstate)
	dropUnmeasured(&r)
	return r
}

// gpustackMeans says what a column measures. A row has many others, about the
// deployment and the test; they are not listed as unknown.
func gpustackMeans(key string) (metric.ID, string) {
	switch key {
	case "requests_per_second_mean":
		return metric.RequestThroughput, "req/s"
	case "tokens_per_second_mean":
		return metric.TotalThroughput, "tok/s"
	case "output_tokens_per_second_mean":
		return metric.OutputThroughput, "tok/s"
	case "input_tokens_per_second_mean", "prompt_tokens_per_second_mean":
		return metric.InputThroughput, "tok/s"
	case "request_concurrency_mean":
		return metric.MeanConcurrency, ""
	case "request_concurrency_max":
		return metric.PeakConcurrency, ""
	case "request_total":
		return metric.TotalRequests, ""
	case "request_successful":
		return metric.CompletedRequests, ""
	case "request_errored":
		return metric.FailedRequests, ""
	}
	for _, q := range []struct {
		prefix, unit string
		quantity     metric.Quantity
	}{{"request_latency_", "s", metric.E2E}, {"time_to_first_token_", "ms", metric.TTFT}, {"inter_token_latency_", "ms", metric.TPOT}} {
		stat, ok := strings.CutPrefix(key, q.prefix)
		id := metric.Of(metric.Stat(stat), q.quantity)
		if _, known := metric.Lookup(id); ok && known {
			return id, q.unit
		}
	}
	return "", ""
}
