package markup_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/markup"
)

func TestEmphasisBesideChinese(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"full-width bracket inside", "**吞吐量（token/s）**提升", "<strong>吞吐量（token/s）</strong>提升"},
		{"ASCII sign inside", "提升**+5%**达到", "提升<strong>+5%</strong>达到"},
		{"quotes inside", "称为**“首字延迟”**的", "称为<strong>“首字延迟”</strong>的"},
		{"code inside", "使用**`fp8`**量化", "使用<strong><code>fp8</code></strong>量化"},
		{"emphasis", "这*（很）*好", "这<em>（很）</em>好"},
		{"space inside is no emphasis", "这** 很 **好", "这** 很 **好"},
		{"English as before", "a**(b)**c", "a**(b)**c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "<p>"+c.want+"</p>", render(t, c.src, input()))
		})
	}
}

func TestChineseLinesJoinWithoutASpace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"two characters", "提升\n吞吐", "提升吞吐"},
		{"full-width comma", "提升，\n吞吐", "提升，吞吐"},
		{"Latin", "up\nby", "up\nby"},
		{"mixed", "提升\nby", "提升\nby"},
		{"after bold", "**提升**\n吞吐", "<strong>提升</strong>吞吐"},
		{"before bold", "提升\n**吞吐**", "提升<strong>吞吐</strong>"},
		{"before Latin bold", "提升\n**by**", "提升\n<strong>by</strong>"},
		{"before code", "up\n`by`", "up\n<code>by</code>"},
		{"hard break", "提升\\\n吞吐", "提升<br>\n吞吐"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "<p>"+c.want+"</p>", render(t, c.src, input()))
		})
	}
}

func TestAdmonitions(t *testing.T) {
	t.Parallel()
	aside := `<aside class="admonition note" role="note">` + "\n"
	for _, c := range []struct{ name, src, want string }{
		{"title", "!!! note \"A *b* <c>\"\n    text", aside + `<p class="admonition-title">A <em>b</em> </p>` + "\n<p>text</p>\n</aside>"},
		{"escaped title", "!!! note \"1 < 2 & \"q\"\"\n    text", aside + `<p class="admonition-title">1 &lt; 2 &amp; &quot;q&quot;</p>` + "\n<p>text</p>\n</aside>"},
		{"title of its kind", "!!! note\n    text", aside + `<p class="admonition-title">Note</p>` + "\n<p>text</p>\n</aside>"},
		{"no title wanted", "!!! note \"\"\n    text", aside + "<p>text</p>\n</aside>"},
		{"folded", "??? info \"T\"\n    text", `<details class="admonition info">` + "\n<summary>T</summary>\n<p>text</p>\n</details>"},
		{"folded, open", "???+ info end \"T\"\n    text", `<details class="admonition info end" open>` + "\n<summary>T</summary>\n<p>text</p>\n</details>"},
		{"folded without a title", "??? info \"\"\n    text", `<details class="admonition info">` + "\n<summary>More</summary>\n<p>text</p>\n</details>"},
		{"ends where the indent ends", "!!! note\n    text\n\nafter", aside + `<p class="admonition-title">Note</p>` + "\n<p>text</p>\n</aside>\n<p>after</p>"},
		{"after a paragraph", "before\n!!! note\n    text", "<p>before</p>\n" + aside + `<p class="admonition-title">Note</p>` + "\n<p>text</p>\n</aside>"},
		{"no kind", "!!! \"T\"", "<p>!!! &quot;T&quot;</p>"},
		{"open quote", "!!! note \"T", "<p>!!! note &quot;T</p>"},
		{"a strange kind", "!!! <b>", "<p>!!! </p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, cmp.Diff(c.want, render(t, c.src, input())))
		})
	}
}

func TestAdmonitionsHoldBlocksAndEachOther(t *testing.T) {
	t.Parallel()
	src := "!!! note\n    - one\n\n        ```text\n        a\n\n          b\n        ```\n    - two\n\n    ??? info\n        inner\n\n    outer\n\nafter\n"
	page := render(t, src, input())
	aside := elements(t, page, "aside")
	require.Len(t, aside, 1)
	require.Equal(t, "a\n\n  b\n", textOf(elements(t, page, "code")[0]))
	require.Equal(t, "aside", elements(t, page, "details")[0].Parent.Data)
	require.Equal(t, "li", elements(t, page, "figure")[0].Parent.Data)
	require.NotContains(t, textOf(aside[0]), "after")
	require.Contains(t, textOf(aside[0]), "outer")
}

