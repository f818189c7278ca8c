package analyze

import (
	"benchguide/metric"
)

// cases compares the baseline with the optimized configuration, workload by workload.
func (a *analysis) cases() {
	for _, c := range a.study.Cases {
		baseline, optimized := c.Sides()
		b, o := a.samples[baseline+"/"+c.Workload], a.samples[optimized+"/"+c.Workload]
		a.commandAgrees(b, a.report.Baseline)
		a.commandAgrees(o, a.report.Final)
		comparison := a.compare(pair{prefix: "case/" + c.Workload, kind: "gain", by: a.report.Objective.Metric, candidates: 1, pooled: true}, b, o, metric.Of(metric.Mean, metric.TPOT), metric.Of(metric.Mean, metric.TTFT))
		result := Case{Workload: c.Workload, Baseline: b.ID, Optimized: o.ID, Comparison: *comparison}
		if comparison.Refused == "" {
			result.Confirmed = a.confirmed("case/"+c.Workload, c.Workload, optimized, baseline)
		}
		a.report.Cases = append(a.report.Cases, result)
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
