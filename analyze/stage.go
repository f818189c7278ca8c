package analyze

import (
	"errors"
	"slices"

	"benchguide/study"
)

// stages judges the stages in order and carries the incumbent from one to the next.
func (a *analysis) stages() {
	incumbent, err := a.study.Derive(study.Configuration{}, a.study.Baseline)
	if err != nil {
		a.cannotDerive(err, a.study.BaselineRef(), "baseline")
		return
	}
	ref := a.study.BaselineRef()
	a.configurations[ref] = incumbent
	a.report.Baseline = describe(ref, incumbent)
	for i, st := range a.study.Stages {
		result, ok := a.stage(i, st, ref)
		if !ok {
			return
		}
		a.report.Stages = append(a.report.Stages, result)
		ref = result.Adopted
	}
	a.report.Final = describe(ref, a.configurations[ref])
}

// stage judges one stage. It returns false when a configuration cannot be derived,
// since all later stages build on it.
func (a *analysis) stage(i int, st study.Stage, incumbent string) (Stage, bool) {
	out := Stage{ID: st.ID, Incumbent: incumbent, Adopted: incumbent}
	if i == 0 {
		out.Candidates = append(out.Candidates, a.baselineRow(incumbent))
	}
	for j, c := range st.Candidates {
		row, ok := a.candidate(st, c, incumbent, i, j)
		if !ok {
			return out, false
		}
		out.Candidates = append(out.Candidates, row)
	}
	a.decide(&out, st, i)
	return out, true
}

func (a *analysis) baselineRow(ref string) Candidate {
	return Candidate{ID: a.study.Baseline.ID, Ref: ref, Verdict: BaselineVerdict, Result: ref,
		Configuration: describe(ref, a.configurations[ref]), Sample: ref + "/" + a.report.Objective.Workload}
}

// candidate derives a candidate's configuration and holds it against the incumbent.
func (a *analysis) candidate(st study.Stage, c study.Candidate, incumbent string, i, j int) (Candidate, bool) {
	ref := st.ID + "/" + c.ID
	base := incumbent
	if c.From != "" {
		base = st.ID + "/" + c.From
	}
	configuration, err := a.study.Derive(a.configurations[base], c)
	if err != nil {
		a.cannotDerive(err, ref, "stages", i, "candidates", j)
		return Candidate{}, false
	}
	a.configurations[ref] = configuration
	row := Candidate{ID: c.ID, Ref: ref, Result: ref, Configuration: describe(ref, configuration)}
	if c.Result != "" {
		row.Result = c.Result
	}
	if c.SameAs != nil {
		row.SameAs = c.SameAs.Candidate
	}
	row.Sample = row.Result + "/" + a.report.Objective.Workload
	a.commandAgrees(a.samples[row.Sample], configuration.Fingerprint(), configuration.Text())
	row.VersusIncumbent = a.compare(ref, "gain", a.objectiveSample(incumbent), a.samples[row.Sample])
	return row, true
}

// objectiveSample returns the sample that judges a configuration on the objective's workload.
func (a *analysis) objectiveSample(ref string) *Sample {
	for _, st := range a.report.Stages {
		for _, c := range st.Candidates {
			if c.Ref == ref {
				return a.samples[c.Sample]
			}
		}
	}
	return a.samples[ref+"/"+a.report.Objective.Workload]
}

// commandAgrees reports starts whose command is not the one that the study derives.
// Where nobody wrote the command down, the study's word stands.
func (a *analysis) commandAgrees(s *Sample, fingerprint, command string) {
	for _, id := range s.Trials {
		t := a.trialByID[id]
		if t.Fingerprint == "" {
			t.Fingerprint = fingerprint
		}
		if t.Fingerprint != fingerprint {
			a.find(Finding{Code: CodeCommandDiffers, Severity: SeverityError, Subject: t.ID, File: t.File,
				Names: map[string]string{"Ran": t.Command, "Derived": command}})
		}
	}
}

