package render

import (
	"path"
	"strings"

	"benchguide/analyze"
	"benchguide/render/markup"
	"benchguide/study"
)

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
