package htmlcheck

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const sample = `<!doctype html><html lang="en"><body>
<main id="main"><p class="lead first" id="a">one <b>two</b></p>
<div class="table"><p id="b" title="t=1" hidden>three</p></div></main>
<p id="c">four</p></body></html>`

func TestSelectors(t *testing.T) {
	t.Parallel()
	page, err := Parse([]byte(sample))
	require.NoError(t, err)
	cases := map[string]struct {
		selector string
		want     []string
	}{
		"a tag":                  {"p", []string{"a", "b", "c"}},
		"an id":                  {"#b", []string{"b"}},
		"a class of several":     {".first", []string{"a"}},
		"part of a class":        {".fir", nil},
		"an attribute":           {"p[hidden]", []string{"b"}},
		"an attribute's value":   {"[title=t=1]", []string{"b"}},
		"another value":          {"[title=t]", nil},
		"descendants":            {"main p", []string{"a", "b"}},
		"several levels":         {"html main .table p", []string{"b"}},
		"ancestors out of order": {".table main p", nil},
		"any tag":                {"main *", []string{"a", "", "", "b"}},
		"all parts hold":         {"p.lead#a", []string{"a"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, n := range page.All(c.selector) {
				got = append(got, n.Attr("id"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.selector, diff)
			}
		})
	}
}

func TestElementsKnowTheirTextAndPlace(t *testing.T) {
	t.Parallel()
	page, err := Parse([]byte(sample))
	require.NoError(t, err)
	a, ok := page.ID("a")
	require.True(t, ok)
	require.Equal(t, "one two", a.Text())
	c, ok := page.ID("c")
	require.True(t, ok)
	require.Less(t, page.Position(a), page.Position(c))
	main, ok := page.ID("main")
	require.True(t, ok)
	inside := main.All("p")
	require.Len(t, inside, 2, "and not the element after it")
	require.Equal(t, a, inside[0])
	require.Len(t, main.All("html b"), 1, "an ancestor may stand outside")
	require.Empty(t, main.All("main"), "an element is not inside of itself")
}

func TestAnIDThatStandsTwiceIsAnError(t *testing.T) {
	t.Parallel()
	_, err := Parse([]byte(`<p id="x"></p><p id="x"></p>`))
	require.ErrorContains(t, err, `"x" stands twice`)
}

func TestUnknownSelectorsPanic(t *testing.T) {
	t.Parallel()
	page, err := Parse([]byte(sample))
	require.NoError(t, err)
	for _, selector := range []string{"", "p > b", "p:first-child", "p[title"} {
		require.Panics(t, func() { page.All(selector) }, selector)
	}
}
