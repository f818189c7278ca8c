package render

import (
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/study"
)

// tokens says how many tokens a prompt and its answer have: as the study declares them, or on
// average, as the starts counted what a dataset gave.
func (g *guide) tokens(w study.Workload) string {
	id := "workload/" + w.ID + ":"
	if w.InputTokens > 0 && w.OutputTokens > 0 {
		return g.fact(id+"input_tokens") + " / " + g.fact(id+"output_tokens")
	}
	for _, l := range g.report.Lengths {
		if l.Workload == w.ID {
			return g.t("cell.mean-from-dataset", Args{"Input": g.span(l.Input), "Output": g.span(l.Output)})
		}
	}
	return g.t("cell.from-dataset")
}

// span prints a mean over starts, or from which to which it goes.
func (g *guide) span(s analyze.Span) string {
	if s.Least == s.Most {
		return g.fact(s.Least)
	}
	return g.t("cell.span", Args{"Least": g.fact(s.Least), "Most": g.fact(s.Most)})
}

// fixedLengths names the workloads whose answers are as long as the client asked for,
// whatever the model would have said; nothing where there are none.
func (g *guide) fixedLengths() string {
	var list []string
	for _, w := range g.folder.Study.Workloads {
		if slices.Contains(strings.Fields(w.Command), "--ignore-eos") {
			list = append(list, text(w.Name.In(string(g.lang))))
		}
	}
	switch len(list) {
	case 0:
		return ""
	case len(g.folder.Study.Workloads):
		return g.t("workloads.fixed.all")
	}
	return g.t("workloads.fixed", Args{"Names": g.list(list)})
}
