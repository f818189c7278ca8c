package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/parse"
)

// field is one column of the output: a property of a record, or a metric.
type field struct {
	name string
	of   func(parse.Record) string // nil for a metric
	id   metric.ID
}

// properties are the columns that every record has.
func properties() []field {
	return []field{
		{name: "file", of: func(r parse.Record) string { return r.File }},
		{name: "line", of: func(r parse.Record) string { return strconv.Itoa(r.Line) }},
		{name: "labels", of: func(r parse.Record) string { return strings.Join(r.Labels, " | ") }},
		{name: "producer", of: func(r parse.Record) string { return r.Producer }},
		{name: "versions", of: func(r parse.Record) string { return r.Versions }},
		{name: "usable", of: func(r parse.Record) string { return strconv.FormatBool(r.Usable()) }},
		{name: "format", of: func(r parse.Record) string { return r.Format }},
		{name: "end_line", of: func(r parse.Record) string { return strconv.Itoa(r.EndLine) }},
	}
}

// usualProperties are the ones that a CSV has where no fields are asked for.
func usualProperties() []field { return properties()[:6] }

// fieldsOf finds the fields by their names, and returns nil for no names.
func fieldsOf(names []string) ([]field, error) {
	var fields []field
	for _, name := range names {
		f, ok := fieldOf(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("--fields: there is no field %q; %s", name, suggestion(name))
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func fieldOf(name string) (field, bool) {
	all := properties()
	if i := slices.IndexFunc(all, func(f field) bool { return f.name == name }); i >= 0 {
		return all[i], true
	}
	_, ok := metric.Lookup(metric.ID(name))
	return field{name: name, id: metric.ID(name)}, ok
}

// suggestion names the fields that hold the word that was typed, or that mean it.
func suggestion(name string) string {
	var near []string
	for _, c := range tableColumns() {
		if strings.Contains(string(c.id), strings.ToLower(name)) {
			near = append(near, string(c.id))
		}
	}
	if len(near) == 0 {
		near = []string{"file", "labels", "completed_requests", "total_throughput", "mean_ttft", "p99_itl"}
	}
	return "try " + strings.Join(near, ", ")
}

// text returns the cell of a record: an exact number, and nothing for what was not measured.
func (f field) text(r parse.Record) string {
	if f.of != nil {
		return f.of(r)
	}
	n, ok := r.Number(f.id)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// display returns the cell as a table shows it: rounded, and a dash for what was not measured.
func (f field) display(r parse.Record) string {
	if f.of != nil {
		return f.of(r)
	}
	n, ok := r.Number(f.id)
	if !ok {
		return "—"
	}
	return metric.MustLookup(f.id).Format(n)
}

// only keeps the values of the fields' metrics, and all where no metric is asked for.
func only(r parse.Record, fields []field) parse.Record {
	ids := map[metric.ID]bool{}
	for _, f := range fields {
		if f.of == nil {
			ids[f.id] = true
		}
	}
	if len(ids) == 0 {
		return r
	}
	var kept []parse.Value
	for _, v := range r.Values {
		if ids[v.Metric] {
			kept = append(kept, v)
		}
	}
	r.Values = kept
	return r
}

// metricsOf returns the ids of all values, in the metrics' own order.
func metricsOf(records []parse.Record) []metric.ID {
	seen := map[metric.ID]bool{}
	var ids []metric.ID
	for _, r := range records {
		for _, v := range r.Values {
			if !seen[v.Metric] {
				seen[v.Metric] = true
				ids = append(ids, v.Metric)
			}
		}
	}
	slices.SortFunc(ids, func(a, b metric.ID) int {
		return cmp.Or(cmp.Compare(metric.Order(a), metric.Order(b)), cmp.Compare(a, b))
	})
	return ids
}
