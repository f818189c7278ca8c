package strict

import "reflect"

// Map is a mapping that keeps the order of its file, for pages and commands that
// must not depend on Go's random order. The zero value is an empty mapping.
type Map[V any] []Entry[V]

// Entry is one key of a Map with its value.
type Entry[V any] struct {
	Key   string
	Value V
}

// Get returns the value of a key, and false where the mapping has none.
func (m Map[V]) Get(key string) (V, bool) {
	for _, e := range m {
		if e.Key == key {
			return e.Value, true
		}
	}
	var none V
	return none, false
}

var _ Unmarshaler = (*Map[string])(nil)

// UnmarshalStrict fills the mapping in file order.
func (m *Map[V]) UnmarshalStrict(n *Node) []Problem {
	if n.kind != Mapping {
		return mismatch(n, "a mapping", `write "key: value" lines below it`)
	}
	var problems []Problem
	*m = make(Map[V], len(n.entries))
	for i, entry := range n.entries {
		(*m)[i].Key = entry.key
		problems = append(problems, entry.Decode(&(*m)[i].Value)...)
	}
	return problems
}

// orderedMap lets checks and schemas look inside a Map without knowing its type.
type orderedMap interface{ valueType() reflect.Type }

func (m *Map[V]) valueType() reflect.Type { return reflect.TypeFor[V]() }
