package parse

import (
	"fmt"
	"slices"
	"strings"

	"benchguide/metric"
)

// guidellmConsole reads the tables that GuideLLM prints at the end of a run, one
// record a row. The tables of one run have the same rows in the same order.
func guidellmConsole() Format {
	return Format{
		Name:    "guidellm-console",
		Anchors: []string{"Benchmarks Info", "Benchmarks Stats", "Run Summary Info", "Latency Statistics", "Throughput Statistics"},
		Sniff:   func(line []byte) bool { return guidellmTitle(barLine(string(line))) != "" },
		Read:    readGuideLLMConsole,
	}
}

// The tables that values are read from; the others count words, or repeat.
const (
	titleInfo       = "benchmarks info"
	titleStats      = "benchmarks stats"
	titleSummary    = "run summary info"
	titleLatency    = "request latency statistics"
	titleThroughput = "server throughput statistics"
	titleOther      = "other statistics"
)

// barLine cleans a line of a table that may stand in a comment.
func barLine(s string) string { return strings.TrimPrefix(clean(s), "# ") }

// guidellmTitle returns which table a cleaned line is the title of, or "".
func guidellmTitle(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "ℹ"), " "), ":")
	name, scope, scoped := strings.Cut(s, " (")
	name = strings.ToLower(strings.TrimSpace(name))
	switch {
	case scoped && !strings.HasSuffix(scope, " Requests)"):
		return ""
	case isOneOf(name, titleInfo, titleStats, titleSummary, titleLatency, titleThroughput):
		return name
	case strings.HasSuffix(name, " statistics"):
		return titleOther
	default:
		return ""
	}
}

// barTable is a table of bars with several header rows above a ruler.
type barTable struct {
	title   string
	all     bool     // it counts all requests, not only completed ones
	columns []string // header cells from top to bottom, lower case
	rows    []barRow
	last    int
	closed  bool
	cut     bool // the text ends inside of it
}

// barRun is the tables of one run.
type barRun struct {
	first, last int
	tables      []barTable
}

const maxBetween = 40 // lines between two tables of one run

// readGuideLLMConsole reads the tables of one run. The text stands at the first title.
func readGuideLLMConsole(in *Input, out *Output) {
	progress := guidellmProgress(in)
	run := readBarRun(in)
	// Some versions print all tables twice: when the run ends, and as an output.
	for guidellmTitle(barLine(string(in.peek()))) != "" {
		in.begin()
		here := in.mark()
		next := readBarRun(in)
		if !run.repeatedBy(next) {
			in.reset(here)
			break
		}
		run.last = next.last
	}
	guidellmRecords(in.File, run, progress, out)
}

// repeatedBy reports whether next holds the same tables again, or the first of them
// where the text ends.
func (run barRun) repeatedBy(next barRun) bool {
	if len(next.tables) > len(run.tables) {
		return false
	}
	for i, t := range next.tables {
		first := run.tables[i]
		whole := len(t.rows) == len(first.rows) && t.closed
		if t.title != first.title || len(t.rows) > len(first.rows) || !whole && i < len(next.tables)-1 {
			return false
		}
		if !slices.EqualFunc(t.rows, first.rows[:len(t.rows)], func(a, b barRow) bool { return slices.Equal(a.cells, b.cells) }) {
			return false
		}
	}
	return true
}

// readBarRun takes tables until a title comes again, and what is between them. It
// stands at a title.
func readBarRun(in *Input) barRun {
	run := barRun{first: in.line}
	in.begin()
	end := in.mark()
	for idle := 0; idle < maxBetween; {
		title := guidellmTitle(barLine(string(in.peek())))
		if title != "" && run.endsBefore(title) {
			break
		}
		l, ok := in.next()
		if !ok {
			break
		}
		idle++
		if title != "" {
			t := readBarTable(in, title)
			t.all = strings.Contains(l.Text, "(All ")
			run.tables = append(run.tables, t)
			idle, end, run.last = 0, in.mark(), max(l.No, t.last)
		}
	}
	if title := guidellmTitle(barLine(string(in.peek()))); title == "" {
		in.reset(end)
	}
	return run
}

// endsBefore reports whether a title begins another run: it came before, begins every
// run, or is another version's.
func (run barRun) endsBefore(title string) bool {
	if run.tables == nil || title == titleOther {
		return false
	}
	old := func(title string) bool { return isOneOf(title, titleInfo, titleStats) }
	return title == titleSummary || run.has(title) || old(title) != old(run.tables[0].title)
}

// has reports whether the run has a table of a title.
func (run barRun) has(title string) bool {
	return slices.ContainsFunc(run.tables, func(t barTable) bool { return t.title == title })
}

