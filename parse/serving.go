package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchguide/metric"
)

const servingFormat = "serving-text"

// servingText reads the "Serving Benchmark Result" block, which at least eight
// tools print under one header with different meanings.
func servingText() Format {
	producers := servingFamily()
	known := producers.knower()
	return Format{
		Name:    servingFormat,
		Anchors: []string{"Benchmark Result", "Successful requests", "Total time:"},
		Sniff:   beginsServing,
		Read:    func(in *Input, out *Output) { readServing(producers, known, in, out) },
	}
}

// beginsServing reports whether a block begins at the line: with its header, or
// with the first label of one that lost its header or is too old to have one.
func beginsServing(line []byte) bool {
	s := cleanLine(string(line))
	before, after := unglue(s)
	for _, s := range []string{before, after, unmarked(s)} {
		if kind, title := rule(s); kind == headerRule && title != steadyTitle {
			return true
		}
	}
	label, rest, ok := field(unmarked(before))
	if !ok || !startsNumber(rest) {
		return false
	}
	switch key(label) {
	case successLabel:
		return true
	case firstLabel01:
		return strings.HasSuffix(rest, " s")
	default:
		return false
	}
}

func readServing(producers family, known func(blockField) bool, in *Input, out *Output) {
	above, line := in.above()
	b := readBlock(in, known)
	b.above = above
	b.steady = steadyAfter(in, b.prefix, known)
	p := producers.of(b)
	if b.title == "" && !b.has(successLabel) && p.name != vllm01().name {
		return // "Total time: 3 s" begins many things that are no benchmark
	}
	head := readPreface(above, line, b.prefix)
	labels := head.inherit(in)
	if len(labels) == 0 && b.closed {
		labels = labelAfter(in, b.prefix)
	}
	if p.refusal != "" {
		out.Problem(newProblem(p.refusal, b.file, b.first, "this block was printed by "+p.name, p.hint))
		return
	}
	out.Record(p.record(b, labels, head.settings))
}

// record gives the block's fields their producer's meaning.
func (p producer) record(b *block, labels []string, settings []Setting) Record {
	r := Record{
		Format: cmp.Or(p.format, servingFormat), Producer: p.name, Versions: p.versions(b), Labels: labels,
		File: b.file, Line: b.first, EndLine: b.last, Settings: settings, Unknown: b.other,
	}
	for _, f := range b.fields {
		p.add(&r, f)
	}
	slices.SortStableFunc(r.Unknown, func(a, b Unknown) int { return a.Line - b.Line })
	r.Problems = append(r.Problems, p.frame(b)...)
	dropUnmeasured(&r)
	refineRate(&r)
	if p.finish != nil {
		p.finish(&r, b)
	}
	if p.whole(b) {
		derive(&r)
	}
	if p.means != nil {
		r.Definitions = slices.DeleteFunc(p.means(&r, b), func(d Definition) bool {
			ofTPOT, ofITL := d == TPOTDecodeOnly || d == TPOTLastToken, d == ITLPerChunk || d == ITLPerToken
			return ofTPOT && !hasQuantity(&r, metric.TPOT) || ofITL && !hasQuantity(&r, metric.ITL)
		})
	}
	return r
}

// frame reports what is wrong with the block as a whole.
func (p producer) frame(b *block) []Problem {
	var found []Problem
	report := func(code string, line int, message, hint string) {
		found = append(found, newProblem(code, b.file, line, message, hint))
	}
	if b.title == "" && !p.headless {
		report(CodeNoHeader, b.first, "this block has no header line", "copy it together with the line '"+strings.Repeat("=", 12)+" Serving Benchmark Result "+strings.Repeat("=", 12)+"'")
	}
	if b.badUTF8 > 0 {
		report(CodeEncoding, b.badUTF8, "this line of the block is not UTF-8", "save the file as UTF-8 and copy the block again")
	}
	switch {
	case p.whole(b):
	case b.ranInto:
		report(CodeRunTogether, b.last, "the next result begins before this one's closing rule", "copy both blocks again, each with its header and its closing rule")
	case p.headless:
		report(CodeTruncated, b.last, "this result ends before its last line", "copy the result again, to its last line")
	default:
		report(CodeTruncated, b.last, "this block ends without its closing rule; lines may be missing", "copy the block again, to the line of '=' that ends it")
	}
	return found
}

