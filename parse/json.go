package parse

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"benchguide/parse/internal/jsonstream"
)

// jsonDocument reads files of JSON: one object, an array of them, or one a line,
// with label lines between them. What an object means is for the dialects to say,
// each object by itself, since people put the results of several tools into one file.
func jsonDocument() Format {
	return Format{
		Name:  "json",
		Sniff: beginsJSON,
		Read:  func(in *Input, out *Output) { (&jsonFile{in: in, out: out, dialects: dialects()}).read() },
	}
}

// maxTitle is how many lines may stand above the first JSON value of a file.
const maxTitle = 10

// beginsJSON reports whether JSON begins near the beginning of head, with a key of
// a dialect in it: other tools' JSON is for other formats.
func beginsJSON(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for range maxTitle {
		if startsJSON(head) {
			return hasTell(dialects(), head)
		}
		_, rest, ok := bytes.Cut(head, []byte{'\n'})
		if !ok {
			return false
		}
		head = rest
	}
	return false
}

func hasTell(all []dialect, head []byte) bool {
	return slices.ContainsFunc(all, func(d dialect) bool {
		return slices.ContainsFunc(d.tells, func(key string) bool {
			return bytes.Contains(head, []byte(`"`+key+`"`))
		})
	})
}

// startsJSON reports whether an object, or an array of objects, begins at b after
// blanks. "[INFO] {" and "{c4}" begin other things.
func startsJSON(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	for depth := 0; depth < 2 && len(b) > 0 && b[0] == '['; depth++ {
		if b = bytes.TrimLeft(b[1:], " \t\r\n"); len(b) == 0 || b[0] == ']' {
			return true
		}
	}
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	return len(b) == 0 || b[0] == '"' || b[0] == '}'
}

// jsonFile is a file of JSON values that is being read.
type jsonFile struct {
	in       *Input
	out      *Output
	dialects []dialect

	strange int    // objects that no dialect owns
	line    int    // of the first of them
	keys    string // of it
}

func (j *jsonFile) read() {
	_, texts := split(formats()) // a result as text may stand between two as JSON
	for first := true; ; first = false {
		if !j.skipBlanks(first) {
			break
		}
		switch f, ok := textOf(texts, j.in.peek()); {
		case j.startsValue():
			j.value()
		case j.in.buf[j.in.pos] == ',':
			j.in.advance(j.in.pos + 1) // values of an array that lost its brackets
		case ok && j.text(f):
		default:
			j.in.next() // a label of the value after it
		}
	}
	j.reportStrange()
}

// skipBlanks goes to the next byte that is no blank, past a byte-order mark at the
// beginning of the text, and returns false when there is none.
func (j *jsonFile) skipBlanks(first bool) bool {
	r := jsonstream.NewReader(windowSource{j.in})
	if first {
		r.SkipMark()
	}
	kind := r.Peek()
	r.Sync()
	return kind != jsonstream.None
}

// text has a text format read the current line, and reports whether it took it.
func (j *jsonFile) text(f Format) bool {
	before := j.in.mark()
	f.Read(j.in, j.out)
	if j.in.mark() == before {
		return false
	}
	j.in.claim()
	return true
}

// startsValue looks ahead in the text.
func (j *jsonFile) startsValue() bool {
	const enough = 4 << 10 // of blanks after a bracket
	for src := (windowSource{j.in}); len(src.Window()) < enough && src.More(); {
	}
	return startsJSON(j.in.buf[j.in.pos:])
}

// value reads one value with the label lines above it.
func (j *jsonFile) value() {
	above, line := j.in.above()
	head := readPreface(above, line, "")
	labels := head.inherit(j.in)
	r := jsonstream.NewReader(windowSource{j.in}) // nothing else may read from in while it is used
	if r.Peek() == jsonstream.Object {
		j.object(r, head, labels)
	} else {
		r.Array(func() {
			if r.Peek() == jsonstream.Object {
				j.object(r, head, labels)
			}
		})
	}
	r.Sync()
	if r.Err() != nil {
		j.resume()
	}
	j.in.claim()
}