// readBarTable takes a table below its title.
func readBarTable(in *Input, title string) barTable {
	t := barTable{title: title}
	var headers [][]string
	ruled := false // the ruler between header and rows was read
	for n := 0; n < maxBlockLines; n++ {
		here := in.mark()
		l, ok := in.next()
		if !ok {
			t.cut = true
			break
		}
		s := strings.TrimPrefix(barLine(l.Text), "#")
		cells := rawCells(s)
		switch {
		case s == "" && headers == nil:
		case isRuled(s) && strings.Contains(s, "=") && headers != nil:
			t.closed, t.last = true, l.No
			return t
		case isRuled(s) && headers == nil:
		case isRuled(s):
			ruled, t.columns = true, barColumns(headers)
		case cells == nil:
			in.reset(here)
			return t
		case !l.Ended:
			t.cut = true
			return t
		case !ruled:
			headers = append(headers, cells)
			t.last = l.No
		default:
			t.rows = append(t.rows, barRow{trimCells(cells), l.No})
			t.last = l.No
		}
	}
	return t
}

// barColumns joins each column's header cells. A merged cell counts for all of its columns.
func barColumns(headers [][]string) []string {
	var columns []string
	for _, row := range headers {
		merged := ""
		for i, cell := range row {
			if cell != "" {
				merged = strings.ToLower(strings.TrimSpace(cell))
			}
			for len(columns) <= i {
				columns = append(columns, "")
			}
			columns[i] = strings.Trim(columns[i]+"/"+merged, "/")
		}
	}
	return columns
}

