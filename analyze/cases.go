package analyze

import (
	"benchguide/metric"
	"benchguide/study"
)

// cases compares the baseline with the optimized configuration, workload by workload.
func (a *analysis) cases() {
	for i, c := range a.study.Cases {
		baseline, optimized := a.sides(c)
		if a.run.Info.Imported == nil && a.label(baseline, true) == a.label(optimized, true) {
			continue // nothing was adopted: the final configuration is the baseline
		}
		b, o := a.samples[baseline+"/"+c.Workload], a.samples[optimized+"/"+c.Workload]
		if b == nil || o == nil {
			line, column := a.folder.At("cases", i)
			a.find(Finding{Code: CodeUnmeasured, Severity: SeverityCaution, Subject: "case/" + c.Workload, File: "study.yaml", Line: line, Column: column,
				Names: map[string]string{"What": "case/" + c.Workload}})
			continue
		}
		a.commandAgrees(b, a.report.Baseline, named(c.Baseline, "cases", i, "baseline")...)
		a.commandAgrees(o, a.report.Final, named(c.Optimized, "cases", i, "optimized")...)
		more := []metric.ID{metric.Of(metric.Mean, metric.TPOT), metric.Of(metric.Mean, metric.TTFT)}
		comparison := a.compare(pair{prefix: "case/" + c.Workload, kind: "gain", by: a.report.Objective.Metric, candidates: 1, pooled: true}, b, o, more...)
		result := Case{Workload: c.Workload, Baseline: b.ID, Optimized: o.ID, Comparison: *comparison}
		if comparison.Refused == "" {
			result.Confirmed = a.confirmed("case/"+c.Workload, c.Workload, optimized, baseline, more...)
		}
		a.report.Cases = append(a.report.Cases, result)
	}
}

// named is the path of a key of the study, if the study has it.
func named(value string, path ...any) []any {
	if value == "" {
		return nil
	}
	return path
}

// sides are the refs whose starts a case compares. A run of our own needs none of its own
// for them: baseline and final configuration were started in the stages, where every
// start measures every workload.
func (a *analysis) sides(c study.Case) (baseline, optimized string) {
	baseline, optimized = c.Sides()
	if a.run.Info.Imported != nil {
		return baseline, optimized
	}
	if _, own := a.samples[baseline+"/"+c.Workload]; !own && c.Baseline == "" {
		baseline = a.report.Baseline.Ref
	}
	if _, own := a.samples[optimized+"/"+c.Workload]; !own && c.Optimized == "" {
		optimized = a.resultOf(a.report.Final.Ref)
	}
	return baseline, optimized
}

// resultOf names the starts that judge a configuration.
func (a *analysis) resultOf(ref string) string {
	if s := a.objectiveSample(ref); s != nil {
		return s.Ref
	}
	return ref
}

// unmeasured reports the stages that a run did not come to.
func (a *analysis) unmeasured() {
	for i := len(a.study.Stages); i < len(a.folder.Study.Stages); i++ {
		id := a.folder.Study.Stages[i].ID
		line, column := a.folder.At("stages", i)
		a.find(Finding{Code: CodeUnmeasured, Severity: SeverityCaution, Subject: id, File: "study.yaml", Line: line, Column: column,
			Names: map[string]string{"What": id}})
	}
}

// declare adds the numbers that the study states of its workloads and hardware.
func (a *analysis) declare() {
	add := func(id string, value int, unit string, at ...any) {
		if value > 0 {
			a.facts.add(Fact{ID: id, Kind: Declared, Value: float64(value), Unit: unit, Source: a.at(at...)})
		}
	}
	add("hardware:gpus", a.study.Hardware.Count, "", "hardware", "count")
	for i, w := range a.study.Workloads {
		id := "workload/" + w.ID + ":"
		add(id+"prompts", w.Prompts, "", "workloads", i, "prompts")
		add(id+"concurrency", w.Concurrency, "", "workloads", i, "concurrency")
		add(id+"input_tokens", w.InputTokens, "", "workloads", i, "input_tokens")
		add(id+"output_tokens", w.OutputTokens, "", "workloads", i, "output_tokens")
		if w.Seed != nil {
			add(id+"seed", *w.Seed, "", "workloads", i, "seed")
		}
	}
}

// objectiveCase returns the case on the objective's workload, if the study has one.
func (a *analysis) objectiveCase() (Case, bool) {
	for _, c := range a.report.Cases {
		if c.Workload == a.report.Objective.Workload {
			return c, true
		}
	}
	return Case{}, false
}