func TestAnAdmonitionWithoutAnyTitleIsAnError(t *testing.T) {
	t.Parallel()
	_, err := markup.New(english).HTML([]byte("a\n\n!!! danger\n    x"), input())
	require.EqualError(t, err, `page.md:3: "danger" has no title, and there is none for its kind: write one in quotes`)
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	src := "# 结论：更快 {#summary}\n\n## 首字延迟 TTFT\n\n## `a` [b](c) " + gain + "\n\n## 首字延迟 TTFT\n\nsetext\n---\n\n### " + gain + "\n\n# H100\n"
	page, err := markup.New(english).HTML([]byte(src), input("H100"))
	require.NoError(t, err)
	type entry struct {
		Level    int
		ID, Text string
	}
	var got []entry
	for _, h := range page.Headings {
		got = append(got, entry{h.Level, h.ID, h.Text})
		require.Contains(t, string(page.HTML), ` id="`+h.ID+`"`)
		require.NotContains(t, string(h.HTML), "<a ")
	}
	want := []entry{
		{1, "summary", "结论：更快"}, {2, "首字延迟-ttft", "首字延迟 TTFT"}, {2, "a-b", "a b +46.5%"},
		{2, "首字延迟-ttft-1", "首字延迟 TTFT"}, {2, "setext", "setext"}, {3, "section", "+46.5%"}, {1, "h100", "H100"},
	}
	require.Empty(t, cmp.Diff(want, got))
	require.Contains(t, string(page.Headings[2].HTML), `data-fact="stage/fp8_x:gain"`)
	require.Equal(t, "<span data-literal>H100</span>", string(page.Headings[6].HTML))
}

func TestWrittenIDsComeFirstAndOnlyOnce(t *testing.T) {
	t.Parallel()
	page, err := markup.New(english).HTML([]byte("# Setup\n\n# Other {#setup}\n"), input())
	require.NoError(t, err)
	require.Equal(t, "setup-1", page.Headings[0].ID)
	_, err = markup.New(english).HTML([]byte("# A {#x}\n\n# B {#x}\n\n```bench #x\n```\n"), input())
	require.EqualError(t, err, "page.md:3: id \"x\" is given twice on this page\npage.md:5: id \"x\" is given twice on this page")
}

func TestWhatAPageMayNotHaveIsDroppedAndNamed(t *testing.T) {
	t.Parallel()
	src := "a <b onclick=x>c</b> <!-- note -->\n\n<script>\nalert(1)\n</script>\n\n[d](javascript:alert(1)) ![e](data:image/svg+xml,x) [f](JaVaScRiPt&colon;x) <vbscript:x>\n\n[ok](../x.md#y) [ok](https://x) [ok](mailto:a@b)\n"
	page, err := markup.New(english).HTML([]byte(src), input())
	require.NoError(t, err)
	require.Equal(t, "<p>a c </p>\n<p>d  f vbscript:x</p>\n"+
		`<p><a href="../x.md#y">ok</a> <a href="https://x">ok</a> <a href="mailto:a@b">ok</a></p>`+"\n", string(page.HTML))
	require.Empty(t, cmp.Diff([]markup.Dropped{
		{Line: 1, What: "raw HTML", Text: "<b onclick=x>"}, {Line: 1, What: "raw HTML", Text: "</b>"},
		{Line: 3, What: "raw HTML", Text: "<script>"},
		{Line: 7, What: "link", Text: "javascript:alert(1)"}, {Line: 7, What: "image", Text: "data:image/svg+xml,x"},
		{Line: 7, What: "link", Text: "JaVaScRiPt&colon;x"}, {Line: 7, What: "link", Text: "vbscript:x"},
	}, page.Dropped))
}

