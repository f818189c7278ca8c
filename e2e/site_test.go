package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/i18n"
	"benchguide/internal/htmlcheck"
	"benchguide/render"
	"benchguide/run"
	"benchguide/study"
	"benchguide/templates"
)

// contentDir is the content that ships, from the folder that tests run in.
const contentDir = "../content"

// site is the built site: what a build writes, and what was read back from it.
type site struct {
	collection *study.Collection
	files      map[string][]byte
	pages      map[string]*htmlcheck.Page // every HTML page by its path
	reports    map[string]report          // by study
}

// report is what these tests read of a study's report.json.
type report struct {
	Final  struct{ Command string }
	Stages []stage
	Facts  []fact
}

type stage struct {
	ID, Incumbent, Adopted string
	Candidates             []candidate
}

type candidate struct {
	ID, Ref, Verdict string
	VersusIncumbent  *comparison `json:"versus_incumbent"`
	VersusAdopted    *comparison `json:"versus_adopted"`
}

type comparison struct {
	Against, Metric string
	Ratio           float64
}

type fact struct {
	ID, Kind, Formula string
	Value             float64
	Inputs            []string
	Source            *struct {
		File string
		Line int
	}
}

// built makes the site once for all tests; nothing changes it afterwards.
var built = sync.OnceValues(func() (*site, error) { return build(contentDir) })

// theSite returns the built site.
func theSite(t *testing.T) *site {
	t.Helper()
	s, err := built()
	require.NoError(t, err)
	return s
}

// build does what the command does, but keeps the files.
func build(content string) (*site, error) {
	collection, problems := study.LoadCollection(os.DirFS(content))
	if len(problems) > 0 {
		return nil, fmt.Errorf("%d problems in the content, first: %w", len(problems), problems[0])
	}
	renderer, err := render.New(templates.Files, i18n.Files)
	if err != nil {
		return nil, err
	}
	var reports []*analyze.Report
	for _, f := range collection.Folders {
		reports = append(reports, run.Report(f))
	}
	out, unbound, err := renderer.Site(collection, reports)
	if err != nil {
		return nil, err
	}
	if len(unbound) > 0 {
		return nil, fmt.Errorf("%d numbers are not bound, first: %v", len(unbound), unbound[0])
	}
	s := &site{collection: collection, files: map[string][]byte{}}
	for _, f := range out.Files {
		s.files[f.Path] = f.Data
	}
	return s, s.read()
}

// read parses the pages and the reports among the files.
func (s *site) read() error {
	s.pages, s.reports = map[string]*htmlcheck.Page{}, map[string]report{}
	for name, data := range s.files {
		switch {
		case strings.HasSuffix(name, ".html"):
			page, err := htmlcheck.Parse(data)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.pages[name] = page
		case path.Base(name) == "report.json" && path.Dir(path.Dir(name)) == "studies":
			var r report
			if err := json.Unmarshal(data, &r); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.reports[path.Base(path.Dir(name))] = r
		}
	}
	return nil
}

// guide is a study's page in one language.
type guide struct {
	lang, study, dir, file string
	page                   *htmlcheck.Page
}

// guides returns every study's guide in both languages, in a fixed order.
func (s *site) guides(t *testing.T) []guide {
	t.Helper()
	var list []guide
	for _, f := range s.collection.Folders {
		for _, lang := range []string{"zh", "en"} {
			dir := path.Join(lang, f.ID)
			g := guide{lang: lang, study: f.ID, dir: dir, file: path.Join(dir, "index.html")}
			g.page = s.pages[g.file]
			require.NotNil(t, g.page, "the site has no page %s", g.file)
			list = append(list, g)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// fact returns a fact of a study's report.
func (s *site) fact(study, id string) (fact, bool) {
	for _, f := range s.reports[study].Facts {
		if f.ID == id {
			return f, true
		}
	}
	return fact{}, false
}

// write puts the site on disk for the browser.
func (s *site) write(dir string) error {
	for name, data := range s.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