// trimCells removes the blanks that align a row, in place.
func trimCells(cells []string) []string {
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

// barMeans says what a column of a table measures.
func barMeans(title, column string) (id metric.ID, unit string) {
	switch title + ": " + column {
	case titleInfo + ": metadata/duration (s)", titleSummary + ": timings/dur/sec":
		return metric.Duration, "s"
	case titleInfo + ": requests made/comp", titleSummary + ": requests/comp/tot":
		return metric.CompletedRequests, ""
	case titleInfo + ": requests made/err", titleSummary + ": requests/err/tot":
		return metric.FailedRequests, ""
	case titleInfo + ": prompt tok total/comp", titleSummary + ": input tokens/comp/tot":
		return metric.InputTokens, ""
	case titleInfo + ": output tok total/comp", titleSummary + ": output tokens/comp/tot":
		return metric.OutputTokens, ""
	case titleStats + ": request stats/per second", titleThroughput + ": requests/per sec/mean":
		return metric.RequestThroughput, "req/s"
	case titleStats + ": request stats/concurrency", titleThroughput + ": requests/concurrency/mean":
		return metric.MeanConcurrency, ""
	case titleThroughput + ": input tokens/per sec/mean":
		return metric.InputThroughput, "tok/s"
	case titleStats + ": out tok/sec/mean", titleThroughput + ": output tokens/per sec/mean":
		return metric.OutputThroughput, "tok/s"
	case titleStats + ": tot tok/sec/mean", titleThroughput + ": total tokens/per sec/mean":
		return metric.TotalThroughput, "tok/s"
	}
	if title != titleStats && title != titleLatency {
		return "", ""
	}
	return barLatency(column)
}

// barLatency reads the columns of latencies: "ttft/ms/mdn", "ttft (ms)/median". What
// is headed "Req Latency (ms)" holds seconds.
func barLatency(column string) (metric.ID, string) {
	what, word, _ := cutLast(column, "/")
	stat, ok := map[string]metric.Stat{"mean": metric.Mean, "median": metric.Median, "mdn": metric.Median, "p95": "p95", "p99": "p99"}[word]
	if !ok {
		return "", ""
	}
	switch what {
	case "request latency/sec", "req latency (sec)", "req latency (ms)":
		return metric.Of(stat, metric.E2E), "s"
	case "ttft/ms", "ttft (ms)":
		return metric.Of(stat, metric.TTFT), "ms"
	case "itl/ms", "itl (ms)":
		return metric.Of(stat, metric.TPOT), "ms"
	default:
		return "", ""
	}
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// guidellmRecords makes a record of each row. Rows of different tables belong together
// by their order, since names repeat: a sweep prints "constant" eight times.
func guidellmRecords(file string, run barRun, progress []finished, out *Output) {
	rows := 0
	for _, t := range run.tables {
		rows = max(rows, len(t.rows))
	}
	if rows == 0 {
		out.Problem(newProblem(CodeTruncated, file, run.last, "these tables end before their first row", "copy the output again, to the last table's closing rule"))
	}
	for i := range rows {
		r := Record{Format: "guidellm-console", Producer: "guidellm", File: file, Line: run.first, EndLine: run.last}
		for _, t := range run.tables {
			if i < len(t.rows) {
				guidellmTableRow(&r, t, t.rows[i])
			}
			if !t.closed {
				r.Problems = append(r.Problems, newProblem(CodeTruncated, file, t.last, "the table '"+t.title+"' ends without its closing rule; rows may be missing", "copy the output again, to the last table's closing rule"))
			}
		}
		if len(progress) == rows {
			progress[i].complete(&r)
		}
		guidellmTableMeaning(&r, run)
		dropUnmeasured(&r)
		out.Record(r)
	}
}

// guidellmTableRow reads the cells of one row. Cells are found by their column and not by
// their place, since every version added some.
func guidellmTableRow(r *Record, t barTable, row barRow) {
	if len(row.cells) != len(t.columns) {
		r.Problems = append(r.Problems, newProblem(CodeMalformed, r.File, row.line,
			fmt.Sprintf("this row has %d cells under %d columns, so it is left out", len(row.cells), len(t.columns)), "copy the table again"))
		return
	}
	if r.Labels == nil && row.cells[0] != "" {
		r.Labels = []string{row.cells[0]}
	}
	for i, column := range t.columns {
		text := strings.TrimSuffix(row.cells[i], "*") // a mark of the footnote on small samples
		if id, unit := barMeans(t.title, column); id != "" {
			r.measure(id, stated{column, text, unit, row.line})
		} else if column == "requests made/inc" || column == "requests/inc/tot" {
			r.Settings = append(r.Settings, Setting{"incomplete_requests", text, row.line})
		}
	}
}

// guidellmTableMeaning tells the version by the tables' columns and applies what it means.
func guidellmTableMeaning(r *Record, run barRun) {
	era := guidellm04
	for _, t := range run.tables {
		all := strings.Join(t.columns, "\n")
		switch {
		case t.title == titleInfo, t.title == titleStats:
			era = guidellm03
			if strings.Contains(all, "req latency (ms)") {
				era = guidellm02
				r.define(SecondsAsMS)
			}
		case strings.Contains(all, "ttfot/"), t.title == titleSummary && strings.Contains(all, "requests/comp"):
			era = guidellm07
		}
		if t.title == titleThroughput && t.all {
			r.define(RatesAllRequests)
		}
	}
	r.Versions = map[guidellmEra]string{guidellm02: "v0.2.0 to v0.2.1", guidellm03: "v0.3.0 to v0.3.1", guidellm04: "v0.4.0 to v0.6.1", guidellm07: "v0.7.0 or later"}[era]
	if era == guidellm03 && !run.has(titleStats) {
		r.Versions = "v0.2.0 to v0.3.1"
	}
	guidellmMeaning(r, era)
}

// finished is a line of the progress panel: a benchmark with its counts, which the
// tables of v0.4 to v0.7 do not print.
type finished struct {
	name                  string
	line                  int
	completed, incomplete string
	failed                string
}

// guidellmProgress reads the finished benchmarks of the panel above the tables, in
// order. The panel is drawn again and again; the last drawing of each counts.
func guidellmProgress(in *Input) []finished {
	text, first := in.above()
	var all []finished
	for i, l := range strings.Split(text, "\n") {
		f, ok := finishedOf(barLine(l))
		if !ok {
			continue
		}
		f.line = first + i
		if at := slices.IndexFunc(all, func(g finished) bool { return g.name == f.name }); at >= 0 {
			all[at] = f
		} else {
			all = append(all, f)
		}
	}
	return all
}

// finishedOf reads a line of the panel such as "concurrent@4 (complete) Req: 8.6 req/s,
// ... 12 Comp, 0 Inc, 0 Err". Its rates are not read; the tables print them better.
func finishedOf(s string) (finished, bool) {
	before, after, ok := strings.Cut(s, " (complete) ")
	words := strings.Fields(strings.TrimRight(after, " "+bars))
	n := len(words)
	if !ok || n < 6 || words[n-1] != "Err" || words[n-3] != "Inc," || words[n-5] != "Comp," {
		return finished{}, false
	}
	_, name, _ := cutLast(before, " ")
	return finished{name: name, completed: words[n-6], incomplete: words[n-4], failed: words[n-2]}, true
}

// complete adds what the panel says and the tables do not.
func (f finished) complete(r *Record) {
	if len(r.Labels) != 1 || !strings.HasPrefix(f.name, r.Labels[0]) {
		return
	}
	r.Labels[0] = f.name
	r.Line = min(r.Line, f.line)
	_, streams, _ := strings.Cut(f.name, "concurrent@")
	for _, v := range []struct {
		id          metric.ID
		label, text string
	}{
		{metric.CompletedRequests, "Comp", f.completed}, {metric.FailedRequests, "Err", f.failed}, {metric.MaxConcurrency, "concurrent@", streams},
	} {
		if _, ok := r.Value(v.id); !ok && v.text != "" {
			r.measure(v.id, stated{v.label, v.text, "", f.line})
		}
	}
	if !slices.ContainsFunc(r.Settings, func(s Setting) bool { return s.Name == "incomplete_requests" }) {
		r.Settings = append(r.Settings, Setting{"incomplete_requests", f.incomplete, f.line})
	}
}
