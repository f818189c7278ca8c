package gate_test

import (
	"strings"
	"testing"

	"benchguide/render/gate"
)

// sound checks what holds of findings about any bytes: they lie in the page, and say something.
func sound(t *testing.T, src []byte, found []gate.Finding) {
	t.Helper()
	lines := 1 + strings.Count(string(src), "\n")
	last := 0
	for _, f := range found {
		if f.Line < max(last, 1) || f.Line > lines {
			t.Fatalf("line %d of %d, behind one at %d: %+v", f.Line, lines, last, f)
		}
		if f.Code == "" || f.Message == "" || f.Severity == "" || f.File != "p" {
			t.Fatalf("an incomplete finding: %+v", f)
		}
		last = f.Line
	}
}

func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		strings.ReplaceAll(cleanHTML, "^", ""), "<p>5", "<svg><title><b>5</svg>", "<pre><data value=1>", "</p></br>", "<table><li><tr><p>",
		"<script/>5", "<svg><![CDATA[5]]><p>", "<data data-fact=c4:latency", "<noscript>\n5</noscript>", "<option><option>5", "<plaintext>\r\n5", "\xff两倍",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sound(t, src, gate.HTML("p", src, known()))
		for _, d := range gate.Same(gate.Page{File: "p", Src: src}, gate.Page{File: "p", Src: src}) {
			if d.Code != gate.CodeFactDiffers {
				t.Fatalf("a page differs from itself: %+v", d)
			}
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	clean, spans := export(f, strings.ReplaceAll(cleanMarkdown, "^", ""))
	f.Add(clean, spans[0].Offset, spans[0].Length)
	for _, seed := range []string{
		"```\n5", "1. ```\n   5\n   ```\n2. b", "![5](x \"6\")", "[a](<5> '6'", "<!-- 5\n\n-->6", "`` ` 5", "> - 3) <a title='5'>", "&#53;\\5", "\xff两**倍", "# {#5}\r\n",
	} {
		f.Add([]byte(seed), 0, 3)
		f.Add([]byte(seed), 2, 1<<62)
	}
	f.Fuzz(func(t *testing.T, src []byte, offset, length int) {
		sound(t, src, gate.Markdown("p", src, []gate.Span{{Offset: offset, Length: length, Kind: gate.KindLiteral}}, known()))
		sound(t, src, gate.Markdown("p", src, nil, known()))
	})
}

// A digit that a page shows must be found: appended as a paragraph it always shows.
func FuzzMarkdownEndsInANumber(f *testing.F) {
	f.Add("a [b")
	f.Add("1. a\n> `b")
	f.Add("<div>")
	f.Fuzz(func(t *testing.T, before string) {
		if strings.Contains(before, "```") || strings.Contains(before, "~~~") || strings.Contains(before, "<!--") {
			return // the end may lie in a block that is compared as a whole
		}
		src := []byte(before + "\n\nshown 7654321\n")
		for _, found := range gate.Markdown("p", src, nil, known()) {
			if found.Text == "7654321" {
				return
			}
		}
		t.Fatalf("the number at the end of %q passed", src)
	})
}
