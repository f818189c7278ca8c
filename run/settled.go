package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"benchguide/engine"
	"benchguide/study"
)

// What was measured later stands on what a stage had decided. Where the starts that are
// there decide it no more, or otherwise, one of them was lost or the study was changed. To
// measure on would be to decide anew, which no later start has taken part in: it must not be done.

// passed names what was measured after a stage was decided, "" if nothing was.
func (n *next) passed(stage int) string {
	id := n.study.Stages[stage].ID
	after := ""
	for _, s := range n.starts {
		switch {
		case n.index(s.Stage) > stage:
			return s.Stage
		case s.Stage == id && s.Attempt.Phase == study.Confirm:
			after = "its confirmation"
		}
	}
	return after
}

// unsettled ends the walk at a stage that was decided and is not any more.
func (t *trial) unsettled(after string) bool {
	t.step.Start, t.step.amiss = nil, true
	if lost := t.lostStarts(); len(lost) > 0 {
		t.step.lost, t.step.lostOf = strings.Join(lost, ", "), t.stage.ID
		return t.stuck("stage %s was decided before %s was measured, and what it was decided by is not all there; missing is %s: bring that back from a copy of the run; if study.yaml was changed, undo that",
			t.stage.ID, after, t.step.lost)
	}
	return t.stuck("stage %s was decided before %s was measured, and the starts that are there do not decide it: if study.yaml was changed so that it takes more of them, undo that; if some were lost, bring them back; or begin another run with --name",
		t.stage.ID, after)
}

// lostStarts names the starts for want of which the stage is not decided.
func (t *trial) lostStarts() []string {
	least := t.least(math.MaxInt)
	var list []string
	for _, m := range append([]member{t.incumbent}, t.live...) {
		if t.count(t.starts, m.ref(), math.MaxInt) == least {
			list = append(list, t.lostOf(m.ref())...)
		}
	}
	return list
}

// lostOf names those of one configuration. Numbers of starts have no gaps; where the last ones are
// missing, it is as many as there are blocks in which only others were started.
func (t *trial) lostOf(ref string) []string {
	numbers, last := map[int]bool{}, 0
	for _, s := range t.next.starts { // those that confirm are numbered with the others
		if s.Ref() == ref {
			numbers[s.Number] = true
			last = max(last, s.Number)
		}
	}
	var list []string
	name := func(number int) { list = append(list, fmt.Sprintf("%s/start-%d", ref, number)) }
	for number := 1; number < last; number++ {
		if !numbers[number] {
			name(number)
		}
	}
	if len(list) > 0 {
		return list
	}
	blocks, sittings := map[int]bool{}, map[int]string{}
	for _, s := range t.starts {
		blocks[s.Block()] = blocks[s.Block()] || s.Ref() == ref
		sittings[s.Block()] = s.Attempt.Sitting
	}
	for block, there := range blocks {
		next, more := sittings[block+1]
		if cut := more && next != sittings[block]; !there && !cut { // by the end of a sitting, so that nothing need be lost
			last++
			name(last)
		}
	}
	if len(blocks) == 0 {
		name(1)
	}
	return list
}

// asDerived ends the walk at a stage of which a start was made with another command than the
// study now derives. It is asked before more of them are made.
func (n *next) asDerived(stage study.Stage, members []member) bool {
	for _, m := range members {
		i := slices.IndexFunc(stage.Candidates, func(c study.Candidate) bool { return c.ID == m.candidate })
		if !m.incumbent && i >= 0 && stage.Candidates[i].SameAs != nil {
			continue // another spelling, of which the analysis knows
		}
		want := m.configuration.Fingerprint()
		for _, s := range n.starts {
			ran, ok := ranOf(s)
			if s.Ref() != m.ref() || !ok || ran.Fingerprint() == want {
				continue
			}
			n.step.amiss = true
			return n.stuck("%s/start-%d was started as %q, and the study now asks for %q: undo the change of the study, or bring back what is missing of earlier stages; if neither can be done, begin another run with --name",
				m.ref(), s.Number, ran.Text(), m.configuration.Text())
		}
	}
	return true
}

// ranOf is what a start was started as; false where nobody wrote it down.
func ranOf(s study.Start) (study.Configuration, bool) {
	e, ok := engine.Lookup(s.Attempt.Engine)
	if !ok || s.Attempt.Command == "" {
		return study.Configuration{}, false
	}
	command, err := e.Parse(s.Attempt.Command)
	return study.Configuration{Engine: e, Version: s.Attempt.Version, Command: command, Env: s.Attempt.Env}, err == nil
}
