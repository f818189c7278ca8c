package strict

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"benchguide/engine"
)

// Words are the options of a command. A study writes them as one text, split as a
// shell would, or as a list. An item of a list that starts with a dash is split
// too ("- --tp 2"); any other item is one word as it stands, so that JSON need
// not be quoted twice.
type Words []string

var (
	_ Unmarshaler = (*Words)(nil)
	_ Schemer     = Words(nil)
)

// UnmarshalStrict reads a text or a list of texts.
func (w *Words) UnmarshalStrict(n *Node) []Problem {
	parts := n.items
	switch n.kind {
	case Scalar:
		parts = []*Node{n}
	case Mapping:
		return mismatch(n, "a text or a list", "write the options as on a command line")
	}
	var problems []Problem
	*w = Words{}
	for _, part := range parts {
		var text string
		if found := part.Decode(&text); len(found) > 0 {
			problems = append(problems, found...)
			continue
		}
		if part != n && !strings.HasPrefix(text, "-") {
			*w = append(*w, text)
			continue
		}
		words, err := engine.Words(text)
		if err != nil {
			problems = append(problems, part.Problem(part.label()+": "+err.Error(), "write the options as on a command line"))
		}
		*w = append(*w, words...)
	}
	return problems
}

// StrictSchema allows a text, or a list of what a text may be.
func (w Words) StrictSchema() (*jsonschema.Schema, error) {
	text := []string{"string", "number", "boolean"}
	return &jsonschema.Schema{
		Types: append([]string{"array"}, text...),
		Items: &jsonschema.Schema{Types: text},
	}, nil
}
