package analyze

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"benchguide/analyze/stat"
	"benchguide/metric"
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
	out.Metric = a.ranking(st, out)
	a.incumbentOf[st.ID+"/"+study.IncumbentSide] = a.label(incumbent, true)
	// A pooled model that was fitted for an earlier stage took this incumbent for a
	// configuration of its own.
	maps.DeleteFunc(a.models, func(k modelKey, _ *stat.Model) bool { return k.pooled })
	if i == 0 {
		out.Candidates = append(out.Candidates, a.baselineRow(incumbent))
	}
	for j, c := range st.Candidates {
		row, ok := a.candidate(st, c, out, i, j)
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

// ranking returns the metric that a stage is decided by: the objective's, or total
// throughput where a sample of the stage lacks it. One stage has one ranking, since
// ratios of different metrics do not order anything. What is incomplete is not ranked
// at all and does not count.
func (a *analysis) ranking(st study.Stage, out Stage) metric.ID {
	samples := []*Sample{a.incumbentSample(out)}
	for _, c := range st.Candidates {
		if s, ok := a.samples[resultRef(st.ID, c)+"/"+a.report.Objective.Workload]; ok {
			samples = append(samples, s)
		}
	}
	for _, s := range samples {
		if _, ok := a.number(s, a.report.Objective.Metric); !ok && a.comparable(s, s) == "" {
			return metric.TotalThroughput
		}
	}
	return a.report.Objective.Metric
}

// resultRef names the starts that judge a candidate.
func resultRef(stage string, c study.Candidate) string {
	if c.Result != "" {
		return c.Result
	}
	return stage + "/" + c.ID
}

// candidate derives a candidate's configuration and holds it against the incumbent.
func (a *analysis) candidate(st study.Stage, c study.Candidate, out Stage, i, j int) (Candidate, bool) {
	ref := st.ID + "/" + c.ID
	base := out.Incumbent
	if c.From != "" {
		base = st.ID + "/" + c.From
	}
	configuration, err := a.study.Derive(a.configurations[base], c)
	if err != nil {
		a.cannotDerive(err, ref, "stages", i, "candidates", j)
		return Candidate{}, false
	}
	a.configurations[ref] = configuration
	row := Candidate{ID: c.ID, Ref: ref, Result: resultRef(st.ID, c), Configuration: describe(ref, configuration)}
	if c.SameAs != nil {
		row.SameAs = c.SameAs.Candidate
	}
	a.measure(&row, st, out)
	return row, true
}

// measure holds a candidate's starts against the incumbent's. A candidate that would
// not run is infeasible, and one of which no start is valid, or too few before it was
// given up, is invalid: neither is compared.
func (a *analysis) measure(row *Candidate, st study.Stage, out Stage) {
	if f := a.run.Failure(row.Result); f != nil {
		row.Verdict, row.Failure = Infeasible, f.Reason
		return
	}
	id := row.Result + "/" + a.report.Objective.Workload
	s, ok := a.samples[id]
	if !ok {
		row.Verdict, row.Excluded = Invalid, a.run.Invalid(row.Result)
		return
	}
	if why := a.givenUp(row.Result, s); why != "" {
		row.Verdict, row.Excluded = Invalid, why
		return
	}
	row.Sample, row.Broken = id, a.broken(s)
	a.commandAgrees(s, row.Configuration)
	row.VersusIncumbent = a.compare(pair{prefix: row.Ref, kind: "gain", by: out.Metric, candidates: len(st.Candidates)}, a.incumbentSample(out), s)
	for _, b := range row.Broken {
		a.find(Finding{Code: CodeLimitBroken, Severity: SeverityNote, Subject: row.Ref, File: a.file(s), Line: a.line(s),
			Facts: brokenFacts(b), Names: map[string]string{"Trial": id, "Metric": string(b.Metric)}})
	}
}

// givenUp returns why a candidate is measured no more although the rule has not looked at
// it: its latest starts are invalid. What it has left is no sample but what happened to
// get through, and must not break a limit, nor stand among those that a study may pick.
func (a *analysis) givenUp(ref string, s *Sample) string {
	if _, _, looked := stat.DefaultRule().At(a.blocksOf(s)); looked {
		return ""
	}
	// In the order in which they were made; folders are in that of their names.
	starts := slices.Clone(a.run.Starts)
	slices.SortStableFunc(starts, func(x, y study.Start) int { return x.Number - y.Number })
	invalid, reason := 0, ""
	for _, start := range starts {
		switch {
		case start.Ref() != ref || start.Phase() == study.Confirm:
		case start.Attempt.Invalid == "":
			invalid = 0
		default:
			invalid, reason = invalid+1, start.Attempt.Invalid
		}
	}
	if invalid < study.MaxInvalid {
		return ""
	}
	return reason
}

func brokenFacts(b Broken) map[string]string {
	facts := map[string]string{"Limit": b.Limit}
	if b.Value != "" {
		facts["Value"] = b.Value
	}
	return facts
}

// incumbentSample is what the candidates of a stage are held against: the starts of
// the incumbent that the stage measured itself, or those that it was adopted with.
func (a *analysis) incumbentSample(out Stage) *Sample {
	if s, ok := a.samples[out.ID+"/"+study.IncumbentSide+"/"+a.report.Objective.Workload]; ok {
		return s
	}
	return a.objectiveSample(out.Incumbent)
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

// commandAgrees reports starts of something else than the study derives. Where nobody
// wrote the command down, the study's word stands for its options, but engine and
// version must still be the same.
//
// The place is that of what called the starts by this configuration's name, if that is
// a key of the study: it may be what is out of date. Otherwise it is the attempt's file.
func (a *analysis) commandAgrees(s *Sample, c Configuration, named ...any) {
	for _, id := range s.Trials {
		t := a.trialByID[id]
		agrees := t.Fingerprint == c.Fingerprint || a.onlySpells(t.Ref, c.Fingerprint)
		if t.Fingerprint == "" {
			agrees = t.Engine == c.Engine && t.Version == c.Version
			t.Fingerprint = c.Fingerprint
			if derived, ok := a.configurations[c.Ref]; ok && agrees {
				t.configuration = &derived
			}
		}
		if agrees {
			continue
		}
		ran, derived := a.contrast(t, c)
		f := Finding{Code: CodeCommandDiffers, Severity: SeverityError, Subject: t.ID, File: attemptFile(t),
			Names: map[string]string{"Ran": ran, "Derived": derived, "For": c.Ref}}
		if len(named) > 0 {
			f.File = "study.yaml"
			f.Line, f.Column = a.folder.At(named...)
		}
		a.find(f)
	}
}

// contrast says what a start ran and what was derived for it, without what both have in
// common: of commands with twenty options nobody finds the one that differs.
func (a *analysis) contrast(t *Trial, c Configuration) (ran, derived string) {
	if t.configuration == nil || t.configuration.Engine.ID != c.Engine {
		return t.ran, c.EngineName + " " + c.Version
	}
	var before, after []string
	for _, d := range configurationDifferences(*t.configuration, a.configurations[c.Ref]) {
		before, after = d.typed(d.Before, before), d.typed(d.After, after)
	}
	return cmp.Or(strings.Join(before, " "), nothing), cmp.Or(strings.Join(after, " "), nothing)
}

// nothing stands for the side of a difference that has less than the other.
const nothing = "—"

// typed appends a value of the difference as it is typed.
func (d Difference) typed(value string, list []string) []string {
	switch {
	case value == "":
		return list
	case d.Kind == "option" && value == SwitchOn:
		return append(list, d.Name)
	case d.Kind == "variable":
		return append(list, d.Name+"="+value)
	}
	return append(list, strings.TrimSpace(d.Name+" "+value))
}

// onlySpells reports whether the study declares that a candidate spells the
// configuration with this fingerprint differently.
func (a *analysis) onlySpells(ref, fingerprint string) bool {
	original := a.spells(ref)
	return original != ref && a.configurations[original].Fingerprint() == fingerprint
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
			continue // the baseline itself, or what was never measured
		}
		c.Verdict = a.verdict(c, leader, len(st.Candidates))
		if c.Verdict == Tied || (leader == nil && c.Verdict == NotDistinguishable) {
			out.TieGroup = append(out.TieGroup, c.Ref)
		}
	}
	a.adopt(out, st, leader, i)
	a.versusAdopted(out, leader, len(st.Candidates))
	a.stageGains(out)
	a.confirm(out)
}

