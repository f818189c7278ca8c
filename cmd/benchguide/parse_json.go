package main

import (
	"bytes"
	"encoding/json"
	"io"

	"benchguide/metric"
	"benchguide/parse"
)

// The names of the JSON outputs, whose schema is schema/parse.v1.schema.json. A
// field that changes its meaning changes the version.
const (
	parseSchema  = "benchguide/parse/v1"
	recordSchema = "benchguide/parse-record/v1"
)

type parseOutput struct {
	Schema   string        `json:"schema" jsonschema:"benchguide/parse/v1"`
	Records  []recordJSON  `json:"records" jsonschema:"the results, in the order in which they were read"`
	Problems []problemJSON `json:"problems" jsonschema:"what is wrong with the inputs outside of any result"`
}

type recordJSON struct {
	Schema      string        `json:"schema,omitempty" jsonschema:"benchguide/parse-record/v1, where a record stands by itself, as in JSON lines"`
	Format      string        `json:"format" jsonschema:"the reader that produced the record"`
	Producer    string        `json:"producer" jsonschema:"the tool that printed it"`
	Versions    string        `json:"versions,omitempty" jsonschema:"the versions of the tool that print these labels"`
	File        string        `json:"file" jsonschema:"the input, as it was named"`
	Line        int           `json:"line" jsonschema:"first line of the result, counted from 1"`
	EndLine     int           `json:"end_line" jsonschema:"last line of the result"`
	Usable      bool          `json:"usable" jsonschema:"false when a problem of severity error forbids using the record"`
	Definitions []string      `json:"definitions" jsonschema:"what the tool's words mean in this record"`
	Labels      []string      `json:"labels" jsonschema:"label lines around the result, the nearest first: comments, captions, commands, headings"`
	Values      []valueJSON   `json:"values" jsonschema:"what was measured; what was not is absent, never zero"`
	Settings    []settingJSON `json:"settings" jsonschema:"what is stated and is not a measurement"`
	Unknown     []unknownJSON `json:"unknown" jsonschema:"lines of the result that were not understood"`
	Problems    []problemJSON `json:"problems" jsonschema:"what is wrong with the result"`
}

type valueJSON struct {
	ID         metric.ID   `json:"id" jsonschema:"the canonical metric, whatever the tool calls it"`
	Value      float64     `json:"value" jsonschema:"the number in the metric's unit"`
	Unit       metric.Unit `json:"unit" jsonschema:"the unit of value, not of text"`
	Text       string      `json:"text,omitempty" jsonschema:"the number as it was printed"`
	Label      string      `json:"label,omitempty" jsonschema:"the label as it was printed"`
	Note       string      `json:"note,omitempty" jsonschema:"what stood after the number"`
	Line       int         `json:"line" jsonschema:"where it was printed; of a derived value, where its last source was"`
	Derived    bool        `json:"derived" jsonschema:"true when the value was computed: from other values, or from the data on each request"`
	Recomputed bool        `json:"recomputed,omitempty" jsonschema:"true when it was computed from the file's own data on each request"`
	Printed    *float64    `json:"printed,omitempty" jsonschema:"what the tool printed for a recomputed value"`
	From       []metric.ID `json:"from,omitempty" jsonschema:"the metrics that a derived value was computed from"`
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
	Code     string         `json:"code" jsonschema:"stable name of the kind of problem"`
	Severity parse.Severity `json:"severity" jsonschema:"error makes a record unusable, warning doubtful"`
	File     string         `json:"file"`
	Line     int            `json:"line,omitempty"`
	Message  string         `json:"message" jsonschema:"what was found"`
	Hint     string         `json:"hint,omitempty" jsonschema:"what to do about it"`
}

// jsonPrinter writes one document, record by record, so that it holds only one.
type jsonPrinter struct {
	w       io.Writer
	fields  []field
	started bool
}

func (p *jsonPrinter) record(r parse.Record) error {
	before := ",\n    "
	if !p.started {
		before = "{\n  \"schema\": \"" + parseSchema + "\",\n  \"records\": [\n    "
		p.started = true
	}
	text, err := encode(recordOf(only(r, p.fields)), "    ")
	return p.write(err, before, text)
}

func (p *jsonPrinter) end(problems []parse.Problem) error {
	before := "\n  ],\n  \"problems\": "
	if !p.started {
		before = "{\n  \"schema\": \"" + parseSchema + "\",\n  \"records\": [],\n  \"problems\": "
	}
	text, err := encode(mapped(problems, problemOf), "  ")
	return p.write(err, before, text, "\n}\n")
}

func (p *jsonPrinter) write(err error, parts ...string) error {
	for _, s := range parts {
		if err == nil {
			_, err = io.WriteString(p.w, s)
		}
	}
	return err
}

// encode returns indented JSON. Labels hold commands with < and &, which stay.
func encode(v any, prefix string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent(prefix, "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}

// linesPrinter writes one record a line. Problems of no record go to standard error only.
type linesPrinter struct {
	w      io.Writer
	fields []field
}

func (p *linesPrinter) record(r parse.Record) error {
	line := recordOf(only(r, p.fields))
	line.Schema = recordSchema
	e := json.NewEncoder(p.w)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

func (p *linesPrinter) end([]parse.Problem) error { return nil }

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
		Definitions: mapped(r.Definitions, func(d parse.Definition) string { return string(d) }),
		Labels:      mapped(r.Labels, func(s string) string { return s }),
		Values:      mapped(r.Values, valueOf),
		Settings:    mapped(r.Settings, func(s parse.Setting) settingJSON { return settingJSON(s) }),
		Unknown:     mapped(r.Unknown, func(u parse.Unknown) unknownJSON { return unknownJSON(u) }),
		Problems:    mapped(r.Problems, problemOf),
	}
}

func valueOf(v parse.Value) valueJSON {
	out := valueJSON{
		ID: v.Metric, Value: v.Number, Unit: metric.MustLookup(v.Metric).Unit, Text: v.Text,
		Label: v.Label, Note: v.Note, Line: v.Line, Derived: v.Derived || v.Recomputed, Recomputed: v.Recomputed, From: v.From,
	}
	if v.Recomputed && v.Text != "" {
		out.Printed = &v.Printed
	}
	return out
}

func problemOf(p parse.Problem) problemJSON { return problemJSON(p) }
