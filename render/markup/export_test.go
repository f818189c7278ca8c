package markup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/render/markup"
)

// located is a span with the text that it covers.
type located struct {
	Kind     markup.Kind
	ID, Text string
}

func locate(export []byte, spans []markup.Span) []located {
	var all []located
	for _, s := range spans {
		all = append(all, located{s.Kind, s.ID, string(export[s.Offset : s.Offset+s.Length])})
	}
	return all
}

func TestExportPutsTextsInAndSaysWhereTheyLie(t *testing.T) {
	t.Parallel()
	src := "# H100 " + gain + "\n\n在H100上**" + gain + "**，`--tp 4 x` ![H100](c.svg \"H100\")\n\n" +
		"| a | w4\\_a |\n|---|---|\n| " + abs + " | " + cite + " |\n\n> --tp\n> 4\n\n```bash title=\"H100 run\"\nH100 5\n```\n"
	want := "# H100 +46.5%\n\n在H100上**+46.5%**，`--tp 4 x` ![H100](c.svg \"H100\")\n\n" +
		"| a | w4\\_a |\n|---|---|\n| 0.4 s | 1.2x \\| \\<fast> \\[sic\\] |\n\n> --tp\n> 4\n\n```bash title=\"H100 run\"\nH100 5\n```\n"
	export, spans, err := markup.New(english).Export([]byte(src), input("H100", "--tp 4", "w4_a"))
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, string(export)))
	h100 := located{markup.KindLiteral, "H100", "H100"}
	fact := located{markup.KindFact, "stage/fp8_x:gain", "+46.5%"}
	require.Empty(t, cmp.Diff([]located{
		h100, fact, h100, fact, {markup.KindLiteral, "--tp 4", "--tp 4"}, h100,
		{markup.KindLiteral, "w4_a", "w4\\_a"}, {markup.KindFact, "stage/fp8_x:gain", "0.4 s"},
		{markup.KindCite, "blog", "1.2x \\| \\<fast> \\[sic\\]"}, {markup.KindLiteral, "--tp 4", "--tp\n> 4"}, h100,
	}, locate(export, spans)))
}

func TestExportOfSourceWithoutMarkersIsTheSource(t *testing.T) {
	t.Parallel()
	src := "a\r\n\tb  \n\n<!-- c -->\n\n``` x\n"
	export, spans, err := markup.New(english).Export([]byte(src), input())
	require.NoError(t, err)
	require.Equal(t, src, string(export))
	require.Empty(t, spans)
}

// Both products are made from one reading, so that they cannot bind different things.
func TestPageAndExportBindTheSame(t *testing.T) {
	t.Parallel()
	m := markup.New(english)
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{gain, abs, cite, "H100", "**", "吞吐", " ", "a", "`", "--tp 4", "\n", "\n\n", "- ", "|", "\\", "&amp;", "# ", "> ", "[", "](x)"})
		var src string
		for _, s := range rapid.SliceOfN(line, 1, 12).Draw(t, "pieces") {
			src += s
		}
		page, err := m.HTML([]byte(src), input("H100", "--tp 4"))
		export, spans, err2 := m.Export([]byte(src), input("H100", "--tp 4"))
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%q: page %v, export %v", src, err, err2)
		}
		if err != nil {
			return
		}
		count := map[markup.Kind]int{}
		for i, s := range spans {
			count[s.Kind]++
			if i > 0 && s.Offset < spans[i-1].Offset+spans[i-1].Length {
				t.Fatalf("%q: spans overlap or are out of order: %v", src, spans)
			}
		}
		facts, cites := len(elementsOf(string(page.HTML), "data")), len(elementsOf(string(page.HTML), "span.cite"))
		if count[markup.KindFact] != facts || count[markup.KindCite] != cites {
			t.Fatalf("%q: export %v, page %s\n%s", src, count, page.HTML, export)
		}
	})
}
