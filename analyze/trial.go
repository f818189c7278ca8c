package analyze

import (
	"strconv"
	"strings"

	"benchguide/engine"
	"benchguide/metric"
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
		}
	}
	a.sameBytes()
}

// addTrial makes one result into a trial. Its id leaves the start out where there is
// only one, so that the numbers of imported guides have short names.
func (a *analysis) addTrial(r study.StartResult, w study.Workload, several bool) {
	start, result := r.Start, r.Result
	id := start.Ref() + "/" + w.ID
	if several {
		id = start.Ref() + "/start-" + strconv.Itoa(start.Number) + "/" + w.ID
	}
	t := &Trial{
		ID: id, Ref: start.Ref(), Workload: w.ID, Start: start.Number,
		File: result.File, Hash: result.Hash, Line: result.Record.Line,
		Engine: start.Attempt.Engine, Version: start.Attempt.Version, Command: start.Attempt.Command,
		Producer: result.Record.Producer,
		Values:   map[metric.ID]string{},
	}
	t.Fingerprint = a.attemptFingerprint(start)
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
	if a.report.Objective.Goal == study.Latency {
		a.latency(t)
	}
	a.trialByID[id] = t
	a.trialOrder = append(a.trialOrder, id)
	a.addToSample(t)
}

// attemptFingerprint identifies what a start ran, from the command that was
// written down; empty where none was. A command that its engine would not take is
// reported and identifies nothing.
func (a *analysis) attemptFingerprint(start study.Start) string {
	if start.Attempt.Command == "" {
		return ""
	}
	file := start.Dir + "/attempt.json"
	e, ok := engine.Lookup(start.Attempt.Engine)
	if !ok {
		a.find(Finding{Code: CodeCommandDiffers, Severity: SeverityError, Subject: start.Ref(), File: file,
			Names: map[string]string{"Ran": start.Attempt.Engine, "Derived": strings.Join(engine.IDs(), ", ")}})
		return ""
	}
	command, err := e.Parse(start.Attempt.Command)
	if err != nil {
		a.find(Finding{Code: CodeCommandDiffers, Severity: SeverityError, Subject: start.Ref(), File: file,
			Names: map[string]string{"Ran": start.Attempt.Command, "Derived": err.Error()}})
		return ""
	}
	return study.Configuration{Engine: e, Version: start.Attempt.Version, Command: command, Env: start.Attempt.Env}.Fingerprint()
}

// sameBytes marks trials whose raw output is a copy of an earlier one's: they are
// one measurement, and never show how much a measurement varies.
func (a *analysis) sameBytes() {
	first := map[string]string{}
	for _, id := range a.trialOrder {
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
