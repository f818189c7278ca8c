package analyze

import (
	"time"

	"benchguide/gpulog"
	"benchguide/metric"
	"benchguide/study"
)

const (
	clockName    = "sm_clock"
	clockFormula = "mean of clocks.sm from a second after the client's date until its duration is over, idle seconds left out"
)

// dateStep is how finely a client says when it began: it may have been any time of that
// second, so that only what lies a second later is the trial's for sure.
const dateStep = time.Second

// oneZone is less than two time zones differ. A client says when it began in a zone that
// nobody knows. In a start that is shorter, only the right one puts the trial inside of it.
const oneZone = 30 * time.Minute

// clocks states at which clock the GPUs ran during each trial. The runner records power
// and what held the clocks back, and not the clocks, which lie in its file second by second.
// Where that file, or when the trial was, is not known, there is no fact.
func (a *analysis) clocks() {
	type log struct {
		file    string
		samples []gpulog.Sample
	}
	read := map[string]log{}
	for _, id := range a.trialOrder {
		t := a.trialByID[id]
		s, ok := a.startOf(t)
		if !ok || t.Repeat > 0 {
			continue
		}
		if _, done := read[s.Dir]; !done {
			file, samples := gpuSamples(s)
			read[s.Dir] = log{file, samples}
		}
		if from, to, ok := a.measuredWhen(t, s); ok && read[s.Dir].file != "" {
			a.clock(t, read[s.Dir].file, read[s.Dir].samples, from, to)
		}
	}
}

func (a *analysis) clock(t *Trial, file string, samples []gpulog.Sample, from, to time.Time) {
	sum := gpulog.Window(samples, from, to)
	if sum.SMClockMHz < 0 {
		return
	}
	a.facts.add(Fact{ID: t.ID + ":" + clockName, Kind: Measured, Value: sum.SMClockMHz, Unit: "MHz", Derived: true, Formula: clockFormula,
		Source: &Source{File: file, Line: rowAt(samples, from)}})
}

// clockOf is the fact of a trial's clock; "" where it is not known.
func (a *analysis) clockOf(t *Trial) string {
	if id := t.ID + ":" + clockName; a.facts.Has(id) {
		return id
	}
	return ""
}

// measuredWhen is a stretch of time that certainly lies within a trial.
func (a *analysis) measuredWhen(t *Trial, s study.Start) (from, to time.Time, ok bool) {
	times := s.Attempt.Times
	seconds, known := number(a.facts, t.Values, metric.Duration)
	if times == nil || !known || t.began.IsZero() {
		return from, to, false
	}
	began, err1 := time.Parse(time.RFC3339, times.Began)
	ended, err2 := time.Parse(time.RFC3339, times.Ended)
	if err1 != nil || err2 != nil || ended.Sub(began) >= oneZone {
		return from, to, false
	}
	from, to = t.began.Add(dateStep), t.began.Add(time.Duration(seconds*float64(time.Second)))
	return from, to, from.Before(to) && !from.Before(began) && !to.After(ended)
}
