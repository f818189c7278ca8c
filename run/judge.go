package run

import (
	"fmt"
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/study"
)

// judge asks the guide's own code for the verdicts of this stage, from the starts that
// are kept. What the study says of later stages is not there to be read.
func (t *trial) judge(keep func(study.Start) bool) (analyze.Stage, bool) {
	part := t.part(t.index, keep)
	if len(part.Runs) == 0 || part.Measured(part.Runs[0]) <= t.index {
		return analyze.Stage{}, t.stuck("the starts of stage %s do not suffice to judge it: a candidate has neither a result nor a failure; see benchguide check", t.stage.ID)
	}
	report := t.analyze(part)
	// A pick outside of the tie group stops a build, which is right for a page: its author
	// is at hand. A run at night is better off with what the starts say.
	if bad, ok := finding(report, analyze.CodeBadPick); ok && bad.Subject == t.pick() {
		part.Study.Stages[t.index].Pick = nil
		report = t.analyze(part)
	}
	// Of the analysis' other errors none forbids a decision: they are about pages, or say
	// that a number is impossible, which its page then says as well.
	for _, code := range []string{analyze.CodeCannotDerive, analyze.CodeCommandDiffers} {
		if f, ok := finding(report, code); ok {
			return analyze.Stage{}, t.stuck("%s", explain(f))
		}
	}
	return report.Stages[t.index], true
}

// part is the study up to a stage, with the starts that are kept, and without the picks
// that earlier stages could not follow.
func (n *next) part(stage int, keep func(study.Start) bool) *study.Folder {
	part := n.folder.Part(n.run, stage+1, keep)
	for i := range part.Study.Stages {
		if n.badPick[i] {
			part.Study.Stages[i].Pick = nil
		}
	}
	return part
}

// analyze judges a part of the study, unless it was judged before. A start's folder never
// changes, so that its name stands for what is in it.
func (n *next) analyze(part *study.Folder) *analyze.Report {
	var key strings.Builder
	for _, st := range part.Study.Stages {
		fmt.Fprintf(&key, "%s %t\n", st.ID, st.Pick != nil)
	}
	for _, r := range part.Runs {
		for _, s := range r.Starts {
			key.WriteString(s.Dir + "\n")
		}
	}
	if r, ok := n.memory[key.String()]; ok {
		return r
	}
	r := analyze.Judged(part)
	n.memory[key.String()] = r
	return r
}

// pick is the ref of the author's choice in this stage, "" if there is none.
func (t *trial) pick() string {
	if t.stage.Pick == nil {
		return ""
	}
	return t.stage.ID + "/" + t.stage.Pick.Candidate
}

func finding(r *analyze.Report, code string) (analyze.Finding, bool) {
	i := slices.IndexFunc(r.Findings, func(f analyze.Finding) bool { return f.Code == code && f.Severity == analyze.SeverityError })
	if i < 0 {
		return analyze.Finding{}, false
	}
	return r.Findings[i], true
}

// explain puts the two findings that stop a run into words.
func explain(f analyze.Finding) string {
	if f.Code == analyze.CodeCannotDerive {
		return fmt.Sprintf("%s has no serving command: %s; mend it in study.yaml", f.Subject, f.Names["Reason"])
	}
	return fmt.Sprintf("%s was started with another command than the study now derives (%s; now %s): undo the change of the study, or take these starts away",
		f.Subject, f.Names["Ran"], f.Names["Derived"])
}

// judged is the decision of the stage by the end of a block.
func (t *trial) judged(block int) (Decision, bool) {
	stage, ok := t.judge(t.upTo(block))
	if !ok {
		return Decision{}, false
	}
	d := Decision{Stage: stage.ID, Incumbent: stage.Incumbent, Adopted: stage.Adopted, Changed: stage.Changed, Picked: stage.Picked, Block: block}
	for _, c := range stage.Candidates {
		if c.Verdict == analyze.BaselineVerdict {
			continue // it is what the others are compared with
		}
		row := Row{Ref: c.Ref, Verdict: c.Verdict, Reason: c.Failure + c.Excluded}
		if c.VersusIncumbent != nil {
			row.Ratio = c.VersusIncumbent.Ratio
		}
		if c.Ref == stage.Adopted {
			d.Gain = row.Ratio
		}
		d.Rows = append(d.Rows, row)
	}
	if pick := t.pick(); pick != "" && pick != d.Adopted {
		t.badPick[t.index] = true
		d.Notes = append(d.Notes, fmt.Sprintf("the study picks %s, which the starts can tell from the best: the run goes on with %s", pick, d.Adopted))
	}
	return d, true
}
