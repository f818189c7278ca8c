package gate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/gate"
)

// known is what the pages of these tests may say.
func known() gate.Known {
	return gate.Known{
		Facts: map[string]gate.Fact{
			"stage/fp8:gain": {Value: "0.255", Texts: []string{"+25.5%", "1.26x"}},
			"c4:latency":     {Value: "0.8742", Texts: []string{"0.874 s", "874 ms"}},
		},
		Literals:  []string{"Qwen3-8B", "Qwen3", "H100", "v0.11.0", "--num-steps 4", "42"},
		Citations: map[string]string{"fp8-loss": "loses 0.3 points"},
		Verbatim:  [][]byte{[]byte("============ Result ============\nMean TTFT (ms): 12.5\n\n    P99: 3\n")},
	}
}

const goodFact = `<data class="fact" value="0.8742" data-fact="c4:latency" data-formula="a/2"><a href="raw/5.html#L12">0.874 s</a></data>`

func TestHTMLBindings(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		want []string // codes
	}{
		"a fact":                                {`<p>It takes ` + goodFact + `.</p>`, nil},
		"a fact by its other text":              {`<p><data value="0.8742" data-fact="c4:latency">874 ms</data></p>`, nil},
		"a fact that is wrapped":                {"<p><data value=0.8742 data-fact=c4:latency>\n  0.874\n s</data></p>", nil},
		"a fact with a changed text":            {`<p><data value="0.8742" data-fact="c4:latency">0.873 s</data></p>`, []string{"fact-text"}},
		"a fact with a changed value":           {`<p><data value="0.874" data-fact="c4:latency">0.874 s</data></p>`, []string{"fact-value"}},
		"a fact without a value":                {`<p><data data-fact="c4:latency">0.874 s</data></p>`, []string{"fact-value"}},
		"a fact that does not exist":            {`<p><data value="1" data-fact="c5:latency">1 s</data></p>`, []string{"unknown-fact"}},
		"a fact with nothing in it":             {`<p><data value="0.8742" data-fact="c4:latency"></data></p>`, []string{"fact-text"}},
		"data without a fact":                   {`<p><data value="5">five</data></p>`, []string{"unknown-fact"}},
		"a fact on another element":             {`<p><span data-fact="c4:latency">fast</span></p>`, []string{"misplaced-fact"}},
		"the number behind a fact":              {`<p>` + goodFact + `5</p>`, []string{"unbound-number"}},
		"a literal":                             {`<p><span data-literal>Qwen3-8B</span> on <b data-literal>H100</b></p>`, nil},
		"a literal within words":                {`<p><code data-literal>vllm serve Qwen/Qwen3-8B --num-steps 4</code></p>`, nil},
		"a literal beside a number":             {`<p><code data-literal>Qwen3-8B --port 80</code></p>`, []string{"unknown-literal"}},
		"a literal inside a longer name":        {`<p><span data-literal>Qwen3-8B-FP16x</span></p>`, []string{"unknown-literal"}},
		"a literal at the end of a longer name": {`<p><span data-literal>GH100</span> <span data-literal>v-H100</span></p>`, []string{"unknown-literal", "unknown-literal"}},
		"a fact for readers without scripts":    {`<noscript><p>` + goodFact + `</p></noscript>`, nil},
		"the longest literal wins":              {`<p><span data-literal>Qwen3</span> and <span data-literal>Qwen3-8B.</span></p>`, nil},
		"a literal without a letter":            {`<p><span data-literal>42</span></p>`, []string{"unknown-literal"}},
		"a literal without any":                 {`<p><span data-literal>words</span></p>`, []string{"unknown-literal"}},
		"a literal that is not marked":          {`<p>Qwen3-8B</p>`, []string{"unbound-number"}},
		"a citation":                            {`<p>it <span class="cite" data-cite="fp8-loss"><a href="u">loses 0.3 points</a></span></p>`, nil},
		"a changed citation":                    {`<p><span data-cite="fp8-loss">loses 0.2 points</span></p>`, []string{"citation-text"}},
		"a citation of nothing":                 {`<p><span data-cite="x">loses 0.3 points</span></p>`, []string{"unknown-citation"}},
		"a binding inside another":              {`<p><span data-literal>Qwen3-8B <data value="0.8742" data-fact="c4:latency"></data></span></p>`, []string{"nested-binding"}},
		"a number word across markup":           {`<p>快两<b>倍</b></p>`, []string{"unbound-number"}},
		"a number word with a soft break":       {"<p>hun\u00addred</p>", []string{"unbound-number"}},
		"two cells are two texts":               {`<table><tr><td>hun<td>dred</table>`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, codes(gate.HTML("p.html", []byte(c.in), known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestHTMLReadsWhatAReaderSeesOrHears(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		want []string // texts
	}{
		"alt, title, placeholder, label": {`<img alt="5" title="6"><input placeholder="7"><select><optgroup label="8"><option label="9">10</select>`, []string{"5", "6", "7", "8", "9", "10"}},
		"aria texts":                     {`<i aria-label="5" aria-description="6" aria-valuetext="7" aria-valuenow="8"></i>`, []string{"5", "6", "7", "8"}},
		"aria references and places":     {`<i aria-labelledby="t5" aria-controls="c6" aria-level="2" aria-posinset="3" aria-describedby="d1"></i>`, nil},
		"the document title":             {`<head><title>Fast: 5 ms</title></head>`, []string{"5"}},
		"meta descriptions":              {`<meta name="description" content="5"><meta property="og:title" content="6"><meta name="viewport" content="initial-scale=1">`, []string{"5", "6"}},
		"literals where no mark can be":  {`<title>Qwen3-8B on H100</title><img alt="Qwen3-8B"><meta name=description content="v0.11.0"><option>H100</option>`, nil},
		"a longer name is no literal":    {`<img alt="Qwen3-8B-v2">`, []string{"Qwen3-8B-v2"}},
		"buttons and fields":             {`<input value="5"><input type=hidden value="6"><textarea>7</textarea><button>8</button>`, []string{"5", "7", "8"}},
		"links, ids, classes, data":      {`<a href="x5" id="i6" class="c7" data-x="8" style="width:9px" tabindex="1">text</a><img src="10.png" width="11" alt="">`, nil},
		"script, style and comments":     {`<script>var a = 5</script><style>p{margin:6px}</style><!-- 7 -->`, nil},
		"noscript":                       {`<noscript><p>5</p></noscript>`, []string{"5"}},
		"character references":           {`<p>&#53; &frac12; &#39; &nbsp;</p>`, []string{"5", "½"}},
		"an ordered list":                {`<ol start="3"><li>a<li>b 5</ol>`, []string{"5"}},
		"superscripts are set apart":     {`<p>10<sup>6</sup></p>`, []string{"10", "6"}},
		"an attribute of a bound piece":  {`<data title="7 ms" value="0.8742" data-fact="c4:latency">0.874 s</data>`, []string{"7"}},
		"the tick of a page is no tick":  {`<p class="tick">5</p>`, []string{"5"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, texts(gate.HTML("p.html", []byte(c.in), known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestSVG(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		want []string // codes
	}{
		"a label":                  {`<text class="fact" x="3" data-fact="c4:latency" data-value="0.8742">0.874 s</text>`, nil},
		"a label in a tspan":       {`<text>it takes <tspan data-fact="c4:latency" data-value="0.8742">0.874 s</tspan></text>`, nil},
		"a bar":                    {`<rect height="12" data-fact="c4:latency" data-value="0.8742"/>`, nil},
		"a bar with a title":       {`<rect data-fact="c4:latency" data-value="0.8742"><title>0.874 s</title></rect>`, nil},
		"a bar with a false title": {`<rect data-fact="c4:latency" data-value="0.8742"><title>0.9 s</title></rect>`, []string{"fact-text"}},
		"a bar with a false value": {`<rect data-fact="c4:latency" data-value="0.9"/>`, []string{"fact-value"}},
		"a label that is empty":    {`<text data-fact="c4:latency" data-value="0.8742"/>`, []string{"fact-text"}},
		"a tick":                   {`<text class="axis tick">0.5</text><g class="tick"><text>1.0</text></g>`, nil},
		"a fact behind a tick":     {`<g class="tick"><text data-fact="c4:latency" data-value="0.9">0.874 s</text></g>`, []string{"fact-value"}},
		"a number":                 {`<text>0.5</text>`, []string{"unbound-number"}},
		"title and desc":           {`<title>5 bars</title><desc>of H100, 6</desc>`, []string{"unbound-number", "unbound-number"}},
		"a literal":                {`<text data-literal>H100</text>`, nil},
		"CDATA":                    {`<text><![CDATA[5]]></text>`, []string{"unbound-number"}},
		"HTML that ends a drawing": {`<g class="tick"><p>5</p></g>`, []string{"malformed"}},
		"HTML in a foreign object": {`<foreignObject><p>5</p></foreignObject>`, []string{"unbound-number"}},
		"data elements are no SVG": {`<data value="0.8742">5</data>`, []string{"unbound-number"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := codes(gate.HTML("p.html", []byte(`<figure><svg viewBox="0 0 5 5">`+c.in+`</svg></figure>`), known()))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestHTMLBlocksAreComparedByBytes(t *testing.T) {
	t.Parallel()
	const raw = "============ Result ============\nMean TTFT (ms): 12.5\n\n    P99: 3\n"
	cases := map[string]struct {
		in   string
		want []string
	}{
		"as it was got":            {"<pre>" + raw + "</pre>", nil},
		"highlighted":              {"<pre>\n<code><span class=\"n\">============ Result ============\n</span>Mean TTFT (ms): <b>12.5</b>\n\n    P99: 3</code></pre>", nil},
		"empty lines around it":    {"<pre> \n\n" + raw + "\n  \n</pre>", nil},
		"a byte order mark":        {"<pre>\uFEFF" + raw + "</pre>", nil},
		"a break in a number":      {"<pre>" + strings.Replace(raw, "12.5", "12\n.5", 1) + "</pre>", []string{"unknown-block"}},
		"one digit changed":        {"<pre>============ Result ============\nMean TTFT (ms): 12.6\n\n    P99: 3\n</pre>", []string{"unknown-block"}},
		"indentation lost":         {"<pre>============ Result ============\nMean TTFT (ms): 12.5\n\nP99: 3\n</pre>", []string{"unknown-block"}},
		"a line missing":           {"<pre>============ Result ============\n</pre>", []string{"unknown-block"}},
		"a literal saves no block": {"<pre data-literal>Qwen3-8B</pre>", []string{"unknown-block"}},
		"a fact inside":            {"<pre>" + goodFact + "</pre>", []string{"misplaced-fact", "unknown-block"}},
		"an empty one":             {"<pre>\n</pre>", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, codes(gate.HTML("p.html", []byte(c.in), known()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestMalformedHTMLIsAFinding(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"never closed":         `<div><p>a</p>`,
		"closed twice":         `<p>a</p></p>`,
		"wrong order":          `<b><i>a</b></i>`,
		"cut inside a tag":     `<p>a</p><a href="x`,
		"a slash that is none": `<div/><p>a</p>`,
		"an end of a void":     `a</br>`,
		"an unclosed script":   `<script>a`,
		"a style in SVG that swallows what follows": `<svg><style/><text>a</text></svg>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, codes(gate.HTML("p.html", []byte(in), known())), "malformed")
		})
	}
}

func TestEndTagsThatMayBeLeftOut(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><html lang=zh><meta charset=utf-8><title>H100</title><body><main><p>a<p>b<ul><li>c<li><p>d</ul>` +
		`<dl><dt>e<dd>f</dl><table><caption>g<thead><tr><th>h<th>i<tbody><tr><td data-literal>H100<td>j<tr><td>k</table>` +
		`<select><option>l<option>m</select><br>n<img src=x alt=""></main>`
	require.Empty(t, gate.HTML("p.html", []byte(page), known()))
}

func TestBrokenBytesAreAFinding(t *testing.T) {
	t.Parallel()
	src := []byte("<p>a</p>\n<p>\xff 5</p>")
	got := gate.HTML("p.html", src, known())
	require.Equal(t, []string{"invalid-utf8", "unbound-number"}, codes(got))
	require.Equal(t, 2, got[0].Line)
	require.Equal(t, []string{"invalid-utf8", "unbound-number"}, codes(gate.Markdown("p.md", src, nil, known())))
}
