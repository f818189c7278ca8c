package parse

import (
	"fmt"
	"strings"

	"benchguide/parse/internal/jsonstream"
)

// Limits of what is kept of one JSON value. No tool's summary comes near them; what
// is beyond is skipped and said to be.
const (
	maxMembers = 20_000 // in one value with all that is in it
	maxItems   = 256    // of one list
)

// object is a JSON object without its long lists.
type object struct {
	line, last int
	members    []member
	requests   *requestData // the lists with one item a request, nil when there are none
	problems   []Problem
}

// member is one "key: value" of an object.
type member struct {
	key     string
	line    int
	kind    jsonstream.Kind // None for a value that is not kept: silent, or one a request
	scalar  jsonstream.Scalar
	object  *object
	objects []*object           // of an array
	scalars []jsonstream.Scalar // of an array
	items   int                 // of an array, however many are kept
}

// inner returns the objects that the member holds.
func (m member) inner() []*object {
	if m.object != nil {
		return []*object{m.object}
	}
	return m.objects
}

// get returns the member with a key, and false when the object has none.
func (o *object) get(key string) (member, bool) {
	for _, m := range o.members {
		if m.key == key {
			return m, true
		}
	}
	return member{}, false
}

// has reports whether the object has all of the keys.
func (o *object) has(keys ...string) bool {
	for _, k := range keys {
		if _, ok := o.get(k); !ok {
			return false
		}
	}
	return true
}

// hasAny reports whether the object has one of the keys.
func (o *object) hasAny(keys ...string) bool {
	for _, k := range keys {
		if o.has(k) {
			return true
		}
	}
	return false
}

// text returns the text of a scalar, and "" when there is none.
func (o *object) text(key string) string {
	m, _ := o.get(key)
	if m.scalar.Kind == jsonstream.Null {
		return ""
	}
	return m.scalar.Text
}

// objectReader reads one JSON value.
type objectReader struct {
	r    *jsonstream.Reader
	file string
	want detail
	left int // members that may still be kept
	over bool
}

// object reads an object. After an error, it holds what was read before.
func (q *objectReader) object() *object {
	o := &object{line: q.r.Line()}
	seen := map[string]int{}
	q.r.Object(func(key string) {
		if !q.fits(o) {
			return
		}
		first, again := seen[key]
		m := q.member(o, key, again)
		if q.r.Err() != nil && m.object == nil {
			return // it may be half of what stood there
		}
		if again {
			o.repeated(q.file, o.members[first], m)
			return
		}
		seen[key] = len(o.members)
		o.members = append(o.members, m)
	})
	o.last = q.r.Line()
	if n := len(o.members); q.r.Err() != nil && n > 0 && o.members[n-1].kind == jsonstream.Number {
		o.members = o.members[:n-1] // its line may have been cut inside of the number
	}
	return o
}

// fits reports whether one more member may be kept, and says once that none may.
func (q *objectReader) fits(o *object) bool {
	q.left--
	if q.left < 0 && !q.over {
		q.over = true
		o.problems = append(o.problems, newProblem(CodeTooLarge, q.file, q.r.Line(),
			fmt.Sprintf("this value has more than %d keys; what follows is left out", maxMembers), "give the benchmark's summary alone"))
	}
	return q.left >= 0
}

func (q *objectReader) member(o *object, key string, again bool) member {
	kind := q.r.Peek()
	m := member{key: key, line: q.r.Line(), kind: kind}
	switch {
	case isSilent(key) || again && kind == jsonstream.Array:
		m.kind = jsonstream.None
		q.r.Skip()
	case kind == jsonstream.Object:
		m.object = q.object()
	case kind == jsonstream.Array && isRequestList(key):
		m.kind = jsonstream.None
		if o.requests == nil {
			o.requests = &requestData{line: m.line, want: q.want}
		}
		o.requests.read(key, q.r)
	case kind == jsonstream.Array:
		q.list(&m)
	default:
		m.scalar = q.r.Scalar()
		m.kind = m.scalar.Kind
	}
	return m
}

func (q *objectReader) list(m *member) {
	q.r.Array(func() {
		m.items++
		q.left--
		kind := q.r.Peek()
		switch {
		case m.items > maxItems || q.left < 0 || kind == jsonstream.Array:
			q.r.Skip()
		case kind == jsonstream.Object:
			m.objects = append(m.objects, q.object())
		default:
			m.scalars = append(m.scalars, q.r.Scalar())
		}
	})
}

// repeated reports a key that an object has twice, unless both say the same.
func (o *object) repeated(file string, first, again member) {
	if first.scalar.Kind != jsonstream.None && first.kind == again.kind && first.scalar.Text == again.scalar.Text {
		return
	}
	o.problems = append(o.problems, newProblem(CodeDuplicate, file, again.line,
		fmt.Sprintf("the key %q stands here and in line %d of the same object, with another value", again.key, first.line),
		"two results may have been mixed; save the file again"))
}

// isSilent tells keys whose values are long, private and no part of a result: what
// the server was started with, and what the model said.
func isSilent(key string) bool {
	return key == "server_info" || key == "generated_texts" || key == "server_args"
}

// keys lists an object's keys for a message.
func (o *object) keys() string {
	var keys []string
	for _, m := range o.members {
		if len(keys) == 6 {
			keys = append(keys, "...")
			break
		}
		keys = append(keys, m.key)
	}
	return strings.Join(keys, ", ")
}
