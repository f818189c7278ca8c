package main

import (
	"fmt"
	"io"
	"strings"

	"benchguide/metric"
	"benchguide/parse"
)

// column is one metric of the table, under a heading short enough for a terminal.
type column struct {
	heading string
	id      metric.ID
}

func tableColumns() []column {
	return []column{
		{"done", metric.CompletedRequests},
		{"failed", metric.FailedRequests},
		{"max conc", metric.MaxConcurrency},
		{"s", metric.Duration},
		{"out tok/s", metric.OutputThroughput},
		{"total tok/s", metric.TotalThroughput},
		{"TTFT ms", metric.Of(metric.Mean, metric.TTFT)},
		{"TPOT ms", metric.Of(metric.Mean, metric.TPOT)},
		{"ITL ms", metric.Of(metric.Mean, metric.ITL)},
		{"E2E ms", metric.Of(metric.Mean, metric.E2E)},
	}
}

// Widths of the two text columns; what is longer ends in an ellipsis.
const (
	placeWidth = 36
	labelWidth = 40
)

// tablePrinter writes the headline metrics, or the fields asked for, one line a
// record. A dash is a value that was not measured, an exclamation mark a record
// with an error.
type tablePrinter struct {
	w      io.Writer
	fields []field
	rows   [][]string
}

func (p *tablePrinter) record(r parse.Record) error {
	p.rows = append(p.rows, p.row(r))
	return nil
}

func (p *tablePrinter) row(r parse.Record) []string {
	if p.fields != nil {
		return cells(p.fields, r)
	}
	row := []string{shortenLeft(placeOf(r), placeWidth), shorten(strings.Join(r.Labels, " · "), labelWidth)}
	return append(row, cells(headlineFields(), r)...)
}

func (p *tablePrinter) end([]parse.Problem) error {
	if len(p.rows) == 0 {
		return nil
	}
	left := 2
	if p.fields != nil {
		for left = 0; left < len(p.fields) && p.fields[left].of != nil; left++ {
		}
	}
	return writeAligned(p.w, append([][]string{headings(p.fields)}, p.rows...), left)
}

// headings returns those of the fields, or of the place, the label and the headline metrics.
func headings(fields []field) []string {
	var row []string
	if fields == nil {
		row = []string{"place", "label"}
		for _, c := range tableColumns() {
			row = append(row, c.heading)
		}
		return row
	}
	for _, f := range fields {
		row = append(row, f.name)
	}
	return row
}

func headlineFields() []field {
	var fields []field
	for _, c := range tableColumns() {
		fields = append(fields, field{name: c.heading, id: c.id})
	}
	return fields
}

func cells(fields []field, r parse.Record) []string {
	row := make([]string, len(fields))
	for i, f := range fields {
		row[i] = f.display(r)
	}
	return row
}

func placeOf(r parse.Record) string {
	place := fmt.Sprintf("%s:%d", r.File, r.Line)
	if !r.Usable() {
		place += " !"
	}
	return place
}
