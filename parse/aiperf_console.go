package parse

import (
	"fmt"
	"strings"

	"benchguide/metric"
)

// aiperfConsole reads the table that AIPerf and GenAI-Perf print. AIPerf prints
// further tables before it, about other quantities; they are passed over.
func aiperfConsole() Format {
	return Format{
		Name:    "aiperf-console",
		Anchors: []string{"LLM Metrics"},
		Sniff:   func(line []byte) bool { return aiperfTitle(clean(string(line))) != "" },
		Read:    readAIPerfConsole,
	}
}

// aiperfTitle returns the producer of the table that a line is the title of, or "".
func aiperfTitle(s string) string {
	switch strings.Trim(s, "*#`_ ") {
	case "NVIDIA AIPerf | LLM Metrics":
		return "AIPerf"
	case "NVIDIA GenAI-Perf | LLM Metrics":
		return "GenAI-Perf"
	default:
		return ""
	}
}

// boxTable is a table of a name column and value columns. A name too long for its
// column continues in rows without values.
type boxTable struct {
	header []string
	rows   []barRow
	last   int
	closed bool
	cut    int // line that the text ends in, or 0
}

const maxAbove = 12 // lines between a title and its table, and after it to its duration

// readBoxTable takes the next table. isHeader knows its first row.
func readBoxTable(in *Input, isHeader func(cells []string) bool) boxTable {
	t := boxTable{last: in.line}
	for n := 0; n < maxBlockLines && (t.header != nil || n < maxAbove); n++ {
		here := in.mark()
		l, ok := in.next()
		if !ok {
			return t
		}
		s := clean(l.Text)
		cells := cellsOf(s)
		switch {
		case s == "" || isRuled(s) && !isLastRule(s):
		case isRuled(s):
			if t.header != nil {
				t.closed, t.last = true, l.No
				return t
			}
		case cells == nil && t.header == nil:
		case cells == nil:
			in.reset(here)
			return t
		case !l.Ended:
			t.cut = l.No
			return t
		default:
			if t.header == nil && !isHeader(cells) {
				in.reset(here)
				return t
			}
			t.add(cells, l.No)
		}
	}
	return t
}

// isLastRule reports whether a ruler closes a box, by its left corner.
func isLastRule(s string) bool {
	return strings.HasPrefix(s, "└") || strings.HasPrefix(s, "┗") || strings.HasPrefix(s, "╘") || strings.HasPrefix(s, "╰") || strings.HasPrefix(s, "╚")
}

func (t *boxTable) add(cells []string, line int) {
	t.last = line
	switch last := len(t.rows) - 1; {
	case t.header == nil:
		t.header = cells
	case last >= 0 && strings.Join(cells[1:], "") == "":
		t.rows[last].cells[0] += " " + cells[0]
	default:
		t.rows = append(t.rows, barRow{cells, line})
	}
}

func readAIPerfConsole(in *Input, out *Output) {
	head := readPreface(in.above())
	r := aiperfReport{Record: Record{Format: "aiperf-console", Producer: aiperfTitle(clean(string(in.peek()))), File: in.File, Line: in.line}}
	in.begin()
	in.next()
	r.Labels = head.inherit(in)
	t := readBoxTable(in, func(cells []string) bool { return isOneOf(cells[0], "Metric", "Statistic") })
	r.EndLine = t.last
	for _, row := range t.rows {
		if len(row.cells) != len(t.header) {
			r.Problems = append(r.Problems, newProblem(CodeMalformed, in.File, row.line,
				fmt.Sprintf("this row has %d cells under %d columns, so it is left out", len(row.cells), len(t.header)), "copy the table again"))
			continue
		}
		aiperfRow(&r, t.header, row.cells, row.line, row.cells[0])
	}
	if !t.closed {
		r.Problems = append(r.Problems, newProblem(CodeTruncated, in.File, t.last, "this table ends without its closing rule; rows may be missing", "copy the table again, to its last line"))
		out.Record(r.Record) // what follows from a missing row is not known
		return
	}
	aiperfDuration(in, &r)
	out.Record(r.conclude())
}

// aiperfDuration reads the line that AIPerf prints after the tables, behind warnings
// that are up to 30 lines long, and how many requests it was told to keep in flight.
func aiperfDuration(in *Input, r *aiperfReport) {
	end := in.mark()
	for range 2 * maxIdle {
		l, ok := in.next()
		s := clean(l.Text)
		if !ok || strings.HasPrefix(s, "NVIDIA ") || strings.HasPrefix(s, "aiperf profile") {
			break
		}
		label, rest, _ := field(s)
		if label != "Benchmark Duration" || !l.Ended {
			continue
		}
		number, unit, _ := strings.Cut(rest, " ")
		r.measure(metric.Duration, stated{label, number, unit, l.No})
		r.EndLine, end = l.No, in.mark()
		break
	}
	in.reset(end)
}
