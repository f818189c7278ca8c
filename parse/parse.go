package parse

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// Bytes reads every benchmark result in src. The file name is used in records and
// messages only. Problems that belong to a record are in it; those that belong to
// none are returned beside the records.
func Bytes(file string, src []byte) ([]Record, []Problem) {
	var records []Record
	documents, texts := split(formats())
	in := newInput(file, nil, anchors(texts))
	in.buf, in.eof = src, true // the window is the whole text: nothing to read, nothing to copy
	problems, _ := read(in, documents, texts, func(r Record) { records = append(records, r) })
	return records, problems
}

// File reads every benchmark result in the file at path. The error is one of I/O.
func File(path string) ([]Record, []Problem, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var records []Record
	problems, err := Stream(path, f, func(r Record) { records = append(records, r) })
	return records, problems, err
}

// Stream reads every benchmark result of r and hands each to emit as soon as it is
// complete, in input order. Its memory does not depend on the size of the input.
// The error is r's; what was read before it has been emitted.
func Stream(file string, r io.Reader, emit func(Record)) ([]Problem, error) {
	documents, texts := split(formats())
	return read(newInput(file, r, anchors(texts)), documents, texts, emit)
}

func read(in *Input, documents, texts []Format, emit func(Record)) ([]Problem, error) {
	out := &Output{emit: emit}
	head := in.head()
	binary := isBinary(head)
	if f, ok := documentOf(documents, head); ok {
		f.Read(in, out)
	} else {
		readTexts(texts, in, out)
	}
	if out.records == 0 && len(out.problems) == 0 && in.err == nil {
		out.Problem(noResult(in, binary))
	}
	return out.problems, in.err
}

func documentOf(documents []Format, head []byte) (Format, bool) {
	for _, f := range documents {
		if f.Sniff(head) {
			return f, true
		}
	}
	return Format{}, false
}

// readTexts visits the lines with an anchor, and no others.
func readTexts(texts []Format, in *Input, out *Output) {
	for in.skipToAnchor() {
		f, ok := textOf(texts, in.peek())
		if !ok {
			in.next()
			continue
		}
		before, found := in.mark(), out.records+len(out.problems)
		f.Read(in, out)
		if in.mark() == before {
			// A reader that takes nothing would be asked about this line for ever.
			panic("format " + f.Name + " read a result without taking a line")
		}
		in.release()
		if out.records+len(out.problems) > found {
			in.claim()
		}
	}
}

func textOf(texts []Format, line []byte) (Format, bool) {
	for _, f := range texts {
		if f.begins(line) {
			return f, true
		}
	}
	return Format{}, false
}

// isBinary tells UTF-16, archives and pictures from text. It only explains why
// nothing was found: a log with NUL bytes in it, which a crash leaves, is read.
func isBinary(head []byte) bool {
	strange := 0
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && size == 1 || r < ' ' && !strings.ContainsRune("\t\n\r\f\b\x1b", r) {
			strange++
		}
		i += size
	}
	return strange*10 > len(head)
}

func noResult(in *Input, binary bool) Problem {
	switch {
	case in.empty():
		return newProblem(CodeNoResult, in.File, 0, "the input is empty", "give the output that the benchmark tool printed")
	case binary:
		return newProblem(CodeBinary, in.File, 0, "the input is not UTF-8 text",
			"give the output that the benchmark tool printed; convert UTF-16 with iconv -f UTF-16 -t UTF-8")
	default:
		return newProblem(CodeNoResult, in.File, 0, fmt.Sprintf("no benchmark result in %d lines", in.lines()),
			"give the client's output with the block that begins with '============ Serving Benchmark Result ============'")
	}
}
