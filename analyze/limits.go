package analyze

import (
	"benchguide/metric"
	"benchguide/study"
)

// Broken is a limit of the objective that a configuration does not keep.
type Broken struct {
	Metric metric.ID `json:"metric"`
	Value  string    `json:"value,omitempty"` // fact; empty where the metric was not measured
	Limit  string    `json:"limit"`           // fact
}

// broken returns the limits that a sample breaks. A limit on a metric that was not
// measured counts as broken: nobody can say that it was kept.
func (a *analysis) broken(s *Sample) []Broken {
	var list []Broken
	for i, l := range a.study.Objective.Limits {
		id := metric.ID(l.Metric)
		limit, key := a.limit(i, l)
		v, ok := a.number(s, id)
		switch {
		case !ok:
			list = append(list, Broken{Metric: id, Limit: limit})
		case key == "at_most" && v > *l.AtMost, key == "at_least" && v < *l.AtLeast:
			list = append(list, Broken{Metric: id, Value: s.Values[id], Limit: limit})
		}
	}
	return list
}

// limit adds the fact of a limit, with its line in study.yaml as the source.
func (a *analysis) limit(i int, l study.Limit) (fact, key string) {
	m := metric.MustLookup(metric.ID(l.Metric))
	value, key := l.AtMost, "at_most"
	if value == nil {
		value, key = l.AtLeast, "at_least"
	}
	return a.facts.add(Fact{ID: "limit:" + l.Metric + ":" + key, Kind: Measured, Value: *value, Unit: string(m.Unit), Metric: m.ID,
		Precision: m.Precision, Source: a.at("objective", "limits", i, key)}), key
}

// errorRate adds the part of a trial's requests that failed: as printed, or what is
// missing to the number of prompts.
func (a *analysis) errorRate(t *Trial) {
	w, _ := a.study.Workload(t.Workload)
	completed, ok := number(a.facts, t.Values, metric.CompletedRequests)
	if !ok || w.Prompts <= 0 {
		return
	}
	m := metric.MustLookup(metric.ErrorRate)
	fact := Fact{ID: t.ID + ":" + string(m.ID), Kind: Measured, Unit: string(m.Unit), Metric: m.ID, Precision: m.Precision, Derived: true,
		Value: 100 * max(0, float64(w.Prompts)-completed) / float64(w.Prompts), Formula: "(prompts − completed_requests) / prompts",
		Inputs: []string{"workload/" + w.ID + ":prompts", t.Values[metric.CompletedRequests]}}
	if failed, printed := number(a.facts, t.Values, metric.FailedRequests); printed && failed+completed > 0 {
		fact.Value, fact.Formula = 100*failed/(failed+completed), "failed_requests / (failed_requests + completed_requests)"
		fact.Inputs = []string{t.Values[metric.FailedRequests], t.Values[metric.CompletedRequests]}
	}
	t.Values[m.ID] = a.facts.add(fact)
}
