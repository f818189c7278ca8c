package parse

import (
	"encoding/csv"
	"errors"
	"io"
)

// csvRow is one row of a table in CSV, with the lines that it stands in.
type csvRow struct {
	cells     []string
	line, end int
}

// readCSV hands every row of the text to visit. A row that the text ends in may be
// cut, so it is reported instead.
func readCSV(in *Input, out *Output, visit func(csvRow)) {
	lines := &csvSource{in: in}
	r := csv.NewReader(lines)
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, false
	var held *csvRow
	first := in.line
	for {
		cells, err := r.Read()
		if err != nil && !errors.Is(err, io.EOF) {
			line, _ := r.FieldPos(0)
			out.Problem(newProblem(CodeMalformed, in.File, first+max(line, 1)-1, "the row is no CSV: "+err.Error(), "give the file as the tool wrote it"))
			return
		}
		if held != nil && (err == nil || lines.last == '\n') {
			visit(*held)
		}
		if err != nil {
			if held != nil && lines.last != '\n' {
				out.Problem(newProblem(CodeCutValue, in.File, held.line, "the file ends inside this row; it is left out", "copy the file again, to its end"))
			}
			return
		}
		line, _ := r.FieldPos(0)
		last, _ := r.FieldPos(len(cells) - 1)
		held = &csvRow{cells, first + line - 1, first + last - 1}
	}
}

// csvSource hands out the rest of an input and keeps its last byte.
type csvSource struct {
	in   *Input
	last byte
}

// Read implements io.Reader.
func (s *csvSource) Read(p []byte) (int, error) {
	if s.in.pos == len(s.in.buf) && !s.in.eof {
		s.in.fill()
	}
	n := copy(p, s.in.buf[s.in.pos:])
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	s.last = p[n-1]
	s.in.advance(s.in.pos + n)
	return n, nil
}
