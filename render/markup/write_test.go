package markup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/render/markup"
)

// piece is a part and what a reader should see of it.
type piece struct {
	part markup.Part
	text string
}

func TestInlineEscapesOnlyWhatItMust(t *testing.T) {
	t.Parallel()
	text, strong, code := markup.Text, markup.Strong, markup.Code
	for _, c := range []struct {
		name  string
		parts []markup.Part
		want  string
	}{
		{"nothing", []markup.Part{text("max_num_seqs = 4, a < b & c")}, "max_num_seqs = 4, a < b & c"},
		{"a list marker at the start", []markup.Part{text("1. x")}, `1\. x`},
		{"underscores beside Chinese signs", []markup.Part{text("（_a_）")}, `（\_a\_）`},
		{"an admonition", []markup.Part{text("!!! note")}, `\!!! note`},
		{"an attribute", []markup.Part{text("a {#b}")}, `a {#b\}`},
		{"an underline", []markup.Part{text("===")}, `\===`},
		{"strong beside a letter", []markup.Part{strong(text("(a)")), text("b")}, "**(a)**<!-- -->b"},
		{"a strong fact beside a letter", []markup.Part{text("by"), strong(markup.Fact("a:b"))}, "by<!-- -->**" + markup.Marker("a:b") + "**"},
		{"a strong fact beside Chinese", []markup.Part{text("提升"), strong(markup.Fact("a:b"))}, "提升**" + markup.Marker("a:b") + "**"},
		{"two strong texts", []markup.Part{strong(text("a")), strong(text("b"))}, "**a**<!-- -->**b**"},
		{"spaces in strong text", []markup.Part{text("a"), strong(text(" b ")), text("c")}, "a **b** c"},
		{"empty strong text", []markup.Part{strong(text(" "))}, ""},
		{"two code spans", []markup.Part{code("a"), code("b")}, "`a`<!-- -->`b`"},
		{"backticks in code", []markup.Part{code("a`b")}, "``a`b``"},
		{"a link", []markup.Part{markup.Link("a b|c", text("x]"))}, `[x\]](a%20b%7Cc)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, markup.Inline(c.parts...))
		})
	}
}

func TestTableKeepsItsShape(t *testing.T) {
	t.Parallel()
	cell := func(s string) markup.Cell { return markup.Cell{markup.Text(s)} }
	require.Equal(t, "| a |  |\n| ---: | --- |\n| 1 | 2 |\n| 3 |  |\n\n",
		markup.Table([]markup.Cell{cell("a")}, [][]markup.Cell{{cell("1"), cell("2")}, {cell("3")}}, []markup.Align{markup.AlignRight}))
	require.Equal(t, "| `a\\|b` x\\|y |\n| --- |\n\n",
		markup.Table([]markup.Cell{{markup.Code("a|b"), markup.Text(" x|y")}}, nil, nil))
	require.Empty(t, markup.Table(nil, nil, nil))
}

// texts are drawn from what a table of results may hold and what Markdown could take
// for something else.
func texts() *rapid.Generator[string] {
	words := rapid.SampledFrom([]string{
		"|", "*", "**", "_", "__", "`", "``", "<b>", "</b>", "1.", "1. ", "- ", "# ", "> ", "+", "=", "[x]", "](y)", "![", "!",
		"&amp;", "&", "\\", "\\|", "~~", "{#id}", "吞吐量", "（token/s）", "，", "“", "”", "a", "B", "7", " ", ".", ":", "---", "$", "<!--",
		"max_num_seqs", "https://x.y", "é", "%", "(", ")", "#", "}", "!!! note", "\"",
	})
	return rapid.Map(rapid.SliceOfN(words, 1, 5), func(w []string) string { return strings.Join(w, "") })
}

func pieces(nested bool) *rapid.Generator[piece] {
	return rapid.Custom(func(t *rapid.T) piece {
		kinds := []string{"text", "code", "fact"}
		if nested {
			kinds = append(kinds, "strong", "link")
		}
		switch rapid.SampledFrom(kinds).Draw(t, "kind") {
		case "code":
			s := texts().Draw(t, "code")
			return piece{markup.Code(s), s}
		case "fact":
			return rapid.SampledFrom([]piece{
				{markup.Fact("stage/fp8_x:gain|abs"), "0.4 s"}, {markup.Fact("stage/fp8_x:gain"), "+46.5%"},
			}).Draw(t, "fact")
		case "strong":
			parts, text := drawParts(t, false)
			return piece{markup.Strong(parts...), text}
		case "link":
			parts, text := drawParts(t, false)
			return piece{markup.Link("a.html?x=1|2", parts...), text}
		}
		s := texts().Draw(t, "text")
		return piece{markup.Text(s), s}
	})
}

func drawParts(t *rapid.T, nested bool) (parts []markup.Part, text string) {
	for _, p := range rapid.SliceOfN(pieces(nested), 1, 4).Draw(t, "parts") {
		parts = append(parts, p.part)
		text += p.text
	}
	return parts, text
}

// words is text without differences of white space.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestTableCellsAreReadBackAsTheyWereMeant(t *testing.T) {
	t.Parallel()
	m := markup.New(english)
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 3).Draw(t, "columns")
		var rows [][]markup.Cell
		var want []string
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			var row []markup.Cell
			for range columns {
				parts, text := drawParts(t, true)
				row = append(row, parts)
				want = append(want, words(text))
			}
			rows = append(rows, row)
		}
		src := markup.Table(rows[0], rows[1:], []markup.Align{markup.AlignLeft, markup.AlignRight, markup.AlignCenter}[:columns])
		page, err := m.HTML([]byte(src), input())
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if diff := cmp.Diff(want, cellTexts(t, string(page.HTML))); diff != "" {
			t.Fatalf("%s\n%s\n%s", diff, src, page.HTML)
		}
		// The export reads the same, though the facts are plain text by then.
		export, _, err := m.Export([]byte(src), input())
		if err != nil {
			t.Fatal(err)
		}
		page, err = m.HTML(export, input())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, cellTexts(t, string(page.HTML))); diff != "" {
			t.Fatalf("export: %s\n%s\n%s", diff, export, page.HTML)
		}
	})
}

func TestInlineIsReadBackAsItWasMeant(t *testing.T) {
	t.Parallel()
	m := markup.New(english)
	rapid.Check(t, func(t *rapid.T) {
		parts, text := drawParts(t, true)
		line := markup.Inline(parts...)
		for _, before := range []string{"", "# ", "- ", "a paragraph\n", "> "} {
			page, err := m.HTML([]byte(before+line+"\n"), input())
			if err != nil {
				t.Fatalf("%v\n%s", err, line)
			}
			want := words(strings.Trim(before, "#->\n ") + " " + text)
			if got := words(plain(string(page.HTML))); got != want {
				t.Fatalf("after %q: got %q, want %q\n%s\n%s", before, got, want, line, page.HTML)
			}
		}
	})
}

func cellTexts(t *rapid.T, page string) []string {
	var got []string
	for _, row := range strings.Split(page, "</tr>") {
		for _, tag := range []string{"th", "td"} {
			for _, cell := range strings.Split(row, "</"+tag+">") {
				if _, inner, ok := strings.Cut(cell, "<"+tag); ok {
					got = append(got, words(plain("<"+tag+inner)))
				}
			}
		}
	}
	return got
}
