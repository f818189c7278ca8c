package render

import (
	"slices"
	"strconv"
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
	titles := []string{g.t("table.candidate"), g.t("table.verdict"), g.shortWithUnit(columns[0]), g.t("table.versus-incumbent")}
	if st.Changed { // what stays adopted otherwise is the incumbent
		titles = append(titles, g.t("table.versus-adopted"))
	}
	leader := hasLeader(st)
	if leader {
		titles = append(titles, g.t("table.versus-leader"))
	}
	for _, id := range columns[1:] {
		titles = append(titles, g.shortWithUnit(id))
	}
	var rows [][]markup.Cell
	if !holds(st, st.Incumbent) {
		incumbent := analyze.Candidate{Ref: st.Incumbent, Sample: g.incumbentSample(st).ID}
		rows = append(rows, g.candidateRow(st, incumbent, g.t("table.incumbent-mark"), columns, leader))
	}
	for _, c := range st.Candidates {
		rows = append(rows, g.candidateRow(st, c, g.verdict(c), columns, leader))
	}
	align := leftThenRight(len(titles))
	align[1] = markup.AlignLeft
	return markup.Table(g.head(titles...), rows, align)
}

func hasLeader(st analyze.Stage) bool {
	return slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool { return c.VersusLeader != nil })
}

func holds(st analyze.Stage, ref string) bool {
	return slices.ContainsFunc(st.Candidates, func(c analyze.Candidate) bool { return c.Ref == ref })
}

