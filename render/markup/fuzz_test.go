package markup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"benchguide/render/markup"
)

// seeds adds the pages in testdata, whole and block by block, since short inputs are
// mutated faster. There @gain@ and its like stand for markers.
func seeds(f *testing.F) {
	f.Helper()
	names, err := filepath.Glob("testdata/*.md")
	require.NoError(f, err)
	require.NotEmpty(f, names)
	markers := strings.NewReplacer("@gain@", gain, "@abs@", abs, "@cite@", cite)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		page := markers.Replace(string(data))
		f.Add(page)
		for _, block := range strings.Split(page, "\n\n") {
			f.Add(block)
		}
	}
}

// FuzzHTML checks what holds for any page: no panic, errors of our own type, no
// private-use sign left, nothing that runs, and the same bytes when done again.
func FuzzHTML(f *testing.F) {
	seeds(f)
	m := markup.New(english)
	f.Fuzz(func(t *testing.T, src string) {
		in := input("H100", "Qwen3-8B", "--tp 4")
		page, err := m.HTML([]byte(src), in)
		if err != nil {
			var e *markup.Error
			require.True(t, errors.As(err, &e), "%v", err)
			return
		}
		require.True(t, utf8.Valid(page.HTML))
		require.NotContains(t, string(page.HTML), "\ue000")
		for _, tag := range []string{"script", "style", "iframe", "object"} {
			require.Empty(t, elementsOf(string(page.HTML), tag))
		}
		for _, link := range elementsOf(string(page.HTML), "a") {
			require.NotContains(t, strings.ToLower(link), `href="javascript:`)
		}
		again, err := m.HTML([]byte(src), in)
		require.NoError(t, err)
		require.Equal(t, string(page.HTML), string(again.HTML))
	})
}

// FuzzExport checks that spans lie inside of the export, in order and apart, that facts
// are covered by their texts, and that the second reader takes whatever comes out.
func FuzzExport(f *testing.F) {
	seeds(f)
	m := markup.New(english)
	f.Fuzz(func(t *testing.T, src string) {
		export, spans, err := m.Export([]byte(src), input("H100", "Qwen3-8B", "--tp 4"))
		if err != nil {
			return
		}
		require.NotContains(t, string(export), "\ue000")
		end := 0
		for _, s := range spans {
			require.GreaterOrEqual(t, s.Offset, end)
			end = s.Offset + s.Length
			require.LessOrEqual(t, end, len(export))
			if s.Kind == markup.KindFact {
				require.Contains(t, []string{"+46.5%", "0.4 s"}, string(export[s.Offset:end]))
			}
		}
		_, err = m.Differences(export)
		require.NoError(t, err)
	})
}
