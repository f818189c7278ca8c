package render

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

// column is a column of a table in which nothing may be known.
type column struct {
	title string
	words bool          // it holds words and no numbers
	cells []markup.Cell // nil: not known
}

// columns prints a table without the columns of which nothing is known. What is missing
// in a column that stays is left empty. With fewer columns than least, nothing is
// printed: names are no table.
func (g *guide) columns(least int, list ...column) string {
	list = slices.DeleteFunc(list, func(c column) bool {
		return !slices.ContainsFunc(c.cells, func(x markup.Cell) bool { return x != nil })
	})
	if len(list) < least {
		return ""
	}
	var titles []string
	var align []markup.Align
	rows := make([][]markup.Cell, len(list[0].cells))
	for i, c := range list {
		titles = append(titles, c.title)
		align = append(align, markup.AlignRight)
		if i == 0 || c.words {
			align[i] = markup.AlignLeft
		}
		for i, x := range c.cells {
			if x == nil {
				x = cell("")
			}
			rows[i] = append(rows[i], x)
		}
	}
	if !slices.ContainsFunc(list, func(c column) bool { return !c.words }) {
		align = nil // names and values of any length, which may be broken
	}
	return markup.Table(g.head(titles...), rows, align)
}

// factCell is nil where there is no fact.
func (g *guide) factCell(id string) markup.Cell {
	if id == "" {
		return nil
	}
	return cell(g.fact(id))
}

// captioned puts a sentence before a table; nothing where there is no table.
func captioned(caption, table string) string {
	if table == "" {
		return ""
	}
	return caption + "\n\n" + table
}

// bootedTable says of each engine how its servers were started.
func (g *guide) bootedTable(m *analyze.Made) string {
	names, images, starts := column{title: g.t("table.engine")}, column{title: g.t("table.image"), words: true}, column{title: g.t("table.starts")}
	ready := []column{{title: g.t("table.ready.cold")}, {title: g.t("table.ready.warm")}, {title: g.t("table.ready.unknown")}}
	for _, b := range m.Engines {
		names.cells = append(names.cells, cell(engineName(b.Engine)+" "+b.Version))
		starts.cells = append(starts.cells, g.factCell(b.Starts))
		images.cells = append(images.cells, digestCell(b.Images))
		for i, state := range []string{study.CachesCold, study.CachesWarm, study.CachesUnknown} {
			var found markup.Cell
			for _, r := range b.Ready {
				if r.Caches == state {
					found = cell(g.t("cell.of-starts", Args{"Value": g.fact(r.Median), "Starts": g.fact(r.Starts)}))
				}
			}
			ready[i].cells = append(ready[i].cells, found)
		}
	}
	caption := g.t("made.engines.plain")
	if slices.ContainsFunc(m.Engines, func(b analyze.Booted) bool { return len(b.Ready) > 0 }) {
		caption = g.t("made.engines")
	}
	return captioned(caption, g.columns(2, append([]column{names, images, starts}, ready...)...))
}

// telemetryTable says what the GPUs did while each configuration was measured. The
// configurations of one load stand together. Both names are in the first column, which
// alone stays in sight on a phone.
func (g *guide) telemetryTable(m *analyze.Made) string {
	names, power, energy := column{title: g.t("table.candidate")}, column{title: g.t("table.power")}, column{title: g.t("table.energy")}
	clock, cap, throttled := column{title: g.t("table.clock")}, column{title: g.t("table.power-cap")}, column{title: g.t("table.throttled")}
	for _, t := range m.Telemetry {
		s := g.sampleOf(t.Sample)
		name := g.configuration(s.Ref)
		if len(g.folder.Study.Workloads) > 1 {
			name += " · " + g.workload(s.Workload)
		}
		names.cells = append(names.cells, cell(name))
		power.cells = append(power.cells, g.factCell(t.Power))
		energy.cells = append(energy.cells, g.factCell(t.Energy))
		clock.cells = append(clock.cells, g.factCell(t.Clock))
		cap.cells = append(cap.cells, g.factCell(t.Cap))
		throttled.cells = append(throttled.cells, g.factCell(t.Throttled))
	}
	caption := g.t("made.telemetry")
	if slices.ContainsFunc(clock.cells, func(c markup.Cell) bool { return c != nil }) {
		caption = g.t("made.telemetry.clock")
	}
	return captioned(caption, g.columns(2, names, power, energy, clock, cap, throttled))
}

