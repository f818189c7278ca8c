package run

import (
	"slices"

	"benchguide/analyze"
	"benchguide/study"
)

// Report is what a guide says of a study's current run: analyze.Study, but for the stage
// that a run of benchguide's own has begun and not decided. Results that somebody else
// measured are all that there will ever be, so that all of their stages are decided.
func Report(f *study.Folder) *analyze.Report { return analyze.Unfinished(f, open(f)) }

// open is the stage that the current run would go on with.
func open(f *study.Folder) analyze.Open {
	r, ok := f.Current()
	if !ok || r.Info.Imported != nil || !slices.ContainsFunc(r.Starts, study.Start.Own) {
		return analyze.Open{}
	}
	plan, err := PlanOf(&f.Study)
	if err != nil {
		return analyze.Open{} // whoever goes on with the run is told
	}
	// In no sitting: what earlier ones have left unfinished is not completed, and who decides
	// nothing needs no failed attempts.
	step := Next(f, r.ID, nil, plan, "")
	n := &next{folder: f, study: &f.Study, run: r.ID, starts: r.Starts, plan: plan, step: step}
	if step.Start == nil || step.Start.Phase != "" {
		return analyze.Open{}
	}
	at := n.index(step.Start.Stage)
	// Where a stage was changed after later ones had been measured, those stand on what it
	// had decided.
	if at < f.Measured(r)-1 || at >= len(f.Study.Stages) {
		return analyze.Open{}
	}
	first, _ := n.looks()
	points := n.plan.Points
	return analyze.Open{Stage: step.Start.Stage, Blocks: step.Counted, Looked: step.Looked, Tested: step.Tested,
		Next: n.nextLook(first[at]), Most: points[len(points)-1]}
}
