package main

import (
	"encoding/json"
	"io"

	"benchguide/metric"
	"benchguide/parse"
)

// parseSchema names the JSON output. A field that changes its meaning changes the version.
const parseSchema = "benchguide/parse/v1"

type parseOutput struct {
	Schema   string        `json:"schema"`
	Records  []recordJSON  `json:"records"`
	Problems []problemJSON `json:"problems"` // those that belong to no record
}

type recordJSON struct {
	Format   string        `json:"format"`
	Producer string        `json:"producer"`
	Versions string        `json:"versions,omitempty"`
	File     string        `json:"file"`
	Line     int           `json:"line"`
	EndLine  int           `json:"end_line"`
	Usable   bool          `json:"usable"` // no problem of severity error
	Labels   []string      `json:"labels"`
	Values   []valueJSON   `json:"values"`
	Settings []settingJSON `json:"settings"`
	Unknown  []unknownJSON `json:"unknown"`
	Problems []problemJSON `json:"problems"`
}

type valueJSON struct {
	ID      metric.ID   `json:"id"`
	Value   float64     `json:"value"`
	Unit    metric.Unit `json:"unit"` // of value, not of text
	Text    string      `json:"text,omitempty"`
	Label   string      `json:"label,omitempty"`
	Note    string      `json:"note,omitempty"`
	Line    int         `json:"line"`
	Derived bool        `json:"derived"`
	From    []metric.ID `json:"from,omitempty"`
}

type settingJSON struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Line int    `json:"line"`
}

type unknownJSON struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

type problemJSON struct {
	Code     string         `json:"code"`
	Severity parse.Severity `json:"severity"`
	File     string         `json:"file"`
	Line     int            `json:"line,omitempty"`
	Message  string         `json:"message"`
	Hint     string         `json:"hint,omitempty"`
}

func printJSON(w io.Writer, all results) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false) // labels hold commands with < and &
	return encoder.Encode(parseOutput{
		Schema:   parseSchema,
		Records:  mapped(all.records, recordOf),
		Problems: mapped(all.problems, problemOf),
	})
}

// mapped returns an empty slice for none, so that the JSON has [] and never null.
func mapped[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, v := range list {
		out = append(out, convert(v))
	}
	return out
}

func recordOf(r parse.Record) recordJSON {
	return recordJSON{
		Format: r.Format, Producer: r.Producer, Versions: r.Versions,
		File: r.File, Line: r.Line, EndLine: r.EndLine, Usable: r.Usable(),
		Labels:   mapped(r.Labels, func(s string) string { return s }),
		Values:   mapped(r.Values, valueOf),
		Settings: mapped(r.Settings, func(s parse.Setting) settingJSON { return settingJSON(s) }),
		Unknown:  mapped(r.Unknown, func(u parse.Unknown) unknownJSON { return unknownJSON(u) }),
		Problems: mapped(r.Problems, problemOf),
	}
}

func valueOf(v parse.Value) valueJSON {
	return valueJSON{
		ID: v.Metric, Value: v.Number, Unit: metric.MustLookup(v.Metric).Unit, Text: v.Text,
		Label: v.Label, Note: v.Note, Line: v.Line, Derived: v.Derived, From: v.From,
	}
}

func problemOf(p parse.Problem) problemJSON { return problemJSON(p) }