// configuration names a candidate where those of all stages stand together. An incumbent
// that a stage measured again has the name that it was adopted with, and that of the stage.
func (g *guide) configuration(ref string) string {
	for _, st := range g.report.Stages {
		if ref == st.ID+"/"+study.IncumbentSide {
			return g.candidate(st.Incumbent) + " · " + g.stage(st.ID)
		}
	}
	return g.candidate(ref)
}

// promptsTable leads to what the clients were sent.
func (g *guide) promptsTable(m *analyze.Made) string {
	names, count := column{title: g.t("table.workload")}, column{title: g.t("table.prompts")}
	digests, files := column{title: g.t("table.digest"), words: true}, column{title: g.t("table.file"), words: true}
	for _, p := range m.Prompts {
		names.cells = append(names.cells, cell(g.workload(p.Workload)))
		count.cells = append(count.cells, g.factCell(p.Count))
		digests.cells = append(digests.cells, digestCell(p.Digests))
		var file markup.Cell
		if p.File != "" && g.isPublished(p.File) {
			file = g.rawLink(p.File, path.Base(p.File))
		}
		files.cells = append(files.cells, file)
	}
	return captioned(g.t("made.prompts"), g.columns(2, names, count, digests, files))
}

// rawLink leads to a published file of the study.
func (g *guide) rawLink(file, name string) markup.Cell {
	return markup.Cell{markup.Link(siteRoot+rawFile(g.folder.ID, file), markup.Code(name))}
}

// sweepTables show the request rates that were tried, by configuration and workload.
func (g *guide) sweepTables(m *analyze.Made) []string {
	var tables []string
	for rest := m.Sweeps; len(rest) > 0; {
		first := rest[0]
		n := slices.IndexFunc(rest, func(p analyze.SweepPoint) bool { return p.Ref != first.Ref || p.Workload != first.Workload })
		if n < 0 {
			n = len(rest)
		}
		caption := g.t("made.sweep", Args{"Name": text(g.candidate(first.Ref)), "Workload": text(g.workload(first.Workload))})
		tables = append(tables, captioned(caption, g.sweepTable(rest[:n])))
		rest = rest[n:]
	}
	return tables
}

func (g *guide) sweepTable(points []analyze.SweepPoint) string {
	list := []column{{title: g.metric(metric.RequestRate)}}
	for _, p := range points {
		list[0].cells = append(list[0].cells, g.factCell(p.Rate))
	}
	for _, id := range analyze.SweepMetrics() {
		c := column{title: g.metric(id)}
		for _, p := range points {
			c.cells = append(c.cells, g.factCell(p.Values[id]))
		}
		list = append(list, c)
	}
	return g.columns(2, list...)
}

// ranCommands folds away what exactly was typed for a configuration.
func (g *guide) ranCommands(side analyze.MadeSide) string {
	var blocks []string
	if len(side.Env) > 0 {
		var set []string
		for _, name := range sortedKeys(side.Env) {
			set = append(set, markup.Inline(markup.Code(serverText(name, side.Env[name]))))
		}
		blocks = append(blocks, g.t("made.env", Args{"Variables": g.list(set)}))
	}
	if side.Ran != "" {
		blocks = append(blocks, markup.CodeBlock("bash", g.t("command.ran"), strings.TrimSpace(side.Ran)))
	}
	blocks = append(blocks, markup.CodeBlock("bash", g.t("command.derived"), side.Derived))
	for _, w := range g.folder.Study.Workloads {
		if command := side.Clients[w.ID]; command != "" {
			blocks = append(blocks, markup.CodeBlock("bash", g.t("command.client.ran", Args{"Workload": w.Name.In(string(g.lang))}), strings.TrimSpace(command)))
		}
	}
	return fold(g.t("made.commands", Args{"Name": g.candidate(side.Ref)}), blocks...)
}

