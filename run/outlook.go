package run

import (
	"slices"
	"time"

	"benchguide/study"
)

// Outlook is how much of a run is still to be done.
type Outlook struct {
	Least, Most int           // starts
	Each        time.Duration // one start, as estimated
	Once        time.Duration // on top of all of them, for caches that the first starts fill; 0 once starts were made
	Measured    bool          // Each comes from starts that were made
	Guess       string        // what it is from if it does not
}

// Time is what the starts take, at least and at most.
func (o Outlook) Time() (least, most time.Duration) {
	return o.Once + time.Duration(o.Least)*o.Each, o.Once + time.Duration(o.Most)*o.Each
}

// OutlookOf counts what a run has before it. At least: every look decides its stage and
// nothing is better than the incumbent. At most: none does before the last one, and each
// stage changes something.
func OutlookOf(f *study.Folder, run string, plan Plan, step Step) Outlook {
	o := Outlook{}
	if o.Each, o.Measured = each(f, run); !o.Measured {
		g := guessed(&f.Study)
		o.Once, o.Guess = g.once, g.of
	}
	if step.Start == nil {
		return o
	}
	last := plan.Points[len(plan.Points)-1]
	at := slices.IndexFunc(f.Study.Stages, func(st study.Stage) bool { return st.ID == step.Start.Stage })
	made := inBlock(f, run, *step.Start)
	// What is left of the stage under way comes first, then whole stages.
	switch {
	case at < 0: // the ablation
		o.Least = max(1, (ablationBlocks-step.Start.Block+1)*step.Members-made)
		o.Most = o.Least
		return o
	case step.Start.Phase == study.Confirm:
		o.Least = max(1, 2*plan.Confirm-inPhase(f, run, *step.Start))
		o.Most = o.Least
	default:
		point := last
		for _, p := range slices.Backward(plan.Points) {
			if p >= step.Start.Block {
				point = p
			}
		}
		o.Least = max(1, (point-step.Start.Block+1)*step.Members-made)
		o.Most = max(o.Least, (last-step.Start.Block+1)*step.Members-made) + 2*plan.Confirm
	}
	// At least: nobody leaves before the first look, and it decides; nothing is adopted, so
	// that nothing is confirmed. At most: everybody stays to the end.
	for _, st := range f.Study.Stages[at+1:] {
		members := 1
		for _, c := range st.Candidates {
			if c.Result == "" {
				members++
			}
		}
		o.Least += plan.Points[0] * members
		o.Most += last*members + 2*plan.Confirm
	}
	if plan.Ablation {
		o.Most += ablationBlocks * (1 + len(f.Study.Stages))
	}
	return o
}

// inBlock counts the valid starts of a start's block.
func inBlock(f *study.Folder, run string, s Start) int {
	return countStarts(f, run, func(o study.Start) bool {
		return o.Stage == s.Stage && o.Attempt.Phase == s.Phase && o.Block() == s.Block
	})
}

func inPhase(f *study.Folder, run string, s Start) int {
	return countStarts(f, run, func(o study.Start) bool { return o.Stage == s.Stage && o.Attempt.Phase == s.Phase })
}

func countStarts(f *study.Folder, run string, of func(study.Start) bool) int {
	r, _ := f.Run(run)
	n := 0
	for _, s := range r.Starts {
		if of(s) && s.Valid(f.Study.Objective.Workload) {
			n++
		}
	}
	return n
}

// each is how long one start takes: the median of those that were made, or a guess.
func each(f *study.Folder, run string) (time.Duration, bool) {
	var took []time.Duration
	r, _ := f.Run(run)
	for _, s := range r.Starts {
		if d, ok := tookOf(s.Attempt); ok {
			took = append(took, d)
		}
	}
	// The median, since a first start with cold caches takes three times as long.
	if len(took) > 0 {
		slices.Sort(took)
		return took[len(took)/2], true
	}
	return guessed(&f.Study).each, false
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
