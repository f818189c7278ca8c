package markup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/render/markup"
)

func TestCodeBlocksAreFiguresWithACopyButton(t *testing.T) {
	t.Parallel()
	src := "```bash title=\"On H100 & \\\"more\\\"\"\nvllm\n```\n"
	_, err := markup.New(english).HTML([]byte(src), input("H100"))
	require.ErrorContains(t, err, `page.md:1: "more\\\"\"" after the language of a code block`)

	page := render(t, "```bash title='On H100 & \"more\"'\nvllm\n```\n", input("H100"))
	require.Empty(t, cmp.Diff(`<figure class="code">
<figcaption>On <span data-literal>H100</span> &amp; &quot;more&quot;</figcaption>
<button type="button" class="copy" data-copy>Copy</button>
<pre tabindex="0"><code class="language-bash"><span class="k">vllm</span>
</code></pre>
</figure>`, page))
	require.Empty(t, elements(t, render(t, "```bash {title=\"T\" nocopy}\nx\n```\n", input()), "button"))
	require.Empty(t, elements(t, render(t, "```bash title=\"\"\nx\n```\n", input()), "figcaption"))
	require.Len(t, elements(t, render(t, "    indented\n", input()), "button"), 1)
	plain, err := markup.New(markup.Labels{}).HTML([]byte("```\nx\n```\n"), input())
	require.NoError(t, err)
	require.NotContains(t, string(plain.HTML), "button")
}

func TestAFenceWithUnknownWordsIsAnError(t *testing.T) {
	t.Parallel()
	_, err := markup.New(english).HTML([]byte("a\n\n```bash titel=\"x\"\n```\n"), input())
	require.EqualError(t, err, "page.md:3: \"titel=\\\"x\\\"\" after the language of a code block: want title=\"...\", #id or nocopy")
}

func TestLinesOfABlockWithAnIDCanBeLinkedTo(t *testing.T) {
	t.Parallel()
	page := render(t, "```bench #base\n== a ==\n\nMean TTFT (ms):   12.5\n```\n", input())
	var ids []string
	for _, s := range elements(t, page, "span") {
		for _, a := range s.Attr {
			if a.Key == "id" {
				ids = append(ids, a.Val)
			}
		}
	}
	require.Equal(t, []string{"base-L1", "base-L2", "base-L3"}, ids)
}

func TestCodeIsHighlightedWithFewClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, lang, code, want string }{
		{"result block", "bench", "===== Result =====\nMean TTFT (ms):    1.5  \nplain\n", "<span class=\"h\">===== Result =====</span>\n" +
			"<span class=\"t\">Mean TTFT (ms):</span>    <span class=\"m\">1.5  </span>\nplain\n"},
		{"command", "bash", "vllm serve Qwen --tp 2", `<span class="k">vllm</span> serve Qwen <span class="a">--tp</span> <span class="m">2</span>` + "\n"},
		{"environment", "bash", "A=1 B='x y' run", `<span class="n">A</span><span class="o">=</span>1 <span class="n">B</span><span class="o">=</span><span class="s">'x y'</span> <span class="k">run</span>` + "\n"},
		{"pipe and comment", "sh", "a | b # c", `<span class="k">a</span> <span class="o">|</span> <span class="k">b</span> <span class="c"># c</span>` + "\n"},
		{"variables", "bash", "echo $A ${B}", `<span class="k">echo</span> <span class="n">$A</span> <span class="n">${B}</span>` + "\n"},
		{"long option", "bash", "x --a=\"b\"", `<span class="k">x</span> <span class="a">--a</span><span class="o">=</span><span class="s">&quot;b&quot;</span>` + "\n"},
		{"JSON", "json", `{"a": [1, true]}`, `{<span class="k">&quot;a&quot;</span>: [<span class="m">1</span>, <span class="k">true</span>]}` + "\n"},
		{"difference", "diff", "-a\n+b", "<span class=\"d\">-a\n</span><span class=\"i\">+b\n</span>"},
		{"unknown language", "vllm-log", "<b> & 1", "&lt;b&gt; &amp; 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := render(t, markup.CodeBlock(c.lang, "", c.code), input())
			require.Contains(t, page, `<code class="language-`+c.lang+`">`+c.want+`</code>`)
		})
	}
}

func TestHighlightingLosesNoByte(t *testing.T) {
	t.Parallel()
	m := markup.New(english)
	rapid.Check(t, func(t *rapid.T) {
		lang := rapid.SampledFrom([]string{"bench", "bash", "json", "python", "yaml", "diff", "", "none"}).Draw(t, "lang")
		code := rapid.StringOfN(rapid.RuneFrom([]rune("ab1 \n\t'\"\\$|&;(){}[]<>#=-:+.,吞`~")), 0, 60, -1).Draw(t, "code")
		page, err := m.HTML([]byte(markup.CodeBlock(lang, "", code)), input())
		if err != nil {
			t.Fatal(err)
		}
		want := code
		if want != "" && want[len(want)-1] != '\n' {
			want += "\n"
		}
		if got := plain(string(page.HTML)); got != "\nCopy\n"+want+"\n\n" {
			t.Fatalf("got %q, want %q\n%s", got, want, page.HTML)
		}
	})
}

func TestCodeBlockSurvivesWhatItHolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, lang, caption, code string }{
		{"fences", "bash", "run", "```\nx\n````\n"},
		{"quotes", "text", `say "hi"`, "x\n"},
		{"both quotes", "text", `say "it's"`, "x\n"},
		{"entities", "text", "a &amp; b &", "x\n"},
		{"backslashes", "text", `a\*b \\ \`, "x\n"},
		{"backticks", "text", "use `x`", "~~~\n"},
		{"a caption without language", "", "run it", "x\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := render(t, markup.CodeBlock(c.lang, c.caption, c.code), input())
			require.Equal(t, c.code, textOf(elements(t, page, "code")[0]))
			require.Equal(t, c.caption, textOf(elements(t, page, "figcaption")[0]))
		})
	}
}