// inForce folds away what the servers of both sides said was in force.
func (g *guide) inForce(m *analyze.Made) string {
	var names []string
	for _, side := range m.Sides {
		for name := range side.Server {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	var list []column
	for _, side := range m.Sides {
		c := column{title: g.candidate(side.Ref), words: true}
		for _, name := range names {
			var value markup.Cell
			if v, ok := side.Server[name]; ok {
				value = markup.Cell{markup.Code(serverText(name, v))}
			}
			c.cells = append(c.cells, value)
		}
		list = append(list, c)
	}
	if len(names) == 0 {
		return ""
	}
	return fold(g.t("made.server"), g.t("made.server.intro"), g.columns(1, list...))
}

// serverText writes an argument with its name, which makes it a literal where the value
// is a bare number.
func serverText(name, v string) string {
	text := name + "=" + v
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return "argument " + text
	}
	return text
}

// sideNames are the names of files that lie beside raw outputs.
func sideNames(f *study.Folder) []string {
	var list []string
	run, _ := f.Current()
	for _, s := range run.Starts {
		for _, side := range s.Sides {
			list = append(list, path.Base(side.File))
		}
	}
	return list
}

// startName is the name of a start, as its folder has it.
func startName(s analyze.MadeStart) string {
	return s.Ref + "/" + path.Base(s.Dir)
}

// mostRows is how many starts stand in one table. Each has a link for every file that it
// left, and a table is read by two libraries whose time grows with its length.
const mostRows = 24

// startsTables folds away every start with the files that it left, a table for each stage.
func (g *guide) startsTables(m *analyze.Made) string {
	var tables []string
	for rest := m.List; len(rest) > 0; {
		n := 1
		for n < len(rest) && n < mostRows && stageOf(rest[n]) == stageOf(rest[0]) {
			n++
		}
		if table := g.startsTable(rest[:n]); table != "" {
			tables = append(tables, table)
		}
		rest = rest[n:]
	}
	if len(tables) == 0 {
		return ""
	}
	return fold(g.t("made.list"), strings.Join(tables, "\n\n"))
}

func stageOf(s analyze.MadeStart) string {
	stage, _, _ := strings.Cut(s.Ref, "/")
	return stage
}

func (g *guide) startsTable(list []analyze.MadeStart) string {
	names, began, caches, ready := column{title: g.t("table.start")}, column{title: g.t("table.began"), words: true}, column{title: g.t("table.caches"), words: true}, column{title: g.t("table.ready")}
	files, notes := column{title: g.t("table.files"), words: true}, column{title: g.t("table.note"), words: true}
	for _, s := range list {
		names.cells = append(names.cells, markup.Cell{markup.Link(siteRoot+linesPage(g.folder.ID, s.Dir+"/attempt.json"), markup.Code(startName(s)))})
		var at, state, note markup.Cell
		if s.Began != "" {
			at = cell(momentCell(s.Began))
		}
		if message, ok := knownCaches()[s.Caches]; ok {
			state = cell(g.t(message))
		}
		switch {
		case s.Invalid != "":
			note = cell(g.t("made.invalid", Args{"Reason": s.Invalid}))
		case s.Failure != "":
			note = cell(g.t("made.failed", Args{"Reason": s.Failure}))
		}
		began.cells, caches.cells = append(began.cells, at), append(caches.cells, state)
		ready.cells, notes.cells = append(ready.cells, g.factCell(s.Ready)), append(notes.cells, note)
		files.cells = append(files.cells, g.sideLinks(s))
	}
	return g.columns(2, names, began, caches, ready, files, notes)
}

func knownCaches() map[string]string {
	return map[string]string{study.CachesCold: "caches.cold", study.CachesWarm: "caches.warm", study.CachesUnknown: "caches.unknown"}
}

// sideLinks leads to the files that a start left beside its raw outputs. One that is too
// large to be published is not among them.
func (g *guide) sideLinks(s analyze.MadeStart) markup.Cell {
	run, _ := g.folder.Current()
	var out markup.Cell
	for _, start := range run.Starts {
		if start.Dir != s.Dir {
			continue
		}
		for _, side := range start.Sides {
			name := strings.TrimPrefix(side.File, s.Dir+"/")
			if strings.Contains(name, "/") || !g.isPublished(side.File) {
				continue // a sweep's files are reached from its numbers
			}
			if out != nil {
				out = append(out, markup.Text(" "))
			}
			out = append(out, g.rawLink(side.File, name)...)
		}
	}
	return out
}
