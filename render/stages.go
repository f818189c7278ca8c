package render

import (
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

func (g *guide) stageViews() []stageView {
	var views []stageView
	for i, st := range g.report.Stages {
		declared := g.folder.Study.Stages[i]
		views = append(views, stageView{
			ID: st.ID, Title: text(declared.Title.In(string(g.lang))),
			Question: prose(declared.Question.In(string(g.lang))),
			Table:    g.stageTable(st),
			Chart:    g.stageChart(st),
			Findings: g.stageFindings(st, declared),
			Details:  g.stageDetails(st),
		})
	}
	return views
}

// stageColumns are the metrics of a stage's table: the ranking one, then what
// explains it.
func (g *guide) stageColumns() []metric.ID {
	ttft, tpot := metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT)
	if g.report.Objective.Goal == study.Latency {
		return []metric.ID{metric.RequestLatency, ttft, tpot, metric.TotalThroughput}
	}
	return []metric.ID{metric.TotalThroughput, ttft, tpot}
}

// stageTable lists a stage's candidates, the incumbent first: the verdict beside the
// name, then the ranking metric with both comparisons, then what explains it.
func (g *guide) stageTable(st analyze.Stage) string {
	columns := g.stageColumns()
	titles := []string{g.t("table.candidate"), g.t("table.verdict"), g.shortWithUnit(columns[0]),
		g.t("table.versus-incumbent"), g.t("table.versus-adopted")}
	leader := hasLeader(st)
	if leader {
		titles = append(titles, g.t("table.versus-leader"))
	}
	for _, id := range columns[1:] {
		titles = append(titles, g.shortWithUnit(id))
	}
	var rows [][]markup.Cell
	if !holds(st, st.Incumbent) {
		incumbent := analyze.Candidate{Ref: st.Incumbent, Sample: g.incumbentSample(st.Incumbent).ID}
		rows = append(rows, g.candidateRow(st, incumbent, g.t("table.incumbent-mark"), columns, leader))
	}
	for _, c := range st.Candidates {
		rows = append(rows, g.candidateRow(st, c, g.verdict(c), columns, leader))
	}
	align := leftThenRight(len(titles))
	align[1] = markup.AlignLeft
	return markup.Table(head(titles...), rows, align)
}

func hasLeader(st analyze.Stage) bool {
	return slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool { return c.VersusLeader != nil })
}

func holds(st analyze.Stage, ref string) bool {
	return slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool { return c.Ref == ref })
}

// incumbentSample returns the trial that an incumbent was adopted with.
func (g *guide) incumbentSample(ref string) analyze.Sample {
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.Ref == ref {
				return g.sampleOf(c.Sample)
			}
		}
	}
	return analyze.Sample{}
}

func (g *guide) candidateRow(st analyze.Stage, c analyze.Candidate, verdict string, columns []metric.ID, leader bool) []markup.Cell {
	name := cell(g.candidate(c.Ref))
	if c.Ref == st.Adopted {
		name = strong(g.candidate(c.Ref))
	}
	t := g.sampleOf(c.Sample)
	row := []markup.Cell{name, cell(verdict), cell(g.valueText(t, columns[0], StyleBare)),
		g.comparisonCell(c.VersusIncumbent), g.comparisonCell(c.VersusAdopted)}
	if leader {
		row = append(row, g.comparisonCell(c.VersusLeader))
	}
	for _, id := range columns[1:] {
		row = append(row, cell(g.valueText(t, id, StyleBare)))
	}
	return row
}

// valueText prints a trial's metric. Where a latency is impossible, the bound stands
// in its place.
func (g *guide) valueText(t analyze.Sample, id metric.ID, style string) string {
	if fact, ok := value(t, id); ok {
		return g.fact(fact, style)
	}
	if bound, ok := value(t, metric.RequestLatencyMost); ok && id == metric.RequestLatency && t.NoLatency {
		return g.t("cell.at-most", Args{"Bound": g.fact(bound, style)})
	}
	return g.t("cell.none")
}

// comparisonCell prints a gain, always with the words beside it that say what it is
// worth: a size inside the noise never stands alone.
func (g *guide) comparisonCell(c *analyze.Comparison) markup.Cell {
	switch {
	case c == nil:
		return cell(g.t("cell.none"))
	case c.Refused != "":
		return cell(g.t("cell.refused"))
	}
	return cell(g.gainText(c))
}

func (g *guide) gainText(c *analyze.Comparison) string {
	fact, _ := gain(c, c.Metric)
	out := g.fact(fact)
	if c.Metric != g.report.Objective.Metric {
		out = g.t("cell.by-throughput", Args{"Gain": out})
	}
	if !c.Distinguishable {
		out = g.t("verdict.inline", Args{"Gain": out})
	}
	if len(c.Cautions) > 0 {
		out = g.t("cell.caution", Args{"Gain": out})
	}
	return out
}

