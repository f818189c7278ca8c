package render

import (
	"strings"

	"benchguide/analyze"
	"benchguide/render/gate"
	"benchguide/render/markup"
)

// Problem is something on a finished page that must not be published.
type Problem = gate.Finding

type known = gate.Known

// known is everything that the guide's pages may say in numbers.
func (g *guide) known(literals []string) known {
	k := known{Facts: map[string]gate.Fact{}, Literals: literals, Citations: map[string]string{}}
	for _, f := range g.report.Facts.All() {
		k.Facts[f.ID] = gate.Fact{Value: exact(f.Value), Texts: texts(f)}
	}
	for name, c := range g.folder.Study.Citations {
		k.Citations[name] = c.Text.In(string(g.lang))
	}
	if p := g.folder.Study.Published; p != nil {
		for _, c := range p.Claims {
			k.Citations[claimPrefix+c.ID] = c.Says
		}
	}
	k.Verbatim = g.verbatim()
	return k
}

// texts lists every way in which a fact may be printed.
func texts(f analyze.Fact) []string {
	var list []string
	for _, style := range []string{StyleDefault, StylePercent, StyleTimes, StyleFactor, StyleBare, StyleChange} {
		if text, err := factText(f, style); err == nil {
			list = append(list, text)
		}
	}
	return list
}

// verbatim lists what blocks of code may hold: commands and raw outputs.
func (g *guide) verbatim() [][]byte {
	var list [][]byte
	add := func(s string) {
		if s != "" {
			list = append(list, []byte(s))
		}
	}
	s := &g.folder.Study
	for _, d := range s.Datasets {
		add(d.Prepare)
	}
	for _, w := range s.Workloads {
		add(w.Command)
	}
	add(g.report.Baseline.Command)
	add(g.report.Final.Command)
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			add(c.Configuration.Command)
		}
	}
	if m := g.report.Made; m != nil {
		for _, side := range m.Sides {
			add(strings.TrimSpace(side.Ran))
			add(side.Derived)
			for _, w := range sortedKeys(side.Clients) {
				add(strings.TrimSpace(side.Clients[w]))
			}
		}
	}
	for _, t := range g.report.Trials {
		add(t.Command)
		list = append(list, g.raw(t))
	}
	return list
}

func checkHTML(f File, k known) []Problem { return gate.HTML(f.Path, f.Data, k) }

func checkMarkdown(f File, spans []markup.Span, k known) []Problem {
	bound := make([]gate.Span, len(spans))
	for i, s := range spans {
		bound[i] = gate.Span{Offset: s.Offset, Length: s.Length, Kind: string(s.Kind), ID: s.ID}
	}
	return gate.Markdown(f.Path, f.Data, bound, k)
}

func sameFacts(zh, en File) []Problem {
	return gate.Same(gate.Page{File: zh.Path, Src: zh.Data}, gate.Page{File: en.Path, Src: en.Data})
}
