package strict_test

import (
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"benchguide/study/strict"
)

func TestSchemaAcceptsWhatTheDecoderAccepts(t *testing.T) {
	t.Parallel()
	schema := resolve(t, guide{})
	for _, c := range []struct {
		name, src string
		accepted  bool
	}{
		{"least", head, true},
		{"everything", head + "goal: latency\ngpus: 8\nsmall: -128\nport: 0\nfloor: 0.5\nfast: false\ntimeout: 1h30m\nseed: 3\nnote: {zh: 甲, en: A}\n", true},
		{"lists and mappings", head + "flags: [a, 1.10, true, '']\nenv: {A: 1}\nversions: {vllm: 0.11.0}\ntree: {a: {b: [1]}}\nstages: []\n", true},
		{"hooks", head + "stages: [{id: x, add: --a, one: y, gap: {low: 1, high: 2}}, {id: z, add: [--b, 1], one: [y]}]\n", true},
		{"number as text", "id: 1.10\ntitle: {zh: 1, en: true}\n", true},

		{"unknown key", head + "gpsu: 1\n", false},
		{"unknown nested key", "id: a\ntitle: {zh: 甲, en: A, fr: B}\n", false},
		{"missing key", "id: a\n", false},
		{"missing nested key", "id: a\ntitle: {zh: 甲}\n", false},
		{"blank", "id: ' '\ntitle: {zh: 甲, en: A}\n", false},
		{"null", "id: a\ntitle: {zh: 甲, en: }\n", false},
		{"null pointer", head + "seed: ~\n", false},
		{"null list", head + "flags: ~\n", false},
		{"null item", head + "flags: [~]\n", false},
		{"fraction", head + "gpus: 3.7\n", false},
		{"quoted number", head + "gpus: '8'\n", false},
		{"out of range", head + "small: 128\n", false},
		{"negative", head + "port: -1\n", false},
		{"word for bool", head + "fast: 'yes'\n", false},
		{"number for duration", head + "timeout: 30\n", false},
		{"duration without unit", head + "timeout: '30'\n", false},
		{"not in the enumeration", head + "goal: speed\n", false},
		{"text for list", head + "flags: a\n", false},
		{"list for text", "id: [a]\ntitle: {zh: 甲, en: A}\n", false},
		{"list for mapping", head + "env: [a]\n", false},
		{"mapping for words", head + "stages: [{id: x, add: {a: b}}]\n", false},
		{"list in words", head + "stages: [{id: x, add: [[a]]}]\n", false},
		{"deep in an ordered mapping", head + "tree: {a: {b: [x]}}\n", false},
		{"a list", "[a]\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var g guide
			_, problems := strict.Decode("f", []byte(c.src), &g)
			require.Equal(t, c.accepted, len(problems) == 0, "decoder: %v", problems)
			var instance any
			require.NoError(t, yaml.Unmarshal([]byte(c.src), &instance))
			require.Equal(t, c.accepted, schema.Validate(instance) == nil, "schema: %v", schema.Validate(instance))
		})
	}
}

func resolve(t *testing.T, v any) *jsonschema.Resolved {
	t.Helper()
	data, err := strict.Schema(v)
	require.NoError(t, err)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(data, &schema))
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

func TestSchemaIsOrderedAndDescribed(t *testing.T) {
	t.Parallel()
	type small struct {
		B int          `json:"b" jsonschema:"how many"`
		A strict.Words `json:"a,omitempty"`
	}
	const want = `{
  "type": "object",
  "properties": {
    "b": {
      "type": "integer",
      "description": "how many"
    },
    "a": {
      "type": [
        "array",
        "string",
        "number",
        "boolean"
      ],
      "items": {
        "type": [
          "string",
          "number",
          "boolean"
        ]
      }
    }
  },
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "required": [
    "b"
  ],
  "additionalProperties": false
}
`
	for range 5 {
		got, err := strict.Schema(&small{})
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

// bare decodes itself and does not say what it accepts.
type bare struct{}

func (*bare) UnmarshalStrict(*strict.Node) []strict.Problem { return nil }

// ring contains itself through an ordered mapping.
type ring struct {
	Next strict.Map[ring] `json:"next,omitempty"`
}

func TestSchemaFailsWhereNothingCanBeInferred(t *testing.T) {
	t.Parallel()
	type holder struct {
		X bare `json:"x"`
	}
	_, err := strict.Schema(holder{})
	require.ErrorContains(t, err, "strict_test.bare decodes itself and must supply its schema")
	_, err = strict.Schema(ring{})
	require.ErrorContains(t, err, "strict_test.ring contains itself")
	_, err = strict.Schema(nil)
	require.ErrorContains(t, err, "schema of nil")

	var r ring
	_, problems := strict.Decode("f", []byte("next: {a: {next: {b: {}}}}\n"), &r)
	require.Empty(t, problems, "the decoder reads what contains itself")
}
