package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// drawn is a stretch of text in an SVG with the box that it takes up.
type drawn struct {
	text string
	box
}

// parsed is what tests look at in an SVG.
type parsed struct {
	width, height float64
	texts         []drawn
	ids           []string
	root          map[string]string
	style         string
	bound         map[string]string // fact id to text
	loose         []string          // text with a digit that is no tick, fact or literal
}

// element is an open tag while an SVG is read.
type element struct {
	name, text string
	attr       map[string]string
	bound      bool
}

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	require.TestingT
	Helper()
}

// parse reads an SVG with a strict XML decoder, as a browser reads a standalone file.
func parse(t tester, svg []byte) parsed {
	t.Helper()
	p := parsed{bound: map[string]string{}}
	var stack []element
	dec := xml.NewDecoder(bytes.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attr: map[string]string{}}
			if len(stack) > 0 {
				e.bound = stack[len(stack)-1].bound
			}
			for _, a := range tok.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			class := " " + e.attr["class"] + " "
			_, literal := e.attr["data-literal"]
			e.bound = e.bound || literal || strings.Contains(class, " fact ") || strings.Contains(class, " tick ")
			p.open(t, &e, stack)
			stack = append(stack, e)
		case xml.CharData:
			for i := range stack {
				stack[i].text += string(tok)
			}
			if n := len(stack); n > 0 && strings.ContainsAny(string(tok), "0123456789") && stack[n-1].name != "style" && !stack[n-1].bound {
				p.loose = append(p.loose, string(tok))
			}
		case xml.EndElement:
			p.close(t, stack[len(stack)-1])
			stack = stack[:len(stack)-1]
		}
	}
	return p
}

func (p *parsed) open(t tester, e *element, stack []element) {
	t.Helper()
	if id := e.attr["id"]; id != "" {
		p.ids = append(p.ids, id)
	}
	if e.name == "svg" {
		p.root = e.attr
		box := strings.Fields(e.attr["viewBox"])
		require.Len(t, box, 4)
		p.width, p.height = number(t, box[2]), number(t, box[3])
	}
	if e.name == "tspan" && e.attr["font-size"] == "" && len(stack) > 0 {
		e.attr["font-size"] = stack[len(stack)-1].attr["font-size"]
	}
}

func (p *parsed) close(t tester, e element) {
	t.Helper()
	if e.name == "style" {
		p.style = e.text
	}
	if id := e.attr["data-fact"]; id != "" {
		p.bound[id] = e.text
	}
	if (e.name == "text" || e.name == "tspan") && e.attr["x"] != "" {
		x, y, size, w := number(t, e.attr["x"]), number(t, e.attr["y"]), number(t, e.attr["font-size"]), number(t, e.attr["textLength"])
		p.texts = append(p.texts, drawn{e.text, box{x, y - 0.88*size, x + w, y + 0.24*size}})
	}
}

func number(t tester, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return v
}

// requireClear fails when a text leaves the view box or touches another.
func requireClear(t tester, p parsed) {
	t.Helper()
	page := box{0, 0, p.width, p.height}
	for i, a := range p.texts {
		if !a.inside(page) {
			t.Errorf("text %q at %v leaves the view box %v", a.text, a.box, page)
		}
		for _, b := range p.texts[:i] {
			// Neighbours on a line may touch; coordinates are rounded to a hundredth.
			b.x0, b.x1 = b.x0+0.05, b.x1-0.05
			if a.overlaps(b.box) {
				t.Errorf("texts %q at %v and %q at %v overlap", a.text, a.box, b.text, b.box)
			}
		}
	}
}

func TestSamplesKeepEveryTextClearOfTheOthers(t *testing.T) {
	t.Parallel()
	fonts := loadFonts(t)
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			svg, err := s.svg(fonts)
			require.NoError(t, err)
			p := parse(t, svg)
			require.Greater(t, len(p.texts), 8)
			requireClear(t, p)
			require.Empty(t, p.loose, "numbers that are no fact, literal or tick")
		})
	}
}

func TestFigureHasANameADescriptionAndIdsOfItsOwn(t *testing.T) {
	t.Parallel()
	svg, err := latencyBars("en", Meta{ID: "b1", Title: "Latency <before> & after", Desc: "Lower is better.", Lang: "en"}).SVG(loadFonts(t))
	require.NoError(t, err)
	p := parse(t, svg)
	require.Equal(t, "img", p.root["role"])
	require.Equal(t, "en", p.root["lang"])
	require.Equal(t, "b1-title b1-desc", p.root["aria-labelledby"])
	require.Equal(t, []string{"b1", "b1-title", "b1-desc"}, p.ids)
	require.Contains(t, string(svg), `<title id="b1-title">Latency &lt;before&gt; &amp; after</title>`)
	require.Equal(t, "640", p.root["width"])
	require.Equal(t, p.root["viewBox"], "0 0 "+p.root["width"]+" "+p.root["height"])
}

func TestFactsKeepTheirTextAndExactValue(t *testing.T) {
	t.Parallel()
	svg, err := latencyBars("zh", Meta{ID: "b", Title: "t", Desc: "d"}).SVG(loadFonts(t))
	require.NoError(t, err)
	p := parse(t, svg)
	require.Equal(t, "0.621 s", p.bound["c1:opt"])
	require.Equal(t, "1.077 s", p.bound["c8:opt"], "the words before a bound are not part of the fact")
	require.Contains(t, string(svg), `data-fact="c1:opt" data-value="0.621"`)
	require.Contains(t, string(svg), "至多")
}

func TestAWrappedLiteralReadsLikeItsSource(t *testing.T) {
	t.Parallel()
	c := candidates("en", Meta{ID: "c", Title: "t", Desc: "d", Width: 560})
	name := "steps 4, top-k 4, draft tokens 16, temperature 0, and a few words more"
	c.Rows[0].Name = Literal(name)
	svg, err := c.SVG(loadFonts(t))
	require.NoError(t, err)
	found := regexp.MustCompile(`(?s)<text [^>]*data-literal=""[^>]*>(.*?)</text>`).FindSubmatch(svg)
	require.NotNil(t, found)
	require.Contains(t, string(found[1]), "<tspan")
	require.Equal(t, name, strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(found[1]), "")))
	requireClear(t, parse(t, svg))
}

func TestEveryRuleIsScopedToTheFigure(t *testing.T) {
	t.Parallel()
	css := strings.ReplaceAll(string(Stylesheet()), "@media (prefers-color-scheme:dark){", "")
	rules := regexp.MustCompile(`([^{}]+)\{`).FindAllStringSubmatch(css, -1)
	roles := shades()
	require.Greater(t, len(rules), 4*len(roles))
	for _, r := range rules {
		require.Regexp(t, `^(:root\[data-theme=(light|dark)\] )?\.bg-chart( |$)`, strings.TrimSpace(r[1]))
	}
	for _, s := range roles {
		require.Equal(t, 4, strings.Count(css, ".bg-"+s.name+"{color:"), "role %s needs light and dark values, by system and by page", s.name)
	}
}

func TestABareFigureLeavesTheStyleToThePage(t *testing.T) {
	t.Parallel()
	m := Meta{ID: "w", Title: "t", Desc: "d"}
	with, err := waterfall("en", m).SVG(loadFonts(t))
	require.NoError(t, err)
	require.Equal(t, string(Stylesheet()), parse(t, with).style)
	m.Bare = true
	without, err := waterfall("en", m).SVG(loadFonts(t))
	require.NoError(t, err)
	require.Empty(t, parse(t, without).style)
	require.NotContains(t, string(without), "style=")
}
