package prompts_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/prompts"
)

func written(t *testing.T) (string, prompts.Set) {
	t.Helper()
	dir := t.TempDir()
	chats(t, dir, 60)
	set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(4, 5, 3), Dir: dir, Seed: 7})
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "prompts")
	require.NoError(t, set.Write(out))
	return out, set
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	dir, set := written(t)
	got, err := prompts.Load(dir)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(set, got))

	var names []string
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"c1.jsonl", "c4.jsonl", "prompts.json", "random.jsonl", "warmup.jsonl"}, names)

	// Writing again changes no byte.
	before, err := os.ReadFile(filepath.Join(dir, prompts.IndexFile))
	require.NoError(t, err)
	require.NoError(t, got.Write(dir))
	after, err := os.ReadFile(filepath.Join(dir, prompts.IndexFile))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

// The files are what `vllm bench serve --dataset-name custom` reads: an object a line,
// with these two keys.
func TestALineHasAPromptAndALength(t *testing.T) {
	t.Parallel()
	dir, set := written(t)
	src, err := os.ReadFile(filepath.Join(dir, "c1.jsonl"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	require.Len(t, lines, 4)
	var o map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &o))
	first := set.Lists[1].Prompts[0]
	require.Empty(t, cmp.Diff(map[string]any{"prompt": first.Text, "output_tokens": float64(first.Output)}, o))
	require.Contains(t, lines[0], "<", "letters are not escaped more than needed")
}

func TestTheIndexHasDigestsAndSums(t *testing.T) {
	t.Parallel()
	dir, set := written(t)
	src, err := os.ReadFile(filepath.Join(dir, prompts.IndexFile))
	require.NoError(t, err)
	var x struct {
		Schema, Seed int
		Lists        []struct {
			Name, File, SHA256, Counted, Dataset string
			Count                                int
			Output                               int    `json:"output_tokens"`
			Source                               string `json:"source_sha256"`
		}
	}
	require.NoError(t, json.Unmarshal(src, &x))
	require.Equal(t, prompts.Schema, x.Schema)
	require.Equal(t, 7, x.Seed)
	require.Len(t, x.Lists, 4)
	require.Equal(t, bench.Digest(set.Lists[1].Prompts), x.Lists[1].SHA256)
	require.Equal(t, set.Lists[1].Output(), x.Lists[1].Output)
	require.Equal(t, set.Lists[1].Source, x.Lists[1].Source)
}

// TestAPackedFileIsUnpacked: a run that was published may be gone on with.
func TestAPackedFileIsUnpacked(t *testing.T) {
	t.Parallel()
	dir, set := written(t)
	name := filepath.Join(dir, "c4.jsonl")
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	pack := func(name string, n int) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write(want)
		require.NoError(t, errors.Join(err, z.Close()))
		require.NoError(t, os.WriteFile(name+".gz", b.Bytes()[:b.Len()-n], 0o644))
		require.NoError(t, os.Remove(name))
	}
	pack(name, 0)
	got, err := prompts.Load(dir)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(set, got))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(text), "a client finds it")
	require.NoFileExists(t, name+".gz")

	pack(name, 20)
	_, err = prompts.Load(dir)
	require.ErrorContains(t, err, "c4.jsonl.gz: unexpected EOF; restore it")
}

func TestAChangedFileIsRefused(t *testing.T) {
	t.Parallel()
	edit := func(name string, change func(string) string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			file := filepath.Join(dir, name)
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			after := change(string(src))
			require.NotEqual(t, string(src), after)
			require.NoError(t, os.WriteFile(file, []byte(after), 0o644))
		}
	}
	for name, c := range map[string]struct {
		spoil func(*testing.T, string)
		says  string
	}{
		"another word":    {edit("c1.jsonl", func(s string) string { return strings.Replace(s, "what", "that", 1) }), "has changed since the run began"},
		"another length":  {edit("c4.jsonl", func(s string) string { return strings.Replace(s, `"output_tokens":`, `"output_tokens":1`, 1) }), "has changed"},
		"a line less":     {edit("c4.jsonl", func(s string) string { return s[strings.Index(s, "\n")+1:] }), "4 prompts"},
		"another order":   {edit("random.jsonl", func(s string) string { _, rest, _ := strings.Cut(s, "\n"); return rest + strings.TrimSuffix(s, rest) }), "has changed"},
		"half a line":     {edit("c1.jsonl", func(s string) string { return s[:len(s)-9] }), "begin a new run"},
		"a file gone":     {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "c1.jsonl"))) }, "are gone"},
		"a broken index":  {edit("prompts.json", func(s string) string { return s[:20] }), "prompts.json"},
		"another schema":  {edit("prompts.json", func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 9`, 1) }), "schema 9"},
		"a foreign file":  {edit("prompts.json", func(s string) string { return strings.Replace(s, `"file": "c1.jsonl"`, `"file": "../c1.jsonl"`, 1) }), "not its file"},
		"no index at all": {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "prompts.json"))) }, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := written(t)
			c.spoil(t, dir)
			_, err := prompts.Load(dir)
			require.ErrorContains(t, err, c.says)
		})
	}
	_, err := prompts.Load(t.TempDir())
	require.ErrorIs(t, err, fs.ErrNotExist)
}
