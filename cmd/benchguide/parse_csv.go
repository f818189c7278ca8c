package main

import (
	"encoding/csv"
	"io"

	"benchguide/parse"
)

// csvPrinter writes one row a record: the fields asked for, or a column for every
// metric that some record has. A cell without a value is empty: it was not measured.
type csvPrinter struct {
	w       io.Writer
	fields  []field
	records []parse.Record
}

func (p *csvPrinter) record(r parse.Record) error {
	p.records = append(p.records, r)
	return nil
}

func (p *csvPrinter) end([]parse.Problem) error {
	fields := p.fields
	if fields == nil {
		fields = usualProperties()
		for _, id := range metricsOf(p.records) {
			fields = append(fields, field{name: string(id), id: id})
		}
	}
	row := make([]string, len(fields))
	for i, f := range fields {
		row[i] = f.name
	}
	out := csv.NewWriter(p.w)
	if err := out.Write(row); err != nil {
		return err
	}
	for _, r := range p.records {
		for i, f := range fields {
			row[i] = f.text(r)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
