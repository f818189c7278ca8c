package run

import (
	"fmt"
	"slices"

	"benchguide/analyze"
	"benchguide/analyze/stat"
	"benchguide/study"
)

// trial is a stage on its way to a decision.
//
// In each block the incumbent and every candidate that is still live are started once.
// After two blocks a candidate that is far behind leaves (screening); at each look one
// that is worse beyond noise, or breaks a limit. A stage is decided at the look at which
// nobody is undecided any more, and at the last one in any case. A candidate that left
// keeps its starts and gets its verdict with all others.
type trial struct {
	*next
	index     int
	stage     study.Stage
	incumbent member
	live      []member
	left      []Departure
	looked    int           // after how many blocks the stage was looked at last; 0 before that
	tested    bool          // and the rule could test something then
	starts    []study.Start // of this stage, before its decision
}

// decide goes through the blocks of the stage. It returns false when a start is missing.
func (t *trial) decide() (Decision, bool) {
	t.starts = t.of(t.stage.ID, "")
	screened, look := false, 0
	for number := 1; ; number++ {
		if len(t.live) == 0 {
			return t.alone(max(1, number-1))
		}
		if !t.round(number) {
			return Decision{}, false
		}
		counted := t.least(number)
		if !screened && counted >= screenBlocks && t.plan.Points[0] > screenBlocks {
			screened = true
			if !t.screen(number) {
				return Decision{}, false
			}
		}
		for look < len(t.plan.Points) && counted >= t.plan.Points[look] {
			t.looked = t.plan.Points[look]
			look++
			decided, ok := t.look(number, look == len(t.plan.Points))
			if !ok {
				return Decision{}, false
			}
			if decided {
				return t.judged(number)
			}
		}
	}
}

// alone decides a stage of which no candidate is live any more. The first stage must
// have measured the baseline all the same, since the guide is about it.
func (t *trial) alone(number int) (Decision, bool) {
	if t.index > 0 || t.count(t.starts, t.incumbent.ref(), number) > 0 {
		return t.judged(number)
	}
	if why := t.leaves(t.starts, t.incumbent.ref(), number); why != "" {
		return Decision{}, t.lost(why)
	}
	b := block{number: number, pending: []member{t.incumbent}}
	return Decision{}, t.start(b, "", "the incumbent of a stage of which no candidate runs")
}

// lost ends a run whose incumbent does not run: there is nothing to compare with.
func (t *trial) lost(why string) bool {
	return t.stuck("the incumbent %s: %s; mend the study or the machine, and remove its last start to try it again", t.incumbent.ref(), why)
}

// round makes sure that a block has run. It returns false when there is something to
// start, or the run cannot go on.
func (t *trial) round(number int) bool {
	if why := t.leaves(t.starts, t.incumbent.ref(), number); why != "" {
		return t.lost(why)
	}
	t.dismiss(number, func(m member) string { return t.leaves(t.starts, m.ref(), number) })
	if len(t.live) == 0 {
		return true
	}
	// Everybody who is live is in every block, also who has enough starts already: a block
	// compares only those who are in it.
	b := t.block(t.stage.ID, t.starts, append([]member{t.incumbent}, t.live...), number)
	if b.closed || len(b.pending) == 0 {
		return true
	}
	return t.start(b, "", t.place(number))
}

// place says which block it is of how many. Their numbers run ahead where blocks were not
// completed, which would read like a block more than there can be.
func (t *trial) place(number int) string {
	whole, most := t.least(number-1), t.plan.Points[len(t.plan.Points)-1]
	if whole == number-1 {
		return fmt.Sprintf("block %d of at most %d", number, most)
	}
	return fmt.Sprintf("block %d, which is round %d of at most %d, since not all before it are whole", number, whole+1, most)
}

// dismiss takes candidates out for which there is a reason.
func (t *trial) dismiss(block int, reason func(member) string) {
	t.live = slices.DeleteFunc(t.live, func(m member) bool {
		why := reason(m)
		if why != "" {
			t.left = append(t.left, Departure{m.ref(), block, why})
		}
		return why != ""
	})
}

// least is the smallest number of valid starts that a member has up to a block.
func (t *trial) least(block int) int {
	return t.fewest(t.starts, append([]member{t.incumbent}, t.live...), block)
}

