package analyze

import (
	"cmp"

	"benchguide/metric"
)

// gather says once for a workload what holds for several of its configurations alike, since
// it is the workload that has too few prompts. Acceptance comes first and goes by
// configuration as well as by workload, so that those that the author has looked at stay
// apart from those that nobody has.
func (a *analysis) gather() {
	var kept []Finding
	alike := map[int][]*Trial{} // by the place of the first one
	for _, f := range a.report.Findings {
		at := len(kept)
		if f.Code == CodeFewPrompts {
			for i := range alike {
				if a.saysTheSame(kept[i], f) {
					at = i
				}
			}
			alike[at] = append(alike[at], a.trialByID[f.Subject])
		}
		if at == len(kept) {
			kept = append(kept, f)
		}
	}
	for i := range kept {
		a.ofWorkload(&kept[i], alike[i])
	}
	a.report.Findings = kept
}

// saysTheSame reports whether two findings about too few prompts differ in their
// configurations only.
func (a *analysis) saysTheSame(f, other Finding) bool {
	same := func(name string) bool { return a.facts.value(f.Facts[name]) == a.facts.value(other.Facts[name]) }
	reason := f.Accepted == other.Accepted || f.Accepted != nil && other.Accepted != nil && *f.Accepted == *other.Accepted
	return reason && a.workloadOf(f) == a.workloadOf(other) && same("Requests") && same("Concurrency")
}

// ofWorkload makes a finding about one trial one about its workload, where it holds for
// several configurations. An incumbent that a stage has measured again is no further one.
func (a *analysis) ofWorkload(f *Finding, trials []*Trial) {
	var configurations, requests []string
	for _, t := range trials {
		configurations = addOnce(configurations, cmp.Or(t.Fingerprint, t.Ref))
		requests = append(requests, t.Values[metric.CompletedRequests])
	}
	if len(configurations) < 2 {
		return
	}
	count := a.facts.add(Fact{ID: f.Subject + ":few_prompts", Kind: Count, Value: float64(len(configurations)), Derived: true,
		Formula: "configurations with as few requests", Inputs: requests})
	f.Subject = a.workloadOf(*f)
	f.Names = map[string]string{"Workload": f.Subject}
	f.Facts["Configurations"] = count
}

// workloadOf is the workload of the trial that a finding is about; "" where it is about
// something else.
func (a *analysis) workloadOf(f Finding) string {
	if t, ok := a.trialByID[f.Subject]; ok {
		return t.Workload
	}
	return ""
}
