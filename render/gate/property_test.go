package gate_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchguide/render/gate"
)

// The pages below are clean. A caret marks each place at which an author, a template
// or a careless edit might put a number.
const (
	cleanHTML = `<!doctype html><html lang="en"><head><title>^Latency of ^Qwen3-8B^</title><meta name="description" content="^How to serve^"></head>
<body><h1>^Latency^</h1><p>^It ^takes^ <data value="0.8742" data-fact="c4:latency"><a href="raw/5.html#L12">^0.874 s^</a></data>^ on
^<span data-literal>^H100^</span>^ and <b>^bold^</b>, <code>^code^</code>^</p><img src="5.png" alt="^A chart^" title="^Title^">
<ul><li>^a^<li>^b^</ul><table><tr><th>^c^<td aria-label="^d^">^e^</table>
<pre>^============ Result ============
Mean TTFT ^(ms): 12.5^

    P99: 3
</pre><svg role="img" aria-label="^chart^"><title>^t^</title><desc>^d^</desc><text class="tick">0.5</text><text>^label^</text>
<text data-fact="c4:latency" data-value="0.8742">^0.874 s^</text></svg><p>^结束^语^</p></body></html>`

	cleanMarkdown = "# ^Latency^\n\n^It ^takes^ «fact:c4:latency|^0.874 s^»^ on ^«literal:|^H100^»^, **^bold^**, `^code^`,\n" +
		"[^text^](5.md \"^title^\")^ ![^alt^](6.png)^\n\n| ^a^ | ^b^ |\n|---|--:|\n| ^c^ | ^d^ |\n\n1. ^one^\n2. ^other^\n\n> ^quote^\n\n" +
		"??? note \"^Raw^\"\n\n    ```\n    ^============ Result ============\n    Mean TTFT ^(ms): 12.5^\n\n        P99: 3\n    ```\n\n<!-- 7 -->\n^结束^语^\n"
)

// number draws something that must not pass, as an author might write it.
func number(t *rapid.T) string {
	return rapid.OneOf(
		rapid.StringMatching(`[+-]?[1-9][0-9]{0,3}(\.[0-9]{1,3})?(%|x| ms)?`),
		rapid.StringMatching(`[１-９]{1,3}`),
		rapid.SampledFrom([]string{"½", "²", "٣", "A100", "1e6", "8-16"}),
		rapid.SampledFrom([]string{"两倍", "百分之五", "三个", "翻番", "减半", "零点八"}),
	).Draw(t, "number")
}

// insert puts a number at one caret and drops the others.
func insert(t *rapid.T, page string) (marked, placed string) {
	parts := strings.Split(page, "^")
	at := rapid.IntRange(1, len(parts)-1).Draw(t, "place")
	placed = number(t)
	return strings.Join(parts[:at], "") + placed + strings.Join(parts[at:], ""), placed
}

// repeats reports whether an error names the number.
func repeats(found []gate.Finding, number string) bool {
	for _, f := range found {
		if f.Severity == gate.SeverityError && (f.Code == "unknown-block" || contains(f.Message, number)) {
			return true
		}
	}
	return false
}

// contains looks for the number proper: a unit behind it is not part of it.
func contains(message, number string) bool {
	number, _, _ = strings.Cut(number, " ")
	return strings.Contains(message, number)
}

func TestTheCleanPagesAreClean(t *testing.T) {
	t.Parallel()
	page := strings.ReplaceAll(cleanHTML, "^", "")
	for _, f := range gate.HTML("p.html", []byte(page), known()) {
		t.Errorf("HTML: %+v", f)
	}
	src, spans := export(t, strings.ReplaceAll(cleanMarkdown, "^", ""))
	for _, f := range gate.Markdown("p.md", src, spans, known()) {
		t.Errorf("Markdown: %+v", f)
	}
}

func TestNoUnboundNumberPassesInHTML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		page, number := insert(t, cleanHTML)
		if found := gate.HTML("p.html", []byte(page), known()); !repeats(found, number) {
			t.Fatalf("%q passed, findings %+v in\n%s", number, found, page)
		}
	})
}

func TestNoUnboundNumberPassesInMarkdown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		page, number := insert(t, cleanMarkdown)
		src, spans := export(t, page)
		if found := gate.Markdown("p.md", src, spans, known()); !repeats(found, number) {
			t.Fatalf("%q passed, findings %+v in\n%s", number, found, src)
		}
	})
}

// A page without any number in it has no findings about numbers, whatever its markup.
func TestWordsAloneNeverOffend(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"latency", "一个", "一起", "someone", "FP8", "P99", "**", "`", "[", "](", ")", "!", "\n", "\n\n", " ", "> ", "- ", "|", "# ", "\\", "*", "第三次", "十分"})
	rapid.Check(t, func(t *rapid.T) {
		page := strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "words"), " ")
		for _, f := range gate.Markdown("p.md", []byte(page), nil, gate.Known{}) {
			if f.Code == "unbound-number" {
				t.Fatalf("%+v in %q", f, page)
			}
		}
	})
}