func TestChartsAreDrawnIntoThePage(t *testing.T) {
	t.Parallel()
	in := input("H100")
	in.Charts = map[string][]byte{"c.svg": []byte("<?xml version=\"1.0\"?>\n<svg><title>t</title></svg>\n")}
	svg := "<svg><title>t</title></svg>"
	for _, c := range []struct{ name, src, want string }{
		{"alone", "![alt](c.svg)", `<figure class="chart">` + svg + "\n</figure>"},
		{"captioned", "![alt](c.svg \"On H100\")", `<figure class="chart">` + svg + "\n<figcaption>On <span data-literal>H100</span></figcaption>\n</figure>"},
		{"in a line", "a ![alt](c.svg)", `<p>a <span class="chart">` + svg + "</span></p>"},
		{"in an item", "- ![alt](c.svg)", "<ul>\n<li>\n" + `<figure class="chart">` + svg + "\n</figure>\n</li>\n</ul>"},
		{"not given", "![alt *b*](d.svg)", `<p><img src="d.svg" alt="alt b"></p>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, cmp.Diff(c.want, render(t, c.src, in)))
		})
	}
}

func TestTasksHaveLabels(t *testing.T) {
	t.Parallel()
	page := render(t, "- [ ] todo **b**\n- [x] done\n- [x](link.md)\n", input())
	labels := elements(t, page, "label")
	require.Len(t, labels, 2)
	require.Equal(t, " todo b", textOf(labels[0]))
	require.Len(t, elements(t, page, "input"), 2)
	require.Contains(t, page, `<li><a href="link.md">x</a></li>`)
}

func TestTablesAlignWithoutStyles(t *testing.T) {
	t.Parallel()
	page := render(t, "| a | b | c |\n|:--|--:|:-:|\n| 1 | 2 | `x\\|y` |\n", input())
	require.NotContains(t, page, "style")
	var aligns []string
	for _, cell := range elements(t, page, "td") {
		aligns = append(aligns, cell.Attr[0].Val)
	}
	require.Equal(t, []string{"left", "right", "center"}, aligns)
	require.Contains(t, page, "<code>x|y</code>")
}

func TestSourceThatIsTooMuchIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"too long", strings.Repeat("a\n\n", markup.MaxSource/3+1), "page.md: page source of"},
		{"nested links", "a\n\n" + strings.Repeat("[a](", 4000), "page.md:3: a paragraph of more than"},
		{"nested links in a heading", "# " + strings.Repeat("[a](", 4000), "page.md:1: a heading or title of"},
		{"nested links in a cell", "| a |\n|---|\n| " + strings.Repeat("[a](", 4000) + " |", "page.md:1: a paragraph of more than"},
		{"nested quotes", strings.Repeat(">", 4000), "page.md:1: blocks nested more than 64 deep"},
		{"nested lists", strings.Repeat("- ", 4000) + "x", "blocks nested more than 64 deep"},
		{"no UTF-8", "a\nb\xff", "page.md:2: byte 0xff is not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := markup.New(english).HTML([]byte(c.src), input())
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestLongCodeAndLongTablesAreRead(t *testing.T) {
	t.Parallel()
	row := "| " + strings.Repeat("x", 200) + " | y |\n"
	src := "```json\n" + strings.Repeat("[1]", 50000) + "\n```\n\n| a | b |\n|---|---|\n" + strings.Repeat(row, 200)
	page := render(t, src, input())
	require.Len(t, elements(t, page, "tr"), 201)
	require.Equal(t, 150001, len(textOf(elements(t, page, "code")[0])))
}

func TestOneReaderServesManyGoroutines(t *testing.T) {
	t.Parallel()
	m := markup.New(english)
	src := []byte("# A " + gain + "\n\n!!! note\n    ```bash title=\"H100\"\n    vllm serve\n    ```\n\n| a |\n|---|\n| **" + abs + "** H100 |\n")
	want, err := m.HTML(src, input("H100"))
	require.NoError(t, err)
	pages := make([]markup.Page, 8)
	var wg sync.WaitGroup
	for i := range pages {
		wg.Go(func() { pages[i], _ = m.HTML(src, input("H100")) })
	}
	wg.Wait()
	for _, page := range pages {
		require.Empty(t, cmp.Diff(want, page))
	}
}

func TestAByteOrderMarkIsNoText(t *testing.T) {
	t.Parallel()
	require.Equal(t, `<h1 id="a">a</h1>`, render(t, "\ufeff# a", input()))
}
