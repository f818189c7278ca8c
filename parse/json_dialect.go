package parse

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/parse/internal/jsonstream"
)

// dialect is what one tool writes as JSON: how to know it, and what its keys mean.
// A new one is a new value of this type, in a file of its own.
type dialect struct {
	format   string               // of its records: "vllm-json"
	tells    []string             // keys, one of which stands near the beginning of its files
	owns     func(o *object) bool // its tell-tale
	producer func(o *object) string
	dating   dating // its versions by the keys; the zero value when they do not say
	fields   []jsonField
	// statistic reads the keys of the distributions; nil when there are none.
	statistic func(key string) (jsonField, bool)
	aside     map[string]string          // objects about a part of the run, with the prefix of their settings
	finish    func(o *object, r *Record) // what the keys alone do not say
	refusal   string                     // code of the problem for an object that is recognised and not read
	hint      string
}

// jsonField is the meaning of one key.
type jsonField struct {
	key     string    // with dots between the levels; * at its end stands for the rest
	id      metric.ID // or
	setting string    // or neither, for a key that is understood and not kept
	scale   float64   // from the written unit to the metric's; 0 stands for 1
	unit    string    // as the tool means it, for the record

	none func(float64) bool    // tells what is written where nothing was measured
	at   func(i int) metric.ID // of a list whose positions have metrics of their own
}

// dialects lists what is known, the most particular first: vLLM's client has been
// copied and extended so often that its keys alone do not tell who wrote them. A
// table of keys is used rather than a Go type for each tool, since keys come and go
// with versions, every value keeps its place, and a key that is not in the table
// must be listed as unknown and not vanish.
func dialects() []dialect {
	return append([]dialect{
		pytorchJSON(), startupJSON(),
		inferenceXAggJSON(), trtllmServeJSON(), inferenceXJSON(), benchguideJSON(), vllmRustJSON(), vllmJSON(),
		vllmThroughputJSON(), vllmLatencyJSON(), trtllmBenchJSON(),
	}, sglangDialects()...)
}

// dialectOf returns the dialect that an object is written in.
func dialectOf(all []dialect, o *object) (dialect, bool) {
	for _, d := range all {
		if d.owns(o) {
			return d, true
		}
	}
	return dialect{}, false
}

// record gives an object's keys their meaning. whole says that nothing is missing:
// only then may anything be derived, recomputed or concluded from what is absent.
func (d dialect) record(file string, o *object, whole bool) Record {
	r := Record{
		Format: d.format, Producer: d.producer(o), File: file, Line: o.line, EndLine: o.last,
		Problems: append([]Problem(nil), o.problems...),
	}
	if d.dating.first != "" {
		r.Versions = d.dating.keyRange(o, whole).String()
	}
	d.addMembers(&r, o, "")
	dropUnmeasured(&r)
	if d.finish != nil && whole {
		d.finish(o, &r)
	}
	return r
}

func (d dialect) addMembers(r *Record, o *object, path string) {
	for _, m := range o.members {
		key := path + m.key
		if prefix, ok := d.aside[key]; ok {
			d.addAside(r, m, prefix)
			continue
		}
		switch m.kind {
		case jsonstream.None, jsonstream.Null:
		case jsonstream.Object:
			d.addObject(r, m, key)
		case jsonstream.Array:
			d.addList(r, m, key)
		default:
			d.addScalar(r, m.scalar, key, m.key)
		}
	}
}

// addAside keeps values about a part of the run as settings, so that they never stand
// for the whole of it: "steady.mean_ttft", "turn.2.mean_ttft".
func (d dialect) addAside(r *Record, m member, prefix string) {
	for i, o := range m.inner() {
		var part Record
		d.addMembers(&part, o, "")
		name := prefix + "."
		if m.object == nil {
			name += strconv.Itoa(i+1) + "."
		}
		for _, v := range part.Values {
			r.Settings = append(r.Settings, Setting{Name: name + string(v.Metric), Text: v.Text, Line: v.Line})
		}
		for _, s := range part.Settings {
			r.Settings = append(r.Settings, Setting{Name: name + s.Name, Text: s.Text, Line: s.Line})
		}
		for _, u := range part.Unknown {
			r.Unknown = append(r.Unknown, Unknown{Text: name + u.Text, Line: u.Line})
		}
		r.Problems = append(r.Problems, o.problems...)
	}
}

