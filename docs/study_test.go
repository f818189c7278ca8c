package docs_test

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/i18n"
	"benchguide/render"
	"benchguide/study"
	"benchguide/templates"
)

// shipped is the study whose raw outputs the example is built with.
const shipped = root + "/content/studies/qwen3-14b-h100-throughput/runs/published"

// TestTheExampleStudyBuilds loads the example of study-yaml.md, judges it and makes its
// pages, and holds the commands that the document names against those derived.
func TestTheExampleStudyBuilds(t *testing.T) {
	t.Parallel()
	doc := read(t, "study-yaml.md")
	commands := commandsOf(doc)
	collection, problems := study.LoadCollection(example(t, doc, commands))
	require.Empty(t, problems)
	require.Len(t, collection.Folders, 1)
	report := analyze.Study(collection.Folders[0])
	require.False(t, report.Failed(), "%v", report.Findings)

	renderer, err := render.New(templates.Files, i18n.Files)
	require.NoError(t, err)
	_, unbound, err := renderer.Site(collection, []*analyze.Report{report})
	require.NoError(t, err)
	require.Empty(t, unbound)

	got := map[string]string{}
	for _, st := range report.Stages {
		for _, c := range st.Candidates {
			got[c.Ref] = regexp.MustCompile(`\s*\\?\s+`).ReplaceAllString(c.Configuration.Command, " ")
		}
	}
	require.Empty(t, cmp.Diff(commands, got), "the table of serving commands (-document, +derived)")
}

// TestEveryKeyIsDescribed holds the documents against the schemas of what people write.
func TestEveryKeyIsDescribed(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"study": "study-yaml.md", "site": "study-yaml.md", "run": "study-yaml.md", "attempt": "study-yaml.md", "machine": "machine-yaml.md",
	} {
		source, err := os.ReadFile(root + "/schema/" + name + ".schema.json")
		require.NoError(t, err)
		var schema any
		require.NoError(t, json.Unmarshal(source, &schema))
		doc := read(t, document)
		keys := keysOf(schema)
		require.NotEmpty(t, keys, name)
		for _, key := range keys {
			described := regexp.MustCompile("(?m)(^|[`.\\[{ \"])" + regexp.QuoteMeta(key) + "(`|:|\")")
			require.True(t, described.MatchString(doc), "%s does not say what %s is", document, key)
		}
	}
}

// keysOf lists the keys of all objects that a schema describes.
func keysOf(schema any) []string {
	var keys []string
	switch node := schema.(type) {
	case []any:
		for _, part := range node {
			keys = append(keys, keysOf(part)...)
		}
	case map[string]any:
		for name, part := range node {
			if properties, ok := part.(map[string]any); ok && name == "properties" {
				keys = append(keys, slices.Collect(maps.Keys(properties))...)
			}
			keys = append(keys, keysOf(part)...)
		}
	}
	return keys
}

// commandsOf reads the document's table of serving commands.
func commandsOf(doc string) map[string]string {
	commands := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\| `([^`]+)` \\|$").FindAllStringSubmatch(doc, -1) {
		commands[row[1]] = row[2]
	}
	return commands
}

// example lays the blocks of the document out as a content folder. Each start says in
// its attempt.json that it ran the command which the document gives for it.
func example(t *testing.T, doc string, commands map[string]string) fstest.MapFS {
	t.Helper()
	yaml := blocks(doc, "yaml")
	require.Len(t, yaml, 3, "site.yaml, study.yaml and run.yaml")
	attempts := blocks(doc, "json")
	require.Len(t, attempts, 1)
	const dir = "studies/example"
	files := fstest.MapFS{
		"site.yaml":                  {Data: []byte(yaml[0])},
		dir + "/study.yaml":          {Data: []byte(yaml[1])},
		dir + "/runs/first/run.yaml": {Data: []byte(yaml[2])},
	}
	for ref, command := range commands {
		raw, err := os.ReadFile(filepath.Join(shipped, ref, "start-1", "sharegpt.txt"))
		require.NoError(t, err)
		var attempt study.Attempt
		require.NoError(t, json.Unmarshal([]byte(attempts[0]), &attempt))
		attempt.Command = command
		if ref == "engine/vllm" {
			attempt.Engine, attempt.Version = "vllm", "v0.11.0"
		}
		data, err := json.Marshal(attempt)
		require.NoError(t, err)
		start := path.Join(dir, "runs/first", ref, "start-1")
		files[start+"/sharegpt.txt"] = &fstest.MapFile{Data: raw}
		files[start+"/attempt.json"] = &fstest.MapFile{Data: data}
	}
	return files
}

// blocks returns the fenced blocks of a language.
func blocks(doc, lang string) []string {
	var found []string
	for _, m := range regexp.MustCompile("(?s)```"+lang+"\n(.*?)```").FindAllStringSubmatch(doc, -1) {
		found = append(found, m[1])
	}
	return found
}

// read returns a document of this folder.
func read(t *testing.T, name string) string {
	t.Helper()
	source, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(source)
}
