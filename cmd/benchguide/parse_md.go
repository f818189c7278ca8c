package main

import (
	"fmt"
	"io"
	"strings"

	"benchguide/parse"
)

// markdownPrinter writes what the table shows as a Markdown table, with nothing cut off.
type markdownPrinter struct {
	w       io.Writer
	fields  []field
	started bool
}

func (p *markdownPrinter) record(r parse.Record) error {
	if !p.started {
		p.started = true
		if err := p.heading(); err != nil {
			return err
		}
	}
	if p.fields != nil {
		return p.row(cells(p.fields, r))
	}
	return p.row(append([]string{placeOf(r), strings.Join(r.Labels, " · ")}, cells(headlineFields(), r)...))
}

// heading writes the first row, and the rule that aligns numbers to the right.
func (p *markdownPrinter) heading() error {
	names := headings(p.fields)
	rule := make([]string, len(names))
	for i := range names {
		rule[i] = "---:"
		if p.fields == nil && i < 2 || p.fields != nil && p.fields[i].of != nil {
			rule[i] = "---"
		}
	}
	if err := p.row(names); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w, "| %s |\n", strings.Join(rule, " | "))
	return err
}

// row escapes what would end a cell or be read as markup.
func (p *markdownPrinter) row(row []string) error {
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`, "#", `\#`, "~", `\~`)
	escaped := make([]string, len(row))
	for i, cell := range row {
		escaped[i] = escape.Replace(cell)
	}
	_, err := fmt.Fprintf(p.w, "| %s |\n", strings.Join(escaped, " | "))
	return err
}

func (p *markdownPrinter) end([]parse.Problem) error { return nil }
