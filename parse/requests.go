package parse

import (
	"io"
	"math"
	"time"
)

// Requests is what one result says of each of its requests, in the order of the
// file. A list that the file does not have is nil; lists that are there have one
// item for each request, failed ones included. Times are in seconds, and NaN where
// the file has no number.
type Requests struct {
	File   string
	Line   int         // of the result
	Input  []float64   // prompt tokens
	Output []float64   // generated tokens
	Start  []float64   // when the request was sent, by the client's clock
	TTFT   []float64   // from then to the first token
	E2E    []float64   // from then to the end: as stated, or else to the last token
	Gaps   [][]float64 // between the chunks of the answer; see Record.Definitions for what is in them
	Errors []string    // "" for a request that succeeded

	// Began is when the client began to measure, to the second, by the clock of its machine:
	// in which zone that is, no client tells. Zero where the tool does not say it; the date
	// in vLLM's file is when it was written.
	Began time.Time
}

// ReadRequests reads the per-request data of every result in r and hands each to
// emit. Unlike Stream it holds one result's data in memory. The error is r's.
func ReadRequests(file string, r io.Reader, emit func(Requests)) ([]Problem, error) {
	in := newInput(file, r, nil)
	in.want = wantRequests
	found := false
	out := &Output{emit: func(Record) {}, requests: func(o *object) {
		if o.requests != nil && len(o.requests.lists) > 0 {
			found = true
			emit(requestsOf(file, o))
		}
	}}
	if document := jsonDocument(); document.Sniff(in.head()) {
		document.Read(in, out)
	}
	if !found && len(out.problems) == 0 && in.err == nil {
		out.Problem(newProblem(CodeNoResult, file, 0, "there is no per-request data",
			"give the JSON that the client saved with --save-detailed or --output-details"))
	}
	return out.problems, in.err
}

func requestsOf(file string, o *object) Requests {
	d := o.requests
	q := Requests{
		File: file, Line: o.line, Input: d.input, Output: d.output, Start: d.start,
		TTFT: d.ttft, E2E: d.e2e, Gaps: d.kept, Errors: d.errors, Began: benchguideBegan(o),
	}
	if n, ok := d.count(); ok && q.E2E == nil && n > 0 && !math.IsNaN(d.latency(0)) {
		for i := range n {
			q.E2E = append(q.E2E, d.latency(i))
		}
	}
	return q
}

// Summarize is Stream without looking at per-request data: it reads what the tools
// printed, and recomputes nothing from it.
func Summarize(file string, r io.Reader, emit func(Record)) ([]Problem, error) {
	documents, texts := split(formats())
	in := newInput(file, r, anchors(texts))
	in.want = wantSummary
	return read(in, documents, texts, emit)
}