// addObject adds what is in an object, unless all of it is known not to matter.
func (d dialect) addObject(r *Record, m member, key string) {
	if f, ok := d.find(key); ok && f.key == key && f.id == "" && f.setting == "" {
		return
	}
	r.Problems = append(r.Problems, m.object.problems...)
	d.addMembers(r, m.object, key+".")
}

// addList adds the items of a list whose positions have meanings of their own.
func (d dialect) addList(r *Record, m member, key string) {
	f, ok := d.find(key)
	switch {
	case ok && f.at != nil:
		for i, s := range m.scalars {
			f.id = f.at(i)
			d.addNumber(r, f, s, m.key)
		}
		return
	case ok && f.id == "" && f.setting == "":
		return
	}
	r.Unknown = append(r.Unknown, Unknown{Text: fmt.Sprintf("%s: a list of %d", key, m.items), Line: m.line})
}

func (d dialect) addScalar(r *Record, s jsonstream.Scalar, key, label string) {
	f, ok := d.find(key)
	switch {
	case !ok && s.Kind == jsonstream.Number:
		r.Unknown = append(r.Unknown, Unknown{Text: key + ": " + s.Text, Line: s.Line})
	case !ok:
		// A text is no measurement: it is what the user wrote beside the result.
		r.Settings = append(r.Settings, Setting{Name: key, Text: s.Text, Line: s.Line})
	case f.id != "" && s.Kind == jsonstream.Number:
		d.addNumber(r, f, s, label)
	case f.id != "" && f.setting == "":
		r.Problems = append(r.Problems, newProblem(CodeUnreadable, r.File, s.Line,
			fmt.Sprintf("%q is %q, which is no number", key, s.Text), "save the file again"))
	case f.setting != "" && s.Text != "":
		r.Settings = append(r.Settings, Setting{Name: f.setting, Text: s.Text, Line: s.Line})
	}
}

// addNumber adds a measured number. A field that is a setting too is one when its
// number is not finite: an unlimited request rate is stated, not measured.
func (d dialect) addNumber(r *Record, f jsonField, s jsonstream.Scalar, label string) {
	number, err := strconv.ParseFloat(s.Text, 64)
	switch {
	case err == nil && f.none != nil && f.none(number):
		return
	case (err != nil || !isFinite(number)) && f.setting != "":
		r.Settings = append(r.Settings, Setting{Name: f.setting, Text: strings.Replace(s.Text, "Infinity", "inf", 1), Line: s.Line})
		return
	case err != nil || !isFinite(number):
		r.Problems = append(r.Problems, newProblem(CodeNotFinite, r.File, s.Line,
			fmt.Sprintf("%q is %s, which is no measurement; it is left out", label, s.Text), "see whether any request succeeded"))
		return
	}
	if f.scale != 0 {
		number *= f.scale
	}
	addValue(r, Value{Metric: f.id, Number: number, Text: s.Text, Unit: f.unit, Label: label, Line: s.Line})
}

func isZero(f float64) bool     { return f == 0 }
func isNegative(f float64) bool { return f < 0 }

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// find returns the meaning of a key, and false when the tool is not known to write it.
func (d dialect) find(key string) (jsonField, bool) {
	for _, f := range d.fields {
		prefix, open := strings.CutSuffix(f.key, "*")
		if f.key == key || open && strings.HasPrefix(key, prefix) {
			return f, true
		}
	}
	if d.statistic != nil {
		return d.statistic(key)
	}
	return jsonField{}, false
}

// statisticKeys reads keys such as "mean_ttft_ms", "p99.9_itl_ms" and
// "std_e2e_latency_ms". The scale leads from their unit to the metric's.
func statisticKeys(words map[string]metric.Quantity, suffix string, scale float64) func(string) (jsonField, bool) {
	return func(key string) (jsonField, bool) {
		stem, ok := strings.CutSuffix(key, suffix)
		stat, word, found := strings.Cut(stem, "_")
		quantity, known := words[word]
		if !ok || !found || !known {
			return jsonField{}, false
		}
		return statisticField(key, metric.Stat(stat), quantity, scale)
	}
}

func statisticField(key string, stat metric.Stat, q metric.Quantity, scale float64) (jsonField, bool) {
	id := metric.Of(stat, q)
	_, ok := metric.Lookup(id)
	return jsonField{key: key, id: id, scale: scale, unit: unitOfScale(scale)}, ok
}

func unitOfScale(scale float64) string {
	if scale == 1000 {
		return "s"
	}
	return "ms"
}
