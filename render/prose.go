package render

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/render/gate"
	"benchguide/render/markup"
	"benchguide/study"
	"benchguide/study/strict"
)

// The codes of what is wrong in a study's prose.
const (
	CodeUnknownFact     = analyze.CodeUnknownFact  // a reference to a fact that does not exist
	CodeUnknownCitation = gate.CodeUnknownCitation // a reference to a citation that does not exist
	CodeUnknownStyle    = "unknown-style"          // a fact cannot be stated in this style
	CodeBadReference    = "bad-reference"          // braces that are no reference
	CodeNoProse         = "reference-not-filled"   // a reference in a text that is a name
	CodeBadProse        = "bad-prose"              // Markdown that no page can show
)

// proseTexts are the texts that may have paragraphs, references and Markdown. All
// others are names: they stand in headings, charts and attributes as they are.
func proseTexts() []string {
	return []string{
		"objective.text", "datasets.text", "workloads.derived", "baseline.note",
		"stages.question", "stages.note", "stages.pick.reason", "stages.candidates.note", "stages.candidates.same_as.reason",
		"cases.note", "notes.text", "accept.reason", "published.claims.note", "imported.note",
	}
}

// proseChecker looks at what a study's author wrote before any page is made, so that
// faults are reported together and where they were written. The gate reads the
// finished pages all the same.
type proseChecker struct {
	r      *Renderer
	folder *study.Folder
	report *analyze.Report
	ids    []string
	known  map[Lang]known
	list   []Finding
}

// proseFindings checks every text of a study. A report with errors has no facts of cases and
// summary, so that its references cannot be judged.
func (r *Renderer) proseFindings(f *study.Folder, report *analyze.Report) []Finding {
	if report.Failed() {
		return nil
	}
	c := &proseChecker{r: r, folder: f, report: report, known: map[Lang]known{}}
	for _, fact := range report.Facts.All() {
		c.ids = append(c.ids, fact.ID)
	}
	names := literals(f, report)
	for _, lang := range Langs() {
		c.known[lang] = newGuide(r.catalogue, lang, f, report, r.fonts).known(names)
	}
	for _, text := range f.Texts() {
		c.check(text)
	}
	return c.list
}

func (c *proseChecker) find(code string, t study.PlacedText, part, message string) {
	line, column := t.Find(part)
	c.list = append(c.list, Finding{Code: code, Severity: SeverityError, File: t.File, Line: line, Column: column, Message: message})
}

// braces are what an author may have meant as a reference.
var braces = regexp.MustCompile(`\{\{[^{}\n]*\}\}|\{\{|\}\}`)

func (c *proseChecker) check(t study.PlacedText) {
	before := len(c.list)
	isProse := slices.Contains(proseTexts(), t.Path)
	for _, part := range braces.FindAllString(t.Text, -1) {
		switch {
		case !reference.MatchString(part):
			c.find(CodeBadReference, t, part, fmt.Sprintf("%q is no reference; write {{id}} or {{id|style}}, without blanks", part))
		case !isProse:
			c.find(CodeNoProse, t, part, fmt.Sprintf("%s is not filled in here: %s is a name and stands as it is; write it without a reference", part, t.Path))
		default:
			c.resolve(t, part)
		}
	}
	switch {
	case len(c.list) > before || strings.HasPrefix(t.Path, "citations."):
		// said already; and a citation may hold any number, with its source beside it
	case isProse:
		c.numbers(t, prose(t.Text))
	default:
		c.numbers(t, text(t.Text))
	}
}

// resolve looks a reference up.
func (c *proseChecker) resolve(t study.PlacedText, part string) {
	ref := part[2 : len(part)-2]
	res := resolver{lang: Lang(t.Lang), folder: c.folder, facts: c.report.Facts}
	_, err := res.Resolve(ref)
	id, _, _ := strings.Cut(ref, "|")
	switch {
	case err == nil:
	case strings.HasPrefix(ref, "cite:"):
		c.find(CodeUnknownCitation, t, part, err.Error())
	case c.report.Facts.Has(id):
		c.find(CodeUnknownStyle, t, part, err.Error())
	default:
		hint := "report.json lists all facts of the study"
		if near := strict.Closest(id, c.ids); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		c.find(CodeUnknownFact, t, part, fmt.Sprintf("there is no fact %q; %s", id, hint))
	}
}

// numbers lets the gate read a text by itself.
func (c *proseChecker) numbers(t study.PlacedText, source string) {
	lang := Lang(t.Lang)
	known := c.known[lang]
	in := markup.Input{File: t.File, Literals: known.Literals, Resolver: resolver{lang: lang, folder: c.folder, facts: c.report.Facts}}
	text, spans, err := c.r.markup[lang].Export([]byte(source), in)
	if err != nil {
		c.find(CodeBadProse, t, "", reason(err))
		return
	}
	for _, p := range checkMarkdown(File{t.File, text}, spans, known) {
		if p.Severity == gate.SeverityError {
			c.find(string(p.Code), t, p.Text, p.Message)
		}
	}
}

// reason is what a markup error says without its place, which is that of a single text.
func reason(err error) string {
	var at *markup.Error
	if !errors.As(err, &at) {
		return err.Error()
	}
	if at.Err != nil {
		return at.Message + ": " + at.Err.Error()
	}
	return at.Message
}
