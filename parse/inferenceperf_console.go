package parse

import (
	"bytes"
	"strings"

	"benchguide/metric"
)

// inferencePerfText reads the reports that the tool prints into its log: the summary,
// and then one a stage. Its tables show the same numbers, rounded, so they are read
// only where the reports are missing.
func inferencePerfText() Format {
	var summary Record
	return Format{
		Name:    "inference-perf-console",
		Anchors: []string{"=== START_S", inferencePerfTitle},
		Sniff: func(line []byte) bool {
			s := clean(string(line))
			return inferencePerfName(s) != "" || strings.HasSuffix(s, inferencePerfTitle) && len(summary.Values) == 0
		},
		Read: func(in *Input, out *Output) {
			if inferencePerfName(clean(string(in.peek()))) == "" {
				readInferencePerfTables(in, out)
				return
			}
			r, ok := readInferencePerfText(in, out)
			// The stage of a run of one stage is the summary again.
			if !ok || sameMeasurements(summary, r) {
				return
			}
			if r.Labels[0] == "summary" {
				summary = r
			}
			out.Record(r)
		},
	}
}

// sameMeasurements reports whether a has values and b repeats all of them.
func sameMeasurements(a, b Record) bool {
	for _, v := range a.Values {
		if w, ok := b.Number(v.Metric); !ok || w != v.Number {
			return false
		}
	}
	return len(a.Values) > 0
}

// inferencePerfName returns the name of the report that begins at a line: SUMMARY, STAGE_0.
func inferencePerfName(s string) string {
	name, ok := strings.CutPrefix(s, "=== START_")
	name, closed := strings.CutSuffix(name, " ===")
	if !ok || !closed || name != "SUMMARY" && !strings.HasPrefix(name, "STAGE_") {
		return ""
	}
	return name
}

const maxReport = 1 << 20 // bytes of a report; one has 8 kB

// readInferencePerfText takes one report, to its own end. A report without an end is left
// out whole, since its JSON is.
func readInferencePerfText(in *Input, out *Output) (r Record, ok bool) {
	name := inferencePerfName(clean(string(in.peek())))
	first, _ := in.next()
	var text bytes.Buffer
	in.begin()
	end := in.mark()
	for text.Len() < maxReport {
		l, ok := in.next()
		if !ok {
			break
		}
		s := clean(l.Text)
		if s == "=== END_"+name+" ===" {
			return inferencePerfReport(in.File, first.No, name, text.Bytes(), out)
		}
		if inferencePerfName(s) != "" {
			break
		}
		text.WriteString(s + "\n")
		end = in.mark()
	}
	in.reset(end)
	out.Problem(newProblem(CodeTruncated, in.File, first.No, "the report "+name+" has no end, so it is left out", "copy the output again, to the line '=== END_"+name+" ==='"))
	return Record{}, false
}

// inferencePerfReport reads the JSON between the two lines that frame a report.
func inferencePerfReport(file string, line int, name string, text []byte, out *Output) (r Record, ok bool) {
	report := newInput(file, nil, nil)
	report.buf, report.eof, report.line = text, true, line+1
	readJSON(report, out, skipNothing, func(d document) {
		if !ok && d.root.closed && d.root.has("load_summary") {
			r, ok = inferencePerfRecord(d, "inference-perf-console"), true
			r.Labels = []string{strings.ToLower(strings.ReplaceAll(name, "_", " "))}
			r.Line, r.EndLine = line, r.EndLine+1
		}
	})
	return r, ok
}

// inferencePerfTitle is the title of the first of the tables.
const inferencePerfTitle = "Throughput and Goodput Summary"

// readInferencePerfTables reads the tables, one record a stage. Latencies are in
// milliseconds here.
func readInferencePerfTables(in *Input, out *Output) {
	first := in.line
	stages := map[string]*Record{}
	var order []string
	in.begin()
	end := in.mark()
	for range 2 * maxBetween {
		l, ok := in.next()
		if !ok || l.No > first && strings.HasSuffix(clean(l.Text), inferencePerfTitle) {
			break
		}
		if l.No == first {
			end = in.mark()
		}
		if title := clean(l.Text); !isOneOf(title, inferencePerfTitle, "Request & Token Latency (ms)", "Token Generation Speed (ms)") {
			continue
		}
		t := readBoxTable(in, func(cells []string) bool { return cells[0] == "Stage" })
		for _, row := range t.rows {
			stage := row.cells[0]
			if stages[stage] == nil {
				stages[stage] = &Record{Format: "inference-perf-console", Producer: "inference-perf", Versions: "v0.7.0 or near", File: in.File, Line: first, Labels: []string{"stage " + stage}}
				order = append(order, stage)
			}
			inferencePerfRow(stages[stage], t.header, row)
		}
		for _, stage := range order {
			stages[stage].EndLine = t.last
			if !t.closed {
				stages[stage].Problems = append(stages[stage].Problems, newProblem(CodeTruncated, in.File, t.last, "this table ends without its closing rule; rows may be missing", "copy the table again, to its last line"))
			}
		}
		end = in.mark()
	}
	in.reset(end)
	for _, stage := range order {
		stages[stage].define(TPOTLastToken, ITLPerChunk, E2EToEnd)
		dropUnmeasured(stages[stage])
		out.Record(*stages[stage])
	}
	if len(order) == 0 {
		out.Problem(newProblem(CodeTruncated, in.File, first, "these tables have no row", "copy the tables again, to their last line"))
	}
}

// inferencePerfRow reads one row of any of the tables, by its columns.
func inferencePerfRow(r *Record, header []string, row barRow) {
	if len(row.cells) != len(header) {
		return // the table's end is missing, which its missing rule reports
	}
	for i, column := range header {
		s := stated{column, row.cells[i], "ms", row.line}
		switch column {
		case "Req Rate":
			s.unit = "req/s"
			r.measure(metric.RequestRate, s)
		case "Req/s":
			s.unit = "req/s"
			r.measure(metric.RequestThroughput, s)
		case "In Tokens/s":
			s.unit = "tok/s"
			r.measure(metric.InputThroughput, s)
		case "Out Tokens/s":
			s.unit = "tok/s"
			r.measure(metric.OutputThroughput, s)
		case "Tot Tokens/s":
			s.unit = "tok/s"
			r.measure(metric.TotalThroughput, s)
		default:
			name, word, _ := cutLast(column, " ")
			stat, known := map[string]metric.Stat{"Mean": metric.Mean, "Med": metric.Median, "P90": "p90"}[word]
			q, ok := map[string]metric.Quantity{"Req Lat": metric.E2E, "TTFT": metric.TTFT, "ITL": metric.ITL, "TPOT": metric.TPOT}[name]
			if known && ok {
				r.measure(metric.Of(stat, q), s)
			}
		}
	}
}