// resume goes to where the next value may begin after an error: the next line, or
// this one if it begins here, as when the line before was cut off.
func (j *jsonFile) resume() {
	atLineStart := j.in.pos == 0 || j.in.buf[j.in.pos-1] == '\n'
	if !atLineStart || !j.startsValue() {
		j.in.next()
	}
}

func (j *jsonFile) object(r *jsonstream.Reader, head preface, labels []string) {
	q := objectReader{r: r, file: j.in.File, want: j.in.want, left: maxMembers}
	j.finish(q.object(), head, labels, r.Err())
}

// finish hands on what an object holds, with the error that its reading ended in.
func (j *jsonFile) finish(o *object, head preface, labels []string, err *jsonstream.Error) {
	var broken []Problem
	if err != nil {
		broken = append(broken, j.problem(err))
	}
	if !j.emit(o, head, labels, broken) {
		j.out.problems = append(j.out.problems, broken...)
	}
}

// problem turns a reader's error into a problem.
func (j *jsonFile) problem(err *jsonstream.Error) Problem {
	if err.Truncated {
		return newProblem(CodeTruncated, j.in.File, err.Line, "the file ends inside a JSON value; what follows is missing", "copy the whole file again")
	}
	return newProblem(CodeBadJSON, j.in.File, err.Line, err.What, "save the file again, or copy it without its line breaks changed")
}

// emit hands on the records of an object: its own, or those of the objects in it.
func (j *jsonFile) emit(o *object, head preface, labels []string, broken []Problem) bool {
	d, ok := dialectOf(j.dialects, o)
	switch {
	case !ok:
		return j.emitInner(o, head, labels, broken)
	case d.refusal != "":
		j.out.Problem(newProblem(d.refusal, j.in.File, o.line, "this object was written by "+d.producer(o), d.hint))
		return false
	case j.out.requests != nil:
		j.out.requests(o)
		return true
	}
	j.record(d, o, head, labels, broken)
	return true
}

func (j *jsonFile) record(d dialect, o *object, head preface, labels []string, broken []Problem) {
	r := d.record(j.in.File, o, len(broken) == 0)
	r.Labels = labels
	r.Settings = append(append([]Setting(nil), head.settings...), r.Settings...)
	r.Problems = append(r.Problems, broken...)
	j.out.Record(r)
}

// emitInner looks for results in an object that is none: people collect results
// under names of their own, which are labels then.
func (j *jsonFile) emitInner(o *object, head preface, labels []string, broken []Problem) bool {
	emitted := false
	for _, m := range o.members {
		for _, each := range m.inner() {
			if j.holdsResult(each) {
				emitted = j.emit(each, head, append([]string{m.key}, labels...), broken) || emitted
			}
		}
	}
	if !emitted && len(broken) == 0 {
		if j.strange == 0 {
			j.line, j.keys = o.line, o.keys()
		}
		j.strange++
	}
	return emitted
}

// holdsResult reports whether an object or one inside it is in a dialect.
func (j *jsonFile) holdsResult(o *object) bool {
	if _, ok := dialectOf(j.dialects, o); ok {
		return true
	}
	for _, m := range o.members {
		if slices.ContainsFunc(m.inner(), j.holdsResult) {
			return true
		}
	}
	return false
}

// reportStrange says once that there were objects that are no results.
func (j *jsonFile) reportStrange() {
	if j.strange == 0 {
		return
	}
	code, hint := CodeUnknownObject, "check that nothing is missing; other objects of the file were read"
	if j.out.records == 0 {
		code, hint = CodeNoResult, "give the file that the benchmark's client saved"
	}
	what := fmt.Sprintf("this object is no benchmark result that is known; its keys are %s", strings.ToValidUTF8(j.keys, "\uFFFD"))
	if j.strange > 1 {
		what += fmt.Sprintf(" (%d such objects)", j.strange)
	}
	j.out.Problem(newProblem(code, j.in.File, j.line, what, hint))
}