// incumbentSample returns what a stage's candidates are held against: the starts of the
// incumbent that the stage made itself, or those that it was adopted with.
func (g *guide) incumbentSample(of analyze.Stage) analyze.Sample {
	if own, ok := g.report.Sample(of.ID + "/" + study.IncumbentSide + "/" + g.report.Objective.Workload); ok {
		return own
	}
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.Ref == of.Incumbent {
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
	var t analyze.Sample // of a candidate that gave no results, nothing is known
	if c.Sample != "" {
		t = g.sampleOf(c.Sample)
	}
	row := []markup.Cell{name, cell(verdict), cell(g.valueText(t, columns[0], StyleBare)), g.comparisonCell(c.VersusIncumbent)}
	if st.Changed {
		row = append(row, g.comparisonCell(c.VersusAdopted))
	}
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
		out = g.inNoise(c, out)
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
		case analyze.Infeasible:
			list = append(list, g.infeasible(c))
		case analyze.Invalid:
			if c.Excluded != "" {
				list = append(list, g.t("stage.excluded", Args{"Name": text(g.candidate(c.Ref)), "Reason": markup.Inline(markup.Code(c.Excluded))}))
			}
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
	for _, c := range g.declaredRows(declared) {
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

// declaredRows are what the author declared of a stage's rows: the baseline stands in
// the first stage.
func (g *guide) declaredRows(declared study.Stage) []study.Candidate {
	s := &g.folder.Study
	if declared.ID == s.Stages[0].ID {
		return slices.Concat([]study.Candidate{s.Baseline}, declared.Candidates)
	}
	return declared.Candidates
}

// infeasible says why a candidate cannot be adopted: it would not run, or it breaks a
// limit of the objective.
func (g *guide) infeasible(c analyze.Candidate) string {
	name := text(g.candidate(c.Ref))
	if c.Failure != "" {
		return g.t("stage.failed", Args{"Name": name, "Reason": markup.Inline(markup.Code(c.Failure))})
	}
	var broken []string
	for _, b := range c.Broken {
		args := Args{"Metric": g.metric(b.Metric), "Limit": g.fact(b.Limit), "Value": g.t("setup.not-measured")}
		if b.Value != "" {
			args["Value"] = g.fact(b.Value)
		}
		broken = append(broken, g.t("stage.limit", args))
	}
	return g.t("stage.infeasible", Args{"Name": name, "Limits": g.list(broken)})
}

// decision is the sentence of what a stage goes on with, and why.
func (g *guide) decision(st analyze.Stage, declared study.Stage) string {
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
			return g.t("stage.picked.flat", Args{"Name": name, "Gain": g.gainFact(c), "Floor": g.bar(c), "Reason": reason})
		}
		return g.adopted(st, c, name, reason)
	}
	return g.nothing(st)
}

// nothing says that a stage adopts nothing: no gain is beyond the noise, or there are
// too few starts to tell.
func (g *guide) nothing(st analyze.Stage) string {
	highest := ""
	value := -1.0
	for _, c := range st.Candidates {
		v := c.VersusIncumbent
		if v == nil || v.Refused != "" {
			continue
		}
		if v.Test != nil && v.Test.TooFew {
			return g.t("stage.too-few", Args{"Need": g.fact(c.Ref + ":gain." + string(v.Metric) + ":need")})
		}
		if v.Gains[0].Floor > value {
			highest, value = v.Gains[0].Bar, v.Gains[0].Floor
		}
	}
	if highest == "" {
		return g.t("stage.not-comparable")
	}
	return g.t("stage.none", Args{"Floor": g.fact(highest)})
}

// bar is the marker of what a candidate's gain over the incumbent had to exceed.
func (g *guide) bar(c analyze.Candidate) string {
	if bar := c.VersusIncumbent.Gains[0].Bar; bar != "" {
		return g.fact(bar)
	}
	return g.t("cell.none")
}

// gainFact is the marker of a candidate's gain over the incumbent.
func (g *guide) gainFact(c analyze.Candidate) string {
	fact, _ := gain(c.VersusIncumbent, c.VersusIncumbent.Metric)
	return g.fact(fact)
}

func (g *guide) adopted(st analyze.Stage, c analyze.Candidate, name, reason string) string {
	id := c.VersusIncumbent.Metric
	sentence := g.t("stage.adopted", Args{
		"Name": name, "Metric": g.metric(id), "Gain": g.gainFact(c), "Floor": g.bar(c),
		"Before": g.valueText(g.incumbentSample(st), id, ""), "Value": g.valueText(g.sampleOf(c.Sample), id, ""),
	})
	if st.Picked {
		sentence += g.lang.Gap() + g.t("stage.picked", Args{"Name": name, "Reason": reason})
	}
	if confirmed, ok := confirmedIn(st, id); ok {
		sentence += g.lang.Gap() + g.t("stage.confirmed", Args{"Gain": g.fact(confirmed)})
	}
	return sentence
}

// confirmedIn is the gain of a stage from starts that did not choose its winner.
func confirmedIn(st analyze.Stage, id metric.ID) (string, bool) {
	for _, c := range st.Confirmed {
		if c.Metric == id {
			return c.Fact, true
		}
	}
	return "", false
}

// stageDetails folds away, for each candidate, how it was run and what was printed.
func (g *guide) stageDetails(st analyze.Stage) []string {
	var list []string
	for _, c := range st.Candidates {
		if c.Sample == "" {
			continue // it gave no results
		}
		blocks := []string{g.ledger(c), markup.CodeBlock("bash", g.versioned(g.t("command.serving"), c.Configuration), c.Configuration.Command)}
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

// ledger lists what differs between a candidate and the incumbent that it is held
// against: the stage's own change, and whatever else.
func (g *guide) ledger(c analyze.Candidate) string {
	if c.VersusIncumbent == nil {
		return ""
	}
	var rows [][]markup.Cell
	for _, d := range c.VersusIncumbent.Ledger {
		before, after := d.Before, d.After
		if d.BeforeFact != "" {
			before, after = d.BeforeFact, d.AfterFact
		}
		rows = append(rows, []markup.Cell{cell(g.t("ledger.kind." + d.Kind)), g.ledgerValue(d, before), g.ledgerValue(d, after)})
	}
	if len(rows) == 0 {
		return g.t("ledger.none")
	}
	return markup.Table(g.head(g.t("ledger.what"), g.t("ledger.before"), g.t("ledger.after")), rows, nil)
}

func (g *guide) ledgerValue(d analyze.Difference, v string) markup.Cell {
	switch {
	case d.Kind == "cache" && v != "":
		return cell(g.fact(v))
	case v == "":
		return cell(g.t("cell.none"))
	}
	return markup.Cell{markup.Code(ledgerText(d, v))}
}

// ledgerText writes a value with its name, as it is typed: the name makes it a literal
// where the value is a bare number.
func ledgerText(d analyze.Difference, v string) string {
	switch {
	case d.Name == uuid:
		return d.Name + "=" + shortUUIDs(v)
	case d.Name == "":
		return v
	case d.Kind == "option" && v == analyze.SwitchOn:
		return d.Name
	case d.Kind == "option":
		return d.Name + " " + v
	}
	return d.Name + "=" + v
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
	trials := g.trials(sample)
	for _, t := range trials {
		of := name
		if len(trials) > 1 { // they differ in nothing else that a reader sees
			of = g.t("raw.of-start", Args{"Name": name, "Start": startOf(t)})
		}
		blocks = append(blocks, markup.CodeBlock("bench", g.t("raw.title", Args{"Name": of}), readable(g.raw(t))))
	}
	return blocks
}

// readable is a raw output as a page of text can hold it: logs around a result have bytes
// of other encodings, and lines that a progress bar wrote over. The file itself, byte for
// byte, is one link away.
func readable(raw []byte) string {
	text := strings.ToValidUTF8(string(raw), "\uFFFD")
	return strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), " \t\n")
}

// startOf names the start of a trial, as the list of all starts does.
func startOf(t analyze.Trial) string { return t.Ref + "/start-" + strconv.Itoa(t.Start) }

// raw returns the bytes of a trial's raw output.
func (g *guide) raw(t analyze.Trial) []byte {
	run, _ := g.folder.Current()
	for _, r := range append(run.Results(t.Ref, t.Workload), run.Repeats(t.Ref, t.Workload)...) {
		if r.Start.Number == t.Start && r.Result.Repeat == t.Repeat {
			return r.Result.Bytes
		}
	}
	return nil
}