// screen sends away who is far behind the incumbent, or broke a limit each time.
func (t *trial) screen(block int) bool {
	stage, ok := t.judge(t.upTo(block))
	if !ok {
		return false
	}
	// A limit is judged start by start here: a mean over both would let one good start hide
	// a bad one, or the other way round.
	broke := map[string]int{}
	if len(t.study.Objective.Limits) > 0 {
		for k := 1; k <= screenBlocks; k++ {
			one, ok := t.judge(t.nth(k, block))
			if !ok {
				return false
			}
			for _, c := range one.Candidates {
				if len(c.Broken) > 0 {
					broke[c.Ref]++
				}
			}
		}
	}
	spare := t.spare()
	t.dismiss(block, func(m member) string {
		c := rowOf(stage, m.ref())
		switch v := c.VersusIncumbent; {
		case broke[m.ref()] == screenBlocks:
			return "it broke a limit of the objective in both blocks"
		case v != nil && v.Ratio > 0 && v.Ratio < 1-t.plan.Screen && spare > 0:
			spare--
			return fmt.Sprintf("it is %.0f%% behind the incumbent after %d blocks", 100*(1-v.Ratio), screenBlocks)
		}
		return ""
	})
	return true
}

// spare is how many candidates may leave by screening. Each that does takes a degree of
// freedom away from the first look; below what the rule tests with, the stage would go
// on for blocks to save a single start, and he who is far behind would have no verdict.
func (t *trial) spare() int {
	freedom := stat.Freedom(len(t.live), t.plan.Points[0])
	for _, st := range t.study.Stages[:t.index] {
		freedom += t.free(t.of(st.ID, ""))
	}
	return freedom - stat.DefaultRule().MinDF
}

// free is the number of degrees of freedom that the valid starts of a stage leave.
func (n *next) free(starts []study.Start) int {
	configurations, blocks, valid := map[string]bool{}, map[int]bool{}, 0
	for _, s := range starts {
		if n.valid(s) {
			configurations[s.Ref()], blocks[s.Block()] = true, true
			valid++
		}
	}
	return max(0, valid-len(configurations)-len(blocks)+1)
}

// look judges the stage as it stands, and sends away who is worse for certain. At the
// last look nobody is sent away any more: the verdicts are the decision.
func (t *trial) look(block int, last bool) (decided, ok bool) {
	stage, ok := t.judge(t.upTo(block))
	if !ok || last {
		return last, ok
	}
	t.tested = t.tests(stage)
	// Who is better stays in play as well: a further look may tell it from the others that
	// are, and its starts are needed for the spread.
	undecided := false
	t.dismiss(block, func(m member) string {
		switch v := rowOf(stage, m.ref()).Verdict; v {
		case analyze.NoGain:
			return "it is worse than the incumbent, beyond the noise"
		case analyze.Infeasible:
			return "it breaks a limit of the objective"
		case analyze.Invalid:
			return "it cannot be compared with the incumbent"
		case analyze.NotDistinguishable:
			undecided = true
		}
		return ""
	})
	return !undecided, true
}

// tests reports whether the rule could test a candidate that is in play.
func (t *trial) tests(stage analyze.Stage) bool {
	return slices.ContainsFunc(t.live, func(m member) bool {
		v := rowOf(stage, m.ref()).VersusIncumbent
		return v != nil && v.Test != nil && !v.Test.TooFew
	})
}

// rowOf finds a candidate's row; an empty one, where there is none.
func rowOf(stage analyze.Stage, ref string) analyze.Candidate {
	for _, c := range stage.Candidates {
		if c.Ref == ref {
			return c
		}
	}
	return analyze.Candidate{}
}

// upTo keeps what had been measured by the end of a block of this stage.
func (t *trial) upTo(block int) func(study.Start) bool {
	return func(s study.Start) bool { return s.Stage != t.stage.ID || s.Attempt.Phase == "" && s.Block() <= block }
}

// nth keeps of each configuration of this stage the k-th valid start, and what tells why
// there is none.
func (t *trial) nth(k, block int) func(study.Start) bool {
	chosen := map[string]bool{}
	seen := map[string]int{}
	for _, s := range t.starts {
		if s.Block() > block {
			continue
		}
		if t.valid(s) {
			seen[s.Ref()]++
		}
		chosen[s.Dir] = !t.valid(s) || seen[s.Ref()] == k
	}
	return func(s study.Start) bool { return s.Stage != t.stage.ID || chosen[s.Dir] }
}
