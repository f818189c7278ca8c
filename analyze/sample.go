package analyze

import (
	"math"
	"slices"

	"benchguide/metric"
	"benchguide/study"
)

// addToSample puts a trial into the sample of its configuration and workload.
func (a *analysis) addToSample(t *Trial) {
	id := t.Ref + "/" + t.Workload
	s, ok := a.samples[id]
	if !ok {
		s = &Sample{ID: id, Ref: t.Ref, Workload: t.Workload}
		a.samples[id] = s
		a.sampleOrder = append(a.sampleOrder, id)
	}
	if t.Phase == study.Confirm {
		s.Confirm = append(s.Confirm, t.ID)
		return
	}
	s.Trials = append(s.Trials, t.ID)
}

// summarize gives every sample its values. One start's values are the sample's own;
// of several starts the mean is taken, the geometric one since gains are ratios, and
// only of metrics that every start measured: a mean over some would hide the others.
func (a *analysis) summarize() {
	for _, id := range a.sampleOrder {
		s := a.samples[id]
		if len(s.Trials) == 0 {
			delete(a.samples, id) // only starts that confirm: nothing was decided by them
			continue
		}
		if a.report.Rule == Blocks {
			s.Starts = a.startsOf(s)
		}
		first := a.trialByID[s.Trials[0]]
		s.NoLatency = slices.ContainsFunc(s.Trials, func(id string) bool { return a.trialByID[id].NoLatency })
		if len(s.Trials) == 1 {
			s.Values = first.Values
			continue
		}
		s.Values = map[metric.ID]string{}
		for _, m := range sortedMetrics(first.Values) {
			if fact, ok := a.meanOver(s, m); ok {
				s.Values[m] = fact
			}
		}
	}
}

// startsOf states how many starts a sample's values are means of. It comes from the first
// value of each.
func (a *analysis) startsOf(s *Sample) string {
	fact := Fact{ID: s.ID + ":starts", Kind: Count, Value: float64(len(s.Trials)), Derived: true, Formula: "starts of which the values are means"}
	for _, id := range s.Trials {
		values := a.trialByID[id].Values
		if metrics := sortedMetrics(values); len(metrics) > 0 {
			fact.Inputs = append(fact.Inputs, values[metrics[0]])
		}
	}
	return a.facts.add(fact)
}

// meanOver states a metric's mean over a sample's starts: the geometric one, or the
// arithmetic one where a start has a zero, as of failed requests.
func (a *analysis) meanOver(s *Sample, id metric.ID) (string, bool) {
	m := metric.MustLookup(id)
	fact := Fact{ID: s.ID + ":" + string(id), Kind: Measured, Unit: string(m.Unit), Metric: id, Precision: m.Precision,
		Derived: true, Formula: "geometric mean over starts"}
	var values []float64
	for _, trial := range s.Trials {
		v, ok := number(a.facts, a.trialByID[trial].Values, id)
		if !ok {
			return "", false
		}
		values = append(values, v)
		fact.Inputs = append(fact.Inputs, a.trialByID[trial].Values[id])
	}
	switch {
	case slices.Min(values) <= 0 && !mayBeZero(id):
		return "", false // the start measured nothing, and a mean over the others would hide it
	case slices.Min(values) <= 0:
		fact.Value, fact.Formula = mean(values), "mean over starts"
		return a.facts.add(fact), true
	}
	fact.Value = geometricMean(values)
	return a.facts.add(fact), true
}

// mayBeZero reports whether zero is a value of a metric like any other.
func mayBeZero(id metric.ID) bool {
	m := metric.MustLookup(id)
	return m.Better == metric.Neither || slices.Contains([]metric.ID{metric.ErrorRate, metric.FailedRequests, metric.ProbesFailed, metric.RequestGoodput}, id)
}

func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// number returns the value of a metric, and false when it was not measured.
func number(facts *Facts, values map[metric.ID]string, id metric.ID) (float64, bool) {
	fact, ok := values[id]
	if !ok {
		return 0, false
	}
	return facts.value(fact), true
}

// number returns a sample's value of a metric, and false when it was not measured.
func (a *analysis) number(s *Sample, id metric.ID) (float64, bool) {
	return number(a.facts, s.Values, id)
}

func sortedMetrics(values map[metric.ID]string) []metric.ID {
	ids := make([]metric.ID, 0, len(values))
	for id := range values {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y metric.ID) int {
		if d := metric.Order(x) - metric.Order(y); d != 0 {
			return int(math.Copysign(1, d))
		}
		return 0
	})
	return ids
}
