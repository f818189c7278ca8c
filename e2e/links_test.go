package e2e

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func TestEveryLocalLinkLeadsToAFileAndItsFragmentToAnID(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for name, page := range s.pages {
		for _, attr := range []string{"href", "src"} {
			for _, n := range page.All("[" + attr + "]") {
				s.checkLink(t, name, n.Attr(attr))
			}
		}
	}
}

// The Markdown export is read on other people's sites, beside the same files.
func TestEveryLocalLinkOfTheMarkdownExportLeadsToAFile(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for _, g := range s.guides(t) {
		name := path.Join(g.dir, "guide.md")
		source := s.files[name]
		require.NotEmpty(t, source, name)
		links := 0
		tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
		err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.Link:
				links++
				if !strings.HasPrefix(string(n.Destination), "#") { // its headings have ids only where they are shown
					s.checkLink(t, name, string(n.Destination))
				}
			case *ast.Image:
				links++
				s.checkLink(t, name, string(n.Destination))
			}
			return ast.WalkContinue, nil
		})
		require.NoError(t, err)
		require.Positive(t, links, "%s has no links", name)
	}
}

func TestPagesNameNothingOnTheNetworkButTheirSources(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	sources := s.sources()
	for name, page := range s.pages {
		for _, attr := range []string{"href", "src", "srcset", "poster", "action", "data", "style"} {
			for _, n := range page.All("[" + attr + "]") {
				value := n.Attr(attr)
				if !strings.Contains(value, "//") {
					continue
				}
				if n.Tag() != "a" || !slices.Contains(sources, value) {
					t.Errorf("%s: <%s %s=%q> is no source that the study declares", name, n.Tag(), attr, value)
				}
			}
		}
	}
	for name, data := range s.files {
		if ext := path.Ext(name); (ext == ".css" || ext == ".js") && strings.Contains(string(data), "://") {
			t.Errorf("%s names an address on the network", name)
		}
	}
}

// sources are the addresses that studies give for what they cite.
func (s *site) sources() []string {
	var list []string
	for _, f := range s.collection.Folders {
		for _, c := range f.Study.Citations {
			list = append(list, c.URL)
		}
		if f.Study.Published != nil {
			list = append(list, f.Study.Published.URL)
		}
		for _, run := range f.Runs {
			if run.Info.Imported != nil {
				list = append(list, run.Info.Imported.URL)
			}
		}
	}
	return list
}

// checkLink reports a local link that leads nowhere. Where it leads to a page, its
// fragment must be an id there.
func (s *site) checkLink(t *testing.T, from, link string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s: link %q: %v", from, link, err)
		return
	}
	if u.IsAbs() || u.Host != "" {
		return // TestPagesNameNothingOnTheNetworkButTheirSources
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
	}
	if _, ok := s.files[target]; !ok || strings.HasSuffix(u.Path, "/") {
		t.Errorf("%s: link %q leads to %s, which is no file of the site", from, link, target)
		return
	}
	if page, ok := s.pages[target]; ok && u.Fragment != "" {
		if _, ok := page.ID(u.Fragment); !ok {
			t.Errorf("%s: link %q: %s has no id %q", from, link, target, u.Fragment)
		}
	}
}
