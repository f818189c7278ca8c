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
	src := &inputReader{in: in}
	rows := csv.NewReader(src)
	rows.FieldsPerRecord = -1 // checked for each row
	rows.LazyQuotes = true
	header, err := rows.Read()
	if err != nil {
		return
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	d := vllmJSON()
	d.format = "vllm-sweep-csv"
	next := func() sweepRow {
		cells, err := rows.Read()
		if err != nil {
			return sweepRow{err: err}
		}
		line, _ := rows.FieldPos(0)
		return sweepRow{cells: cells, line: line}
	}
	row := next()
	for row.err == nil {
		after := next()
		cut := errors.Is(after.err, io.EOF) && src.last != '\n' // its last cell may be half a number
		out.Record(row.record(d, in.File, header, cut))
		row = after
	}
	if !errors.Is(row.err, io.EOF) {
		out.Problem(newProblem(CodeMalformedRow, in.File, in.line, "this is no row of a table: "+row.err.Error(), "save the file again"))
	}
}

// sweepRow is one line of the table.
type sweepRow struct {
	cells []string
	line  int
	err   error
}

// record reads a row as the object that the run saved.
func (w sweepRow) record(d dialect, file string, header []string, cut bool) Record {
	cut = cut || len(w.cells) != len(header)
	cells := w.cells
	if cut {
		cells = cells[:len(cells)-1]
	}
	o := &object{line: w.line, last: w.line}
	for i, text := range cells[:min(len(cells), len(header))] {
		if header[i] != "" { // the first column is the table's own index
			cell := cellOf(text, w.line)
			o.members = append(o.members, member{key: header[i], line: w.line, kind: cell.Kind, scalar: cell})
		}
	}
	r := d.record(file, o, !cut)
	if cut {
		r.problem(CodeTruncated, w.line, "this row ends without a line end, or has another number of cells than the header; it may be cut off", "copy the whole file again")
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
type inputReader struct {
	in   *Input
	last byte // that was read
}

var _ io.Reader = (*inputReader)(nil)

func (r *inputReader) Read(p []byte) (int, error) {
	src := windowSource{r.in}
	if len(src.Window()) == 0 && !src.More() {
		return 0, io.EOF
	}
	n := copy(p, src.Window())
	src.Take(n)
	if n > 0 {
		r.last = p[n-1]
	}
	return n, nil
}
