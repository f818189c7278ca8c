package run

import (
	"slices"
	"time"

	"benchguide/study"
)

// lap is how long a start took.
type lap struct {
	ref, engine string
	took        time.Duration
}

// lapsOf are those of starts, by their own clocks.
func lapsOf(starts []study.Start) []lap {
	var list []lap
	for _, s := range starts {
		// Who fails does so early, or late: it says nothing of how long a start takes.
		if d, ok := tookOf(s.Attempt); ok && s.Attempt.Failure == nil {
			list = append(list, lap{s.Ref(), s.Attempt.Engine, d})
		}
	}
	return list
}

// pace says how long starts take: as those that were made, or as is guessed while none was.
type pace struct {
	laps  []lap
	guess guess
	base  string // the engine that the guess is of

	simulated bool // no engine takes longer than another to get ready
}

func paceOf(s *study.Study, laps []lap) pace {
	return pace{laps: laps, guess: guessed(s), base: s.Baseline.Engine}
}

// of is how long a start of a configuration takes: as its own, else as others of its engine.
// Where only another engine was measured, the two are taken to differ by how long they take
// to get ready.
func (p pace) of(ref, engine string) time.Duration {
	if d, ok := p.median(func(l lap) bool { return l.ref == ref }); ok {
		return d
	}
	if d, ok := p.median(func(l lap) bool { return l.engine == engine }); ok {
		return d
	}
	other, d := p.base, p.guess.each
	if len(p.laps) > 0 {
		other = p.laps[0].engine
		d, _ = p.median(func(l lap) bool { return l.engine == other })
	}
	if p.simulated {
		return d
	}
	warm, _ := startups(engine)
	theirs, _ := startups(other)
	return max(0, d+warm-theirs)
}

// all is how long the starts of these take, one after the other, and how much of that is
// for caches that may be empty.
func (p pace) all(members []member) (total, cold time.Duration) {
	for _, m := range members {
		engine := m.configuration.Engine.ID
		total += p.of(m.ref(), engine)
		if m.cold && !p.simulated {
			warm, empty := startups(engine)
			cold += empty - warm
		}
	}
	return total + cold, cold
}

// median is that of the laps that are wanted: a first start with cold caches takes three
// times as long.
func (p pace) median(want func(lap) bool) (time.Duration, bool) {
	var took []time.Duration
	for _, l := range p.laps {
		if want(l) {
			took = append(took, l.took)
		}
	}
	if len(took) == 0 {
		return 0, false
	}
	slices.Sort(took)
	return took[len(took)/2], true
}

// tookOf is the time that a start took by the clock; false where that is not known, or
// the clock was set meanwhile.
func tookOf(a study.Attempt) (time.Duration, bool) {
	if a.Times == nil {
		return 0, false
	}
	began, err1 := time.Parse(time.RFC3339, a.Times.Began)
	ended, err2 := time.Parse(time.RFC3339, a.Times.Ended)
	const longest = 24 * time.Hour
	d := ended.Sub(began)
	return d, err1 == nil && err2 == nil && d >= 0 && d < longest
}
