package parse

import (
	"bytes"
	"strings"

	"benchguide/metric"
)

// aiperfJSON reads profile_export_aiperf.json and profile_export_genai_perf.json.
func aiperfJSON() Format {
	return Format{
		Name: "aiperf-json",
		Sniff: func(head []byte) bool {
			return jsonHas(head, "unit", "avg") &&
				(jsonHas(head, "request_throughput") || jsonHas(head, "request_latency") || jsonHas(head, "time_to_first_token"))
		},
		Read: func(in *Input, out *Output) {
			readJSON(in, out, func(key string) bool {
				return isOneOf(key, "telemetry_data", "sessions", "server_metrics", "timeslices")
			}, func(d document) {
				if d.root.closed && d.root.kind == nodeObject {
					out.Record(aiperfDocument(d))
				}
			})
		},
	}
}

// aiperfDocument reads one export. Metrics are told from the rest by their unit, since
// each version adds some; the rest is listed only if no version was seen to write it.
func aiperfDocument(d document) Record {
	root := d.root
	r := aiperfReport{Record: Record{Format: "aiperf-json", File: d.file, Line: root.line, EndLine: root.end}}
	r.Producer, r.Versions = aiperfProducer(root)
	for _, m := range root.members() {
		if m.kind == nodeObject && m.has("unit") {
			aiperfTag(&r, m)
		} else if m.kind != nodeNull && !isAboutAIPerf(m.key) {
			r.Unknown = append(r.Unknown, unknownNode(m, m.key))
		}
	}
	aiperfLoad(&r, root.get("input_config"))
	if root.get("was_cancelled").scalar() == "true" {
		r.Settings = append(r.Settings, Setting{"was_cancelled", "true", root.get("was_cancelled").line})
	}
	repeatedKeys(&r.Record, d, root)
	if root.has("completed_request_count") {
		r.define(DurationOfSuccesses)
	}
	return r.conclude()
}

// aiperfTag reads one metric: a unit, and statistics or a single value.
func aiperfTag(r *aiperfReport, tag *node) {
	name := strings.ReplaceAll(strings.ToLower(tag.key), "_", " ")
	for _, m := range tag.members() {
		text := m.text
		if m.kind >= nodeObject {
			text = "no single value"
		}
		if m.kind != nodeNull && m.key != "unit" {
			r.stat(name, m.key, stated{tag.key + "." + m.key, text, tag.get("unit").scalar(), m.line})
		}
	}
}

// isAboutAIPerf names what stands beside the metrics.
func isAboutAIPerf(key string) bool {
	return isOneOf(key, "schema_version", "aiperf_version", "benchmark_id", "input_config", "run_info", "was_cancelled", "is_complete",
		"error_summary", "start_time", "end_time", "telemetry_data", "server_metrics", "sessions", "timeslices")
}

// aiperfProducer tells the tools apart: GenAI-Perf counts requests in "count", and
// its settings name its subcommand.
func aiperfProducer(root *node) (producer, versions string) {
	switch version := root.get("aiperf_version").scalar(); {
	case root.has("input_config", "subcommand"), root.get("request_count", "unit").scalar() == "count":
		return "genai-perf", ""
	case version != "":
		return "aiperf", "v" + version
	default:
		return "aiperf", ""
	}
}

// aiperfLoad reads the load that was asked for, from each version's settings.
func aiperfLoad(r *aiperfReport, config *node) {
	for _, path := range [][]string{{"loadgen"}, {"perf_analyzer", "stimulus"}} {
		r.measureNode(metric.MaxConcurrency, config.get(append(path, "concurrency")...), "input_config."+strings.Join(path, ".")+".concurrency", "")
		r.measureNode(metric.RequestRate, config.get(append(path, "request_rate")...), "input_config."+strings.Join(path, ".")+".request_rate", "req/s")
	}
	for _, phase := range config.get("phases").elements() {
		if phase.get("kind").scalar() == "profiling" {
			r.measureNode(metric.MaxConcurrency, phase.get("concurrency"), "input_config.phases.concurrency", "")
			r.measureNode(metric.RequestRate, phase.get("rate"), "input_config.phases.rate", "req/s")
		}
	}
	for _, list := range []*node{config.get("model_names"), config.get("endpoint", "model_names")} {
		for _, name := range list.elements() {
			r.note("model", name)
		}
	}
	for _, item := range config.get("models", "items").elements() {
		r.note("model", item.get("name"))
	}
}

// aiperfCSV reads the CSV exports of both tools: a section of distributions and, after
// a blank line, one of single values.
func aiperfCSV() Format {
	return Format{
		Name: "aiperf-csv",
		Sniff: func(head []byte) bool {
			return bytes.HasPrefix(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("Metric,avg,min,max,"))
		},
		Read: readAIPerfCSV,
	}
}

// readAIPerfCSV reads a file as one record.
func readAIPerfCSV(in *Input, out *Output) {
	r := aiperfReport{Record: Record{Format: "aiperf-csv", Producer: "aiperf", File: in.File, Line: in.line}}
	var header []string
	telemetry := false // a section about GPUs follows those about requests
	readCSV(in, out, func(row csvRow) {
		switch {
		case telemetry:
		case strings.TrimPrefix(row.cells[0], "\ufeff") == "Metric":
			header = row.cells
		case row.cells[0] == "Endpoint":
			telemetry = true
		default:
			aiperfRow(&r, header, row.cells, row.line, row.cells[0])
			r.EndLine = row.end
		}
	})
	if r.EndLine > 0 {
		out.Record(r.conclude())
	}
}

// aiperfRow reads one metric: its name, and the statistics that the header names.
func aiperfRow(r *aiperfReport, header, cells []string, line int, label string) {
	name, unit := nameAndUnit(label)
	// Only GenAI-Perf writes these; AIPerf writes "to", and "requests/sec".
	if strings.HasPrefix(label, "Time To ") || unit == "per sec" || unit == "count" {
		r.Producer = "genai-perf"
	}
	if name == "completed requests (success + error)" {
		r.define(DurationOfSuccesses)
	}
	for i := 1; i < min(len(cells), len(header)); i++ {
		if text := strings.TrimSpace(cells[i]); text != "" {
			r.stat(name, strings.ToLower(header[i]), stated{label, text, unit, line})
		}
	}
}
