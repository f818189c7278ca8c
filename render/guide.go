package render

import (
	"bytes"
	"fmt"
	"text/template"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/chart"
	"benchguide/render/markup"
	"benchguide/study"
)

// guideView is what the guide's template prints. Every string is page source in one
// language: Markdown in which numbers are fact markers.
type guideView struct {
	Title, Lead, Mark       string
	Recommended             string
	Overview, OverviewChart string
	Sure                    []string
	Objective, Setup        string
	Datasets                []string
	Workloads               string
	Clients                 []string
	StagesIntro             string
	Stages                  []stageView
	Summary                 sectionView
	Bounds                  sectionView
	Within                  []string
	Cases                   sectionView
	NotesHeading            string
	Notes                   []noteView
	Findings                []string
	Claims                  sectionView
	Made                    madeView
	Reproduce               reproduceView
}

type stageView struct {
	ID, Title, Question, Table, Chart string
	Findings                          []string
	Beside                            string
	Details                           []string
}

type sectionView struct {
	Intro, Table, Chart string
	Notes, Details      []string
}

type noteView struct{ Title, Text string }

type reproduceView struct {
	Intro, Script, Files string
	Steps                []string
}

// guide builds the page of one study in one language.
type guide struct {
	*words
	names
	folder *study.Folder
	report *analyze.Report
	fonts  *chart.Fonts
	charts map[string][]byte // drawings in the page, by file name
	files  map[string][]byte // drawings as files of their own

	published map[string]bool // files of the study that the site has; nil until asked for
	err       error
}

// newGuide prepares the guide of a study in one language.
func newGuide(c *Catalogue, lang Lang, f *study.Folder, r *analyze.Report, fonts *chart.Fonts) *guide {
	w := &words{catalogue: c, lang: lang}
	return &guide{words: w, names: names{w, f}, folder: f, report: r, fonts: fonts, charts: map[string][]byte{}, files: map[string][]byte{}}
}

// source returns the page source of the guide, and fills in the charts that it shows.
func (g *guide) source(tmpl *template.Template) ([]byte, error) {
	view := g.view()
	if g.words.err != nil {
		return nil, g.words.err
	}
	if g.err != nil {
		return nil, g.err
	}
	t, err := tmpl.Clone()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Funcs(g.funcs()).Execute(&out, view); err != nil {
		return nil, fmt.Errorf("%s, %s: %w", g.folder.ID, g.lang, err)
	}
	return tidy(out.Bytes()), nil
}

func (g *guide) view() guideView {
	s := &g.folder.Study
	return guideView{
		Title:         text(s.Title.In(string(g.lang))),
		Lead:          g.lead(),
		Mark:          g.mark(),
		Recommended:   markup.CodeBlock("bash", g.recommendation(), g.report.Final.Command),
		Overview:      g.overviewTable(),
		OverviewChart: g.casesChart(),
		Sure:          g.sure(),
		Objective:     g.objective(),
		Setup:         g.setup(),
		Datasets:      g.datasets(),
		Workloads:     g.workloadTable(),
		Clients:       g.clients(),
		StagesIntro:   g.stagesIntro(),
		Stages:        g.stageViews(),
		Summary:       g.summary(),
		Bounds:        g.bounds(),
		Within:        g.within(),
		Cases:         g.cases(),
		NotesHeading:  g.notesHeading(),
		Notes:         g.notes(),
		Findings:      g.findings(),
		Claims:        g.claims(),
		Made:          g.made(),
		Reproduce:     g.reproduce(),
	}
}

// tidy leaves at most one empty line between paragraphs, outside of code.
func tidy(src []byte) []byte {
	var out bytes.Buffer
	blank, fenced := 0, false
	for line := range bytes.Lines(src) {
		trimmed := bytes.TrimSpace(line)
		if bytes.HasPrefix(trimmed, []byte("```")) {
			fenced = !fenced
		}
		if len(trimmed) == 0 && !fenced {
			if blank++; blank > 1 {
				continue
			}
		} else {
			blank = 0
		}
		out.Write(line)
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n')
}

// fact returns the marker of a fact in a style, and keeps an error for a fact that
// does not exist: page code only states what the report has.
func (g *guide) fact(id string, style ...string) string {
	if !g.report.Facts.Has(id) && g.err == nil {
		g.err = fmt.Errorf("%s: a page states the fact %q, which the report does not have", g.folder.ID, id)
	}
	if len(style) > 0 && style[0] != "" {
		id += "|" + style[0]
	}
	return markup.Marker(id)
}

// sampleOf returns a sample by its id; ids come from the report itself.
func (g *guide) sampleOf(id string) analyze.Sample {
	t, ok := g.report.Sample(id)
	if !ok && g.err == nil {
		g.err = fmt.Errorf("%s: the report has no sample %q", g.folder.ID, id)
	}
	return t
}

// value returns the fact of a trial's metric, and false when it was not measured.
func value(t analyze.Sample, id metric.ID) (string, bool) {
	fact, ok := t.Values[id]
	return fact, ok
}

// gain returns the fact of a comparison in one metric.
func gain(c *analyze.Comparison, id metric.ID) (string, bool) {
	if c == nil {
		return "", false
	}
	for _, g := range c.Gains {
		if g.Metric == id {
			return g.Fact, true
		}
	}
	return "", false
}
