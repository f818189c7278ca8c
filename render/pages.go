package render

import (
	"fmt"
	htmltemplate "html/template"
	"path"
	"slices"

	"benchguide/analyze"
	"benchguide/render/markup"
	"benchguide/study"
)

// guideFiles makes the pages of one study in one language; the HTML guide is first.
func (r *Renderer) guideFiles(c *study.Collection, f *study.Folder, report *analyze.Report, lang Lang) ([]File, []Problem, error) {
	g := newGuide(r.catalogue, lang, f, report, r.fonts)
	source, err := g.source(r.guide)
	if err != nil {
		return nil, nil, err
	}
	dir := guideDir(lang, f.ID)
	in := markup.Input{
		File:     path.Join(dir, guideMD),
		Resolver: resolver{lang: lang, folder: f, facts: report.Facts, root: siteRoot, data: dataPage},
		Literals: literals(f, report),
		Charts:   g.charts,
	}
	page, err := r.markup[lang].HTML(source, in)
	if err != nil {
		return nil, nil, fmt.Errorf("page source of %s: %w", dir, err)
	}
	export, spans, err := r.markup[lang].Export(source, in)
	if err != nil {
		return nil, nil, fmt.Errorf("page source of %s: %w", dir, err)
	}
	html, err := r.page(g.frameOf(c, page))
	if err != nil {
		return nil, nil, err
	}
	data, dataProblems, err := r.dataPage(c, g, in)
	if err != nil {
		return nil, nil, err
	}
	script, err := r.script(f, report)
	if err != nil {
		return nil, nil, err
	}
	files := []File{{path.Join(dir, guidePage), html}, {path.Join(dir, guideMD), export}, data, {path.Join(dir, scriptFile), script}}
	known := g.known(in.Literals)
	problems := slices.Concat(checkHTML(files[0], known), checkMarkdown(files[1], spans, known), checkScript(files[3]))
	charts, err := g.chartFiles(dir)
	return append(files, charts...), append(problems, dataProblems...), err
}

// frameOf is the guide's frame: title, contents, the way to the other language.
func (g *guide) frameOf(c *study.Collection, page markup.Page) pageView {
	s := &g.folder.Study
	v := g.frame(&c.Site, siteRoot)
	v.Title = s.Title.In(string(g.lang))
	v.Description = s.Summary.In(string(g.lang))
	other := g.lang.Other()
	v.Alternate = &alternate{other.HTML(), other.Name(), siteRoot + guideDir(other, g.folder.ID) + "/" + guidePage}
	v.Mark = g.shortMark()
	v.Contents = contents(page.Headings)
	v.Body = htmltemplate.HTML(page.HTML)
	return v
}

// chartFiles are the page's charts as files of their own, for the Markdown export,
// and the headline chart as a PNG for sites that take no SVG.
func (g *guide) chartFiles(dir string) ([]File, error) {
	var files []File
	for _, name := range sortedKeys(g.files) {
		files = append(files, File{path.Join(dir, name), g.files[name]})
	}
	bars, ok := g.casesBars()
	if !ok {
		return files, nil
	}
	png, err := bars.PNG(g.fonts, pngScale)
	if err != nil {
		return nil, fmt.Errorf("headline chart of %s: %w", dir, err)
	}
	return append(files, File{path.Join(dir, "cases.png"), png}), nil
}

// pngScale draws the headline chart at twice its size, for dense screens.
const pngScale = 2

// dataPage lists the facts that were computed, each with its formula and all the
// facts that go into it, so that a derived number leads to every one of its sources.
func (r *Renderer) dataPage(c *study.Collection, g *guide, in markup.Input) (File, []Problem, error) {
	dir := guideDir(g.lang, g.folder.ID)
	v := g.frame(&c.Site, siteRoot)
	v.Title = g.t("data.title", Args{"Title": g.folder.Study.Title.In(string(g.lang))})
	v.Description = g.t("data.intro")
	v.Mark = g.shortMark()
	other := g.lang.Other()
	v.Alternate = &alternate{other.HTML(), other.Name(), siteRoot + guideDir(other, g.folder.ID) + "/" + dataPage}
	body, err := g.dataBody(r, in.Resolver.(resolver))
	if err != nil {
		return File{}, nil, err
	}
	if g.words.err != nil {
		return File{}, nil, g.words.err
	}
	v.Body = body
	html, err := r.page(v)
	if err != nil {
		return File{}, nil, err
	}
	file := File{path.Join(dir, dataPage), html}
	return file, checkHTML(file, g.known(append(in.Literals, g.dataLiterals()...))), nil
}
