package analyze

import (
	"math"

	"benchguide/metric"
)

// Lengths is how long the requests of a workload were, where the study leaves that to a
// dataset: in tokens, as the starts counted them.
type Lengths struct {
	Workload string `json:"workload"`
	Input    Span   `json:"input"`
	Output   Span   `json:"output"`
}

// Span is from the start with the least mean to the one with the most: one fact where all
// of them print alike.
type Span struct {
	Least string `json:"least"` // fact
	Most  string `json:"most"`  // fact
}

// lengths states the mean lengths of what the workloads take from datasets.
func (a *analysis) lengths() {
	for _, w := range a.study.Workloads {
		if w.InputTokens > 0 && w.OutputTokens > 0 {
			continue
		}
		input, ok1 := a.meanLength(w.ID, metric.InputTokens)
		output, ok2 := a.meanLength(w.ID, metric.OutputTokens)
		if ok1 && ok2 {
			a.report.Lengths = append(a.report.Lengths, Lengths{Workload: w.ID, Input: input, Output: output})
		}
	}
}

// meanLength states the tokens of a request under a workload, over all trials that completed
// every request: others count the tokens of a part of the prompts. It is false where none did.
func (a *analysis) meanLength(workload string, tokens metric.ID) (Span, bool) {
	const formula = "tokens / completed_requests"
	id := "workload/" + workload + ":mean_" + string(tokens)
	add := func(suffix string, value float64, formula string, inputs []string) string {
		return a.facts.add(Fact{ID: id + suffix, Kind: Measured, Value: value, Unit: string(metric.Tokens), Metric: tokens, Derived: true, Formula: formula, Inputs: inputs})
	}
	var all, least, most []string // the facts of all trials, and of two of them
	low, high, sum, count := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, trial := range a.trialOrder {
		t := a.trialByID[trial]
		n, ok := number(a.facts, t.Values, tokens)
		if t.Workload != workload || !ok || !a.complete(t) {
			continue
		}
		requests := a.facts.value(t.Values[metric.CompletedRequests])
		inputs := []string{t.Values[tokens], t.Values[metric.CompletedRequests]}
		all, sum, count = append(all, inputs...), sum+n, count+requests
		if n/requests < low {
			low, least = n/requests, inputs
		}
		if n/requests > high {
			high, most = n/requests, inputs
		}
	}
	switch {
	case len(all) == 0:
		return Span{}, false
	case math.RoundToEven(low) == math.RoundToEven(high):
		fact := add("", sum/count, formula+", over all starts", all)
		return Span{Least: fact, Most: fact}, true
	}
	return Span{Least: add(".least", low, formula, least), Most: add(".most", high, formula, most)}, true
}
