package render

import (
	"strings"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/parse"
	"benchguide/render/markup"
	"benchguide/study"
)

// findings lists what the analysis found in the data; what it found in published
// claims stands in a table of its own.
func (g *guide) findings() []string {
	var list []string
	for _, f := range g.report.Findings {
		if f.Claim == "" {
			text := g.findingText(f)
			if f.Accepted != nil {
				text = g.t("finding.accepted", Args{"Finding": text, "Reason": prose(f.Accepted.In(string(g.lang)))})
			}
			list = append(list, text)
		}
	}
	if len(list) == 0 {
		return []string{g.t("findings.none")}
	}
	return list
}

// findingText is a finding in the page's language.
func (g *guide) findingText(f analyze.Finding) string {
	args := Args{}
	for name, fact := range f.Facts {
		args[name] = g.fact(fact)
	}
	for name, value := range f.Names {
		switch name {
		case "Before", "After":
			value = g.surrounding(f.Names["What"], value)
		case "What":
			if f.Code == analyze.CodeUnmeasured {
				value = text(g.unmeasured(value))
			}
		case "Trial", "First", "Second":
			value = text(g.trial(value))
		case "Start", "Place":
			value = markup.Inline(markup.Code(value))
		case "Workload":
			value = text(g.workload(value))
		case "Kind":
			value = g.t("ledger.kind." + value)
		case "Doubt":
			value = g.doubt(value)
		case "Metric":
			value = g.metric(metric.ID(value))
		case "Reason":
			if f.Code == analyze.CodeNotComparable {
				value = g.t("refused." + value)
			}
		}
		args[name] = value
	}
	if _, several := f.Facts["Configurations"]; several {
		return g.t("finding.few-prompts.several", args)
	}
	if f.Code == analyze.CodeDeclaredDiffers {
		return g.declaredDiffers(f.Names["What"], args)
	}
	if _, incomplete := f.Facts["Prompts"]; incomplete {
		return g.incomplete(f.Facts, args)
	}
	switch f.Names["Cause"] {
	case analyze.CauseWaiting:
		return g.t("finding.slow-spell.waiting", args)
	case analyze.CauseClock:
		return g.t("finding.slow-spell.clock", args)
	}
	if message, ok := ofAll()[f.Code]; ok && g.holdsForAll(f) {
		return g.t(message, args)
	}
	return g.t("finding."+f.Code, args)
}

// ofAll are the messages of findings that are counted, for where they hold for every trial.
func ofAll() map[string]string {
	return map[string]string{analyze.CodePeakArtefact: "finding.peak-artefact.all", analyze.CodeFewForP99: "finding.p99-of-few.all"}
}

func (g *guide) holdsForAll(f analyze.Finding) bool {
	count, ok := g.report.Facts.Get(f.Facts["Trials"])
	return ok && len(g.report.Trials) > 1 && count.Value == float64(len(g.report.Trials))
}

// unmeasured names a stage, or "case/workload", that a run did not come to.
func (g *guide) unmeasured(what string) string {
	if workload, ok := strings.CutPrefix(what, "case/"); ok {
		return dotted(g.stage(study.CasesStage), g.workload(workload))
	}
	return g.stage(what)
}

// surrounding writes a value of a start's surroundings with its name, which makes it a
// literal where the value is a bare number.
func (g *guide) surrounding(name, value string) string {
	if value == "" {
		return g.t("cell.none")
	}
	return markup.Inline(markup.Code(ledgerText(analyze.Difference{Kind: "environment", Name: name}, value)))
}

// doubt says what a reader of raw output found odd, as far as there are words for it in
// both languages; the reader's own are English and stand where findings are printed.
func (g *guide) doubt(code string) string {
	switch code {
	case parse.CodeNoHeader:
		return g.t("doubt.missing-header")
	case parse.CodeNotMeasured:
		return g.t("doubt.not-measured")
	}
	return g.t("doubt.other", Args{"Code": markup.Inline(markup.Code(code))})
}

// claims lists the published figures that the data contradict.
func (g *guide) claims() sectionView {
	published := g.folder.Study.Published
	if published == nil {
		return sectionView{}
	}
	var rows [][]markup.Cell
	for i, c := range g.report.Claims {
		if c.Status != analyze.ClaimHolds {
			rows = append(rows, g.claimRow(published.Claims[i], c))
		}
	}
	if len(rows) == 0 {
		return sectionView{}
	}
	args := Args{"Title": text(published.Title.In(string(g.lang))), "URL": published.URL}
	intro := g.t("claims.intro", args)
	if published.URL == "" {
		intro = g.t("claims.intro.plain", args)
	}
	return sectionView{Intro: intro,
		Table: markup.Table(g.head(g.t("table.where"), g.t("table.published"), g.t("table.data"), g.t("table.explanation")), rows, nil)}
}

func (g *guide) claimRow(declared study.Claim, c analyze.Claim) []markup.Cell {
	explanation := g.t("cell.none")
	if declared.Note != nil {
		explanation = prose(declared.Note.In(string(g.lang)))
	}
	return []markup.Cell{
		cell(declared.Where.In(string(g.lang))),
		cell(markup.Marker("cite:" + claimPrefix + c.ID)),
		cell(g.claimData(c)),
		cell(explanation),
	}
}

// claimData is what the data say in place of a claim.
func (g *guide) claimData(c analyze.Claim) string {
	switch {
	case c.Status == analyze.ClaimNoData:
		return g.noData(c)
	case len(c.Order) > 0:
		var b strings.Builder
		for i, part := range c.Order {
			if i%2 == 1 {
				b.WriteString(" " + part + " ")
				continue
			}
			trial, _, _ := strings.Cut(part, ":")
			ref, _, _ := cutLast(trial, "/")
			b.WriteString(g.t("list.item", Args{"Name": g.candidate(ref), "Gain": g.fact(part)}))
		}
		return b.String()
	case c.Style == analyze.StylePercent:
		return g.fact(c.Fact, g.ratioStyle(c.Fact, StylePercent))
	case c.Style == analyze.StyleTimes:
		return g.fact(c.Fact, g.ratioStyle(c.Fact, StyleTimes))
	}
	return g.fact(c.Fact)
}

// ratioStyle keeps a style for ratios, which are the only facts that have styles.
func (g *guide) ratioStyle(id, style string) string {
	if f, ok := g.report.Facts.Get(id); ok && f.Kind == analyze.Ratio {
		return style
	}
	return StyleDefault
}

// noData says what is known where the data cannot say what was published.
func (g *guide) noData(c analyze.Claim) string {
	for _, f := range g.report.Findings {
		if f.Claim != c.ID {
			continue
		}
		if bound, ok := f.Facts["Bound"]; ok {
			return g.t("finding.no-data.bound", Args{"Bound": g.fact(bound)})
		}
		if instead, ok := f.Facts["Instead"]; ok {
			return g.t("finding.no-data.instead", Args{"Instead": g.fact(instead)})
		}
	}
	return g.t("cell.none")
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
