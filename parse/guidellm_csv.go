package parse

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"benchguide/metric"
)

// guidellmCSV reads GuideLLM's CSV reports, one record a row: with one header row to
// v0.3, and with three (group, name, statistic) from v0.4 on.
func guidellmCSV() Format {
	return Format{
		Name: "guidellm-csv",
		Sniff: func(head []byte) bool {
			head = bytes.TrimPrefix(head, []byte("\ufeff"))
			return bytes.HasPrefix(head, []byte("Run Info,")) ||
				bytes.HasPrefix(head, []byte("Type,")) && bytes.Contains(head, []byte(",Successful Requests,"))
		},
		Read: readGuideLLMCSV,
	}
}

// readGuideLLMCSV reads the header rows, and then one record a row.
func readGuideLLMCSV(in *Input, out *Output) {
	var headers [][]string
	var columns []guidellmColumn
	readCSV(in, out, func(row csvRow) {
		if columns != nil {
			guidellmRow(in.File, columns, row, out)
			return
		}
		headers = append(headers, row.cells)
		if strings.TrimPrefix(headers[0][0], "\ufeff") != "Run Info" {
			columns = flatColumns(row.cells)
		} else if len(headers) == 3 {
			columns = groupedColumns(headers)
		}
	})
	if columns == nil {
		out.Problem(newProblem(CodeTruncated, in.File, in.line, "the CSV text ends before its header rows do", "copy the file again, to its end"))
	}
}

// guidellmColumn is the place of a column: what it is about, which requests, in
// which unit, and which statistic.
type guidellmColumn struct{ group, name, stat string }

// String returns the place as a label: "request latency successful sec mean".
func (c guidellmColumn) String() string {
	return strings.TrimSpace(c.group + " " + strings.TrimSpace(c.name+" "+c.stat))
}

// groupedColumns joins three header rows. They repeat the group and the name over every
// column, so nothing has to be carried on.
func groupedColumns(headers [][]string) []guidellmColumn {
	columns := make([]guidellmColumn, len(headers[0]))
	for i := range columns {
		cell := func(row int) string {
			if i < len(headers[row]) {
				return strings.ToLower(strings.TrimSpace(headers[row][i]))
			}
			return ""
		}
		columns[i] = guidellmColumn{cell(0), cell(1), cell(2)}
	}
	return columns
}

// flatColumns gives the columns of one header row the places that later versions use.
func flatColumns(header []string) []guidellmColumn {
	columns := make([]guidellmColumn, len(header))
	for i, h := range header {
		h = strings.ToLower(strings.TrimSpace(h))
		c := guidellmColumn{group: h}
		if rest, ok := strings.CutPrefix(h, "successful "); ok {
			c = flatColumn(rest)
		}
		columns[i] = c
	}
	return columns
}

// flatColumn splits "Request latency mean", without the "Successful" before it.
func flatColumn(rest string) guidellmColumn {
	for _, stat := range []string{"mean", "median", "std dev"} {
		if name, ok := strings.CutSuffix(rest, " "+stat); ok {
			return guidellmColumn{name, "successful", stat}
		}
	}
	if name, _, ok := strings.Cut(rest, " ["); ok {
		return guidellmColumn{name, "successful", "percentiles"}
	}
	return guidellmColumn{group: "successful " + rest}
}

// guidellmMeans says what a column measures: a distribution, or one number.
func guidellmMeans(c guidellmColumn) (q metric.Quantity, id metric.ID, unit string) {
	switch c.group + "/" + c.name {
	case "request latency/successful sec", "request latency/successful":
		return metric.E2E, "", "s"
	case "time to first token/successful ms", "time to first token ms/successful":
		return metric.TTFT, "", "ms"
	case "inter token latency/successful ms", "inter token latency ms/successful":
		return metric.TPOT, "", "ms"
	}
	if c.stat != "mean" && c.stat != "" && c.stat != "sec" {
		return "", "", ""
	}
	switch c.group + "/" + c.name {
	case "timings/duration", "duration/":
		return "", metric.Duration, "s"
	case "request counts/successful", "successful requests/":
		return "", metric.CompletedRequests, ""
	case "request counts/errored", "errored requests/":
		return "", metric.FailedRequests, ""
	case "request counts/total", "total requests/":
		return "", metric.TotalRequests, ""
	case "server throughput/successful requests/sec", "requests per second/successful":
		return "", metric.RequestThroughput, "req/s"
	case "server throughput/successful concurrency", "request concurrency/successful":
		return "", metric.MeanConcurrency, ""
	case "token throughput/successful input tokens/sec", "prompt tokens per second/successful":
		return "", metric.InputThroughput, "tok/s"
	case "token throughput/successful output tokens/sec", "output tokens per second/successful":
		return "", metric.OutputThroughput, "tok/s"
	case "token throughput/successful total tokens/sec", "tokens per second/successful":
		return "", metric.TotalThroughput, "tok/s"
	default:
		return "", "", ""
	}
}

