package analyze

import (
	"errors"
	"maps"
	"slices"

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
	maps.DeleteFunc(a.models, func(k modelKey, _ fitted) bool { return k.pooled })
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
	if st.ID == a.open.Stage {
		a.leaveOpen(&out, len(st.Candidates))
	} else {
		a.decide(&out, st, i)
	}
	out.Threshold, out.Unpaired = a.threshold(&out), a.unpaired(out)
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
