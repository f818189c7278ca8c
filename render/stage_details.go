package render

import (
	"strconv"
	"strings"

	"benchguide/analyze"
	"benchguide/render/markup"
)

// stageDetails folds away, for each candidate, how it was run and what was printed.
func (g *guide) stageDetails(st analyze.Stage) []string {
	var list []string
	for _, c := range st.Candidates {
		if c.Sample == "" {
			continue // it gave no results
		}
		blocks := []string{g.ledger(c), g.serving(g.versioned(g.t("command.serving"), c.Configuration), c.Configuration.Command)}
		for _, t := range g.trials(c.Sample) {
			if t.Command != "" && t.Command != c.Configuration.Command {
				blocks = append(blocks, g.serving(g.t("command.as-run"), t.Command))
				break // every start of a candidate runs one command
			}
		}
		blocks = append(blocks, g.rawBlocks(c.Sample, g.workload(g.report.Objective.Workload))...)
		list = append(list, fold(g.t("raw.details", Args{"Name": g.candidate(c.Ref)}), blocks...))
	}
	return list
}

// serving shows a serving command. It is copied without the page around it, so its caption
// says what kind of results the command has.
func (g *guide) serving(caption, command string) string {
	return markup.CodeBlock("bash", g.marked(caption), command)
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