// decide gives every candidate its verdict, by the rule for one start a side:
//
//   - a candidate beats the incumbent if its gain exceeds the noise floor;
//   - the best of those is the leader; the leader and whatever the floor cannot
//     tell from it are the tie group. The author's pick does not move the group;
//   - adopted is the author's pick inside the group, or the leader; the others of
//     the group are tied; what beats the incumbent and is beaten by the leader is
//     outperformed;
//   - where nothing beats the incumbent nothing is adopted. The author may still go
//     on with a candidate that cannot be told from the incumbent: it keeps its
//     verdict, and the page says that it was picked.
func (a *analysis) decide(out *Stage, st study.Stage, i int) {
	leader := leaderOf(out.Candidates)
	if leader == nil {
		out.TieGroup = []string{out.Incumbent}
	}
	for k := range out.Candidates {
		c := &out.Candidates[k]
		if c.VersusIncumbent == nil {
			continue // the baseline itself
		}
		c.Verdict = a.verdict(c, leader)
		if c.Verdict == Tied || (leader == nil && c.Verdict == NotDistinguishable) {
			out.TieGroup = append(out.TieGroup, c.Ref)
		}
	}
	a.adopt(out, st, leader, i)
	a.versusAdopted(out, leader)
	a.stageGains(out)
}

// leaderOf returns the best of the candidates that beat the incumbent; the first in
// study order among equals.
func leaderOf(candidates []Candidate) *Candidate {
	var leader *Candidate
	for k := range candidates {
		c := &candidates[k]
		if c.VersusIncumbent == nil || !c.VersusIncumbent.better() {
			continue
		}
		if leader == nil || c.VersusIncumbent.Ratio > leader.VersusIncumbent.Ratio {
			leader = c
		}
	}
	return leader
}

// verdict is a candidate's verdict before anything is adopted: the whole tie group,
// its leader included, is tied.
func (a *analysis) verdict(c, leader *Candidate) Verdict {
	v := c.VersusIncumbent
	switch {
	case v.Refused != "":
		return Invalid
	case v.worse():
		return NoGain
	case !v.better():
		return NotDistinguishable
	case c == leader:
		return Tied
	}
	if a.compare(c.Ref, "vs_leader", a.samples[leader.Sample], a.samples[c.Sample]).worse() {
		return Outperformed
	}
	return Tied
}

// adopt settles what the study goes on with.
func (a *analysis) adopt(out *Stage, st study.Stage, leader *Candidate, i int) {
	if leader != nil {
		out.Adopted = leader.Ref
	}
	if st.Pick != nil {
		pick := st.ID + "/" + st.Pick.Candidate
		if !slices.Contains(out.TieGroup, pick) {
			line, _ := a.folder.At("stages", i, "pick", "candidate")
			a.find(Finding{Code: CodeBadPick, Severity: SeverityError, Subject: pick, File: "study.yaml", Line: line,
				Names: map[string]string{"Pick": pick}})
			return
		}
		out.Picked = leader == nil || pick != leader.Ref || len(out.TieGroup) > 1
		out.Adopted = pick
	}
	out.Changed = out.Adopted != out.Incumbent
	for k := range out.Candidates {
		c := &out.Candidates[k]
		if c.Ref != out.Adopted || c.Verdict == BaselineVerdict {
			continue
		}
		c.Picked = out.Picked
		if c.Verdict == Tied {
			c.Verdict = Adopted
		}
	}
}

// versusAdopted adds the second comparison of every candidate: with what the study
// goes on with, and with the leader where that is another one.
func (a *analysis) versusAdopted(out *Stage, leader *Candidate) {
	adopted := a.objectiveSample(out.Adopted)
	for k := range out.Candidates {
		if out.Candidates[k].Ref == out.Adopted {
			adopted = a.samples[out.Candidates[k].Sample]
		}
	}
	for k := range out.Candidates {
		c := &out.Candidates[k]
		if c.Ref != out.Adopted {
			c.VersusAdopted = a.compare(c.Ref, "vs_adopted", adopted, a.samples[c.Sample])
		}
		if leader != nil && leader.Ref != out.Adopted && c != leader {
			c.VersusLeader = a.compare(c.Ref, "vs_leader", a.samples[leader.Sample], a.samples[c.Sample])
		}
	}
}

func (a *analysis) cannotDerive(err error, ref string, at ...any) {
	var field *study.DeriveError
	if errors.As(err, &field) {
		at = append(at, field.Field)
	}
	line, _ := a.folder.At(at...)
	a.find(Finding{Code: CodeCannotDerive, Severity: SeverityError, Subject: ref, File: "study.yaml", Line: line,
		Names: map[string]string{"Candidate": ref, "Reason": err.Error()}})
}

func describe(ref string, c study.Configuration) Configuration {
	return Configuration{Ref: ref, Engine: c.Engine.ID, EngineName: c.Engine.Name, Version: c.Version,
		Model: c.Command.Model, Command: c.Text(), Fingerprint: c.Fingerprint()}
}
