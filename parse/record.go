// Package parse turns what benchmark tools print into records.
//
// A record holds the values of one benchmark run in canonical metrics. Units are
// normalised as they are read; the text, label, file and line that a value came
// from stay with it, so that a number on a page can be traced to its source.
// The package never guesses: a label that it does not know is listed in Unknown,
// what a tool did not print is absent, and anything doubtful is a Problem that
// travels with the record. It judges nothing: whether values are plausible or
// comparable is for package analyze.
package parse

import (
	"fmt"

	"benchguide/metric"
)

// Record is one benchmark result: a block of text, a JSON object, a table row.
type Record struct {
	Format   string    // the reader that produced it: "serving-text", "vllm-json"
	Producer string    // the tool that printed it: "vllm bench serve"
	Versions string    // the tool's versions that the labels allow: "v0.11.0"
	File     string    // as the caller named it
	Line     int       // first line of the block, counted from 1
	EndLine  int       // last line of the block
	Labels   []string  // label lines around the block: "# BS=4", an engine name, a command
	Values   []Value   // in the order in which they were printed
	Settings []Setting // what is stated and is not a measurement: backend, "inf" rates
	Unknown  []Unknown // lines inside the block that were not understood
	Problems []Problem

	Definitions []Definition // what the producer's words mean in this record
}

// Value is one number of a record.
type Value struct {
	Metric  metric.ID
	Number  float64 // in the metric's unit
	Text    string  // the number as it was printed
	Unit    string  // the unit as it was printed
	Label   string  // the label as it was printed
	Note    string  // what stood after the number and is not its unit
	Line    int
	Derived bool        // computed from other values of the record, not printed
	From    []metric.ID // what a derived value was computed from

	// Recomputed says that Number was computed from the file's per-request data. If
	// the tool printed the metric too (Text is not empty), Printed is what it printed,
	// in the metric's unit.
	Recomputed bool
	Printed    float64
}

// Setting is a stated property that is no measured number.
type Setting struct {
	Name, Text string
	Line       int
}

// Unknown is a line inside a block that no label of the format matches.
type Unknown struct {
	Text string
	Line int
}

// Severity of a problem: an error makes the record unusable, a warning makes it doubtful.
type Severity string

// The severities, as printed in JSON.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Problem says what is wrong with an input, where, and what to do about it.
type Problem struct {
	Code     string // stable, kebab-case: see the Code constants
	Severity Severity
	File     string
	Line     int
	Message  string
	Hint     string
}

// Error returns the problem as one line: file, line, what was found, what to do next.
func (p Problem) Error() string {
	s := p.Message
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, s)
	}
	return p.File + ": " + s
}

// Value returns the record's value of a metric, and false when it was not measured.
func (r *Record) Value(id metric.ID) (Value, bool) {
	for _, v := range r.Values {
		if v.Metric == id {
			return v, true
		}
	}
	return Value{}, false
}

// Usable reports whether no error-severity problem forbids using the record.
func (r *Record) Usable() bool { return !hasError(r.Problems) }

// Number returns the number of a metric, and false when it was not measured.
func (r *Record) Number(id metric.ID) (float64, bool) {
	v, ok := r.Value(id)
	return v.Number, ok
}
