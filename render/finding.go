package render

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"benchguide/analyze"
	"benchguide/render/markup"
	"benchguide/study"
)

// Severity says how much a finding matters.
type Severity = analyze.Severity

// The severities.
const (
	SeverityError   = analyze.SeverityError
	SeverityCaution = analyze.SeverityCaution
	SeverityNote    = analyze.SeverityNote
)

// Finding is a finding in words, as `benchguide check` prints it.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column,omitempty"`
	Message  string   `json:"message"`
	Subject  string   `json:"subject,omitempty"`  // what it speaks of, by which a study accepts it
	Accepted string   `json:"accepted,omitempty"` // why the study lets it stand
}

// String returns the finding as one line that editors can follow.
func (f Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		place += fmt.Sprintf(":%d", f.Column)
	}
	if place != "" {
		place += ": "
	}
	message := f.Message
	if f.Accepted != "" {
		message += " Accepted: " + f.Accepted
	}
	return fmt.Sprintf("%s%s: %s [%s]", place, f.Severity, message, f.Code)
}

// CodeInvalidStudy is the code of what is wrong with a study's own files; what the
// reader of raw output found has a code of its own.
const CodeInvalidStudy = "invalid-study"

// LoadFindings makes findings of the problems that loading a study found.
func LoadFindings(problems []study.Problem) []Finding {
	var list []Finding
	for _, p := range problems {
		message := p.Message
		if p.Hint != "" {
			message += "; " + p.Hint
		}
		list = append(list, Finding{Code: cmp.Or(p.Code, CodeInvalidStudy), Severity: SeverityError, File: p.File, Line: p.Line, Column: p.Column, Message: message})
	}
	return list
}

// Findings puts a report's findings into English, with the numbers that they speak of,
// and adds what is wrong in the study's prose.
func (r *Renderer) Findings(f *study.Folder, report *analyze.Report) []Finding {
	g := newGuide(r.catalogue, EN, f, report, r.fonts)
	var list []Finding
	facts := resolver{lang: EN, folder: f, facts: report.Facts}
	for _, found := range report.Findings {
		said := Finding{Code: found.Code, Severity: found.Severity, File: path.Join(f.Dir, found.File), Line: found.Line, Column: found.Column,
			Message: plain(g.message(found), facts), Subject: found.Subject}
		if found.Accepted != nil {
			said.Accepted = plain(prose(found.Accepted.In(string(EN))), facts)
		}
		list = append(list, said)
	}
	return append(list, r.proseFindings(f, report)...)
}

// message is a finding in words, for a terminal; those of claims say where the claim
// stands, and those of raw output are the reader's own.
func (g *guide) message(f analyze.Finding) string {
	if words, ok := f.Names["Words"]; ok {
		return words
	}
	if f.Claim == "" {
		return g.findingText(f)
	}
	for i, c := range g.folder.Study.Published.Claims {
		if c.ID != f.Claim {
			continue
		}
		args := Args{"Where": c.Where.In(string(g.lang)), "Says": c.Says, "Fact": f.Names["Fact"]}
		if i < len(g.report.Claims) {
			args["Data"] = g.claimData(g.report.Claims[i])
		}
		return g.t("finding."+f.Code, args)
	}
	return f.Code
}

var marker = regexp.MustCompile(markup.Marker("([^\ue001]*)"))

// plain replaces markers by their texts and takes Markdown's emphasis away, for terminals.
func plain(source string, r resolver) string {
	out := marker.ReplaceAllStringFunc(source, func(m string) string {
		bound, err := r.Resolve(marker.FindStringSubmatch(m)[1])
		if err != nil {
			return "?"
		}
		return bound.Text
	})
	return strings.NewReplacer("**", "", "`", "").Replace(out)
}

// Check makes all pages without writing them, and returns what the gate found on
// them and what two readers of Markdown read differently.
func (r *Renderer) Check(c *study.Collection, reports []*analyze.Report) ([]Finding, error) {
	site, problems, err := r.Site(c, reports)
	if err != nil {
		return []Finding{{Code: CodeInvalidStudy, Severity: SeverityError, Message: err.Error()}}, nil
	}
	var list []Finding
	for _, p := range problems {
		list = append(list, Finding{Code: string(p.Code), Severity: Severity(p.Severity), File: p.File, Line: p.Line, Message: p.Message})
	}
	for _, f := range site.Files {
		if path.Base(f.Path) != guideMD {
			continue
		}
		differences, err := r.markup[EN].Differences(f.Data)
		if err != nil {
			return nil, fmt.Errorf("reading %s again: %w", f.Path, err)
		}
		for _, d := range differences {
			list = append(list, Finding{Code: CodeTwoReaders, Severity: SeverityNote, File: f.Path, Line: d.Line,
				Message: fmt.Sprintf("GitHub and MkDocs read this %s differently: %q and %q", d.What, d.Here, d.There)})
		}
	}
	return list, nil
}

// CodeTwoReaders is the code of Markdown that GitHub and MkDocs would show differently.
const CodeTwoReaders = "markdown-readers-differ"
