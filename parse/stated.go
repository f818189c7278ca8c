package parse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"benchguide/metric"
)

// stated is a number as a report states it: in the tool's words and its unit.
type stated struct {
	label, text, unit string
	line              int
}

// measure adds a stated number to the record, under the metric that it means and in
// the metric's unit. A number that the tool says it does not have is absent.
func (r *Record) measure(id metric.ID, s stated) {
	n, kind := readNumber(strings.TrimSpace(s.text))
	scale, known := unitScale(s.unit, metric.MustLookup(id).Unit)
	report := func(code, what, hint string) {
		r.Problems = append(r.Problems, newProblem(code, r.File, s.line, fmt.Sprintf("%q %s", s.label, what), hint))
	}
	switch {
	case kind == isEmpty || kind == isAbsent || s.text == "-":
	case kind == isNotFinite:
		report(CodeNotFinite, "is "+n.text+", which is no measurement; it is left out", "see whether any request succeeded")
	case kind != isNumber:
		report(CodeUnreadable, fmt.Sprintf("is %q, which is no number", s.text), "copy the value again")
	case !known:
		report(CodeUnreadable, fmt.Sprintf("is stated in %q, and not in a unit of what it measures", s.unit), "give the report as the tool wrote it")
	default:
		addValue(r, Value{Metric: id, Number: n.value * scale, Text: n.text, Unit: s.unit, Label: s.label, Note: n.note, Line: s.line})
	}
}

// measureNode adds the number at a node of a report. Null is what tools write for
// what they did not measure.
func (r *Record) measureNode(id metric.ID, n *node, label, unit string) {
	if n == nil || n.kind == nodeNull {
		return
	}
	text := n.text
	if n.kind != nodeNumber && n.kind != nodeText {
		text = "no single value"
	}
	r.measure(id, stated{label: label, text: text, unit: unit, line: n.line})
}

// note adds a stated property that is no measurement, unless the tool left it open.
func (r *Record) note(name string, n *node) {
	if text := n.scalar(); text != "" {
		r.Settings = append(r.Settings, Setting{Name: name, Text: text, Line: n.line})
	}
}

// define says which definitions hold for the record, each once.
func (r *Record) define(definitions ...Definition) {
	for _, d := range definitions {
		if !slices.Contains(r.Definitions, d) {
			r.Definitions = append(r.Definitions, d)
		}
	}
}

// contains is slices.Contains under the name that reads best in conditions.
func contains(all []string, s string) bool { return slices.Contains(all, s) }

// conclude adds a value that others give, where the tool did not state it and all
// the others were measured.
func (r *Record) conclude(id metric.ID, from []metric.ID, formula func(v []float64) float64) {
	if _, ok := r.Value(id); ok {
		return
	}
	number, line, ok := r.apply(from, formula)
	if ok {
		r.Values = append(r.Values, Value{Metric: id, Number: number, Line: line, Derived: true, From: from})
	}
}

// correct replaces a stated number that the tool computes wrongly by what the
// others give. What was stated stays beside it, as text.
func (r *Record) correct(id metric.ID, why string, from []metric.ID, formula func(v []float64) float64) {
	number, _, ok := r.apply(from, formula)
	if !ok {
		return
	}
	for i, v := range r.Values {
		if v.Metric == id {
			v.Printed, v.Number, v.Derived, v.From, v.Note = v.Number, number, true, from, why
			r.Values[i] = v
		}
	}
}

// apply computes a formula over values of the record, and returns false where one is
// missing or the result is no number. The line is that of the last value, the one that
// made the computation possible.
func (r *Record) apply(from []metric.ID, formula func(v []float64) float64) (number float64, line int, ok bool) {
	values := make([]float64, len(from))
	for i, id := range from {
		v, ok := r.Value(id)
		if !ok {
			return 0, 0, false
		}
		values[i], line = v.Number, v.Line
	}
	number = formula(values)
	return number, line, !math.IsNaN(number) && !math.IsInf(number, 0)
}

// unitScale returns the factor from a unit as tools write it to a metric's unit, and
// false where the one does not measure what the other does.
func unitScale(unit string, to metric.Unit) (float64, bool) {
	switch unit = strings.ToLower(unit); to {
	case metric.Milliseconds, metric.Seconds:
		seconds, ok := secondsOf(unit)
		if to == metric.Milliseconds {
			// Seconds are the common case, and 1000 is exact where 1/0.001 is not.
			seconds *= 1000
		}
		return seconds, ok
	case metric.RequestsPerS:
		return rateOf(unit, "requests/sec", "requests/s", "req/s", "per sec")
	case metric.TokensPerS:
		return rateOf(unit, "tokens/sec", "tokens/s", "token/s", "tok/s", "per sec")
	case metric.Percent:
		return 1, unit == "%"
	default:
		return 1, unit == "" || unit == string(to) || unit == "count"
	}
}

// secondsOf returns how many seconds a unit of time has.
func secondsOf(unit string) (float64, bool) {
	switch unit {
	case "s", "sec", "seconds":
		return 1, true
	case "ms", "milliseconds":
		return 1e-3, true
	case "us", "µs", "microseconds":
		return 1e-6, true
	case "ns", "nanoseconds":
		return 1e-9, true
	default:
		return 0, false
	}
}

// rateOf accepts the names of a rate a second, and the same a minute, as the GKE tool
// prints its rates.
func rateOf(unit string, names ...string) (float64, bool) {
	if contains(names, unit) {
		return 1, true
	}
	if perMinute, ok := strings.CutSuffix(unit, "/min"); ok {
		return 1.0 / 60, contains(names, perMinute+"/s")
	}
	return 0, false
}

// tokens adds a number of tokens that is the mean of the completed requests, times
// their count. A number of tokens is whole.
func (r *Record) tokens(id metric.ID, mean float64) {
	r.conclude(id, []metric.ID{metric.CompletedRequests}, func(v []float64) float64 { return math.Round(mean * v[0]) })
}

// sortValues orders the values by metric, for a tool that writes them in no order.
func sortValues(r *Record) {
	slices.SortStableFunc(r.Values, func(a, b Value) int { return cmp.Compare(metric.Order(a.Metric), metric.Order(b.Metric)) })
}
