package run

import (
	"fmt"

	"benchguide/study"
)

// confirm measures what a stage adopted against its incumbent again, in starts that did
// not choose it: the best of several looks better than it is. It returns false while a
// start is missing.
func (n *next) confirm(t *trial, d *Decision, adopted member) bool {
	if n.plan.Confirm == 0 {
		return true
	}
	pair := []member{t.incumbent, adopted}
	n.step.Members = len(pair)
	starts := n.of(t.stage.ID, study.Confirm)
	// Numbers of blocks go on, so that a start's block says when it was made.
	number, done := d.Block, false
	for !done {
		number++
		least := n.fewest(starts, pair, number-1)
		n.step.Counted = least
		if done = least >= n.plan.Confirm || n.unconfirmed(d, starts, pair, number); done {
			break
		}
		b := n.block(t.stage.ID, starts, pair, number)
		if !b.closed && len(b.pending) > 0 {
			n.start(b, study.Confirm, fmt.Sprintf("confirming %s, %d of %d", d.Adopted, least+1, n.plan.Confirm))
			break
		}
	}
	n.confirmed(t, d, number)
	return done
}

// unconfirmed reports that one of the two cannot be started any more, and notes it. The
// decision stands: it was made from starts that ran.
func (n *next) unconfirmed(d *Decision, starts []study.Start, pair []member, number int) bool {
	for _, m := range pair {
		if why := n.leaves(starts, m.ref(), number); why != "" {
			d.Notes = append(d.Notes, fmt.Sprintf("the gain is not fully confirmed: %s: %s", m.ref(), why))
			return true
		}
	}
	return false
}

// confirmed states the gain in the starts that came after the decision, before a block.
func (n *next) confirmed(t *trial, d *Decision, before int) {
	if before == d.Block+1 {
		return
	}
	report := n.analyze(n.part(t.index, func(s study.Start) bool { return s.Stage != t.stage.ID || s.Block() < before }))
	if t.index < len(report.Stages) && len(report.Stages[t.index].Confirmed) > 0 {
		gain, _ := report.Facts.Get(report.Stages[t.index].Confirmed[0].Fact)
		d.Confirmed = gain.Value
	}
}
