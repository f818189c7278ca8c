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

// otherCommands folds away what was typed for the candidates that are not followed up in
// the cases. What the study derives for them stands at their stages.
func (g *guide) otherCommands(m *analyze.Made) string {
	var blocks []string
	for _, side := range m.Sides {
		if side.Other && side.Ran != "" {
			blocks = append(blocks, markup.CodeBlock("bash", g.t("command.ran.of", Args{"Name": g.candidate(side.Ref)}), strings.TrimSpace(side.Ran)))
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
		blocks = append(blocks, g.inForceOf(id, m))
	}
	if len(blocks) == 0 {
		return ""
	}
	return fold(g.t("made.server"), append([]string{g.t("made.server.intro")}, blocks...)...)
}

func (g *guide) inForceOf(engine string, m *analyze.Made) string {
	sides := slices.DeleteFunc(slices.Clone(m.Sides), func(s analyze.MadeSide) bool { return s.Engine != engine || len(s.Server) == 0 })
	var names []string
	for _, side := range sides {
		for name := range side.Server {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	var list []column
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
	return g.columns(1, list...)
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
