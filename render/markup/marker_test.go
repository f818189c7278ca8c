package markup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/markup"
)

func TestMarkersBecomeFactsWhereverTextStands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"in text", "up " + gain + " today", "<p>up " + gainHTML + " today</p>"},
		{"bold beside Chinese", "提升**" + gain + "**，达到", "<p>提升<strong>" + gainHTML + "</strong>，达到</p>"},
		{"bold inside Chinese", "提升**" + gain + "**达到", "<p>提升<strong>" + gainHTML + "</strong>达到</p>"},
		{"twice", gain + gain, "<p>" + gainHTML + gainHTML + "</p>"},
		{"with a style", abs, "<p>" + absHTML + "</p>"},
		{"in a list item", "- " + gain, "<ul>\n<li>" + gainHTML + "</li>\n</ul>"},
		{"in a task", "- [x] " + abs, "<ul>\n" + `<li class="task"><label><input checked="" disabled="" type="checkbox"> ` + absHTML + "</label></li>\n</ul>"},
		{"in a heading", "## Gain " + gain, `<h2 id="gain">Gain ` + gainHTML + "</h2>"},
		{"in a link, which is its own link", "[see " + gain + "](x.html)",
			`<p><a href="x.html">see ` + strings.NewReplacer(`<a href="raw/a.html#L3">`, "", "</a>", "").Replace(gainHTML) + "</a></p>"},
		{"in a title", "!!! note \"About " + abs + "\"\n    text",
			`<aside class="admonition note" role="note">` + "\n" + `<p class="admonition-title">About ` + absHTML + "</p>\n<p>text</p>\n</aside>"},
		{"a citation", "they say " + cite, "<p>they say " + citeHTML + "</p>"},
		{"after a backslash", `\` + gain, `<p>\` + gainHTML + "</p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, cmp.Diff(c.want, render(t, c.src, input())))
		})
	}
}

func TestMarkersWithAStyleKeepTableCellsApart(t *testing.T) {
	t.Parallel()
	page := render(t, "| a | b |\n|---|--:|\n| "+abs+" | **"+abs+"** |\n", input())
	cells := elements(t, page, "td")
	require.Len(t, cells, 2)
	require.Contains(t, page, "<td>"+absHTML+"</td>")
	require.Contains(t, page, `<td align="right"><strong>`+absHTML+"</strong></td>")
}

func TestMarkersWhereNoFactCanStandAreErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"code span", "a\n\n`x " + gain + "`", `page.md:3: marker "stage/fp8_x:gain" stands in code: a fact can stand in text only`},
		{"code span in a cell", "|a|\n|-|\n|`" + abs + "`|", `page.md:3: marker "stage/fp8_x:gain|abs" stands in code`},
		{"fenced block", "```\nx\n" + gain + "\n```", `page.md:3: marker "stage/fp8_x:gain" stands in a block of code`},
		{"indented block", "    x\n    " + gain, `page.md:2: marker "stage/fp8_x:gain" stands in a block of code`},
		{"caption of code", "```bash title=\"" + gain + "\"\n```", "page.md:1: marker \"stage/fp8_x:gain\" stands in the first line of a block of code"},
		{"alternative text", "![a *b " + gain + "*](x.png)", "stands in an alternative text"},
		{"address of an image", "![a](" + gain + ".png)", "stands in the address of an image"},
		{"title of an image", "![a](x.png '" + gain + "')", "stands in the title of an image"},
		{"target of a link", "[a](" + gain + ")", "stands in the target of a link"},
		{"title of a link", "[a](x \"" + gain + "\")", "stands in the title of a link"},
		{"autolink", "<https://x/" + gain + ">", "stands in the target of a link"},
		{"tag", "a <b title='" + gain + "'>b</b>", "stands in raw HTML"},
		{"block of HTML", "<div>\n" + gain + "\n</div>", `page.md:2: marker "stage/fp8_x:gain" stands in raw HTML`},
		{"comment", "<!-- " + gain + " -->", "stands in raw HTML"},
		{"link definition", "[a]: x/" + gain + "\n\n[a]", "stands in a link definition"},
		{"id of a heading", "# a {#b" + gain + "}", "stands in the id of a heading"},
		{"attribute nobody reads", "# a {data-x=\"" + gain + "\"}", `page.md:1: marker "stage/fp8_x:gain" stands where no text is shown`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := markup.New(english).HTML([]byte(c.src), input())
			require.ErrorContains(t, err, c.want)
			_, _, err = markup.New(english).Export([]byte(c.src), input())
			require.ErrorContains(t, err, c.want, "the export refuses what the page refuses")
		})
	}
}

func TestBrokenMarkersAreErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"no end", "a\nb \ue000x y\nc", `page.md:2: marker "x y" has no end (U+E001)`},
		{"no start", "a \ue001", "page.md:1: end of a marker (U+E001) without its start"},
		{"one inside another", "\ue000a\ue000b\ue001", `page.md:1: marker "a\ue000b\ue001" has no end`},
		{"empty", markup.Marker(""), `page.md:1: marker "" is no reference`},
		{"space", markup.Marker("a b"), `marker "a b" is no reference`},
		{"not ASCII", markup.Marker("增益"), `marker "增益" is no reference`},
		{"empty style", markup.Marker("a|"), `marker "a|" is no reference`},
		{"two styles", markup.Marker("a|b|c"), `marker "a|b|c" is no reference`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := markup.New(english).HTML([]byte(c.src), input())
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestUnresolvableReferencesAreErrorsWithTheirCause(t *testing.T) {
	t.Parallel()
	_, err := markup.New(english).HTML([]byte("a\n\n"+markup.Marker("nope")+"\n\n"+markup.Marker("nor:this")), input())
	require.ErrorIs(t, err, errNoFact)
	require.EqualError(t, err, "page.md:3: marker \"nope\": no fact has this id\npage.md:5: marker \"nor:this\": no fact has this id")
	var first *markup.Error
	require.True(t, errors.As(err, &first))
	require.Equal(t, 3, first.Line)

	_, err = markup.New(english).HTML([]byte(gain), markup.Input{File: "page.md"})
	require.ErrorContains(t, err, "there is nothing to resolve it with")
}

func TestAnswersThatNoPageCanShowAreErrors(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]markup.Bound{
		"neither a fact nor a citation": {Kind: markup.KindLiteral, ID: "x", Text: "1"},
		"without an id":                 {Kind: markup.KindFact, Text: "1", Value: "1"},
		"without a text":                {Kind: markup.KindCite, ID: "x"},
		"without a value":               {Kind: markup.KindFact, ID: "x", Text: "1"},
		"a marker or a line break":      {Kind: markup.KindCite, ID: "x", Text: "a\nb"},
		"may not link":                  {Kind: markup.KindCite, ID: "x", Text: "a", Href: "javascript:alert(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := markup.Input{File: "page.md", Resolver: catalogue{"x": b}}
			_, err := markup.New(english).HTML([]byte(markup.Marker("x")), in)
			require.ErrorContains(t, err, name)
		})
	}
}
