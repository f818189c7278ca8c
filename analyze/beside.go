package analyze

import "benchguide/metric"

// Beside is a candidate of a stage held against the stage's incumbent under a workload that
// does not decide. Every start measures all workloads, and what helps under one may cost
// under another. It is shown and decides nothing: each such comparison is one more chance to
// be wrong for which the rule sets no alpha aside.
type Beside struct {
	Stage      string     `json:"stage"`
	Candidate  string     `json:"candidate"` // ref
	Workload   string     `json:"workload"`
	Sample     string     `json:"sample"`    // id, of the candidate
	Incumbent  string     `json:"incumbent"` // id of the sample that it is held against
	Comparison Comparison `json:"comparison"`
}

// beside adds what the candidates of all stages did under the other workloads, where both
// sides were measured. Its place is after all verdicts.
func (a *analysis) beside() {
	for i, st := range a.report.Stages {
		incumbent := a.incumbentSample(st)
		for _, c := range st.Candidates {
			if c.VersusIncumbent == nil {
				continue // the baseline itself, or what is compared with nothing
			}
			for _, w := range a.study.Workloads {
				x, y := a.samples[incumbent.Ref+"/"+w.ID], a.samples[c.Result+"/"+w.ID]
				if w.ID != a.report.Objective.Workload && x != nil && y != nil {
					a.report.Beside = append(a.report.Beside, a.besideOf(st, c, len(a.study.Stages[i].Candidates), x, y))
				}
			}
		}
	}
}

// besideOf is one comparison, made as the stage makes its own: by the starts of both in
// blocks, with the spread of this workload, among as many candidates.
func (a *analysis) besideOf(st Stage, c Candidate, k int, against, t *Sample) Beside {
	p := pair{prefix: c.Ref + "/" + t.Workload, kind: "gain", by: st.Metric, candidates: k, decided: c.VersusIncumbent}
	comparison := a.compare(p, against, t, metric.Of(metric.Mean, metric.TPOT), metric.Of(metric.Mean, metric.TTFT))
	comparison.Ledger = nil // that of the comparison that decides
	return Beside{Stage: st.ID, Candidate: c.Ref, Workload: t.Workload, Sample: t.ID, Incumbent: against.ID, Comparison: *comparison}
}
