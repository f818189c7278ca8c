package render

import (
	"path"
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

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
		names.cells = append(names.cells, cell(g.measured(t.Sample)))
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

// measured names a sample where those of all stages and loads stand together.
func (g *guide) measured(sample string) string {
	s := g.sampleOf(sample)
	if len(g.folder.Study.Workloads) == 1 {
		return g.configuration(s.Ref)
	}
	return dotted(g.configuration(s.Ref), g.workload(s.Workload))
}

// configuration names a candidate where those of all stages stand together. An incumbent
// that a stage measured again has the name that it was adopted with, and says for which stage.
func (g *guide) configuration(ref string) string {
	for _, st := range g.report.Stages {
		if ref == st.ID+"/"+study.IncumbentSide {
			return g.t("candidate.again", Args{"Name": g.candidate(st.Incumbent), "Stage": g.stage(st.ID)})
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
