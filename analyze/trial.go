package analyze

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"benchguide/engine"
	"benchguide/metric"
	"benchguide/parse"
	"benchguide/study"
)

// trials makes the run's results into trials, with a fact for every number that
// was printed. Their order is the order of the study.
func (a *analysis) trials() {
	for _, ref := range a.study.Refs() {
		for _, w := range a.study.Workloads {
			results := a.run.Results(ref, w.ID)
			for _, r := range results {
				a.addTrial(r, w, len(results) > 1)
			}
			for _, r := range a.run.Repeats(ref, w.ID) {
				t := a.newTrial(r, w, trialID(r, w, len(results) > 1)+"."+strconv.Itoa(r.Result.Repeat))
				a.repeatOrder = append(a.repeatOrder, t.ID)
			}
		}
	}
	a.sameBytes()
}

// addTrial makes one result into a trial of its sample.
func (a *analysis) addTrial(r study.StartResult, w study.Workload, several bool) {
	t := a.newTrial(r, w, trialID(r, w, several))
	a.trialOrder = append(a.trialOrder, t.ID)
	a.addToSample(t)
}

// trialID leaves the start out where there is only one, so that the numbers of imported
// guides have short names.
func trialID(r study.StartResult, w study.Workload, several bool) string {
	if several {
		return r.Start.Ref() + "/start-" + strconv.Itoa(r.Start.Number) + "/" + w.ID
	}
	return r.Start.Ref() + "/" + w.ID
}

func (a *analysis) newTrial(r study.StartResult, w study.Workload, id string) *Trial {
	start, result := r.Start, r.Result
	t := &Trial{
		ID: id, Ref: start.Ref(), Workload: w.ID, Start: start.Number, Repeat: result.Repeat,
		File: result.File, Hash: result.Hash, Line: result.Record.Line,
		Engine: start.Attempt.Engine, Version: start.Attempt.Version, Command: start.Attempt.Command,
		Block: blockLabel(start), Phase: start.Phase(),
		Producer: result.Record.Producer,
		Values:   map[metric.ID]string{},
		cutShort: cutShort(result.Record),
	}
	a.identify(t, start)
	a.doubts(t, result.Record)
	for _, v := range result.Record.Values {
		m, ok := metric.Lookup(v.Metric)
		if !ok || v.Derived {
			continue
		}
		t.Values[v.Metric] = a.facts.add(Fact{
			ID: id + ":" + string(v.Metric), Kind: Measured, Value: v.Number,
			Unit: string(m.Unit), Metric: v.Metric, Precision: m.Precision,
			Source: &Source{File: result.File, Line: v.Line, Text: v.Text},
		})
	}
	a.addRequests(t, result)
	if a.report.Objective.Goal == study.Latency {
		a.latency(t)
		a.ranks(t)
	}
	a.errorRate(t)
	a.goodput(t)
	a.made[id] = start.Attempt
	a.trialByID[id] = t
	return t
}

// doubts says where a raw output was odd though it could be read: a block without its
// header, statistics that are all zero. The reader's own words stand in the report.
func (a *analysis) doubts(t *Trial, r parse.Record) {
	for _, p := range r.Problems {
		if p.Severity == parse.Warning {
			a.find(Finding{Code: CodeDoubtfulResult, Severity: SeverityCaution, Subject: t.ID, File: t.File, Line: p.Line,
				Names: map[string]string{"Trial": t.ID, "Doubt": p.Code, "Words": p.Message + "; " + p.Hint}})
		}
	}
}

// ranks reports a complete trial that has no latency, where nothing else has said so:
// its comparisons will be by throughput.
func (a *analysis) ranks(t *Trial) {
	id := a.report.Objective.Metric
	if _, ok := t.Values[id]; ok || t.NoLatency || !a.complete(t) {
		return
	}
	a.find(Finding{Code: CodeNoObjectiveValue, Severity: SeverityCaution, Subject: t.ID, File: t.File, Line: t.Line,
		Names: map[string]string{"Trial": t.ID, "Metric": string(id)}})
}

// identify gives a trial the fingerprint of what its start ran, from the command that
// was written down; none where nobody did. A command that its engine would not take
// is reported and identifies nothing.
func (a *analysis) identify(t *Trial, start study.Start) {
	attempt := start.Attempt
	t.ran = attempt.Engine + " " + attempt.Version
	report := func(ran, derived string) {
		a.find(Finding{Code: CodeCommandDiffers, Severity: SeverityError, Subject: t.ID, File: start.Dir + "/attempt.json",
			Names: map[string]string{"Ran": ran, "Derived": derived, "For": t.Ref}})
	}
	e, ok := engine.Lookup(attempt.Engine)
	if !ok {
		report(t.ran, strings.Join(engine.IDs(), ", "))
		return
	}
	t.ran = e.Name + " " + attempt.Version
	if attempt.Command == "" {
		return
	}
	command, err := e.Parse(attempt.Command)
	if err != nil {
		report(t.ran+": "+attempt.Command, err.Error())
		return
	}
	c := study.Configuration{Engine: e, Version: attempt.Version, Command: command, Env: attempt.Env}
	t.configuration = &c
	t.Fingerprint = c.Fingerprint()
}

// attemptFile is the file that says how a trial's start was made.
func attemptFile(t *Trial) string { return path.Join(path.Dir(t.File), "attempt.json") }

// sameBytes marks trials whose raw output is a copy of an earlier one's: they are
// one measurement, and never show how much a measurement varies.
func (a *analysis) sameBytes() {
	first := map[string]string{}
	for _, id := range slices.Concat(a.trialOrder, a.repeatOrder) {
		t := a.trialByID[id]
		original, seen := first[t.Hash]
		if !seen {
			first[t.Hash] = id
			continue
		}
		t.SameBytesAs = original
		a.find(Finding{Code: CodeSameBytes, Severity: SeverityNote, Subject: id, File: t.File, Line: t.Line,
			Names: map[string]string{"First": original, "Second": id}})
	}
}
