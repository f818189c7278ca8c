package gate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/gate"
)

// export turns «kind:id|text» into text and its span, as the writer of a page does.
func export(t interface{ Helper() }, marked string) ([]byte, []gate.Span) {
	t.Helper()
	var out strings.Builder
	var spans []gate.Span
	for {
		before, rest, ok := strings.Cut(marked, "«")
		out.WriteString(before)
		if !ok {
			return []byte(out.String()), spans
		}
		inner, after, _ := strings.Cut(rest, "»")
		ref, text, _ := strings.Cut(inner, "|")
		kind, id, _ := strings.Cut(ref, ":")
		spans = append(spans, gate.Span{Offset: out.Len(), Length: len(text), Kind: kind, ID: id})
		out.WriteString(text)
		marked = after
	}
}

func TestMarkdownSpans(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		want []string // codes
	}{
		"a fact":                    {"It takes «fact:c4:latency|0.874 s».", nil},
		"a fact in a link":          {"It takes [«fact:c4:latency|0.874 s»](raw/5.txt#L12).", nil},
		"a fact in bold Chinese":    {"需要**«fact:c4:latency|0.874 s»**。", nil},
		"a fact in a table":         {"| a | b |\n|---|--:|\n| «literal:|Qwen3-8B» | «fact:c4:latency|0.874 s» |", nil},
		"a fact that is escaped":    {"«fact:stage/fp8:gain|\\+25.5%» more", nil},
		"a changed text":            {"«fact:c4:latency|0.875 s»", []string{"fact-text"}},
		"an unknown fact":           {"«fact:c5:latency|0.874 s»", []string{"unknown-fact"}},
		"a literal":                 {"on «literal:|H100»", nil},
		"a literal in code":         {"run `vllm serve «literal:|Qwen3-8B» «literal:|--num-steps 4»`", nil},
		"a literal nobody declared": {"on «literal:|A100»", []string{"unknown-literal"}},
		"a citation":                {"it «cite:fp8-loss|loses 0.3 points»", nil},
		"a changed citation":        {"it «cite:fp8-loss|loses 0.4 points»", []string{"citation-text"}},
		"an unknown citation":       {"it «cite:x|loses 0.3 points»", []string{"unknown-citation"}},
		"an unknown kind":           {"«number:x|5»", []string{"bad-span"}},
		"glued to a number":         {"«fact:c4:latency|0.874 s»5", []string{"unbound-number"}},
		"literals need a span":      {"on H100", []string{"unbound-number"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, spans := export(t, c.in)
			if diff := cmp.Diff(c.want, codes(gate.Markdown("p.md", src, spans, known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestSpansOutsideOfParagraphs(t *testing.T) {
	t.Parallel()
	const raw = "\n============ Result ============\nMean TTFT (ms): 12.5\n\n    P99: 3\n```\n"
	cases := map[string]struct {
		in   string
		want []string // codes
	}{
		"in a caption of code":     {"```text title=\"«literal:|H100», «fact:c4:latency|0.874 s»\"" + raw, nil},
		"beside one":               {"```text title=\"«literal:|H100», 0.874 s\"" + raw, []string{"unbound-number"}},
		"the id of a block":        {"```text {title=\"a\" #stage-2}" + raw, nil},
		"no id within a caption":   {"```text title=\"a #2\"" + raw, []string{"unbound-number"}},
		"in a title of a link":     {"[a](b \"takes «fact:c4:latency|0.874 s»\")", nil},
		"beside it":                {"[a](b \"takes «fact:c4:latency|0.874 s» or 5\")", []string{"unbound-number"}},
		"in an alt text":           {"![«literal:|H100» and «fact:c4:latency|0.874 s»](b5)", nil},
		"in a heading":             {"# a «fact:c4:latency|0.874 s» {#a2}", nil},
		"in an admonition":         {"??? note \"«literal:|H100»\"\n    «fact:c4:latency|0.874 s»\n    5", []string{"unbound-number"}},
		"across a line of a quote": {"> takes «fact:c4:latency|0.874\n> s»", []string{"fact-text"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, spans := export(t, c.in)
			if diff := cmp.Diff(c.want, codes(gate.Markdown("p.md", src, spans, known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestAMarkWithoutANumberIsACaution(t *testing.T) {
	t.Parallel()
	src, spans := export(t, "on «literal:|FP8»")
	found := gate.Markdown("p.md", src, spans, known())
	found = append(found, gate.HTML("p.html", []byte("<p><b data-literal>ShareGPT</b>"), known())...)
	require.Equal(t, []string{"unknown-literal", "unknown-literal"}, codes(found))
	require.Equal(t, []string{"FP8", "ShareGPT"}, texts(found))
	for _, f := range found {
		require.Equal(t, gate.SeverityCaution, f.Severity)
	}
}

func TestSpansMustLieWell(t *testing.T) {
	t.Parallel()
	src := []byte("a\nH100 b\n")
	h := gate.Span{Offset: 2, Length: 4, Kind: gate.KindLiteral}
	for name, c := range map[string]struct {
		spans []gate.Span
		want  []string
	}{
		"well":               {[]gate.Span{h}, nil},
		"twice":              {[]gate.Span{h, h}, []string{"bad-span"}},
		"before the page":    {[]gate.Span{h, {Offset: -1, Length: 4, Kind: gate.KindLiteral}}, []string{"bad-span"}},
		"beyond the page":    {[]gate.Span{h, {Offset: 8, Length: 2, Kind: gate.KindLiteral}}, []string{"bad-span"}},
		"of no length":       {[]gate.Span{{Offset: 2, Kind: gate.KindLiteral}}, []string{"bad-span", "unbound-number"}},
		"of a huge length":   {[]gate.Span{h, {Offset: 7, Length: int(^uint(0) >> 1), Kind: gate.KindLiteral}}, []string{"bad-span"}},
		"shifted by one":     {[]gate.Span{{Offset: 3, Length: 4, Kind: gate.KindLiteral}}, []string{"unknown-literal"}},
		"over a whole block": {[]gate.Span{{Offset: 0, Length: 9, Kind: gate.KindLiteral}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, codes(gate.Markdown("p.md", src, c.spans, known()))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarkdownReadsWhatAReaderSees(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		want []string // texts
	}{
		"ordinals":                          {"1. a\n2. b\n\n   1. c\n   2. d\n3. e\n10) f", []string{"10"}},
		"ordinals in quotes and bullets":    {"> 1. a\n> 2. b\n\n- 1. c\n  2. d", nil},
		"the same ordinal over again":       {"1. a\n1. b\n1. c", nil},
		"a wrapped number is no ordinal":    {"It took\n14. That is long.", []string{"14"}},
		"a list ends at the margin":         {"1. a\n\nNothing.\n2. b", []string{"2"}},
		"a number behind an ordinal":        {"1. a 5\n2. 6", []string{"5", "6"}},
		"link targets":                      {"[a](x5.md) [b](<x 6> \"7\") [c](x(8)9 'H100') ![10](11.png \"12\")", []string{"7", "10", "12"}},
		"an image in a link":                {"[![a](5.png)](6.md) 7", []string{"7"}},
		"a link holds no link":              {"[a [b](5) c](6)", []string{"6"}},
		"no link without a bracket":         {"a](5)", []string{"5"}},
		"no link with an escaped bracket":   {"\\[a](5)", []string{"5"}},
		"no link with blanks in its target": {"[a](5 ms)", []string{"5"}},
		"no link across paragraphs":         {"[a\n\nb](5)", []string{"5"}},
		"a link across lines":               {"[a\nb](x5.md)", nil},
		"reference labels are read":         {"[a][5]", []string{"5"}},
		"addresses are text":                {"<https://x.org/5> https://x.org/6", []string{"x.org/5", "x.org/6"}},
		"no link in code":                   {"`[a](5)` ``b ` 6``", []string{"5", "6"}},
		"backticks without a partner":       {"`` 5 ` [a](x6)", []string{"5"}},
		"alt texts know literals":           {"![Qwen3-8B on H100](x.png \"v0.11.0\")", nil},
		"a heading's id":                    {"## Stage {#stage-2}\n\n### 5 {#a}\n", []string{"5"}},
		"no id in a paragraph":              {"Stage {#stage-2}", []string{"stage-2"}},
		"an id with more is read":           {"## Stage {#a takes=5}", []string{"5"}},
		"comments":                          {"<!-- 5\n\n6 -->\na <!-- 7\n8 --> b 9\n", []string{"9"}},
		"comments that do not end":          {"<!-- 5\n\na <!-- 6", []string{"5", "6"}},
		"a comment in a list":               {"- <!-- 5\n  6 -->\n- <!-- 7\n\n8 -->", []string{"7", "8"}},
		"an inline comment ends early":      {"a <!-- 6\n\n7 -->", []string{"6", "7"}},
		"raw tags":                          {"<details open>\n<summary>Raw 5</summary>\n\n<img src=\"6.png\" width=7 alt=\"8\"> <a id=\"n9\"></a>", []string{"5", "8"}},
		"what is no tag":                    {"a <a 5 ms> b", []string{"5"}},
		"no links in raw blocks":            {"<div>\n[a](5)\n</div>", []string{"5"}},
		"character references":              {"&#53; &#39; &frac12; &#124; &nope5;", []string{"5", "½", "nope5"}},
		"emphasis inside a word":            {"快两**倍**，*一*半，hun**dred**", []string{"两倍", "一半", "hundred"}},
		"a product":                         {"2*3", []string{"2", "3"}},
		"escapes":                           {"1\\.5 and \\#6", []string{"1.5", "6"}},
		"admonition titles":                 {"??? note \"Raw 5\"\n    text 6", []string{"5", "6"}},
		"indented text is read":             {"a\n\n    5", []string{"5"}},
		"table rows":                        {"| a | 5 |\n|:--|--:|\n| [6 | b](7) |", []string{"5", "6"}},
		"line breaks of Windows":            {"a\r\n\r\n1. b 5\r\n2. c\r\n", []string{"5"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, texts(gate.Markdown("p.md", []byte(c.in), nil, known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestFencedBlocksAreComparedByBytes(t *testing.T) {
	t.Parallel()
	const raw = "============ Result ============\nMean TTFT (ms): 12.5\n\n    P99: 3\n"
	indent := func(by, s string) string {
		return strings.ReplaceAll(by+strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+by), by+"\n", "\n") + "\n"
	}
	cases := map[string]struct {
		in   string
		want []string
	}{
		"at the margin":             {"```text\n" + raw + "```\n", nil},
		"tildes":                    {"~~~~\n" + raw + "~~~~\n", nil},
		"in an admonition":          {"??? note \"Raw output\"\n\n" + indent("    ", "```\n"+raw+"```\n"), nil},
		"in nested admonitions":     {"!!! a\n    ??? b\n" + indent("        ", "```\n"+raw+"```\n"), nil},
		"in a list":                 {"- a\n\n" + indent("  ", "```\n"+raw+"```\n"), nil},
		"on the line of its bullet": {"1. ```\n" + indent("   ", raw+"```\n"), nil},
		"in a quote":                {indent("> ", "```\n"+raw+"```\n"), nil},
		"line breaks of Windows":    {strings.ReplaceAll("```\n"+raw+"```\n", "\n", "\r\n"), nil},
		"a longer fence":            {"`````\n" + raw + "`````` \nend", nil},
		"one digit changed":         {"```\n" + strings.Replace(raw, "12.5", "12.6", 1) + "```\n", []string{"unknown-block"}},
		"never closed":              {"a\n\n```\n" + raw, []string{"malformed"}},
		"closed by another mark":    {"```\n" + raw + "~~~\n", []string{"malformed", "unknown-block"}},
		"no fence is number-free":   {"```\nmake site\n```\n", []string{"unknown-block"}},
		"the info string is read":   {"```text title=\"5\"\n" + raw + "```\n", []string{"unbound-number"}},
		"text goes on behind it":    {"```\n" + raw + "```\n5", []string{"unbound-number"}},
		"inline code of three":      {"```a``` 5", []string{"unbound-number"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, codes(gate.Markdown("p.md", []byte(c.in), nil, known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestMarkdownFindingsKnowTheirLine(t *testing.T) {
	t.Parallel()
	src, spans := export(t, "# A\n\n> b «literal:|H100»\n> c 5\n\n```\nx\n```\n\n<!-- a\n\nb --> 6\n\n![7](x \"8\")\n- d\n  e 9")
	got := map[string]int{}
	for _, f := range gate.Markdown("p.md", src, spans, known()) {
		got[f.Text] = f.Line
	}
	require.Equal(t, map[string]int{"5": 4, "x": 6, "6": 12, "7": 14, "8": 14, "9": 16}, got)
}
