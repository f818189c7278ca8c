package run

import (
	"fmt"
	"path/filepath"
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
)

// measured adds to an event what the start in a folder measured of the metric that its
// study is decided by. The analysis is asked, as for every decision, so that a line on a
// terminal and the page never differ; where it has no value the event is left as it is.
func (r *runner) measured(e Event, place string) Event {
	starts := r.run().Starts
	i := slices.IndexFunc(starts, func(s study.Start) bool {
		return s.Ref() == e.Stage+"/"+e.Candidate && s.Number == e.Start && filepath.Base(s.Dir) == filepath.Base(place)
	})
	if i < 0 {
		return e // it is none, and was filed as a failed attempt
	}
	if fact, ok := analyze.OfStart(r.folder, r.run(), starts[i]); ok {
		e.Workload, e.Metric, e.Value, e.Unit = r.folder.Study.Objective.Workload, string(fact.Metric), fact.Value, fact.Unit
	}
	return e
}

// valueText is what a start measured, in words; "" where nothing is known.
func valueText(e Event) string {
	m, ok := metric.Lookup(metric.ID(e.Metric))
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s of %s %s %s", m.Name, e.Workload, m.Format(e.Value), m.Unit)
}
