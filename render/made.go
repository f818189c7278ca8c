package render

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"benchguide/analyze"
	"benchguide/engine"
	"benchguide/render/markup"
)

// madeView is how a run of benchguide's own was carried out. It is empty for what others
// have run.
type madeView struct {
	Facts   string   // what the run as a whole was like
	Tables  []string // with a sentence before each
	Details []string // folded
}

// made says how the run was carried out, as its attempts recorded it. What was not
// recorded has no row and no column.
func (g *guide) made() madeView {
	m := g.report.Made
	if m == nil {
		return madeView{}
	}
	view := madeView{Facts: g.madeFacts(m)}
	for _, table := range append([]string{g.bootedTable(m), g.telemetryTable(m), g.cardsTable(m), g.promptsTable(m)}, g.sweepTables(m)...) {
		if table != "" {
			view.Tables = append(view.Tables, table)
		}
	}
	for _, side := range m.Sides {
		if !side.Other {
			view.Details = append(view.Details, g.ranCommands(side))
		}
	}
	for _, folded := range []string{g.otherCommands(m), g.inForce(m), g.startsTables(m)} {
		if folded != "" {
			view.Details = append(view.Details, folded)
		}
	}
	return view
}

// madeFacts is the table of what holds for the run as a whole.
func (g *guide) madeFacts(m *analyze.Made) string {
	var rows [][]markup.Cell
	add := func(label, value string) {
		if value != "" {
			rows = append(rows, []markup.Cell{cell(g.t(label)), cell(value)})
		}
	}
	fact := func(id string) string {
		if id == "" {
			return ""
		}
		return g.fact(id)
	}
	if m.Began != "" && m.Ended != "" {
		from, to, oneDay := period(g.lang, m.Began, m.Ended)
		message := "made.from-to"
		if oneDay {
			message = "made.one-day"
		}
		add("made.time", g.t(message, Args{"Began": from, "Ended": to}))
	}
	add("made.sittings", fact(m.Sittings))
	add("made.starts", fact(m.Starts))
	add("made.set-aside", fact(m.SetAside))
	add("made.seed", fact(m.Seed))
	add("made.measured", fact(m.Measured))
	around := slices.Clone(m.Surroundings)
	slices.SortStableFunc(around, func(a, b analyze.Surrounding) int { return rank(a.Name) - rank(b.Name) })
	var inherited markup.Cell
	for _, s := range around {
		if variable.MatchString(s.Name) {
			inherited = append(inherited, variableValues(s)...)
			continue
		}
		rows = append(rows, []markup.Cell{g.surroundingName(s.Name), g.surroundingValues(s)})
	}
	if inherited != nil {
		rows = append(rows, []markup.Cell{cell(g.t("around.variables")), inherited[1:]})
	}
	return markup.Table(g.head(g.t("table.item"), g.t("table.value")), rows, nil)
}

// knownSurroundings are the names for which there are words in both languages, in the
// order in which they are shown; others stand behind them, as they were recorded.
func knownSurroundings() [][2]string {
	return [][2]string{{"gpu", "around.gpu"}, {uuid, "around.gpu-uuid"}, {"gpus", "around.gpus"}, {"driver", "around.driver"}, {"cuda", "around.cuda"},
		{"power_limit", "around.power-limit"}, {"clocks", "around.clocks"}, {"client", "around.client"}}
}

// uuid is the name of the GPUs' identities, several of one start with commas between them.
const uuid = "gpu_uuid"

// variable is the name of an environment variable that the runner passed on to engines.
var variable = regexp.MustCompile("^[A-Z][A-Z0-9_]*$")

// variableValues are the values of a variable as they would be set, each behind a space.
func variableValues(s analyze.Surrounding) markup.Cell {
	var out markup.Cell
	for _, v := range s.Values {
		out = append(out, markup.Text(" "), markup.Code(serverText(s.Name, v)))
	}
	return out
}

// rank is the place of a name among the known ones, and behind them if it is none.
func rank(name string) int {
	known := knownSurroundings()
	if i := slices.IndexFunc(known, func(k [2]string) bool { return k[0] == name }); i >= 0 {
		return i
	}
	return len(known)
}

func (g *guide) surroundingName(name string) markup.Cell {
	if i := rank(name); i < len(knownSurroundings()) {
		return cell(g.t(knownSurroundings()[i][1]))
	}
	return markup.Cell{markup.Code(name)}
}

// surroundingValues lists what was in force. Where the starts differ, it says so first.
func (g *guide) surroundingValues(s analyze.Surrounding) markup.Cell {
	var list []string
	for i, v := range s.Values {
		if i < len(s.Facts) {
			list = append(list, g.fact(s.Facts[i]))
			continue
		}
		list = append(list, surroundingText(s.Name, v))
	}
	values := g.list(list)
	if s.Count != "" {
		values = g.t("around.several", Args{"Count": g.fact(s.Count), "Values": values})
	}
	return cell(values)
}

