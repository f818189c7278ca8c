package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

const schemaFile = "../../schema/parse.v1.schema.json"

// schemaOfTypes makes the published schema from the types that are printed.
func schemaOfTypes(t *testing.T) *jsonschema.Schema {
	t.Helper()
	root, err := jsonschema.For[parseOutput](nil)
	require.NoError(t, err)
	record, err := jsonschema.For[recordJSON](nil)
	require.NoError(t, err)
	problem, err := jsonschema.For[problemJSON](nil)
	require.NoError(t, err)
	problem.Properties["severity"].Enum = []any{"error", "warning"}
	problems := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: "#/$defs/problem"}}
	withDescription := func(old *jsonschema.Schema) *jsonschema.Schema {
		s := *problems
		s.Description = old.Description
		return &s
	}
	record.Properties["problems"] = withDescription(record.Properties["problems"])
	record.Properties["schema"].Const = jsonschema.Ptr[any](recordSchema)
	record.Properties["values"].Items.Properties["from"].Types = nil
	record.Properties["values"].Items.Properties["from"].Type = "array"
	record.Properties["values"].Items.Properties["printed"].Types = nil
	record.Properties["values"].Items.Properties["printed"].Type = "number"
	for _, list := range []string{"definitions", "labels", "values", "settings", "unknown"} {
		record.Properties[list].Type, record.Properties[list].Types = "array", nil
	}
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	root.Title = "Output of benchguide parse --format json; each line of --format jsonl is #/$defs/record"
	root.Properties["schema"].Const = jsonschema.Ptr[any](parseSchema)
	root.Properties["problems"] = withDescription(root.Properties["problems"])
	root.Properties["records"] = &jsonschema.Schema{
		Type: "array", Description: root.Properties["records"].Description, Items: &jsonschema.Schema{Ref: "#/$defs/record"},
	}
	root.Defs = map[string]*jsonschema.Schema{"record": record, "problem": problem}
	return root
}

func TestThePublishedSchemaIsThatOfTheTypes(t *testing.T) {
	t.Parallel()
	want, err := json.MarshalIndent(schemaOfTypes(t), "", "  ")
	require.NoError(t, err)
	want = append(want, '\n')
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(schemaFile, want, 0o644))
	}
	got, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("UPDATE=1 go test ./cmd/benchguide writes it anew (-types +published):\n%s", diff)
	}
}

func published(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &schema))
	return &schema
}

// outputOf runs parse over every real output.
func outputOf(t *testing.T, format string) []byte {
	t.Helper()
	names, err := filepath.Glob("../../testdata/parse/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	var out, errs bytes.Buffer
	run(context.Background(), append([]string{"parse", "--format", format}, names...), strings.NewReader(""), &out, &errs)
	require.NotEmpty(t, out.Bytes(), errs.String())
	return out.Bytes()
}

func TestOutputFitsThePublishedSchema(t *testing.T) {
	t.Parallel()
	document, err := published(t).Resolve(nil)
	require.NoError(t, err)
	var whole any
	require.NoError(t, json.Unmarshal(outputOf(t, "json"), &whole))
	require.NoError(t, document.Validate(whole))

	record := published(t)
	record.Type, record.Properties, record.Required, record.AdditionalProperties = "", nil, nil, nil
	record.Ref = "#/$defs/record"
	lines, err := record.Resolve(nil)
	require.NoError(t, err)
	for _, line := range bytes.Split(bytes.TrimSpace(outputOf(t, "jsonl")), []byte("\n")) {
		var one map[string]any
		require.NoError(t, json.Unmarshal(line, &one))
		require.NoError(t, lines.Validate(one))
		require.Equal(t, recordSchema, one["schema"])
	}
}

// A schema that takes anything would pass the test above.
func TestTheSchemaRefusesWhatIsNoOutput(t *testing.T) {
	t.Parallel()
	document, err := published(t).Resolve(nil)
	require.NoError(t, err)
	good := string(outputOf(t, "json"))
	for old, wrong := range map[string]string{
		`"derived": false`: `"derived": "no"`, `"end_line"`: `"endLine"`, parseSchema: "benchguide/parse/v0", `"severity": "error"`: `"severity": "bad"`,
	} {
		require.Contains(t, good, old)
		var whole any
		require.NoError(t, json.Unmarshal([]byte(strings.Replace(good, old, wrong, 1)), &whole))
		require.Error(t, document.Validate(whole), wrong)
	}
}
