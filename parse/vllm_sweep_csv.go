package parse

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"benchguide/parse/internal/jsonstream"
)

// vllmSweepCSV is the summary.csv of `vllm bench sweep`: a column for every key of
// the runs' JSON and for every parameter that was varied, a row for every run.
func vllmSweepCSV() Format {
	return Format{Name: "vllm-sweep-csv", Sniff: beginsSweep, Read: readSweep}
}

func beginsSweep(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\ufeff")), []byte{'\n'})
	columns := strings.Split(strings.TrimSpace(string(line)), ",")
	found := 0
	for _, c := range columns {
		switch strings.Trim(c, `"`) {
		case "completed", "total_input_tokens", "duration", "run_number":
			found++
		}
	}
	return found >= 3
}

func readSweep(in *Input, out *Output) {
	rows := csv.NewReader(&inputReader{in: in})
	rows.FieldsPerRecord = -1 // checked below, row by row
	rows.LazyQuotes = true
	rows.ReuseRecord = true
	first, err := rows.Read()
	if err != nil {
		return
	}
	header := append([]string(nil), first...)
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	d := vllmJSON()
	d.format = "vllm-sweep-csv"
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			out.Problem(newProblem(CodeMalformedRow, in.File, in.line, "this is no row of a table: "+err.Error(), "save the file again"))
			return
		}
		out.Record(sweepRecord(d, in, rows, header, row))
	}
}

// sweepRecord reads one row as the object that the run saved.
func sweepRecord(d dialect, in *Input, rows *csv.Reader, header, row []string) Record {
	line, _ := rows.FieldPos(0)
	o := &object{line: line, last: line}
	for i, key := range header {
		if i < len(row) && key != "" { // the first column is the table's own index
			cell := cellOf(row[i], line)
			o.members = append(o.members, member{key: key, line: line, kind: cell.Kind, scalar: cell})
		}
	}
	whole := len(row) == len(header)
	r := d.record(in.File, o, whole)
	if !whole {
		r.problem(CodeTruncated, line, "this row has another number of cells than the header; it may be cut off", "copy the whole file again")
	}
	return r
}

// cellOf reads a cell the way pandas writes JSON's values. Lists stay unread.
func cellOf(text string, line int) jsonstream.Scalar {
	_, kind := readNumber(text)
	switch {
	case text == "" || text == "None" || strings.HasPrefix(text, "["):
		return jsonstream.Scalar{Kind: jsonstream.Null, Line: line}
	case kind == isNumber:
		return jsonstream.Scalar{Kind: jsonstream.Number, Text: text, Line: line}
	default:
		return jsonstream.Scalar{Kind: jsonstream.String, Text: text, Line: line}
	}
}

// inputReader reads the rest of an Input as bytes.
type inputReader struct{ in *Input }

var _ io.Reader = (*inputReader)(nil)

func (r *inputReader) Read(p []byte) (int, error) {
	src := windowSource{r.in}
	if len(src.Window()) == 0 && !src.More() {
		return 0, io.EOF
	}
	n := copy(p, src.Window())
	src.Take(n)
	return n, nil
}
