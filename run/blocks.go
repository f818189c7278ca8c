package run

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"benchguide/study"
)

// How often something is tried again before it is given up.
const (
	maxInfra = 3 // attempts that the machine spoilt, in a row: then the run stops
	maxFlaky = 2 // attempts in which the engine died under load: then it is a failure of the configuration
)

// lastOf is the candidate of a ref.
func lastOf(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// of lists the starts of a stage in a phase, by block and number.
func (n *next) of(stage, phase string) []study.Start {
	var list []study.Start
	for _, s := range n.starts {
		if s.Stage == stage && s.Attempt.Phase == phase {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b study.Start) int {
		if a.Block() != b.Block() {
			return a.Block() - b.Block()
		}
		return a.Number - b.Number
	})
	return list
}

// valid reports whether a start counts for its candidate.
func (n *next) valid(s study.Start) bool { return s.Valid(n.study.Objective.Workload) }

// count is the number of valid starts of a ref up to a block.
func (n *next) count(starts []study.Start, ref string, block int) int {
	count := 0
	for _, s := range starts {
		if s.Ref() == ref && s.Block() <= block && n.valid(s) {
			count++
		}
	}
	return count
}

// leaves returns why a member is measured no more by the end of a block, and "" while
// it is: it cannot run, or nothing that it measured may be used.
func (n *next) leaves(starts []study.Start, ref string, block int) string {
	invalid := 0
	for _, s := range starts {
		if s.Ref() != ref || s.Block() > block {
			continue
		}
		switch f := s.Attempt.Failure; {
		case f != nil:
			return "it cannot run: " + f.Reason
		case n.valid(s):
			invalid = 0
		default:
			invalid++
		}
		if invalid == study.MaxInvalid {
			return fmt.Sprintf("%d starts in a row are invalid: %s", study.MaxInvalid, s.Attempt.Invalid)
		}
	}
	return ""
}

// block is one round: who has yet to be started in it.
type block struct {
	number  int
	pending []member // in the order in which they are started
	began   bool     // something was measured in it
	closed  bool     // nothing is started in it any more, whoever is missing
	cut     string   // the sitting whose end closed it; "" for another reason
}

// block looks at a round of a stage. One that another sitting left unfinished is closed:
// what its starts would share with those of today is a machine at another time. So is
// one that something was started after.
func (n *next) block(stage string, starts []study.Start, members []member, number int) block {
	b := block{number: number}
	for _, s := range starts {
		if s.Block() != number {
			continue
		}
		b.began = true
		if s.Attempt.Sitting != n.sitting {
			b.closed, b.cut = true, s.Attempt.Sitting
		}
	}
	b.closed = b.closed || b.began && n.later(stage, number)
	for _, m := range n.order(stage, members, number) {
		if !slices.ContainsFunc(starts, func(s study.Start) bool { return s.Ref() == m.ref() && s.Block() == number && n.valid(s) }) {
			b.pending = append(b.pending, m)
		}
	}
	if b.cut != "" && len(b.pending) > 0 {
		n.step.Cut = append(n.step.Cut, cutText(stage, b))
	}
	return b
}

// cutText says why a block stays unfinished, to people who wait for it to be completed.
func cutText(stage string, b block) string {
	return fmt.Sprintf("block %d of %s was begun in %s, and is not completed in another sitting, since its starts are compared with each other: it lacks a usable start of %s; those that it has count, and a further block is made",
		b.number, stage, b.cut, strings.Join(b.missing(), " and "))
}

// missing are the candidates that have yet to be started in a block.
func (b block) missing() []string {
	var list []string
	for _, m := range b.pending {
		list = append(list, m.candidate)
	}
	return list
}

// fewest is the smallest number of valid starts that one of these has.
func (n *next) fewest(starts []study.Start, members []member, block int) int {
	fewest := math.MaxInt
	for _, m := range members {
		fewest = min(fewest, n.count(starts, m.ref(), block))
	}
	return fewest
}

// later reports whether anything was started after a block of a stage: in a later block,
// or in a later stage.
func (n *next) later(stage string, number int) bool {
	at := n.index(stage)
	return slices.ContainsFunc(n.starts, func(s study.Start) bool {
		return s.Stage == stage && s.Block() > number || n.index(s.Stage) > at
	})
}

// index is the place of a stage among all; the ablation comes last, and what is no
// stage of the study before all others.
func (n *next) index(stage string) int {
	if stage == study.AblationStage {
		return len(n.study.Stages)
	}
	return slices.IndexFunc(n.study.Stages, func(st study.Stage) bool { return st.ID == stage })
}

// order is the order of a block. It is drawn by hashing, and not by a generator of the
// standard library, whose sequence the next version may change: an order must come out
// the same when a run is resumed. A candidate that leaves does not change the order of
// the others. The first block of a sitting begins with the incumbent, since the first
// start on a machine fills its caches of compiled kernels, which is no candidate's fault.
func (n *next) order(stage string, members []member, number int) []member {
	draw := func(m member) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %s", n.plan.Seed, stage, number, m.ref()))
		return string(sum[:])
	}
	list := slices.Clone(members)
	first := n.first(stage, number)
	slices.SortStableFunc(list, func(a, b member) int {
		if first && a.incumbent != b.incumbent {
			if a.incumbent {
				return -1
			}
			return 1
		}
		return strings.Compare(draw(a), draw(b))
	})
	return list
}

