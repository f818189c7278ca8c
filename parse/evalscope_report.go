package parse

import (
	"strings"

	"benchguide/metric"
)

// EvalScope's reports over all points of a run: the one table of v0.15 to v1.7, and the
// several of v1.14.

// isPointsTable recognises the header row of the one table, or the second of its two:
// "Conc.", "RPS", and the units of what stands above them.
func isPointsTable(s string) bool {
	cells := cellsOf(s)
	return len(cells) > 4 && cells[0] == "Conc." && contains(cells, "RPS")
}

// readPointsTable reads the one table, one record a row. People paste it without its
// title, and as Markdown.
func readPointsTable(in *Input, out *Output) {
	first := in.line
	labels := labelsAbove(in)
	above, _ := in.above()
	in.begin()
	t := readBoxTable(in, func(cells []string) bool { return cells[0] == "Conc." })
	if t.header == nil || len(t.rows) == 0 {
		if t.header == nil {
			in.next() // the input ends inside the header
		}
		out.Problem(newProblem(CodeTruncated, in.File, first, "this table has no row", "copy the table again, to its last line"))
		return
	}
	columns := pointsColumns(above, t.header)
	for _, row := range t.rows {
		r := evalscopeReport{Record: Record{Format: "evalscope-console", Producer: "evalscope perf", Versions: "v0.15.0 to v1.7.0 or near", File: in.File, Line: first, EndLine: t.last, Labels: labels}}
		one := t
		one.rows = []barRow{row}
		one.each(&r.Record, func(row barRow) {
			for i, column := range columns {
				r.pointsCell(column, row.cells[i], row.line)
			}
		})
		out.Record(r.conclude())
	}
}

// pointsColumns joins the two rows of a header whose words did not fit one: "Avg" above
// "Lat.(s)".
func pointsColumns(above string, header []string) []string {
	lines := strings.Split(strings.TrimRight(above, "\n"), "\n")
	upper := cellsOf(clean(lines[len(lines)-1]))
	columns := make([]string, len(header))
	for i, cell := range header {
		if len(upper) == len(header) && upper[0] == "" {
			cell = upper[i] + " " + cell
		}
		columns[i] = strings.ToLower(strings.TrimSpace(cell))
	}
	return columns
}

// pointsCell reads one cell: "avg ttft(s)" is a statistic of a quantity.
func (r *evalscopeReport) pointsCell(column, text string, line int) {
	s := stated{column, text, "", line}
	switch column {
	case "conc.":
		r.measure(metric.MaxConcurrency, s)
		return
	case "rps":
		s.unit = "req/s"
		r.measure(metric.RequestThroughput, s)
		return
	case "gen. toks/s":
		s.unit = "tok/s"
		r.measure(metric.OutputThroughput, s)
		return
	case "tot. toks/s":
		s.unit = "tok/s"
		r.measure(metric.TotalThroughput, s)
		return
	case "rate", "success rate", "success", "num":
		return
	}
	at, rest, _ := strings.Cut(column, " ")
	name, unit, _ := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
	if name == "lat." {
		name = "latency"
	}
	if !r.percentile(name+" ("+unit+")", at, stated{text: text, line: line}) {
		r.Unknown = append(r.Unknown, Unknown{Text: column + ": " + text, Line: line})
	}
}

// readEvalScopeReport reads the report over all points, one record a point. A blank
// first cell repeats the one above it.
func readEvalScopeReport(in *Input, out *Output) {
	first := in.line
	in.begin()
	end := in.mark()
	points := map[string]*evalscopeReport{}
	var order []string
	for range 3 * maxBetween {
		l, ok := in.next()
		if !ok || strings.HasSuffix(clean(l.Text), "Benchmarking summary:") {
			break
		}
		title := clean(l.Text)
		if l.No == first {
			end = in.mark()
		}
		if !isOneOf(title, titleOverview, "Per-Request Metrics") || title == titleOverview && l.No > first {
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
	if len(order) == 0 {
		out.Problem(newProblem(CodeTruncated, in.File, first, "this report has no row", "copy the report again, to its last line"))
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
