package render

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"benchguide/analyze"
	"benchguide/render/markup"
)

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
		blocks = append(blocks, g.serving(g.t("command.ran"), strings.TrimSpace(side.Ran)))
	}
	blocks = append(blocks, g.serving(g.t("command.derived"), side.Derived))
	for _, w := range g.folder.Study.Workloads {
		if command := side.Clients[w.ID]; command != "" {
			blocks = append(blocks, markup.CodeBlock("bash", g.t("command.client.ran", Args{"Workload": w.Name.In(string(g.lang))}), strings.TrimSpace(command)))
		}
	}
	return fold(g.t("made.commands", Args{"Name": g.candidate(side.Ref)}), blocks...)
}

// otherCommands folds away what was typed for the candidates that are not followed up in
// the cases. What the study derives for them stands at their stages.
func (g *guide) otherCommands(m *analyze.Made) string {
	var blocks []string
	for _, side := range m.Sides {
		if side.Other && side.Ran != "" {
			blocks = append(blocks, g.serving(g.t("command.ran.of", Args{"Name": g.candidate(side.Ref)}), strings.TrimSpace(side.Ran)))
		}
	}
	if len(blocks) == 0 {
		return ""
	}
	return fold(g.t("made.commands.others"), blocks...)
}

// inForce folds away what the servers said was in force. Arguments of one engine mean
// nothing beside those of another, so each engine has a table.
func (g *guide) inForce(m *analyze.Made) string {
	var blocks, engines []string
	for _, side := range m.Sides {
		if len(side.Server) > 0 && !slices.Contains(engines, side.Engine) {
			engines = append(engines, side.Engine)
		}
	}
	for _, id := range engines {
		if len(engines) > 1 {
			blocks = append(blocks, g.t("made.server.engine", Args{"Engine": text(engineName(id))}))
		}
		blocks = append(blocks, g.inForceOf(id, m)...)
	}
	if len(blocks) == 0 {
		return ""
	}
	return fold(g.t("made.server"), append([]string{g.t("made.server.intro")}, blocks...)...)
}

// inForceOf has a column for each side of the cases, which are at most a baseline and a
// final configuration. Others only say what they differ by: a column each would be too many
// for a phone, and most of what stands in it would stand there already.
func (g *guide) inForceOf(engine string, m *analyze.Made) []string {
	var sides, others []analyze.MadeSide
	for _, s := range m.Sides {
		switch {
		case s.Engine != engine || len(s.Server) == 0:
		case s.Other && len(sides) > 0:
			others = append(others, s)
		default:
			s.Against = nil // it stands in a table of its own
			sides = append(sides, s)
		}
	}
	var list []column
	names := argumentsOf(sides...)
	for _, side := range sides {
		c := column{title: g.candidate(side.Ref), words: true}
		for _, name := range names {
			value := cell(g.t("cell.not-recorded"))
			if v, ok := side.Server[name]; ok {
				value = markup.Cell{markup.Code(serverText(name, v))}
			}
			c.cells = append(c.cells, value)
		}
		list = append(list, c)
	}
	blocks := []string{g.columns(1, list...)}
	// Each is held against the incumbent of its own stage, and what has none of its engine
	// against the side that stands above.
	for _, st := range g.report.Stages {
		var beside []analyze.MadeSide
		for _, s := range others {
			if stage, _, _ := strings.Cut(s.Ref, "/"); stage == st.ID && len(s.Against) > 0 {
				beside = append(beside, s)
			}
		}
		caption := g.t("made.server.beside", Args{"Stage": text(g.stage(st.ID)), "Name": text(g.incumbent(st))})
		blocks = append(blocks, g.unlikeTable(caption, beside)...)
	}
	var rest []analyze.MadeSide
	for _, s := range others {
		if len(s.Against) == 0 {
			s.Against = sides[0].Server
			rest = append(rest, s)
		}
	}
	if len(rest) == 0 {
		return blocks
	}
	return append(blocks, g.unlikeTable(g.t("made.server.others", Args{"Name": text(g.candidate(sides[0].Ref))}), rest)...)
}

// unlikeTable lists by what servers differ from those beside them, and apart from it what
// only one of the two recorded: that is no difference, but nothing is known of it.
func (g *guide) unlikeTable(caption string, sides []analyze.MadeSide) []string {
	if len(sides) == 0 {
		return nil
	}
	candidates, arguments := column{title: g.t("table.candidate"), words: true}, column{title: g.t("table.arguments"), words: true}
	unknown := column{title: g.t("table.one-side"), words: true}
	for _, side := range sides {
		differ, once := unlikeArguments(side)
		if differ == nil {
			differ = cell(g.t("cell.same"))
		}
		candidates.cells = append(candidates.cells, cell(g.candidate(side.Ref)))
		arguments.cells, unknown.cells = append(arguments.cells, differ), append(unknown.cells, once)
	}
	return []string{captioned(caption, g.columns(1, candidates, arguments, unknown))}
}

// argumentsOf are the names of what some servers, or those beside them, reported, in order.
func argumentsOf(sides ...analyze.MadeSide) []string {
	var names []string
	for _, side := range sides {
		names = slices.AppendSeq(names, maps.Keys(side.Server))
		names = slices.AppendSeq(names, maps.Keys(side.Against))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unlikeArguments lists what a server reported otherwise than the one beside it, and the
// names of what only one of them recorded.
func unlikeArguments(side analyze.MadeSide) (differ, once markup.Cell) {
	add := func(to markup.Cell, code string) markup.Cell {
		if to != nil {
			to = append(to, markup.Text(" "))
		}
		return append(to, markup.Code(code))
	}
	for _, name := range argumentsOf(side) {
		v, known := side.Server[name]
		other, too := side.Against[name]
		switch {
		case !known || !too:
			once = add(once, argumentName(name))
		case v != other:
			differ = add(differ, serverText(name, v))
		}
	}
	return differ, once
}

// argumentName writes the name of an argument so that it is one, and no bare number.
func argumentName(name string) string {
	if !strings.ContainsFunc(name, unicode.IsLetter) {
		return "argument " + name
	}
	return name
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
