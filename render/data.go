package render

import (
	"fmt"
	htmltemplate "html/template"
	"maps"
	"slices"
	"strings"
	"unicode"

	"benchguide/analyze"
	"benchguide/render/markup"
)

// dataView is the page of derived data points.
type dataView struct {
	Title, Intro, Back string
	Mark               string
	Head               dataHead
	Rows               []dataRow
}

type dataHead struct{ ID, Value, Formula, Inputs string }

// dataRow is one derived fact with what it was computed from.
type dataRow struct {
	Anchor, ID, Formula string
	Fact                markup.Bound
	Inputs              []markup.Bound
}

// dataBody prints the page. A fact's own link is left out where it stands in its
// own row.
func (g *guide) dataBody(r *Renderer, res resolver) (htmltemplate.HTML, error) {
	view := dataView{
		Title: g.t("data.title", Args{"Title": g.folder.Study.Title.In(string(g.lang))}),
		Intro: g.t("data.intro"), Back: g.t("data.back"),
		Head: dataHead{g.marked(g.t("data.id")), g.t("data.value"), g.t("data.formula"), g.t("data.inputs")},
	}
	if g.report.Mark != "" {
		view.Mark = g.t("mark." + g.report.Mark)
	}
	for _, f := range g.report.Facts.All() {
		if f.Source != nil {
			continue
		}
		row, err := g.dataRow(f, res)
		if err != nil {
			return "", err
		}
		view.Rows = append(view.Rows, row)
	}
	body, err := r.body("data.html.tmpl", view)
	if err != nil {
		return "", fmt.Errorf("derived data points of %s: %w", g.folder.ID, err)
	}
	return body, nil
}

func (g *guide) dataRow(f analyze.Fact, res resolver) (dataRow, error) {
	row := dataRow{Anchor: factAnchor(f.ID), ID: f.ID, Formula: f.Formula}
	var err error
	if row.Fact, err = res.Resolve(f.ID); err != nil {
		return row, err
	}
	row.Fact.Href = ""
	for _, id := range f.Inputs {
		in, err := res.Resolve(id)
		if err != nil {
			return row, err
		}
		in.Href = strings.TrimPrefix(in.Href, dataPage)
		row.Inputs = append(row.Inputs, in)
	}
	return row, nil
}

// dataLiterals are the ids and formulas that the page of data points prints.
func (g *guide) dataLiterals() []string {
	var list []string
	for _, f := range g.report.Facts.All() {
		list = append(list, f.ID, f.Formula)
	}
	return slices.DeleteFunc(list, func(id string) bool { return !strings.ContainsFunc(id, unicode.IsLetter) })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