// stageFindings says what the stage decided and on what evidence.
func (g *guide) stageFindings(st analyze.Stage, declared study.Stage) []string {
	list := []string{g.decision(st, declared)}
	var tied, worse []string
	for _, c := range st.Candidates {
		switch c.Verdict {
		case analyze.Tied:
			tied = append(tied, text(g.candidate(c.Ref)))
		case analyze.NoGain:
			worse = append(worse, g.t("list.item", Args{"Name": text(g.candidate(c.Ref)), "Gain": g.gainText(c.VersusIncumbent)}))
		}
	}
	if len(tied) > 0 {
		list = append(list, g.t("stage.tied", Args{"Names": g.list(tied)}))
	}
	if len(worse) > 0 {
		list = append(list, g.t("stage.no-gain", Args{"Names": g.list(worse)}))
	}
	for _, c := range declared.Candidates {
		if c.SameAs != nil {
			list = append(list, g.t("stage.same-as", Args{"Name": text(c.Name.In(string(g.lang))),
				"Other": text(g.candidate(c.SameAs.Candidate)), "Reason": prose(c.SameAs.Reason.In(string(g.lang)))}))
		}
		if c.Note != nil {
			list = append(list, prose(c.Note.In(string(g.lang))))
		}
	}
	if declared.Note != nil {
		list = append(list, prose(declared.Note.In(string(g.lang))))
	}
	return list
}

// decision is the sentence of what a stage goes on with, and why.
func (g *guide) decision(st analyze.Stage, declared study.Stage) string {
	floor := g.fact(g.floor(g.report.Objective.Metric).Fact)
	for _, c := range st.Candidates {
		if c.Ref != st.Adopted || !st.Changed {
			continue
		}
		reason := ""
		if declared.Pick != nil {
			reason = prose(declared.Pick.Reason.In(string(g.lang)))
		}
		name := text(g.candidate(c.Ref))
		if c.Verdict != analyze.Adopted {
			return g.t("stage.picked.flat", Args{"Name": name, "Gain": g.gainFact(c), "Floor": floor, "Reason": reason})
		}
		return g.adopted(st, c, name, floor, reason)
	}
	return g.t("stage.none", Args{"Floor": floor})
}

// gainFact is the marker of a candidate's gain over the incumbent.
func (g *guide) gainFact(c analyze.Candidate) string {
	fact, _ := gain(c.VersusIncumbent, c.VersusIncumbent.Metric)
	return g.fact(fact)
}

func (g *guide) adopted(st analyze.Stage, c analyze.Candidate, name, floor, reason string) string {
	id := c.VersusIncumbent.Metric
	sentence := g.t("stage.adopted", Args{
		"Name": name, "Metric": g.metric(id), "Gain": g.gainFact(c), "Floor": g.fact(g.floor(id).Fact),
		"Before": g.valueText(g.incumbentSample(st.Incumbent), id, ""), "Value": g.valueText(g.sampleOf(c.Sample), id, ""),
	})
	if st.Picked {
		sentence += g.lang.Gap() + g.t("stage.picked", Args{"Name": name, "Reason": reason})
	}
	return sentence
}

// stageDetails folds away, for each candidate, how it was run and what was printed.
func (g *guide) stageDetails(st analyze.Stage) []string {
	var list []string
	for _, c := range st.Candidates {
		blocks := []string{markup.CodeBlock("bash", g.t("command.serving"), c.Configuration.Command)}
		for _, t := range g.trials(c.Sample) {
			if t.Command != "" && t.Command != c.Configuration.Command {
				blocks = append(blocks, markup.CodeBlock("bash", g.t("command.as-run"), t.Command))
				break // every start of a candidate runs one command
			}
		}
		blocks = append(blocks, g.rawBlocks(c.Sample, g.workload(g.report.Objective.Workload))...)
		list = append(list, fold(g.t("raw.details", Args{"Name": g.candidate(c.Ref)}), blocks...))
	}
	return list
}

// trials returns the trials of a sample.
func (g *guide) trials(sample string) []analyze.Trial {
	var list []analyze.Trial
	for _, id := range g.sampleOf(sample).Trials {
		if t, ok := g.report.Trial(id); ok {
			list = append(list, t)
		}
	}
	return list
}

// rawBlocks shows the raw output of every start of a sample.
func (g *guide) rawBlocks(sample, name string) []string {
	var blocks []string
	for _, t := range g.trials(sample) {
		blocks = append(blocks, markup.CodeBlock("bench", g.t("raw.title", Args{"Name": name}), strings.TrimRight(string(g.raw(t)), "\n")))
	}
	return blocks
}

// raw returns the bytes of a trial's raw output.
func (g *guide) raw(t analyze.Trial) []byte {
	run, _ := g.folder.Current()
	for _, r := range run.Results(t.Ref, t.Workload) {
		if r.Start.Number == t.Start {
			return r.Result.Bytes
		}
	}
	return nil
}
