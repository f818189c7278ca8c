package analyze

import (
	"slices"

	"benchguide/metric"
)

// incomplete returns the numbers for which two sides may not be ranked, where a trial of theirs
// did not complete its requests: how many were asked for, and how many completed and failed,
// as far as they are printed.
func (a *analysis) incomplete(sides ...*Sample) (facts map[string]string, trial string) {
	for _, s := range sides {
		for _, id := range s.Trials {
			t := a.trialByID[id]
			if a.complete(t) {
				continue
			}
			facts = map[string]string{"Prompts": "workload/" + t.Workload + ":prompts"}
			for name, m := range map[string]metric.ID{"Completed": metric.CompletedRequests, "Failed": metric.FailedRequests} {
				if fact, ok := t.Values[m]; ok {
					facts[name] = fact
				}
			}
			return facts, id
		}
	}
	return nil, ""
}

// besideDeclarations leaves out comparisons that are refused for want of requests, where the
// study declares another number of them than was sent: that is the error to mend, and whether
// any are wanting shows only then.
func (a *analysis) besideDeclarations(others []Finding) []Finding {
	wrong := map[string]bool{} // by workload
	for _, f := range a.report.Findings {
		what := f.Names["What"]
		if f.Code == CodeDeclaredDiffers && f.Severity == SeverityError && (what == DeclaredPrompts || what == DeclaredCompleted) {
			wrong[f.Subject] = true
		}
	}
	return slices.DeleteFunc(others, func(f Finding) bool {
		t, ok := a.trialByID[f.Names["Trial"]]
		return ok && f.Code == CodeNotComparable && f.Names["Reason"] == RefusedIncomplete && wrong[t.Workload]
	})
}
