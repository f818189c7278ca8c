// Package schema_test keeps the JSON Schemas in this folder true: they are made from
// the Go types, and the files that ship with the program are held against them. That
// of the output of parse belongs to the command, and is kept there.
//
// Run with -update to write the schemas anew.
package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/run/machine"
	"benchguide/study"
	"benchguide/study/strict"
)

var update = flag.Bool("update", false, "write the schemas anew")

// content is the content folder that ships, seen from here.
const content = "../content"

// schemas says how each file is made.
func schemas() map[string]func() ([]byte, error) {
	return map[string]func() ([]byte, error){
		// Written by hand: the schema is what the strict decoder accepts.
		"study.schema.json":   func() ([]byte, error) { return strict.Schema(study.Study{}) },
		"run.schema.json":     func() ([]byte, error) { return strict.Schema(study.RunInfo{}) },
		"site.schema.json":    func() ([]byte, error) { return strict.Schema(study.SiteInfo{}) },
		"machine.schema.json": func() ([]byte, error) { return strict.Schema(machine.Profile{}) },
		// Written by programs: the schema is what encoding/json makes of the type.
		"attempt.schema.json": generated[study.Attempt],
		"report.schema.json":  generated[analyze.Report],
	}
}

// generated infers a schema from a type, with the closed lists that Go's type
// system cannot tell. A reader of reports may switch on these.
func generated[T any]() ([]byte, error) {
	lists, err := closedLists()
	if err != nil {
		return nil, err
	}
	options := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{}}
	for _, t := range []reflect.Type{
		reflect.TypeFor[analyze.Rule](), reflect.TypeFor[analyze.Kind](), reflect.TypeFor[analyze.Severity](), reflect.TypeFor[analyze.Verdict](),
		reflect.TypeFor[analyze.ClaimStatus](), reflect.TypeFor[analyze.ClaimStyle](), reflect.TypeFor[analyze.Effect](),
	} {
		if len(lists[t.Name()]) == 0 {
			return nil, fmt.Errorf("no constant of package analyze has the type %s", t.Name())
		}
		options.TypeSchemas[t] = &jsonschema.Schema{Type: "string", Enum: lists[t.Name()]}
	}
	schema, err := jsonschema.For[T](options)
	if err != nil {
		return nil, err
	}
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	err = enc.Encode(schema)
	return out.Bytes(), err
}

// closedLists returns the values of the string constants of package analyze by their
// type, in source order, so that a new constant makes the schema stale.
func closedLists() (map[string][]any, error) {
	files, err := filepath.Glob("../analyze/*.go")
	if err != nil {
		return nil, err
	}
	lists := map[string][]any{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			name, named := spec.Type.(*ast.Ident)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if named && literal && value.Kind == token.STRING {
				text, _ := strconv.Unquote(value.Value) // the parser has read it
				lists[name.Name] = append(lists[name.Name], text)
			}
			return true
		})
	}
	return lists, nil
}

// TestSchemasAreThoseOfTheTypes runs before the others, which read what it may write:
// it alone is not parallel.
func TestSchemasAreThoseOfTheTypes(t *testing.T) {
	for name, produce := range schemas() {
		want, err := produce()
		require.NoError(t, err)
		if *update {
			require.NoError(t, os.WriteFile(name, want, 0o644))
		}
		got, err := os.ReadFile(name)
		require.NoError(t, err, "run make schema to write it")
		if diff := cmp.Diff(string(got), string(want)); diff != "" {
			t.Errorf("%s is stale, run make schema (-checked in, +types):\n%s", name, diff)
		}
	}
}

// TestShippedFilesMeetTheirSchemas holds the files of content/, and the reports made
// from them, against the schemas as an editor or another program reads them.
func TestShippedFilesMeetTheirSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, schema string }{
		{"site.yaml", "site.schema.json"},
		{"studies/*/study.yaml", "study.schema.json"},
		{"studies/*/runs/*/run.yaml", "run.schema.json"},
		{"studies/*/runs/*/*/*/start-*/attempt.json", "attempt.schema.json"},
	} {
		schema := load(t, c.schema)
		files, err := filepath.Glob(filepath.Join(content, c.pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, "nothing matches %s", c.pattern)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			var value any
			require.NoError(t, yaml.Unmarshal(source, &value), file) // JSON is YAML too
			require.NoError(t, schema.Validate(value), file)
		}
	}
}

func TestReportsMeetTheirSchema(t *testing.T) {
	t.Parallel()
	schema := load(t, "report.schema.json")
	collection, problems := study.LoadCollection(os.DirFS(content))
	require.Empty(t, problems)
	require.NotEmpty(t, collection.Folders)
	for _, f := range collection.Folders {
		data, err := json.Marshal(analyze.Study(f))
		require.NoError(t, err)
		var value map[string]any
		require.NoError(t, json.Unmarshal(data, &value))
		require.NoError(t, schema.Validate(value), f.ID)

		value["verdict"] = "adopted" // no property of a report: a schema that takes all would pass above
		require.Error(t, schema.Validate(value))
	}
}

// TestSchemasRefuseWhatTheProgramRefuses shows that an editor underlines the slips
// that are made most often.
func TestSchemasRefuseWhatTheProgramRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, source string }{
		{"a missing language", "site.schema.json", "{title: {zh: 甲}, description: {zh: 甲, en: A}}"},
		{"an unknown key", "run.schema.json", "{schema: 1, date: unknown, clinet: x}"},
		{"a text for a number", "run.schema.json", "{schema: one, date: unknown, client: x}"},
		{"an unknown key of a start", "attempt.schema.json", `{"schema": 1, "imported": true, "engine": "vllm", "version": "v1", "host": "x"}`},
		{"a start without its engine", "attempt.schema.json", `{"schema": 1, "imported": true, "version": "v1"}`},
		{"an empty study", "study.schema.json", "{}"},
		{"a misspelt key of a machine", "machine.schema.json", "{schema: 1, engines: {vllm: {progam: vllm serve}}}"},
		{"an executor that cannot cancel", "machine.schema.json", "{schema: 1, command: {submit: a, poll: b}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var value any
			require.NoError(t, yaml.Unmarshal([]byte(c.source), &value))
			require.Error(t, load(t, c.schema).Validate(value))
		})
	}
}

// load reads a checked-in schema.
func load(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(data, &schema))
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	return resolved
}
