package run

import (
	"path"
	"slices"

	"benchguide/analyze"
	"benchguide/study"
)

// Report is what a guide says of a study's current run: analyze.Study, but for the stage
// that a run of benchguide's own has begun and not decided. Results that somebody else
// measured are all that there will ever be, so that all of their stages are decided.
func Report(f *study.Folder) *analyze.Report {
	r, ok := f.Current()
	if !ok || r.Info.Imported != nil || !slices.ContainsFunc(r.Starts, study.Start.Own) {
		return analyze.Study(f)
	}
	plan, err := PlanOf(&f.Study)
	if err != nil {
		return analyze.Study(f) // whoever goes on with the run is told
	}
	// In no sitting: what earlier ones have left unfinished is not completed, and who decides
	// nothing needs no failed attempts.
	step := Next(f, r.ID, nil, plan, "")
	report := analyze.Unfinished(f, openAt(f, r, plan, step))
	if step.lost != "" {
		report.Findings = lostFindings(report.Findings, r, step)
	}
	return report
}

// lostFindings puts the cause in the place of what comes of it: for want of a start its stage
// is decided otherwise, and then every start of later stages is of another command.
func lostFindings(list []analyze.Finding, r study.Run, step Step) []analyze.Finding {
	differs := func(f analyze.Finding) bool { return f.Code == analyze.CodeCommandDiffers }
	at := slices.IndexFunc(list, differs)
	if at < 0 {
		return list
	}
	list[at] = analyze.Finding{Code: analyze.CodeStartMissing, Severity: analyze.SeverityError, Subject: step.lostOf, File: path.Join("runs", r.ID, step.lostOf),
		Names: map[string]string{"Stage": step.lostOf, "Starts": step.lost}}
	return append(list[:at+1], slices.DeleteFunc(list[at+1:], differs)...)
}

// openAt is the stage that the run would go on with by this step.
func openAt(f *study.Folder, r study.Run, plan Plan, step Step) analyze.Open {
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
