package render

import (
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
			sides = append(sides, s)
		}
	}
	var list []column
	names := argumentsOf(sides...)
	for _, side := range sides {
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
	blocks := []string{g.columns(1, list...)}
	if len(others) == 0 {
		return blocks
	}
	candidates, arguments := column{title: g.t("table.candidate"), words: true}, column{title: g.t("table.arguments"), words: true}
	for _, side := range others {
		candidates.cells = append(candidates.cells, cell(g.candidate(side.Ref)))
		arguments.cells = append(arguments.cells, g.argumentsUnlike(side, sides[0]))
	}
	return append(blocks, captioned(g.t("made.server.others", Args{"Name": text(g.candidate(sides[0].Ref))}), g.columns(1, candidates, arguments)))
}

// argumentsOf are the names of what some servers reported, in order.
func argumentsOf(sides ...analyze.MadeSide) []string {
	var names []string
	for _, side := range sides {
		for name := range side.Server {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// notReported stands for the value of an argument that only other servers reported.
const notReported = "—"

// argumentsUnlike lists what a server reported otherwise than another one.
func (g *guide) argumentsUnlike(side, from analyze.MadeSide) markup.Cell {
	var out markup.Cell
	for _, name := range argumentsOf(side, from) {
		v, known := side.Server[name]
		if !known {
			v = notReported
		}
		if other, same := from.Server[name]; known && same && v == other {
			continue
		}
		if out != nil {
			out = append(out, markup.Text(" "))
		}
		out = append(out, markup.Code(serverText(name, v)))
	}
	if out == nil {
		return cell(g.t("cell.same"))
	}
	return out
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
