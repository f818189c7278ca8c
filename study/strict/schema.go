package strict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema (2020-12) of what Decode accepts for the type of
// v, for editors. The bytes depend on the type alone: properties stand in field
// order, descriptions come from jsonschema tags.
//
// The schema follows the decoder's own table of fields instead of jsonschema.For,
// which would accept null for lists and pointers, demand pointers, refuse 1.10
// for a text and make a duration an integer. It accepts more than Decode in four
// places that JSON Schema cannot see: 3.0 for a whole number, numbers beyond 64
// bits, quoted keys and values against plain ones, and rules of a [Validator].
//
// Schema fails for a type that contains itself and for an [Unmarshaler] that is
// no [Schemer].
func Schema(v any) ([]byte, error) {
	t := reflect.TypeOf(v)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return nil, fmt.Errorf("schema of nil: give a value of the type")
	}
	checkType(t, map[reflect.Type]bool{})
	schema, err := schemaOf(t, false, nil)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	compact, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// schemaOf mirrors decode: must forbids a blank value, above are the types that
// t lies in.
func schemaOf(t reflect.Type, must bool, above []reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() == reflect.Pointer {
		return schemaOf(t.Elem(), must, above)
	}
	if slices.Contains(above, t) && t.Name() != "" {
		return nil, fmt.Errorf("%s contains itself", t)
	}
	schema, err := shapeSchema(t, append(slices.Clone(above), t))
	if err == nil && must {
		forbidBlank(schema)
	}
	return schema, err
}

// shapeSchema asks for hooks in the decoder's order, then goes by kind.
func shapeSchema(t reflect.Type, above []reflect.Type) (*jsonschema.Schema, error) {
	zero := reflect.New(t).Elem()
	if own, ok := hook[Schemer](zero); ok {
		schema, err := own.StrictSchema()
		if err != nil {
			return nil, err
		}
		return schema.CloneSchemas(), nil // a hook may return one schema many times
	}
	if ordered, ok := hook[orderedMap](zero); ok {
		return mapSchema(ordered.valueType(), above)
	}
	switch {
	case ownShape(t):
		return nil, fmt.Errorf("%s decodes itself and must supply its schema", t)
	case isDuration(t):
		return &jsonschema.Schema{Type: "string", Pattern: "^" + durationPattern + "$", Examples: []any{"30m"}}, nil
	case t.Kind() == reflect.Struct:
		return structSchema(t, above)
	case t.Kind() == reflect.Map:
		return mapSchema(t.Elem(), above)
	case t.Kind() == reflect.Slice:
		items, err := schemaOf(t.Elem(), false, above)
		return &jsonschema.Schema{Type: "array", Items: items}, err
	case t.Kind() == reflect.String:
		return textSchema(zero), nil
	default:
		return jsonschema.ForType(t, nil)
	}
}

// mapSchema leaves keys open: whether a key is known is for the caller to check.
func mapSchema(values reflect.Type, above []reflect.Type) (*jsonschema.Schema, error) {
	schema, err := schemaOf(values, false, above)
	return &jsonschema.Schema{Type: "object", AdditionalProperties: schema}, err
}

// textSchema accepts what an editor takes for a number or a bool: a text field
// keeps 1.10 and true as they are written.
func textSchema(zero reflect.Value) *jsonschema.Schema {
	enum, ok := hook[Enum](zero)
	if !ok {
		return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}}
	}
	schema := &jsonschema.Schema{Type: "string"}
	for _, value := range enum.StrictValues() {
		schema.Enum = append(schema.Enum, value)
	}
	return schema
}

// structSchema closes the object, so that editors underline unknown keys.
func structSchema(t reflect.Type, above []reflect.Type) (*jsonschema.Schema, error) {
	schema := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, // the library's "false"
	}
	for _, f := range fieldsOf(t) {
		property, err := schemaOf(f.typ, f.required, above)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if f.description != "" {
			property.Description = f.description
		}
		schema.Properties[f.name] = property
		schema.PropertyOrder = append(schema.PropertyOrder, f.name)
		if f.required {
			schema.Required = append(schema.Required, f.name)
		}
	}
	return schema, nil
}

// forbidBlank adds what "must be given" means beyond the key itself. A schema
// without a type, as of a hook with several shapes, gets all three keywords: each
// of them binds values of one JSON type only.
func forbidBlank(schema *jsonschema.Schema) {
	types := schema.Types
	if schema.Type != "" {
		types = []string{schema.Type}
	}
	may := func(t string) bool { return len(types) == 0 || slices.Contains(types, t) }
	if may("string") && schema.Pattern == "" && schema.Enum == nil {
		schema.Pattern = `\S`
	}
	if may("array") && schema.MinItems == nil {
		schema.MinItems = jsonschema.Ptr(1)
	}
	if may("object") && schema.MinProperties == nil && schema.Required == nil {
		schema.MinProperties = jsonschema.Ptr(1)
	}
}
