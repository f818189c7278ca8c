package render

import (
	"fmt"
	htmltemplate "html/template"
	"maps"
	"path"

	"benchguide/analyze"
	"benchguide/render/gate"
	"benchguide/render/markup"
	"benchguide/study"
)

// indexView lists the guides in one language, or in both on the site's front page.
type indexView struct {
	Lang, Title string
	Intro       htmltemplate.HTML
	Cards       []card
}

// card is one guide in an index.
type card struct {
	Href, Goal     string
	Mark           string // what kind of results these are, where they are no plain measurements
	Open           string // that the run is not finished, where it is not
	Title, Summary htmltemplate.HTML
	Fact           *cardFact
}

// cardFact is the guide's headline gain.
type cardFact struct {
	Label string
	markup.Bound
}

// indexes makes the front page and the index of each language.
func (r *Renderer) indexes(c *study.Collection, reports []*analyze.Report) ([]File, []Problem, error) {
	var files []File
	var problems []Problem
	front := make([]indexView, 0, len(Langs()))
	all := known{Facts: map[string]gate.Fact{}}
	for _, lang := range Langs() {
		view, known, err := r.index(c, reports, lang, "../")
		if err != nil {
			return nil, nil, err
		}
		file, err := r.indexPage(c, lang, []indexView{view}, path.Join(string(lang), guidePage), "../")
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file)
		problems = append(problems, checkHTML(file, known)...)
		half, _, err := r.index(c, reports, lang, "")
		if err != nil {
			return nil, nil, err
		}
		front = append(front, half)
		all.Literals = known.Literals
		maps.Copy(all.Facts, known.Facts)
	}
	file, err := r.indexPage(c, EN, front, guidePage, "")
	if err != nil {
		return nil, nil, err
	}
	return append(files, file), append(problems, checkHTML(file, all)...), nil
}

// index lists the guides of one language. up leads from the page to the root.
func (r *Renderer) index(c *study.Collection, reports []*analyze.Report, lang Lang, up string) (indexView, known, error) {
	w := &words{catalogue: r.catalogue, lang: lang}
	view := indexView{Lang: lang.HTML(), Title: c.Site.Title.In(string(lang))}
	k := known{Facts: map[string]gate.Fact{}}
	for i, f := range c.Folders {
		names := literals(f, reports[i])
		k.Literals = append(k.Literals, names...)
		guide := up + guideDir(lang, f.ID) + "/"
		entry := card{Href: guide + guidePage, Goal: w.t("index.goal." + f.Study.Objective.Goal)}
		var err error
		if entry.Title, err = r.inline(lang, text(f.Study.Title.In(string(lang))), names); err != nil {
			return view, k, err
		}
		if entry.Summary, err = r.inline(lang, text(f.Study.Summary.In(string(lang))), names); err != nil {
			return view, k, err
		}
		if mark := reports[i].Mark; mark != "" {
			entry.Mark = w.t("mark.short." + mark)
		}
		if reports[i].Open != nil {
			entry.Open = w.t("index.open")
		}
		if fact, ok := reports[i].Facts.Get("total:gain." + string(reports[i].Objective.Metric)); ok {
			entry.Fact = w.cardFact(f, reports[i], fact, guide)
			k.Facts[entry.Fact.ID] = gate.Fact{Value: exact(fact.Value), Texts: texts(fact)}
		}
		view.Cards = append(view.Cards, entry)
	}
	// The site of a single study says what the study says, with its names.
	intro, err := r.inline(lang, text(c.Site.Description.In(string(lang))), k.Literals)
	if err != nil {
		return view, k, err
	}
	view.Intro = intro
	return view, k, w.err
}

// cardFact is a study's whole gain. Its id carries the study's, since an index shows
// the same fact of several studies.
func (w *words) cardFact(f *study.Folder, r *analyze.Report, fact analyze.Fact, guide string) *cardFact {
	label, err := factText(fact, StyleDefault)
	if err != nil && w.err == nil {
		w.err = err
	}
	return &cardFact{
		Label: w.t("index.gain", Args{"Metric": w.t("metric." + string(r.Objective.Metric))}),
		Bound: markup.Bound{Kind: markup.KindFact, ID: f.ID + "/" + fact.ID, Text: label, Value: exact(fact.Value), Href: guide + dataPage + "#" + factAnchor(fact.ID)},
	}
}

func (r *Renderer) indexPage(c *study.Collection, lang Lang, views []indexView, file, up string) (File, error) {
	body, err := r.body("index.html.tmpl", views)
	if err != nil {
		return File{}, fmt.Errorf("index page %s: %w", file, err)
	}
	w := &words{catalogue: r.catalogue, lang: lang}
	v := w.frame(&c.Site, up)
	v.Title, v.Description = c.Site.Title.In(string(lang)), c.Site.Description.In(string(lang))
	other := lang.Other()
	v.Alternate = &alternate{other.HTML(), other.Name(), up + string(other) + "/" + guidePage}
	v.Body = body
	if w.err != nil {
		return File{}, w.err
	}
	html, err := r.page(v)
	return File{file, html}, err
}
