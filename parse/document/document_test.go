package document_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse/document"
)

func read(t testing.TB, name string) document.Document {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return document.Read(name, src)
}

// The parts of each page stand in a file beside it; UPDATE=1 writes it anew.
func TestPagesComeApart(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]document.Kind{
		"copied-numbers.txt": document.Text, "copied-tabs.txt": document.Text, "boxes.md": document.Markdown, "mkdocs.html": document.HTML,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := read(t, name)
			require.Equal(t, kind, d.Kind)
			golden := filepath.Join("testdata", name+".want")
			if os.Getenv("UPDATE") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(dump(d)), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), dump(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Every line that a part claims holds the part's text.
func TestPartsStandInTheirLines(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"copied-numbers.txt", "copied-tabs.txt", "boxes.md", "mkdocs.html"} {
		d := read(t, name)
		src, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		lines := strings.Split(string(src), "\n")
		blocks := 0
		for _, p := range d.Parts {
			b, ok := p.(document.Block)
			if !ok {
				continue
			}
			blocks++
			require.Contains(t, lines[b.Line-1], "Serving Benchmark Result", name)
			for _, v := range b.Record.Values {
				require.Contains(t, lines[v.Line-1], v.Text, "%s:%d", name, v.Line)
			}
		}
		require.NotZero(t, blocks, name)
	}
}

func TestASectionHasItsHeadings(t *testing.T) {
	t.Parallel()
	d := read(t, "boxes.md")
	for i, p := range d.Parts {
		b, ok := p.(document.Block)
		if !ok {
			continue
		}
		var path []string
		for _, h := range d.Section(i) {
			path = append(path, h.Text)
		}
		require.Equal(t, []string{"Lower latency for Demo-7B", "Results", "1. Engine", "vLLM"}, path)
		n, ok := b.Record.Number(metric.Duration)
		require.True(t, ok)
		require.Equal(t, 44.4, n)
		break
	}
}

func TestTheKindIsThatOfTheNameOrTheContent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, src string
		want      document.Kind
	}{
		{"a.md", "plain", document.Markdown}, {"a.HTML", "plain", document.HTML}, {"-", "<!DOCTYPE html><p>a", document.HTML},
		{"-", "\ufeff<html><p>a", document.HTML}, {"-", "a\n\n??? info \"b\"\n", document.Markdown}, {"-", "## a\n", document.Markdown},
		{"-", "```\nx\n```\n", document.Markdown}, {"a.txt", "| a | b |\n| --- | --- |\n", document.Markdown},
		{"-", "# a comment\nvllm serve m\n", document.Text}, {"a.txt", "1\n2\n", document.Text}, {"-", "", document.Text},
	} {
		require.Equal(t, c.want, document.Read(c.file, []byte(c.src)).Kind, "%s %q", c.file, c.src)
	}
}

func TestStrangePagesAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, c := range map[string]struct{ file, src string }{
		"empty":                       {"a.md", ""},
		"only a fence":                {"a.md", "```"},
		"a fence that never ends":     {"a.md", "```bash\nvllm serve m\n\n# Not a heading\n"},
		"box without body":            {"a.md", "??? info \"x\"\ntext\n"},
		"box at the end":              {"a.md", "!!! note"},
		"quotes in quotes":            {"a.md", many("> ", 2000) + "x\n"},
		"lists in lists":              {"a.md", many("- ", 2000) + "x\n"},
		"boxes in boxes":              {"a.md", boxes(200)},
		"elements in elements":        {"a.html", many("<div>", 50_000) + "x"},
		"ends without beginnings":     {"a.html", many("</div>", 50_000) + "x"},
		"tables in tables":            {"a.html", many("<table><tr><td>", 5000) + "x"},
		"table in a listing":          {"a.html", "<pre><table><tr><td>x</pre></table>y"},
		"cell without table":          {"a.html", "<td>x</td><tr>y"},
		"front matter without an end": {"a.md", "---\na: b\n"},
		"line numbers without end":    {"a.txt", "1\n2\n3"},
		"line numbers, then too few":  {"a.txt", "1\n2\n3\nvllm serve m"},
		"not UTF-8":                   {"a.txt", "\xff\xfe\xff a \x00\n\n1\n2\n\xff"},
		"CRLF":                        {"a.txt", "Title\r\n\r\ntext, and more\r\n"},
		"one long line":               {"a.txt", many("word ", 200_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := document.Read(c.file, []byte(c.src))
			last := strings.Count(c.src, "\n") + 1
			for _, p := range d.Parts {
				first, end := p.Place()
				require.True(t, 1 <= first && first <= end && end <= last, "%d-%d of %d lines: %v", first, end, last, p)
			}
		})
	}
}

// boxes nests n boxes.
func boxes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("    ", i) + "??? info \"x\"\n")
	}
	return b.String()
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"copied-numbers.txt", "copied-tabs.txt", "boxes.md", "mkdocs.html"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(f, err)
		f.Add(name, src)
	}
	f.Add("a.md", []byte("??? info \"a\"\n    ```\n    x\n"))
	f.Add("a.html", []byte("<table><tr><td>a<pre>b</table></pre>"))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		d := document.Read(name, src)
		last := strings.Count(string(src), "\n") + 1
		for i, p := range d.Parts {
			first, end := p.Place()
			if first < 1 || end < first || end > last {
				t.Fatalf("part %d stands in lines %d to %d of %d", i, first, end, last)
			}
			d.Section(i)
		}
	})
}
