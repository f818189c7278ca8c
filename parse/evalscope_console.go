package parse

import "strings"

// evalscopeConsole reads the summary that EvalScope prints at the end of each point:
// a table of values, and one of percentiles. What it prints while a point runs is
// partial, and the report over all points repeats the summaries; both are passed
// over, the report only if there were any.
func evalscopeConsole() Format {
	summaries := 0
	return Format{
		Name:    "evalscope-console",
		Anchors: []string{"Benchmarking summary", "Performance Overview", "Avg Lat.(s)", "Lat.(s) ┃"},
		Sniff: func(line []byte) bool {
			s := clean(string(line))
			return strings.HasSuffix(s, "Benchmarking summary:") || summaries == 0 && (s == titleOverview || isPointsTable(s))
		},
		Read: func(in *Input, out *Output) {
			switch s := clean(string(in.peek())); {
			case s == titleOverview:
				readEvalScopeReport(in, out)
			case isPointsTable(s):
				readPointsTable(in, out)
			default:
				summaries++
				readEvalScopeSummary(in, out)
			}
		},
	}
}

// titleOverview is the title of the first table of v1's report over all points.
const titleOverview = "Performance Overview"

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
