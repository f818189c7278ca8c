package main

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/parse"
)

// printCSV writes one row a record, with a column for every metric that some
// record has. A cell without a value is empty: it was not measured.
func printCSV(w io.Writer, records []parse.Record) error {
	ids := metricsOf(records)
	header := []string{"file", "line", "labels", "producer", "versions", "usable"}
	for _, id := range ids {
		header = append(header, string(id))
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	for _, r := range records {
		row := []string{
			r.File, strconv.Itoa(r.Line), strings.Join(r.Labels, " | "),
			r.Producer, r.Versions, strconv.FormatBool(r.Usable()),
		}
		for _, id := range ids {
			cell := ""
			if n, ok := r.Number(id); ok {
				cell = strconv.FormatFloat(n, 'f', -1, 64)
			}
			row = append(row, cell)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
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
