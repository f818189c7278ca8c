package parse

import (
	"strings"

	"benchguide/metric"
)

// aisbenchConsole reads the two tables that AISBench prints: distributions, and
// single values. Units stand in the cells.
func aisbenchConsole() Format {
	return Format{
		Name:    "aisbench-console",
		Anchors: []string{"Performance Parameters", "Common Metric"},
		Sniff: func(line []byte) bool {
			cells := cellsOf(clean(string(line)))
			return len(cells) > 2 && (isAISBenchDistributions(cells) || isAISBenchValues(cells))
		},
		Read: readAISBench,
	}
}

// isAISBenchDistributions and isAISBenchValues know the tables by their header rows, which
// are all that introduces them.
func isAISBenchDistributions(cells []string) bool {
	return cells[0] == "Performance Parameters" && contains(cells, "Average")
}
func isAISBenchValues(cells []string) bool {
	return cells[0] == "Common Metric" && contains(cells, "Value")
}

// readAISBench reads both tables, or the one that was copied.
func readAISBench(in *Input, out *Output) {
	r := Record{Format: "aisbench-console", Producer: "ais_bench", File: in.File, Line: in.line}
	r.Labels = labelsAbove(in)
	in.begin()
	if isAISBenchDistributions(cellsOf(clean(string(in.peek())))) {
		readAISBenchTable(in, &r, isAISBenchDistributions, aisbenchDistribution)
	}
	readAISBenchTable(in, &r, isAISBenchValues, aisbenchValue)
	if len(r.Values) == 0 {
		if r.EndLine == 0 {
			in.next() // the input ends inside the header
		}
		out.Problem(newProblem(CodeTruncated, in.File, r.Line, "this table has no row", "copy the table again, to its last line"))
		return
	}
	r.define(TPOTDecodeOnly, ITLPerChunk, E2EToEnd)
	dropUnmeasured(&r)
	out.Record(r)
}

// readAISBenchTable reads a table's rows of one stage: with several, the first is the whole run.
func readAISBenchTable(in *Input, r *Record, isHeader func([]string) bool, read func(*Record, []string, barRow)) {
	before := in.mark()
	t := readBoxTable(in, isHeader)
	if t.header == nil {
		in.reset(before)
		return
	}
	r.EndLine = t.last
	stage := ""
	t.each(r, func(row barRow) {
		if stage == "" {
			stage = row.cells[1]
		}
		if row.cells[1] != stage {
			r.Unknown = append(r.Unknown, Unknown{Text: strings.Join(row.cells, " | "), Line: row.line})
			return
		}
		read(r, t.header, row)
	})
}

// aisbenchDistribution reads a row of the first table: one quantity, a statistic a column.
func aisbenchDistribution(r *Record, header []string, row barRow) {
	q, ok := map[string]metric.Quantity{"E2EL": metric.E2E, "TTFT": metric.TTFT, "TPOT": metric.TPOT, "ITL": metric.ITL}[row.cells[0]]
	if !ok {
		if !isOneOf(row.cells[0], "InputTokens", "OutputTokens", "OutputTokenThroughput", "PrefillTokenThroughput", "Tokenizer", "Detokenizer") {
			r.Unknown = append(r.Unknown, Unknown{Text: strings.Join(row.cells, " | "), Line: row.line})
		}
		return
	}
	for i := 2; i < len(header); i++ {
		stat, known := aisbenchStat(header[i])
		number, unit, _ := strings.Cut(row.cells[i], " ")
		if known {
			r.measure(metric.Of(stat, q), stated{row.cells[0] + " " + header[i], number, unit, row.line})
		}
	}
}

// aisbenchStat returns the statistic of a column, and false for N, the number of requests.
func aisbenchStat(column string) (metric.Stat, bool) {
	switch column = strings.ToLower(column); column {
	case "average":
		return metric.Mean, true
	case "min", "max", "median":
		return metric.Stat(column), true
	default:
		_, ok := metric.Lookup(metric.Of(metric.Stat(column), metric.TTFT))
		return metric.Stat(column), ok
	}
}

// aisbenchValue reads a row of the second table.
func aisbenchValue(r *Record, _ []string, row barRow) {
	number, unit, _ := strings.Cut(row.cells[2], " ")
	id, ok := map[string]metric.ID{
		"benchmark duration": metric.Duration, "total requests": metric.TotalRequests, "failed requests": metric.FailedRequests,
		"success requests": metric.CompletedRequests, "successful requests": metric.CompletedRequests, "concurrency": metric.MeanConcurrency,
		"max concurrency": metric.MaxConcurrency, "request throughput": metric.RequestThroughput, "total input tokens": metric.InputTokens,
		"total generated tokens": metric.OutputTokens, "input token throughput": metric.InputThroughput,
		"output token throughput": metric.OutputThroughput, "total token throughput": metric.TotalThroughput,
	}[strings.ToLower(row.cells[0])]
	switch {
	case ok:
		r.measure(id, stated{row.cells[0], number, unit, row.line})
	case row.cells[0] != "Prefill Token Throughput":
		r.Unknown = append(r.Unknown, Unknown{Text: row.cells[0] + ": " + row.cells[2], Line: row.line})
	}
}
