package server

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// none is the value of a setting that is off or left to the engine, as its null says.
const none = "none"

// settings picks the few settings that decide on speed, under names that are the same for
// every engine: a whole answer holds hundreds, among them paths, ports and seeds, which
// differ between two starts of one configuration. A setting that the answer does not
// hold stays out.
type settings struct {
	tree   any               // JSON
	fields map[string]string // or what a log line holds
	out    map[string]string
}

// settingsOf reads an answer. What is no JSON holds nothing.
func settingsOf(raw []byte) settings {
	s := settings{out: map[string]string{}}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // numbers are kept as they were written
	if d.Decode(&s.tree) != nil {
		s.tree = nil
	}
	return s
}

// take puts the value at the first of the paths that has one under a name.
func (s settings) take(name string, paths ...string) {
	for _, path := range paths {
		v, ok := s.value(path)
		if ok {
			s.out[name] = v
		}
		if ok && v != none {
			return
		}
	}
}

// known does the same where null says that the engine chose, and not what: then nothing
// is said. The log may know more.
func (s settings) known(name string, paths ...string) {
	if s.take(name, paths...); s.out[name] == none {
		delete(s.out, name)
	}
}

// negate does the same for a setting that says what is off.
func (s settings) negate(name, path string) {
	switch v, _ := s.value(path); v {
	case "true":
		s.out[name] = "false"
	case "false":
		s.out[name] = "true"
	}
}

// value walks down the tree; in a log's fields, a path is a name.
func (s settings) value(path string) (string, bool) {
	if s.fields != nil {
		v, ok := s.fields[path]
		return plain(v), ok
	}
	v := s.tree
	for _, step := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			inner, ok := at[step]
			if !ok {
				return "", false
			}
			v = inner
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return "", false
			}
			v = at[i]
		default:
			return "", false
		}
	}
	return written(v), true
}

// written puts a value of JSON into one short text.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return none
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	case string:
		return plain(v)
	}
	data, err := json.Marshal(v) // keys in order
	if err != nil {
		return ""
	}
	return shorten(string(data), 200)
}

// plain drops what only Python's notation has: quotes, and the module of a type.
func plain(v string) string {
	v = strings.TrimSpace(v)
	if n := len(v); n >= 2 && (v[0] == '\'' || v[0] == '"') && v[n-1] == v[0] {
		v = v[1 : n-1]
	}
	switch v {
	case "None", "null":
		return none
	case "True", "False":
		return strings.ToLower(v)
	}
	return shorten(strings.TrimPrefix(oneLine([]byte(v)), "torch."), 200)
}

// pythonFields reads what Python prints of an object or a dict: a='x', b=[1, 2] or
// {'a': 'x', 'b': [1, 2]}. It reads up to the bracket that closes the whole, or to the
// end, and keeps values as they are written. What is cut off is read as far as it goes.
func pythonFields(text string) map[string]string {
	fields := map[string]string{}
	text = strings.TrimPrefix(strings.TrimSpace(text), "{")
	// start is where the field in hand begins, split where its name ends.
	depth, start, split := 0, 0, -1
	var quote byte
	store := func(end int) {
		if split > start && split < end {
			key := plain(text[start:split])
			if _, twice := fields[key]; !twice && key != "" {
				fields[key] = strings.TrimSpace(text[split+1 : end])
			}
		}
		start, split = end+1, -1
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth < 0 {
				store(i)
				return fields
			}
		case depth > 0:
		case c == ',':
			store(i)
		case (c == '=' || c == ':') && split < 0:
			split = i
		}
	}
	store(len(text))
	return fields
}
