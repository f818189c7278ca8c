package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// field is one key of a struct. Decoder and schema share this table, so that they
// cannot disagree on names or on what is required.
type field struct {
	name        string
	index       []int
	typ         reflect.Type
	required    bool
	description string // the jsonschema tag: it explains the key to editors and in hints
}

// fieldsOf lists the keys of a struct in declaration order. Embedded structs
// without a name in their tag give their keys to the outer one; an embedded pointer
// is a key of its own.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		options = "," + options + ","
		optional := f.Type.Kind() == reflect.Pointer || strings.Contains(options, ",omitempty,") || strings.Contains(options, ",omitzero,")
		fields = append(fields, field{name, []int{i}, f.Type, !optional, f.Tag.Get("jsonschema")})
	}
	return fields
}

// names are the keys that hints list, in declaration order.
func names(fields []field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return out
}

// checkType panics if t holds something that Decode cannot fill. It looks at the
// whole type before any input is read: otherwise a document would decide whether
// a programmer's error shows.
func checkType(t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if ordered, ok := hook[orderedMap](reflect.New(t).Elem()); ok {
		checkType(ordered.valueType(), seen)
		return
	}
	if ownShape(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		checkType(t.Elem(), seen)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("strict: %s has keys that are no strings", t))
		}
		checkType(t.Elem(), seen)
	case reflect.Struct:
		fields := fieldsOf(t)
		all := names(fields)
		for i, f := range fields {
			if slices.Contains(all[:i], f.name) {
				panic(fmt.Sprintf("strict: %s has two fields named %q", t, f.name))
			}
			checkType(f.typ, seen)
		}
	default:
		if !scalarKind(t.Kind()) {
			panic(fmt.Sprintf("strict: cannot decode into %s", t))
		}
	}
}

// scalarKind leaves out complex numbers and uintptr, which nobody writes by hand.
func scalarKind(k reflect.Kind) bool {
	switch k {
	case reflect.String, reflect.Bool, reflect.Float32, reflect.Float64:
		return true
	default:
		return k >= reflect.Int && k <= reflect.Uint64
	}
}

// ownShape tells whether a type decodes itself, so that its insides do not matter.
func ownShape(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[Unmarshaler]())
}

func isDuration(t reflect.Type) bool { return t == reflect.TypeFor[time.Duration]() }
