package parse

import (
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
	s = strings.TrimRight(s, "*#`_ ")
	switch {
	case strings.HasSuffix(s, "NVIDIA AIPerf | LLM Metrics"):
		return "aiperf"
	case strings.HasSuffix(s, "NVIDIA GenAI-Perf | LLM Metrics"):
		return "genai-perf"
	default:
		return ""
	}
}

// readAIPerfConsole reads the main table and the duration, which stands far below it.
func readAIPerfConsole(in *Input, out *Output) {
	r := aiperfReport{Record: Record{Format: "aiperf-console", Producer: aiperfTitle(clean(string(in.peek()))), File: in.File, Line: in.line}}
	r.Labels = labelsAbove(in)
	in.begin()
	in.next()
	t := readBoxTable(in, func(cells []string) bool { return isOneOf(cells[0], "Metric", "Statistic") })
	r.EndLine = t.last
	if r.Producer == "aiperf" && contains(t.header, "p75") {
		r.tell = "v0.1.1 or near" // later tables show p50 there
	}
	t.each(&r.Record, func(row barRow) { aiperfRow(&r, t.header, row.cells, row.line, row.cells[0]) })
	if !t.closed {
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
	for range 2 * maxBetween {
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