// add reads one field into the record.
func (p producer) add(r *Record, f blockField) {
	l, ok := p.find(f)
	if !ok {
		r.Unknown = append(r.Unknown, Unknown{Text: f.label + ": " + f.rest, Line: f.line})
		return
	}
	if l.heading {
		return
	}
	if l.setting != "" {
		if _, kind := readNumber(f.rest); f.cut || kind == isEmpty || strings.EqualFold(f.rest, "n/a") {
			return // half a text is another text, and none is no statement
		}
		r.state(Setting{Name: l.setting, Text: f.rest, Line: f.line})
		return
	}
	if p.rounded {
		l.decimals = 0
	}
	n, kind := readNumber(f.rest)
	if problem, ok := l.doubt(f, n, kind); ok {
		problem.File = r.File
		r.Problems = append(r.Problems, problem)
		return
	}
	if kind == isAbsent {
		return
	}
	addValue(r, l.value(f, n))
}

// state adds a setting of the block. What the block says replaces what was printed
// around it; of two lines in the block the first stays, as among values.
func (r *Record) state(s Setting) {
	r.Settings = slices.DeleteFunc(r.Settings, func(old Setting) bool { return old.Name == s.Name && old.Line < r.Line })
	if !slices.ContainsFunc(r.Settings, func(old Setting) bool { return old.Name == s.Name }) {
		r.Settings = append(r.Settings, s)
	}
}

// doubt says why a field gives no value. A tool that states that it has none is in order.
func (l label) doubt(f blockField, n number, kind int) (Problem, bool) {
	problem := func(code, what, hint string) (Problem, bool) {
		return newProblem(code, "", f.line, fmt.Sprintf("%q %s", f.label, what), hint), true
	}
	switch {
	case f.cut:
		return problem(CodeCutValue, fmt.Sprintf("ends the input with %q, which may be half of its value", f.rest), "copy the block again, to the line of '=' that ends it")
	case kind == isEmpty:
		return problem(CodeNoValue, "has no number", "copy the line again; a missing value is not zero")
	case kind == isNotFinite:
		return problem(CodeNotFinite, fmt.Sprintf("is %s, which is no measurement; it is left out", n.text), "see whether any request succeeded")
	case kind == isOther:
		return problem(CodeUnreadable, fmt.Sprintf("is followed by %q, which is no number", f.rest), "copy the line again")
	case kind != isNumber:
		return Problem{}, false
	case !l.unitFits(n):
		return problem(CodeUnreadable, fmt.Sprintf("is followed by %q, and not by a number of %s", f.rest, l.unit), "copy the line again, with its unit")
	case l.decimals > 0 && decimals(n.text) < l.decimals:
		return problem(CodeCutValue, fmt.Sprintf("is %s, where this tool prints %d decimals", n.text, l.decimals), "copy the line again; its end was cut off")
	default:
		return Problem{}, false
	}
}

// unitFits reports whether the unit that must follow the number does.
func (l label) unitFits(n number) bool {
	rest, ok := strings.CutPrefix(n.note, l.unit)
	return l.unit == "" || ok && (rest == "" || strings.IndexAny(rest[:1], " \t,.;|<`") == 0)
}

func (l label) value(f blockField, n number) Value {
	v := Value{Metric: l.id, Number: n.value, Text: n.text, Unit: l.unit, Label: f.label, Note: n.note, Line: f.line}
	if l.scale != 0 {
		v.Number = n.scaled(l.scale)
	}
	if l.unit != "" {
		v.Note = strings.TrimSpace(strings.TrimPrefix(n.note, l.unit))
	} else if open := strings.LastIndexByte(f.label, '('); open >= 0 && strings.HasSuffix(f.label, ")") && l.id != metric.RetokenizedOutput {
		v.Unit = strings.TrimSuffix(f.label[open+1:], ")")
	}
	return v
}

// addValue adds a value unless its metric has one. The first of two stays, since a
// later line may belong to something else; that they differ makes the record unusable.
func addValue(r *Record, v Value) {
	old, ok := r.Value(v.Metric)
	if !ok {
		r.Values = append(r.Values, v)
		return
	}
	if old.Number != v.Number {
		r.Problems = append(r.Problems, newProblem(CodeDuplicate, r.File, v.Line,
			fmt.Sprintf("%q is %s here and %s in line %d of the same block", v.Label, v.Text, old.Text, old.Line),
			"two results may have been mixed; copy the block again"))
	}
}
