package render

import (
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

// names gives everything in a study the name that readers know it by.
type names struct {
	w      *words
	folder *study.Folder
}

// candidate returns the name of "stage/candidate", or of a side of the cases.
func (n names) candidate(ref string) string {
	s := &n.folder.Study
	stage, id, _ := strings.Cut(ref, "/")
	if stage == study.CasesStage {
		return n.w.t("table." + id)
	}
	if ref == s.BaselineRef() {
		return s.Baseline.Name.In(string(n.w.lang))
	}
	for _, st := range s.Stages {
		for _, c := range st.Candidates {
			if st.ID == stage && c.ID == id {
				return c.Name.In(string(n.w.lang))
			}
		}
	}
	if id == study.IncumbentSide {
		return n.w.t("table.incumbent") // measured again beside a later stage's candidates
	}
	return ref
}

// stage returns the title of a stage.
func (n names) stage(id string) string {
	for _, st := range n.folder.Study.Stages {
		if st.ID == id {
			return st.Title.In(string(n.w.lang))
		}
	}
	return n.w.t("cases.heading")
}

// workload returns the name of a workload.
func (n names) workload(id string) string {
	w, _ := n.folder.Study.Workload(id)
	return w.Name.In(string(n.w.lang))
}

// trial returns the name of "stage/candidate/workload": where it stands, what ran,
// under which load.
func (n names) trial(id string) string {
	parts := strings.Split(id, "/") // stage/candidate/workload, or stage/candidate/start-N/workload
	ref := strings.Join(parts[:2], "/")
	return dotted(n.stage(parts[0]), n.candidate(ref), n.load(parts[len(parts)-1]))
}

// load is the name of a trial's workload, and says if the trial is a repeat.
func (n names) load(id string) string {
	if _, ok := n.folder.Study.Workload(id); ok {
		return n.workload(id)
	}
	before, _, _ := cutLast(id, ".")
	return n.w.t("trial.repeat", Args{"Workload": n.workload(before)})
}

// metric returns the name of a metric.
func (n names) metric(id metric.ID) string {
	stat, quantity, _ := strings.Cut(string(id), "_")
	if slices.Contains(metric.Quantities(), metric.Quantity(quantity)) && stat != string(metric.Mean) {
		return n.w.t("metric.statistic", Args{"Statistic": strings.ToUpper(stat[:1]) + stat[1:], "Quantity": n.w.t("quantity." + quantity)})
	}
	return n.w.t("metric." + string(id))
}

// verdict returns a candidate's verdict in words.
func (n names) verdict(c analyze.Candidate) string {
	text := n.verdictWord(c)
	if c.Picked {
		return dotted(text, n.w.t("verdict.picked"))
	}
	return text
}

// verdictWord is the verdict without what the author made of it. That there were too
// few starts to test is said in its own words.
func (n names) verdictWord(c analyze.Candidate) string {
	if v := c.VersusIncumbent; v != nil && v.Test != nil && v.Test.TooFew && c.Verdict == analyze.NotDistinguishable {
		return n.w.t("verdict.too-few")
	}
	return n.w.t("verdict." + string(c.Verdict))
}

// dotted joins names into one. A full-width bracket brings its own space.
func dotted(names ...string) string {
	return strings.ReplaceAll(strings.Join(names, " · "), "） · ", "）· ")
}

// text escapes a name for page source.
func text(name string) string { return markup.Inline(markup.Text(name)) }