// first reports whether a block is the first one of the sitting.
func (n *next) first(stage string, number int) bool {
	at := n.index(stage)
	return !slices.ContainsFunc(n.starts, func(s study.Start) bool {
		earlier := n.index(s.Stage) < at || s.Stage == stage && s.Block() < number
		return earlier && s.Attempt.Sitting == n.sitting
	})
}

// start makes the first of those who are missing in a block the next step.
func (n *next) start(b block, phase, why string) bool {
	n.step.block = n.cold(b)
	return n.begin(b.pending[0], b.number, phase, why)
}

// cold marks who starts an engine in this sitting for the first time: on a machine that is
// new, its caches are empty. A start that failed may have done so before it filled them.
func (n *next) cold(b block) block {
	seen := map[[2]string]bool{}
	for _, s := range n.starts {
		if s.Attempt.Sitting == n.sitting && s.Attempt.Failure == nil {
			seen[[2]string{s.Attempt.Engine, s.Attempt.Version}] = true
		}
	}
	for i, m := range b.pending {
		engine := [2]string{m.configuration.Engine.ID, m.configuration.Version}
		b.pending[i].cold = !seen[engine]
		seen[engine] = true
	}
	return b
}

// begin makes a member's start the next step.
func (n *next) begin(m member, block int, phase, why string) bool {
	s := Start{Stage: m.stage, Candidate: m.candidate, Number: 1, Try: 1, Block: block, Phase: phase, Configuration: m.configuration, Why: why}
	for _, other := range n.starts {
		if other.Ref() == m.ref() {
			s.Number = max(s.Number, other.Number+1)
		}
	}
	infra, reason := 0, ""
	for _, f := range n.failed {
		if !f.Of(s) {
			continue
		}
		s.Try++
		if f.Class == study.FailInfra && !f.Old {
			infra, reason = infra+1, f.Reason
		}
	}
	if infra >= maxInfra {
		return n.stuck("%d attempts at %s in a row failed by the machine, the last with: %s; mend that, then go on with --resume", infra, m.ref(), reason)
	}
	n.step.Start = &s
	return false
}

// GiveUp reports whether an attempt at a start that ended with this class was the last
// one: it is then published as a start with that failure, and its candidate leaves.
func GiveUp(failed []Failed, s Start, class string) bool {
	flaky := 1
	for _, f := range failed {
		if f.Of(s) && f.Class == study.FailFlaky {
			flaky++
		}
	}
	return class == study.FailConfig || class == study.FailFlaky && flaky >= maxFlaky
}
