package parse

import (
	"strings"

	"benchguide/metric"
)

// evalscopeConsole reads the summary that EvalScope prints at the end of each point:
// a table of values, and one of percentiles. What it prints while a point runs is
// partial, and the report over all points repeats the summaries; both are passed
// over, the report only if there were any.
func evalscopeConsole() Format {
	summaries := 0
	return Format{
		Name:    "evalscope-console",
		Anchors: []string{"Benchmarking summary", "Performance Test Summary Report"},
		Sniff: func(line []byte) bool {
			s := clean(string(line))
			return strings.HasSuffix(s, "Benchmarking summary:") || summaries == 0 && isEvalScopeReport(s)
		},
		Read: func(in *Input, out *Output) {
			if isEvalScopeReport(clean(string(in.peek()))) {
				readEvalScopeReport(in, out)
				return
			}
			summaries++
			readEvalScopeSummary(in, out)
		},
	}
}

// isEvalScopeReport recognises the title of the report over all points.
func isEvalScopeReport(s string) bool {
	return strings.Trim(s, " "+bars) == "Performance Test Summary Report"
}

// readEvalScopeSummary reads one point.
func readEvalScopeSummary(in *Input, out *Output) {
	r := evalscopeReport{Record: Record{Format: "evalscope-console", Producer: "evalscope perf", File: in.File, Line: in.line}}
	r.Labels = labelsAbove(in)
	in.begin()
	in.next()
	t := readBoxTable(in, func(cells []string) bool { return len(cells) == 2 && isOneOf(cells[0], "Key", "Metric") })
	r.EndLine = t.last
	t.each(&r.Record, func(row barRow) {
		s := stated{row.cells[0], row.cells[1], "", row.line}
		if !r.row(s) {
			r.Unknown = append(r.Unknown, Unknown{Text: s.label + ": " + s.text, Line: s.line})
		}
	})
	if t.closed {
		evalscopePercentiles(in, &r)
	}
	r.Versions = r.versions()
	out.Record(r.conclude())
}

// evalscopePercentiles reads the table after the summary: percentiles are its rows in
// v0, its columns in v1.
func evalscopePercentiles(in *Input, r *evalscopeReport) {
	end := in.mark()
	for range maxAbove {
		l, ok := in.next()
		if !ok || strings.Contains(l.Text, "Benchmarking summary") {
			break
		}
		if !strings.HasSuffix(clean(l.Text), "Percentile results:") {
			continue
		}
		t := readBoxTable(in, func(cells []string) bool { return isOneOf(cells[0], "Percentiles", "Percentile", "Metric") })
		if t.header == nil {
			break
		}
		t.each(&r.Record, func(row barRow) { evalscopePercentileRow(r, t.header, row) })
		r.EndLine, end = t.last, in.mark()
		break
	}
	in.reset(end)
}

// evalscopePercentileRow reads one row of either kind of percentile table.
func evalscopePercentileRow(r *evalscopeReport, header []string, row barRow) {
	for i := 1; i < len(header); i++ {
		column, at := header[i], row.cells[0]
		if header[0] == "Metric" {
			column, at = at, column
		}
		if !r.percentile(column, at, stated{text: row.cells[i], line: row.line}) {
			r.Unknown = append(r.Unknown, Unknown{Text: column + " " + at + ": " + row.cells[i], Line: row.line})
		}
	}
}

// readEvalScopeReport reads the report over all points, one record a point. A blank
// first cell repeats the one above it.
func readEvalScopeReport(in *Input, out *Output) {
	first := in.line
	in.begin()
	in.next()
	end := in.mark()
	points := map[string]*evalscopeReport{}
	var order []string
	for range 3 * maxBetween {
		l, ok := in.next()
		if !ok || strings.HasSuffix(clean(l.Text), "Benchmarking summary:") {
			break
		}
		title := clean(l.Text)
		if !isOneOf(title, "Performance Overview", "Per-Request Metrics") {
			continue
		}
		t := readBoxTable(in, func(cells []string) bool { return cells[0] == "Conc." })
		at := ""
		for _, row := range t.rows {
			if row.cells[0] != "" {
				at = row.cells[0]
			}
			if points[at] == nil {
				points[at] = &evalscopeReport{Record: Record{Format: "evalscope-console", Producer: "evalscope perf", Versions: "v1.14.1 or near", File: in.File, Line: first}}
				points[at].measure(metric.MaxConcurrency, stated{"Conc.", at, "", row.line})
				order = append(order, at)
			}
			points[at].point(t.header, row)
		}
		end = in.mark()
		for _, p := range points {
			p.EndLine = t.last
			if !t.closed {
				p.Problems = append(p.Problems, newProblem(CodeTruncated, in.File, t.last, "the table '"+title+"' ends without its closing rule; rows may be missing", "copy the table again, to its last line"))
			}
		}
	}
	in.reset(end)
	for _, at := range order {
		out.Record(points[at].conclude())
	}
}

// point reads one row of the report's tables.
func (r *evalscopeReport) point(header []string, row barRow) {
	if len(row.cells) != len(header) {
		return // the table's end is missing, which its missing rule reports
	}
	of := ""
	for i, column := range header {
		s := stated{column, row.cells[i], "", row.line}
		switch column {
		case "RPS":
			s.unit = "req/s"
			r.measure(metric.RequestThroughput, s)
		case "Gen/s":
			s.unit = "tok/s"
			r.measure(metric.OutputThroughput, s)
		case "Num":
			r.measure(metric.TotalRequests, s)
		case "Metric":
			of = s.text
		case "Conc.", "Rate", "Success":
		default:
			if s.text != "-" && !r.percentile(of, column, stated{text: s.text, line: row.line}) {
				r.Unknown = append(r.Unknown, Unknown{Text: of + " " + column + ": " + s.text, Line: row.line})
			}
		}
	}
}
