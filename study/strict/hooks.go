package strict

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// Unmarshaler is implemented, on its pointer, by a type with a shape of its own:
// a text or a list, a list or a mapping. The node is never null. Node.Decode
// gives parts of it back to the package; what it returns is to be passed on.
//
// Such a type should be a [Schemer] too, since nothing can be inferred from it.
type Unmarshaler interface {
	UnmarshalStrict(n *Node) []Problem
}

// Validator is implemented by a type with rules that its shape cannot tell. It is
// called once the value is filled, and only if that went without a problem.
type Validator interface {
	ValidateStrict(n *Node) []Problem
}

// Enum is implemented by a named string type that has a closed list of values.
type Enum interface {
	StrictValues() []string
}

// Schemer is implemented by a type that supplies its own JSON Schema.
type Schemer interface {
	StrictSchema() (*jsonschema.Schema, error)
}

// hook returns what an addressable value implements, by value or by pointer. A
// struct that embeds an implementation has it too, as everywhere in Go.
func hook[H any](v reflect.Value) (H, bool) {
	h, ok := v.Addr().Interface().(H)
	return h, ok
}
