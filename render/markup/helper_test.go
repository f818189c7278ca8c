package markup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"benchguide/render/markup"
)

// catalogue resolves the references of tests.
type catalogue map[string]markup.Bound

func (c catalogue) Resolve(ref string) (markup.Bound, error) {
	if b, ok := c[ref]; ok {
		return b, nil
	}
	return markup.Bound{}, errNoFact
}

var errNoFact = errors.New("no fact has this id")

// facts are two facts and a citation with everything in their texts that could go wrong.
var facts = catalogue{
	"stage/fp8_x:gain":     {Kind: markup.KindFact, ID: "stage/fp8_x:gain", Text: "+46.5%", Value: "1.465", Href: "raw/a.html#L3", Formula: "new / old"},
	"stage/fp8_x:gain|abs": {Kind: markup.KindFact, ID: "stage/fp8_x:gain", Text: "0.4 s", Value: "0.4"},
	"cite:blog":            {Kind: markup.KindCite, ID: "blog", Text: "1.2x | <fast> [sic]", Href: "https://example.org/?a&b"},
}

var (
	gain = markup.Marker("stage/fp8_x:gain")
	abs  = markup.Marker("stage/fp8_x:gain|abs")
	cite = markup.Marker("cite:blog")
)

const (
	gainHTML = `<data class="fact" value="1.465" data-fact="stage/fp8_x:gain" data-formula="new / old"><a href="raw/a.html#L3">+46.5%</a></data>`
	absHTML  = `<data class="fact" value="0.4" data-fact="stage/fp8_x:gain">0.4 s</data>`
	citeHTML = `<span class="cite" data-cite="blog"><a href="https://example.org/?a&amp;b">1.2x | &lt;fast&gt; [sic]</a></span>`
)

var english = markup.Labels{Copy: "Copy", Titles: map[string]string{"note": "Note", "info": "More"}}

func input(literals ...string) markup.Input {
	return markup.Input{File: "page.md", Resolver: facts, Literals: literals}
}

// render returns the HTML of source that has nothing wrong with it.
func render(t testing.TB, src string, in markup.Input) string {
	t.Helper()
	page, err := markup.New(english).HTML([]byte(src), in)
	require.NoError(t, err)
	return strings.TrimSpace(string(page.HTML))
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	return b.String()
}

// elements returns all elements of HTML with a tag.
func elements(t testing.TB, page, tag string) []*html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var found []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag {
			found = append(found, n)
		}
	}
	return found
}

// plain returns the text of a fragment of HTML.
func plain(fragment string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(fragment))
	for z.Next() != html.ErrorToken {
		if tok := z.Token(); tok.Type == html.TextToken {
			b.WriteString(tok.Data)
		}
	}
	return b.String()
}

// elementsOf returns the start tags of a fragment: of a tag, or of "tag.class".
func elementsOf(fragment, what string) []string {
	tag, class, _ := strings.Cut(what, ".")
	var found []string
	z := html.NewTokenizer(strings.NewReader(fragment))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		if tok.Type == html.StartTagToken && tok.Data == tag && strings.Contains(tok.String(), class) {
			found = append(found, tok.String())
		}
	}
	return found
}
