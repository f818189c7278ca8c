package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// display measures text as terminals show it. Ambiguous characters such as the dash
// are taken as narrow whatever the locale, so that output does not depend on it.
func display() *runewidth.Condition {
	c := runewidth.NewCondition()
	c.EastAsianWidth = false
	return c
}

// writeAligned writes rows in columns that are as wide as their widest cell: the
// first left ones flush left, the others flush right. Rows have equal lengths.
func writeAligned(w io.Writer, rows [][]string, left int) error {
	d := display()
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], d.StringWidth(cell))
		}
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-d.StringWidth(cell))
			if i < left {
				cells[i] = cell + pad
			} else {
				cells[i] = pad + cell
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "  "), " ")); err != nil {
			return err
		}
	}
	return nil
}

// shorten cuts text at its end to a display width.
func shorten(s string, width int) string { return display().Truncate(s, width, "…") }

// shortenLeft cuts text at its beginning: the end of a path says more than its start.
func shortenLeft(s string, width int) string {
	d := display()
	if over := d.StringWidth(s) - width; over > 0 {
		return d.TruncateLeft(s, over+1, "…")
	}
	return s
}
