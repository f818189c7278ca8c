package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Decode fills the struct that into points to from the YAML document in src. It
// returns every problem in file order, and the places of all values for checks
// that come later. file is the name that problems carry.
//
// Where there are problems, into is filled as far as possible and should not be
// used. Positions are never nil; where the syntax is broken, every path is at the
// start of the document.
//
// Decode panics if into is no pointer, or points to a type with a part that no
// YAML can fill: an interface, a channel, a map with keys that are no strings.
// Bad input never makes it panic.
func Decode(file string, src []byte, into any) (*Positions, []Problem) {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		panic(fmt.Sprintf("strict: cannot decode into %T: give a pointer", into))
	}
	checkType(target.Type().Elem(), map[reflect.Type]bool{})

	doc := &document{file: file}
	nowhere := &Positions{root: &Node{doc: doc, index: -1, place: place{1, 1}}}
	text, problems, ok := clean(file, src)
	if !ok {
		return nowhere, problems
	}
	root, found, ok := parse(doc, text)
	if !ok {
		// A tab or a stray byte breaks the syntax around it: one cause, one problem.
		if len(problems) == 0 {
			problems = found
		}
		return nowhere, problems
	}
	problems = append(problems, found...)
	problems = append(problems, decode(root, target.Elem(), false)...)
	Sort(problems)
	return &Positions{root: root}, problems
}

// Decode fills what into points to from the node, by the rules of the package. It
// panics as the function Decode does.
func (n *Node) Decode(into any) []Problem {
	target := reflect.ValueOf(into)
	checkType(target.Type().Elem(), map[reflect.Type]bool{})
	return decode(n, target.Elem(), false)
}

// decode fills v. must says that a blank value is as bad as none.
func decode(n *Node, v reflect.Value, must bool) []Problem {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return decode(n, v.Elem(), must)
	}
	switch n.kind {
	case Invalid:
		return nil // reported when it was parsed
	case Null:
		return []Problem{n.Problem(n.label()+" has no value", emptyHint(must))}
	}
	problems := decodeShape(n, v)
	if len(problems) == 0 && must && isBlank(n) {
		return []Problem{n.Problem(n.label()+" is blank", emptyHint(must))}
	}
	if validator, ok := hook[Validator](v); ok && len(problems) == 0 {
		return validator.ValidateStrict(n)
	}
	return problems
}

// emptyHint offers to delete a line only where the key may be left out.
func emptyHint(must bool) string {
	if must {
		return "write its value"
	}
	return "write its value, or delete it"
}

// isBlank looks at the document and not at the decoded value, since 0 and false are
// values while "", [] and {} say nothing.
func isBlank(n *Node) bool {
	return strings.TrimSpace(n.text) == "" && len(n.items) == 0 && len(n.entries) == 0
}

// decodeShape asks the type's own hook first, so that a hook on a named slice or
// struct replaces what its kind would do.
func decodeShape(n *Node, v reflect.Value) []Problem {
	if own, ok := hook[Unmarshaler](v); ok {
		return own.UnmarshalStrict(n)
	}
	switch v.Kind() {
	case reflect.Struct:
		return decodeStruct(n, v)
	case reflect.Map:
		return decodeMap(n, v)
	case reflect.Slice:
		return decodeList(n, v)
	default:
		return decodeScalar(n, v)
	}
}

func decodeStruct(n *Node, v reflect.Value) []Problem {
	if n.kind != Mapping {
		return mismatch(n, "a mapping", `write "key: value" lines below it`)
	}
	fields := fieldsOf(v.Type())
	problems, meant := unknownKeys(n, fields)
	for _, f := range fields {
		entry := n.entry(f.name)
		switch {
		case entry != nil:
			problems = append(problems, decode(entry, v.FieldByIndex(f.index), f.required)...)
		case f.required && !meant[f.name]:
			problems = append(problems, missing(n, f))
		}
	}
	return problems
}

// unknownKeys reports keys that no field has, and returns the names that the
// writer most likely meant: to call those missing as well would say it twice.
func unknownKeys(n *Node, fields []field) (problems []Problem, meant map[string]bool) {
	known := names(fields)
	meant = map[string]bool{}
	// A key that is given already cannot be the one that was meant.
	given := func(name string) bool { return n.entry(name) != nil }
	unused := slices.DeleteFunc(slices.Clone(known), given)
	for _, entry := range n.entries {
		if slices.Contains(known, entry.key) {
			continue
		}
		hint := "keys allowed here: " + strings.Join(known, ", ")
		if best := Closest(entry.key, unused); best != "" {
			meant[best] = true
			hint = didYouMean(best)
		}
		problems = append(problems, entry.KeyProblem(fmt.Sprintf("unknown key %q in %s", entry.key, n.label()), hint))
	}
	return problems, meant
}

// missing words the report of a key that is not there. The description in the hint
// is the one that editors show, so that the author need not look it up.
func missing(n *Node, f field) Problem {
	hint := fmt.Sprintf("add %q", f.name+": ...")
	if f.description != "" {
		hint += " (" + f.description + ")"
	}
	return n.Problem(fmt.Sprintf("%s has no key %q", n.label(), f.name), hint)
}

// decodeMap fills a Go map. Values may be blank: an environment variable that is
// set to nothing is not the same as one that is not set.
func decodeMap(n *Node, v reflect.Value) []Problem {
	if n.kind != Mapping {
		return mismatch(n, "a mapping", `write "key: value" lines below it`)
	}
	var problems []Problem
	filled := reflect.MakeMapWithSize(v.Type(), len(n.entries))
	for _, entry := range n.entries {
		element := reflect.New(v.Type().Elem()).Elem()
		problems = append(problems, decode(entry, element, false)...)
		filled.SetMapIndex(reflect.ValueOf(entry.key).Convert(v.Type().Key()), element)
	}
	v.Set(filled)
	return problems
}

// decodeList keeps a place for items with problems, so that indexes stay those of
// the file for whoever looks at a list that is only half filled.
func decodeList(n *Node, v reflect.Value) []Problem {
	if n.kind != List {
		return mismatch(n, "a list", `write "- item" lines below it, or [a, b]`)
	}
	var problems []Problem
	filled := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		problems = append(problems, decode(item, filled.Index(i), false)...)
	}
	v.Set(filled)
	return problems
}

// mismatch words a wrong shape or type: what it must be, what was found, what to write.
func mismatch(n *Node, want, hint string) []Problem {
	return []Problem{n.Problem(fmt.Sprintf("%s must be %s, found %s", n.label(), want, n.found()), hint)}
}
