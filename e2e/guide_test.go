package e2e

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/internal/htmlcheck"
)

func TestGuidesStateTheConclusionFirst(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for _, g := range s.guides(t) {
		first := func(selector string) (htmlcheck.Node, int) {
			found := g.page.All(selector)
			require.NotEmpty(t, found, "%s has no %s", g.file, selector)
			return found[0], g.page.Position(found[0])
		}
		command, _ := first("main figure.code")
		require.Equal(t, s.reports[g.study].Final.Command, commandOf(command), "%s: the command to copy first", g.file)
		require.Len(t, command.All("button.copy"), 1, "%s: the command has a copy button", g.file)
		order := []string{"main h1", "main figure.code", "main .table table", "main figure.chart svg", "main h2"}
		before := -1
		for _, selector := range order {
			_, at := first(selector)
			require.Greater(t, at, before, "%s: %s stands too early", g.file, selector)
			before = at
		}
		heading, _ := first("main h2")
		require.Equal(t, "how-sure", heading.Attr("id"), "%s: then how sure it is", g.file)
	}
}

// commandOf is what the copy button of a figure must give.
func commandOf(figure htmlcheck.Node) string {
	code := figure.All("pre code")
	if len(code) == 0 {
		return ""
	}
	return strings.TrimSuffix(code[0].Text(), "\n")
}

func TestHeadingsHaveTheSameIdsInBothLanguages(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	outline := func(lang, study string) []string {
		var list []string
		for _, n := range s.pages[path.Join(lang, study, "index.html")].All("main *") {
			if tag := n.Tag(); len(tag) == 2 && tag[0] == 'h' && tag != "hr" {
				require.NotEmpty(t, n.Attr("id"), "%s/%s: heading %q has no id", lang, study, n.Text())
				list = append(list, tag+" "+n.Attr("id"))
			}
		}
		return list
	}
	for _, f := range s.collection.Folders {
		zh := outline("zh", f.ID)
		require.Greater(t, len(zh), 10, f.ID)
		if diff := cmp.Diff(zh, outline("en", f.ID)); diff != "" {
			t.Errorf("%s: headings (-zh +en):\n%s", f.ID, diff)
		}
	}
}

func TestPagesSayTheirLanguageAndLeadToTheOther(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	want := map[string]string{"zh": "zh-Hans", "en": "en"}
	for _, g := range s.guides(t) {
		html := g.page.All("html")
		require.Len(t, html, 1)
		require.Equal(t, want[g.lang], html[0].Attr("lang"), g.file)
		other := map[string]string{"zh": "en", "en": "zh"}[g.lang]
		links := g.page.All("header a.lang")
		require.Len(t, links, 1, g.file)
		require.Equal(t, path.Join(other, g.study, "index.html"), path.Join(g.dir, links[0].Attr("href")), g.file)
		require.Equal(t, want[other], links[0].Attr("hreflang"), g.file)
	}
}

func TestPicturesHaveAName(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	drawings := 0
	for name, page := range s.pages {
		for _, n := range page.All("img") {
			if strings.TrimSpace(n.Attr("alt")) == "" {
				t.Errorf("%s: the image %s has no alt text", name, n.Attr("src"))
			}
		}
		for _, n := range page.All("svg") {
			drawings++
			if n.Attr("role") != "img" {
				t.Errorf("%s: drawing %s has the role %q", name, n.Attr("id"), n.Attr("role"))
			}
			labels := strings.Fields(n.Attr("aria-labelledby"))
			require.Len(t, labels, 2, "%s: drawing %s has a name and a description", name, n.Attr("id"))
			for _, id := range labels {
				label, ok := page.ID(id)
				require.True(t, ok, "%s: drawing %s is named by %q, which is not there", name, n.Attr("id"), id)
				require.NotEmpty(t, strings.TrimSpace(label.Text()), "%s: %q is empty", name, id)
			}
		}
	}
	require.Positive(t, drawings)
}
