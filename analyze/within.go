package analyze

import (
	"benchguide/analyze/stat"
)

// Repeats is how far the trials of one workload within one start lie apart. It is
// shown and never decides: what happens within one start says nothing of the next.
type Repeats struct {
	Trial  string `json:"trial"`  // the first one, which stands for its start
	Trials string `json:"trials"` // fact: how many there are with the repeats
	Least  string `json:"least"`  // fact
	Most   string `json:"most"`   // fact
	Range  string `json:"range"`  // fact: most / least - 1
	Share  string `json:"share,omitempty"`
	Hot    bool   `json:"hot"` // the prefix cache knew the prompts of a repeat
}

// repeats adds the spread within every start that measured a workload again.
func (a *analysis) repeats() {
	for _, id := range a.trialOrder {
		first := a.trialByID[id]
		list := []*Trial{first}
		for _, other := range a.repeatOrder {
			if t := a.trialByID[other]; t.Ref == first.Ref && t.Start == first.Start && t.Workload == first.Workload {
				list = append(list, t)
			}
		}
		if r, ok := a.repeatsOf(list); ok {
			a.report.Repeats = append(a.report.Repeats, r)
		}
	}
}

func (a *analysis) repeatsOf(list []*Trial) (Repeats, bool) {
	first := list[0]
	out := Repeats{Trial: first.ID}
	var values []float64
	var inputs []string
	for _, t := range list {
		v, ok := number(a.facts, t.Values, a.report.Objective.Metric)
		if !ok || v <= 0 {
			return Repeats{}, false
		}
		values, inputs = append(values, v), append(inputs, t.Values[a.report.Objective.Metric])
		if t.Repeat > 0 && a.hot(t) {
			out.Hot, out.Share = true, a.cacheShare(t)
		}
	}
	shown, err := stat.ShowSpread(values)
	if err != nil {
		return Repeats{}, false // a single trial has no spread
	}
	for i, v := range values {
		if v == shown.Least {
			out.Least = inputs[i]
		}
		if v == shown.Most {
			out.Most = inputs[i]
		}
	}
	out.Trials = a.facts.add(Fact{ID: first.ID + ":within.trials", Kind: Count, Value: float64(len(list)), Derived: true, Formula: "count", Inputs: inputs})
	out.Range = a.facts.add(Fact{ID: first.ID + ":within.range", Kind: Fraction, Value: shown.Range, Metric: a.report.Objective.Metric,
		Precision: spreadPrecision(shown.Range), Derived: true, Formula: "max / min − 1", Inputs: []string{out.Most, out.Least}})
	return out, true
}
