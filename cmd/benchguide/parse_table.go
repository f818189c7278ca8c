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

// printTable writes the headline metrics, one line a record. A dash is a value that
// was not measured, an exclamation mark a record with an error.
func printTable(w io.Writer, records []parse.Record) error {
	if len(records) == 0 {
		return nil
	}
	rows := [][]string{{"place", "label"}}
	for _, c := range tableColumns() {
		rows[0] = append(rows[0], c.heading)
	}
	for _, r := range records {
		rows = append(rows, tableRow(r))
	}
	return writeAligned(w, rows, 2)
}

func tableRow(r parse.Record) []string {
	place := fmt.Sprintf("%s:%d", r.File, r.Line)
	if !r.Usable() {
		place += " !"
	}
	row := []string{shortenLeft(place, placeWidth), shorten(strings.Join(r.Labels, " · "), labelWidth)}
	for _, c := range tableColumns() {
		cell := "—"
		if n, ok := r.Number(c.id); ok {
			cell = metric.MustLookup(c.id).Format(n)
		}
		row = append(row, cell)
	}
	return row
}