// guidellmRow reads one row. What it says about the load and the tokens a request stands
// in columns of its own, and is read when all of them are known.
func guidellmRow(file string, columns []guidellmColumn, row csvRow, out *Output) {
	r := Record{Format: "guidellm-csv", Producer: "guidellm", File: file, Line: row.line, EndLine: row.end}
	if len(row.cells) > len(columns) {
		r.Problems = append(r.Problems, newProblem(CodeMalformed, file, row.line, "this row has more cells than the header", "give the file as the tool wrote it"))
	}
	era, versions := columnsEra(columns)
	mean, about := map[string]string{}, map[string]string{}
	for i, c := range columns[:min(len(columns), len(row.cells))] {
		text := row.cells[i]
		switch q, id, unit := guidellmMeans(c); {
		case q != "":
			guidellmCell(&r, q, c.stat, stated{c.String(), text, unit, row.line})
		case id != "":
			r.measure(id, stated{c.String(), text, unit, row.line})
		case c.stat == "mean":
			mean[strings.TrimSpace(c.name+" "+c.group)] = text
		default:
			about[strings.TrimSpace(c.group+" "+c.name)] = text
		}
	}
	guidellmAbout(&r, about)
	r.Versions = guidellmVersion(about["runtime info metadata"], versions)
	tokensOf(&r, metric.InputTokens, mean, "successful input tokens token metrics", "successful prompt token count")
	tokensOf(&r, metric.OutputTokens, mean, "successful output tokens token metrics", "successful output token count")
	guidellmMeaning(&r, era)
	dropUnmeasured(&r)
	out.Record(r)
}

// columnsEra tells the version by the columns, which grew in number.
func columnsEra(columns []guidellmColumn) (guidellmEra, string) {
	for _, c := range columns {
		if c.group == "time to first output token" {
			return guidellm07, "v0.7.0 or later"
		}
	}
	if columns[0].group == "run info" {
		return guidellm04, "v0.4.0 to v0.6.1"
	}
	return guidellm03, "v0.2.0 to v0.3.1"
}

// guidellmAbout reads what the row says about the load. A strategy's name does not
// tell how many streams it had; the profile lists them for all rows.
func guidellmAbout(r *Record, about map[string]string) {
	for _, name := range []string{"benchmark strategy", "name"} {
		if text := about[name]; text != "" {
			r.Labels = []string{text}
		}
	}
	for _, name := range []string{"request counts incomplete", "incomplete requests"} {
		if text := about[name]; text != "" {
			r.Settings = append(r.Settings, Setting{Name: "incomplete_requests", Text: text, Line: r.Line})
		}
	}
	var profile struct{ Streams []json.Number }
	index, err := strconv.Atoi(about["run info run index"])
	if err == nil && json.Unmarshal([]byte(about["run info profile"]), &profile) == nil && index >= 0 && index < len(profile.Streams) {
		r.measure(metric.MaxConcurrency, stated{"run info profile", profile.Streams[index].String(), "", r.Line})
	}
}

// guidellmVersion reads the version from the report's metadata, or keeps what is known.
func guidellmVersion(metadata, known string) string {
	var m struct {
		Version string `json:"guidellm_version"`
	}
	if json.Unmarshal([]byte(metadata), &m) == nil && m.Version != "" {
		return "v" + m.Version
	}
	return known
}

// tokensOf multiplies the mean tokens of a request by the requests, which gives back
// the whole number that the mean was made from.
func tokensOf(r *Record, id metric.ID, mean map[string]string, names ...string) {
	for _, name := range names {
		if n, kind := readNumber(mean[name]); kind == isNumber {
			r.tokens(id, n.value)
		}
	}
}

// guidellmCell reads one statistic of a distribution, or the list of eleven of them.
func guidellmCell(r *Record, q metric.Quantity, stat string, s stated) {
	switch stat {
	case "mean", "median":
		r.measure(metric.Of(metric.Stat(stat), q), s)
	case "std dev":
		r.measure(metric.Of(metric.Std, q), s)
	case "percentiles":
		list := strings.Split(strings.Trim(s.text, "[] "), ",")
		stats := []metric.Stat{metric.Min, "p0.1", "p1", "p5", "p10", "p25", "p75", "p90", "p95", "p99", metric.Max}
		if len(list) != len(stats) {
			return // null, or a version that is not known: the position tells the statistic
		}
		label := s.label
		for i, text := range list {
			s.text, s.label = text, label+" "+string(stats[i])
			r.measure(metric.Of(stats[i], q), s)
		}
	}
}
