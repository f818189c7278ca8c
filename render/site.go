// Package render makes pages from a report: Markdown first, HTML from that
// Markdown, charts as values. It decides how things look and are said; what is true
// was decided by analyze.
//
// A page is made in these steps: view (guide.go and its neighbours turn the report
// into page source with fact markers), markup (HTML and exported Markdown from that
// source), gate (reads the finished bytes again). Nothing here reads or writes
// files: a Site is a list of names and bytes.
package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"

	"benchguide/analyze"
	"benchguide/render/chart"
	"benchguide/render/gate"
	"benchguide/render/markup"
	"benchguide/study"
)

// File is one file of the site, with a slash-separated path.
type File struct {
	Path string
	Data []byte
}

// Site is everything that is published, sorted by path.
type Site struct {
	Files []File
}

// Renderer holds what all pages share: messages, templates, fonts.
type Renderer struct {
	catalogue *Catalogue
	guide     *template.Template
	scripts   *template.Template
	pages     *htmltemplate.Template
	fonts     *chart.Fonts
	markup    map[Lang]*markup.Markup
	assets    []File
}

// The faces that charts are drawn with.
const (
	regularFont = "fonts/NotoSansSC-Regular.subset.otf"
	boldFont    = "fonts/NotoSansSC-Bold.subset.otf"
)

// New prepares a renderer from the embedded templates and messages.
func New(templates, messages fs.FS) (*Renderer, error) {
	catalogue, err := LoadCatalogue(messages)
	if err != nil {
		return nil, err
	}
	r := &Renderer{catalogue: catalogue, markup: map[Lang]*markup.Markup{}}
	placeholder := &words{catalogue: catalogue, lang: EN}
	if r.guide, err = template.New("guide.md.tmpl").Funcs(placeholder.funcs()).ParseFS(templates, "guide.md.tmpl"); err != nil {
		return nil, err
	}
	if r.scripts, err = template.New("reproduce.sh.tmpl").Funcs(scriptFuncs()).ParseFS(templates, "reproduce.sh.tmpl"); err != nil {
		return nil, err
	}
	if r.pages, err = htmltemplate.New("").Funcs(pageFuncs()).ParseFS(templates, "*.html.tmpl"); err != nil {
		return nil, err
	}
	for _, lang := range Langs() {
		w := &words{catalogue: catalogue, lang: lang}
		r.markup[lang] = markup.New(markup.Labels{Copy: w.t("copy"), CopyRaw: w.t("copy.raw")})
		if w.err != nil {
			return nil, w.err
		}
	}
	if err := r.loadFonts(templates); err != nil {
		return nil, err
	}
	return r, r.loadAssets(templates)
}

func (r *Renderer) loadFonts(templates fs.FS) error {
	regular, err := fs.ReadFile(templates, regularFont)
	if err != nil {
		return err
	}
	bold, err := fs.ReadFile(templates, boldFont)
	if err != nil {
		return err
	}
	r.fonts, err = chart.LoadFonts(regular, bold)
	return err
}

// loadAssets collects what every page links to. The charts' colours go into the one
// stylesheet, so that a page with many charts carries them once.
func (r *Renderer) loadAssets(templates fs.FS) error {
	for _, name := range []string{"site.css", "site.js", "theme.js"} {
		data, err := fs.ReadFile(templates, name)
		if err != nil {
			return err
		}
		if name == "site.css" {
			minifier := minify.New()
			minifier.AddFunc("text/css", css.Minify)
			if data, err = minifier.Bytes("text/css", slices.Concat(data, chart.Stylesheet())); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		r.assets = append(r.assets, File{path.Join("assets", name), data})
	}
	return nil
}

// Site makes all files of a collection. Reports come in the order of the folders.
// Problems are what the gate found, and what a page could not state; with any of
// them the site must not be published.
func (r *Renderer) Site(c *study.Collection, reports []*analyze.Report) (*Site, []Problem, error) {
	site := &Site{Files: slices.Clone(r.assets)}
	var problems []Problem
	for i, f := range c.Folders {
		files, found, err := r.study(c, f, reports[i])
		if err != nil {
			return nil, nil, err
		}
		site.Files = append(site.Files, files...)
		problems = append(problems, found...)
	}
	files, found, err := r.indexes(c, reports)
	if err != nil {
		return nil, nil, err
	}
	site.Files = append(site.Files, files...)
	problems = append(problems, found...)
	slices.SortFunc(site.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return site, problems, nil
}

// study makes the files of one study: a pure function of its folder and report.
func (r *Renderer) study(c *study.Collection, f *study.Folder, report *analyze.Report) ([]File, []Problem, error) {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return nil, nil, fmt.Errorf("writing the report of %s: %w", f.ID, err)
	}
	files := []File{{reportFile(f.ID), append(data, '\n')}}
	raw, problems, err := r.rawPages(c, f, report)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, raw...)
	finished := map[Lang]File{}
	for _, lang := range Langs() {
		pages, found, err := r.guideFiles(c, f, report, lang)
		if err != nil {
			return nil, nil, err
		}
		finished[lang] = pages[0]
		files = append(files, pages...)
		problems = append(problems, found...)
	}
	return files, append(problems, sameFacts(finished[ZH], finished[EN])...), nil
}

// pageFuncs are the functions of HTML templates.
func pageFuncs() htmltemplate.FuncMap {
	return htmltemplate.FuncMap{
		"inc":   func(i int) int { return i + 1 },
		"named": gate.HasNumber,
	}
}

// body fills a template that makes the content of a page.
func (r *Renderer) body(name string, view any) (htmltemplate.HTML, error) {
	var out bytes.Buffer
	err := r.pages.ExecuteTemplate(&out, name, view)
	return htmltemplate.HTML(out.String()), err
}

// inline renders a short text of a study, so that the names in it are marked as
// literals there too.
func (r *Renderer) inline(lang Lang, source string, literals []string) (htmltemplate.HTML, error) {
	page, err := r.markup[lang].HTML([]byte(source), markup.Input{File: "index", Literals: literals})
	if err != nil {
		return "", err
	}
	html := strings.TrimSpace(string(page.HTML))
	return htmltemplate.HTML(strings.TrimSuffix(strings.TrimPrefix(html, "<p>"), "</p>")), nil
}

// page fills the frame that all HTML pages share.
func (r *Renderer) page(v pageView) ([]byte, error) {
	var out bytes.Buffer
	if err := r.pages.ExecuteTemplate(&out, "page.html.tmpl", v); err != nil {
		return nil, fmt.Errorf("page %q: %w", v.Title, err)
	}
	return out.Bytes(), nil
}
