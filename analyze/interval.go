package analyze

import (
	"slices"

	"benchguide/analyze/stat"
	"benchguide/metric"
)

// Interval is how far the ratio of two sides' mean latencies moves when their requests
// are drawn again. It is shown and never decides: it describes one start of each side.
type Interval struct {
	Baseline  string `json:"baseline"`  // trial
	Optimized string `json:"optimized"` // trial
	Paired    bool   `json:"paired"`    // both were sent the same prompts, which are drawn; else the requests of each side on their own
	Ratio     string `json:"ratio"`     // fact
	Low       string `json:"low"`       // fact
	High      string `json:"high"`      // fact
	Level     string `json:"level"`     // fact
}

// intervals adds one for each case of which both sides have per-request data.
func (a *analysis) intervals() {
	for _, c := range a.report.Cases {
		if c.Comparison.Refused != "" {
			continue
		}
		before, now := a.trialByID[a.samples[c.Baseline].Trials[0]], a.trialByID[a.samples[c.Optimized].Trials[0]]
		x, ok1 := column(before.requests, latencyOf)
		y, ok2 := column(now.requests, latencyOf)
		if !ok1 || !ok2 || before == now {
			continue
		}
		paired := a.samePrompts(before, now)
		show := stat.ShowInterval
		if paired {
			show = stat.ShowPaired
		}
		if shown, err := show(x, y); err == nil {
			a.report.Intervals = append(a.report.Intervals, a.interval(c.Workload, before, now, paired, shown))
		}
	}
}

// samePrompts reports whether the n-th request of one trial was the n-th of the other: both
// starts recorded one digest of what they were sent, and every request has as many tokens
// in and out on both sides. The digest alone says nothing of the order in which a client
// saves its requests, and the lengths alone nothing of the texts.
func (a *analysis) samePrompts(x, y *Trial) bool {
	digest := a.made[x.ID].Prompts[x.Workload]
	return digest != "" && digest == a.made[y.ID].Prompts[y.Workload] &&
		sameLengths(x, y)
}

// sameLengths reports whether two trials had as many requests, of which each has as many
// tokens in and out in both.
func sameLengths(x, y *Trial) bool {
	return slices.EqualFunc(x.requests, y.requests, func(p, q request) bool { return p.input == q.input && p.output == q.output })
}

func (a *analysis) interval(workload string, before, now *Trial, paired bool, shown stat.ShownInterval) Interval {
	add := func(name string, value float64, formula string) string {
		return a.facts.add(Fact{ID: "case/" + workload + ":requests." + name, Kind: Ratio, Value: value, Metric: metric.RequestLatency, Precision: 1,
			Derived: true, Formula: formula, Inputs: []string{before.data, now.data}})
	}
	level := a.facts.add(Fact{ID: "requests:level", Kind: Fraction, Value: shown.Level, Derived: true, Formula: "confidence of the intervals over resampled requests",
		Inputs: []string{before.data, now.data}})
	drawn := "resampled requests of each side"
	if paired {
		drawn = "resampled prompts, each with its requests of both sides"
	}
	return Interval{Baseline: before.ID, Optimized: now.ID, Paired: paired, Level: level,
		Ratio: add("ratio", shown.Ratio, "old / new, of the mean latencies of the requests"),
		Low:   add("low", shown.Low, "lower end over "+drawn),
		High:  add("high", shown.High, "upper end over "+drawn)}
}
