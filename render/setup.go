package render

import (
	"slices"
	"strings"
	"time"

	"benchguide/analyze"
	"benchguide/engine"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

// objective says what the study is after, and what ranks.
func (g *guide) objective() string {
	s := &g.folder.Study
	direction := g.t("direction.higher")
	if s.Objective.Goal == study.Latency {
		direction = g.t("direction.lower")
	}
	rank := g.t("objective.rank", Args{"Workload": text(g.workload(s.Objective.Workload)),
		"Metric": g.metric(g.report.Objective.Metric), "Direction": direction})
	if s.Objective.Goal == study.Latency {
		rank += g.lang.Gap() + g.t("objective.gain")
	}
	return prose(s.Objective.Text.In(string(g.lang))) + "\n\n" + rank
}

// hardware says on how many of what: GPUs, or cores of a CPU.
func (g *guide) hardware(name string) string {
	message := "hardware.gpu"
	if g.folder.Study.Hardware.CPU() {
		message = "hardware.cpu"
		if g.folder.Study.Hardware.Count == 1 {
			message = "hardware.cpu.one"
		}
	}
	return g.t(message, Args{"Count": g.fact("hardware:gpus"), "Name": name})
}

// setup lists what was run on what.
func (g *guide) setup() string {
	s := &g.folder.Study
	run, _ := g.folder.Current()
	rows := [][]markup.Cell{
		{cell(g.t("setup.model")), cell(s.Model.ID)},
		{cell(g.t("setup.hardware")), cell(g.hardware(s.Hardware.GPU))},
		{cell(g.t("setup.engine")), cell(g.engines())},
		{cell(g.t("setup.client")), cell(run.Info.Client)},
		{cell(g.t("setup.date")), cell(g.date(run.Info.Date))},
	}
	if run.Info.Imported != nil {
		rows = append(rows, []markup.Cell{cell(g.t("setup.source")), g.source0(run.Info.Imported)})
	}
	table := markup.Table(g.head(g.t("table.item"), g.t("table.value")), rows, nil)
	paragraphs := []string{table}
	if run.Info.Imported != nil {
		paragraphs = append(paragraphs, prose(run.Info.Imported.Note.In(string(g.lang))))
	}
	paragraphs = append(paragraphs, g.t("setup.metrics"))
	if s.Objective.Goal == study.Latency {
		paragraphs = append(paragraphs, g.latencySource())
	}
	return strings.Join(paragraphs, "\n\n")
}

// latencySource says where the latencies of the page come from.
func (g *guide) latencySource() string {
	s, _ := g.report.Sample(g.report.Baseline.Ref + "/" + g.report.Objective.Workload)
	for _, id := range s.Trials {
		t, _ := g.report.Trial(id)
		fact, _ := g.report.Facts.Get(t.Values[metric.RequestLatency])
		switch fact.Formula {
		case analyze.LatencyOfRequests:
			return g.t("setup.latency.requests")
		case analyze.LatencyPrinted:
			return g.t("setup.latency.printed")
		}
	}
	return g.t("setup.latency")
}

func (g *guide) source0(i *study.Imported) markup.Cell {
	title := i.Title.In(string(g.lang))
	if i.URL == "" {
		return cell(title)
	}
	return markup.Cell{markup.Link(i.URL, parts(title)...)}
}

// engines lists the engines with their versions, in the catalogue's order: those of the
// stages that the run came to.
func (g *guide) engines() string {
	var list []string
	for _, e := range engine.All() {
		for _, version := range g.versions(e.ID) {
			list = append(list, e.Name+" "+version)
		}
	}
	return g.list(list)
}

// versions are those of an engine that the stages compare, in the order of the stages.
func (g *guide) versions(engine string) []string {
	var list []string
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.Configuration.Engine == engine && !slices.Contains(list, c.Configuration.Version) {
				list = append(list, c.Configuration.Version)
			}
		}
	}
	return list
}

// versioned is the title of a serving command, with the engine's version where the guide
// compares several: the command is the same in all of them.
func (g *guide) versioned(title string, c analyze.Configuration) string {
	if len(g.versions(c.Engine)) < 2 {
		return title
	}
	return g.t("command.versioned", Args{"Title": title, "Engine": c.EngineName + " " + c.Version})
}

