package render

import (
	"fmt"
	"regexp"
	"strings"

	"benchguide/analyze"
	"benchguide/render/markup"
	"benchguide/study"
)

// resolver says what the references on a study's pages stand for: facts of its
// report, citations that the study declares, and what a publication claimed.
type resolver struct {
	lang   Lang
	folder *study.Folder
	facts  *analyze.Facts
	root   string // from the page to the site's root: "../../"
	data   string // from the page to the page of derived data points
}

var _ markup.Resolver = resolver{}

// claimPrefix marks the citation of a published claim: cite:claim/ID.
const claimPrefix = "claim/"

// Resolve returns what a reference stands for.
func (r resolver) Resolve(ref string) (markup.Bound, error) {
	if name, ok := strings.CutPrefix(ref, "cite:"); ok {
		return r.cite(name)
	}
	id, style, _ := strings.Cut(ref, "|")
	fact, ok := r.facts.Get(id)
	if !ok {
		return markup.Bound{}, fmt.Errorf("there is no fact %q; the report lists all facts of the study", id)
	}
	text, err := factText(fact, style)
	if err != nil {
		return markup.Bound{}, err
	}
	return markup.Bound{
		Kind: markup.KindFact, ID: id, Text: text, Value: exact(fact.Value),
		Href: r.href(fact), Formula: fact.Formula,
	}, nil
}

// href leads from a number to where it comes from: the line that it was read from,
// or its entry among the derived data points, which names all of its sources.
func (r resolver) href(f analyze.Fact) string {
	if f.Source != nil && isData(f.Source.File) {
		return r.root + rawFile(r.folder.ID, f.Source.File)
	}
	if f.Source != nil {
		return fmt.Sprintf("%s%s#L%d", r.root, linesPage(r.folder.ID, f.Source.File), f.Source.Line)
	}
	return r.data + "#" + factAnchor(f.ID)
}

func (r resolver) cite(name string) (markup.Bound, error) {
	if id, ok := strings.CutPrefix(name, claimPrefix); ok {
		return r.claim(name, id)
	}
	c, ok := r.folder.Study.Citations[name]
	if !ok {
		return markup.Bound{}, fmt.Errorf("the study has no citation %q; declare it under citations", name)
	}
	return markup.Bound{Kind: markup.KindCite, ID: name, Text: c.Text.In(string(r.lang)), Href: c.URL}, nil
}

func (r resolver) claim(name, id string) (markup.Bound, error) {
	published := r.folder.Study.Published
	if published != nil {
		for _, c := range published.Claims {
			if c.ID == id {
				return markup.Bound{Kind: markup.KindCite, ID: name, Text: c.Says, Href: published.URL}, nil
			}
		}
	}
	return markup.Bound{}, fmt.Errorf("the study has no published claim %q", id)
}

// factAnchor is the id of a fact's row on the page of derived data points.
func factAnchor(id string) string { return "f-" + id }

// reference is how a study's prose states a fact or a citation: {{id}}.
var reference = regexp.MustCompile(`\{\{([^{}\s]+)\}\}`)

// prose turns a study's text into page source.
func prose(text string) string {
	return reference.ReplaceAllStringFunc(strings.TrimSpace(text), func(m string) string {
		return markup.Marker(m[2 : len(m)-2])
	})
}