// leaderOf returns the best of the candidates that beat the incumbent; the first in
// study order among equals.
func leaderOf(candidates []Candidate) *Candidate {
	var leader *Candidate
	for k := range candidates {
		c := &candidates[k]
		if c.VersusIncumbent == nil || len(c.Broken) > 0 || !c.VersusIncumbent.better() {
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
func (a *analysis) verdict(c, leader *Candidate, k int) Verdict {
	v := c.VersusIncumbent
	switch {
	case v.Refused != "":
		return Invalid
	case len(c.Broken) > 0:
		return Infeasible
	case v.worse():
		return NoGain
	case !v.better():
		return NotDistinguishable
	case c == leader:
		return Tied
	}
	versus := a.compare(pair{prefix: c.Ref, kind: "vs_leader", by: v.Metric, candidates: k}, a.samples[leader.Sample], a.samples[c.Sample])
	if versus.worse() || versus.Refused != "" && leader.VersusIncumbent.Ratio/v.Ratio > 1+v.Floor {
		return Outperformed // two that differ too much in tokens are told by the incumbent that both measured
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
			line, column := a.folder.At("stages", i, "pick", "candidate")
			a.find(Finding{Code: CodeBadPick, Severity: SeverityError, Subject: pick, File: "study.yaml", Line: line, Column: column,
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
func (a *analysis) versusAdopted(out *Stage, leader *Candidate, k int) {
	adopted := a.incumbentSample(*out)
	for k := range out.Candidates {
		if out.Candidates[k].Ref == out.Adopted {
			adopted = a.samples[out.Candidates[k].Sample]
		}
	}
	for k := range out.Candidates {
		c := &out.Candidates[k]
		if c.Sample == "" {
			continue
		}
		if c.Ref != out.Adopted {
			c.VersusAdopted = a.compare(pair{prefix: c.Ref, kind: "vs_adopted", by: out.Metric, candidates: k}, adopted, a.samples[c.Sample])
		}
		if leader != nil && leader.Ref != out.Adopted && c != leader {
			c.VersusLeader = a.compare(pair{prefix: c.Ref, kind: "vs_leader", by: out.Metric, candidates: k}, a.samples[leader.Sample], a.samples[c.Sample])
		}
	}
}

func (a *analysis) cannotDerive(err error, ref string, at ...any) {
	var field *study.DeriveError
	if errors.As(err, &field) {
		at = append(at, field.Field)
	}
	line, column := a.folder.At(at...)
	a.find(Finding{Code: CodeCannotDerive, Severity: SeverityError, Subject: ref, File: "study.yaml", Line: line, Column: column,
		Names: map[string]string{"Candidate": ref, "Reason": err.Error()}})
}

func describe(ref string, c study.Configuration) Configuration {
	return Configuration{Ref: ref, Engine: c.Engine.ID, EngineName: c.Engine.Name, Version: c.Version,
		Model: c.Command.Model, Command: c.Text(), Fingerprint: c.Fingerprint()}
}