func (g *guide) date(date string) string {
	if date == study.UnknownDate {
		return g.t("setup.date.unknown")
	}
	return dateText(g.lang, date)
}

// dateText writes a date of run.yaml in words, as a name and not as a number.
func dateText(lang Lang, date string) string {
	day, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		return date
	case lang == ZH:
		return day.Format("2006 年 1 月 2 日")
	}
	return day.Format("2 January 2006")
}

func (g *guide) datasets() []string {
	var list []string
	for _, d := range g.folder.Study.Datasets {
		list = append(list, prose(d.Text.In(string(g.lang))))
	}
	return list
}

// workloadTable lists the loads, and says which of them fix the length of an answer.
func (g *guide) workloadTable() string {
	var rows [][]markup.Cell
	for _, w := range g.folder.Study.Workloads {
		id := "workload/" + w.ID + ":"
		concurrency := g.t("cell.all-at-once")
		if w.Concurrency > 0 {
			concurrency = g.fact(id + "concurrency")
		}
		rows = append(rows, []markup.Cell{cell(w.Name.In(string(g.lang))), cell(g.fact(id + "prompts")), cell(concurrency), cell(g.tokens(w))})
	}
	table := markup.Table(g.head(g.t("table.workload"), g.t("table.prompts"), g.t("table.concurrency"), g.t("table.tokens")), rows, leftThenRight(4))
	return strings.TrimSpace(table + "\n\n" + g.fixedLengths())
}

// clients shows the client command of every workload, folded.
func (g *guide) clients() []string {
	var list []string
	for _, w := range g.folder.Study.Workloads {
		blocks := []string{markup.CodeBlock("bash", "", strings.TrimSpace(w.Command))}
		if w.Derived != nil {
			blocks = append(blocks, prose(w.Derived.In(string(g.lang))))
		}
		list = append(list, fold(g.t("command.client", Args{"Workload": w.Name.In(string(g.lang))}), blocks...))
	}
	return list
}

// notes are the study's caveats.
func (g *guide) notes() []noteView {
	var list []noteView
	for _, n := range g.folder.Study.Notes {
		list = append(list, noteView{text(n.Title.In(string(g.lang))), indentFollowing(prose(n.Text.In(string(g.lang))))})
	}
	return list
}

// indentFollowing keeps the later paragraphs of a text inside its list item.
func indentFollowing(s string) string { return strings.ReplaceAll(s, "\n", "\n  ") }

// reproduce lists what to type to measure both configurations again, or the baseline where
// nothing was adopted.
func (g *guide) reproduce() reproduceView {
	s := &g.folder.Study
	var steps []string
	for _, d := range s.Datasets {
		if d.Prepare != "" {
			steps = append(steps, markup.CodeBlock("bash", g.t("command.prepare"), strings.TrimSpace(d.Prepare)))
		}
	}
	w, _ := s.Workload(s.Objective.Workload)
	steps = append(steps, g.serving(g.versioned(g.t("command.baseline"), g.report.Baseline), g.report.Baseline.Command))
	intro := g.t("reproduce.intro.kept")
	if !g.kept() {
		intro = g.t("reproduce.intro")
		steps = append(steps, g.serving(g.versioned(g.t("command.optimized"), g.report.Final), g.report.Final.Command))
	}
	if m := g.report.Made; m != nil && slices.ContainsFunc(m.Prompts, func(p analyze.Prompts) bool { return p.File != "" }) {
		intro += g.lang.Gap() + g.t("reproduce.prompts")
	}
	steps = append(steps, markup.CodeBlock("bash", g.t("command.client", Args{"Workload": w.Name.In(string(g.lang))}), strings.TrimSpace(w.Command)))
	root := siteRoot
	return reproduceView{
		Intro: intro, Steps: steps,
		Script: g.t("reproduce.script", Args{"Script": markup.Inline(markup.Link(scriptFile, markup.Code(scriptFile)))}),
		Files: g.t("reproduce.files", Args{
			"Study":  markup.Inline(markup.Link(root+linesPage(g.folder.ID, "study.yaml"), markup.Code("study.yaml"))),
			"Report": markup.Inline(markup.Link(root+reportFile(g.folder.ID), markup.Code("report.json"))),
			"Data":   markup.Inline(markup.Link(dataPage, markup.Text(g.t("data.link")))),
		}),
	}
}