// surroundingText writes a value so that it is a name: a bare number could be anything.
func surroundingText(name, v string) string {
	switch {
	case name == uuid:
		return shortUUIDs(v)
	case strings.ContainsFunc(v, unicode.IsLetter) || v == "":
		return v
	case name == "cuda":
		return "CUDA " + v
	case name == "driver":
		return "NVIDIA " + v
	}
	return name + " " + v
}

// shortUUIDs cuts the identities of GPUs to what tells them apart; attempt.json has all of them.
func shortUUIDs(v string) string {
	list := strings.Split(v, ", ")
	for i, id := range list {
		if parts := strings.SplitN(id, "-", 3); len(parts) == 3 && parts[0] == "GPU" {
			list[i] = parts[0] + "-" + parts[1] + "…"
		}
	}
	return strings.Join(list, ", ")
}

// period is when a run began and ended in UTC, each as a name and not as a number: the day
// once where it is one.
func period(lang Lang, began, ended string) (from, to string, oneDay bool) {
	a, err1 := time.Parse(time.RFC3339, began)
	b, err2 := time.Parse(time.RFC3339, ended)
	if err1 != nil || err2 != nil || a.UTC().Format(time.DateOnly) != b.UTC().Format(time.DateOnly) {
		return momentText(lang, began), momentText(lang, ended), false
	}
	if lang == ZH {
		return a.UTC().Format("2006 年 1 月 2 日 15:04"), b.UTC().Format("15:04（UTC）"), true
	}
	return a.UTC().Format("2 January 2006, 15:04"), b.UTC().Format("15:04 UTC"), true
}

// momentText writes a moment in UTC, as a name and not as a number. What is no moment
// stays as it was recorded.
func momentText(lang Lang, moment string) string {
	t, err := time.Parse(time.RFC3339, moment)
	switch {
	case err != nil:
		return moment
	case lang == ZH:
		return t.UTC().Format("2006 年 1 月 2 日 15:04（UTC）")
	}
	return t.UTC().Format("2 January 2006, 15:04 UTC")
}

// momentCell is a moment in a table, where it must be short.
func momentCell(moment string) string {
	t, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return moment
	}
	return t.UTC().Format(time.DateOnly + " 15:04 UTC")
}

// digestDigits is how much of a digest stands on a page: enough to see that two differ.
const digestDigits = 16

// shortDigest writes a digest with its algorithm, which makes it a name.
func shortDigest(digest string) string {
	at := strings.LastIndexByte(digest, ':')
	hex := digest[at+1:]
	switch {
	case len(hex) != 64:
		return digest // the name of an image, or what nobody knows
	case at < 0:
		digest, at = "sha256:"+digest, len("sha256:")-1
	}
	return digest[:at+1+digestDigits] + "…"
}

func digestCell(digests []string) markup.Cell {
	var out markup.Cell
	for i, d := range digests {
		if i > 0 {
			out = append(out, markup.Text(" "))
		}
		out = append(out, markup.Code(shortDigest(d)))
	}
	return out
}

// madeLiterals are the names with digits that this part of the page prints.
func madeLiterals(m *analyze.Made) []string {
	if m == nil {
		return nil
	}
	var list []string
	for _, lang := range Langs() {
		from, to, _ := period(lang, m.Began, m.Ended)
		list = append(list, from, to)
	}
	for _, s := range m.Surroundings {
		for _, v := range s.Values {
			list = append(list, s.Name, surroundingText(s.Name, v), serverText(s.Name, v))
		}
	}
	for _, b := range m.Engines {
		list = append(list, b.Version, engineName(b.Engine)+" "+b.Version)
		for _, image := range b.Images {
			list = append(list, shortDigest(image))
		}
	}
	for _, p := range m.Prompts {
		list = append(list, path.Base(p.File))
		for _, d := range p.Digests {
			list = append(list, shortDigest(d))
		}
	}
	for _, name := range argumentsOf(m.Sides...) {
		list = append(list, argumentName(name))
	}
	for _, side := range m.Sides {
		for _, v := range sortedKeys(side.Server) {
			list = append(list, serverText(v, side.Server[v]))
		}
		for _, v := range sortedKeys(side.Env) {
			list = append(list, serverText(v, side.Env[v]))
		}
	}
	for _, s := range m.List {
		list = append(list, startName(s), momentCell(s.Began), s.Invalid, s.Failure)
	}
	return list
}

func engineName(id string) string {
	if e, ok := engine.Lookup(id); ok {
		return e.Name
	}
	return id
}
