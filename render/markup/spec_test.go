package markup

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The emphasis and admonition parsers and our decoding of text must leave plain
// CommonMark as it is. The examples come with goldmark's module. Parsers and nodes are
// ours; what we print otherwise on purpose (raw HTML, code, headings) is goldmark's here.
func TestCommonMarkExamplesReadAsTheSpecSays(t *testing.T) {
	t.Parallel()
	examples := commonMarkExamples(t)
	require.Len(t, examples, 652)
	p := parser.NewParser(
		parser.WithBlockParsers(append(parser.DefaultBlockParsers(), util.Prioritized(admonitionParser{}, 750))...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(emphasisParser{}, emphasisPriority))...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	p.AddOptions(guarded()...)
	r := renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(html.NewRenderer(html.WithXHTML(), html.WithUnsafe()), 1000),
		util.Prioritized(textOnly{}, 100)))
	for _, e := range examples {
		src := []byte(e.Markdown)
		doc := p.Parse(text.NewReader(src))
		b := &binder{source: src}
		rewriteText(b, doc)
		var out bytes.Buffer
		require.NoError(t, r.Render(&out, src, doc))
		got := strings.ReplaceAll(out.String(), "<br>", "<br />")
		if got != e.HTML {
			t.Errorf("example %d: %q\n got %q\nwant %q", e.Example, e.Markdown, got, e.HTML)
		}
	}
}

type commonMarkExample struct {
	Markdown, HTML string
	Example        int
}

func commonMarkExamples(t *testing.T) []commonMarkExample {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	require.NoError(t, err)
	var examples []commonMarkExample
	require.NoError(t, json.Unmarshal(data, &examples))
	return examples
}
