package run

import (
	"fmt"
	"slices"

	"benchguide/analyze/stat"
	"benchguide/study"
)

// IdleLook is a look at a stage that cannot decide it: there will not be enough starts for
// the rule to test anything.
type IdleLook struct {
	Stage string `json:"stage"`
	Block int    `json:"look"`
	Then  int    `json:"goes_on_to,omitempty"` // 0: nowhere, the stage ends without a test
	Why   string `json:"why"`
}

// looks says at which look each stage is decided at the earliest, in the order of the
// study, and which looks before that are idle. The rule is asked, and not repeated here.
// A stage is counted with all of its candidates, and the stages before it with the starts
// that they have or take at least.
func (n *next) looks() (first []int, idle []IdleLook) {
	freedom := 0
	for i, st := range n.study.Stages {
		if i < len(n.step.Decided) {
			first = append(first, 0)
			freedom += n.free(n.of(st.ID, ""))
			continue
		}
		k := len(ownCandidates(st))
		at, passed := n.firstLook(k, freedom)
		for _, p := range passed {
			look := IdleLook{Stage: st.ID, Block: p, Why: whyIdle(k, p, freedom)}
			if p < at {
				look.Then = at
			}
			idle = append(idle, look)
		}
		first = append(first, at)
		freedom += stat.Freedom(k, at)
	}
	return first, idle
}

// firstLook is the first look at which the rule can test a stage of k candidates, or else
// the last one, which decides in any case; and the looks that cannot test.
func (n *next) firstLook(k, freedom int) (at int, idle []int) {
	if k == 0 {
		return n.plan.Points[0], nil // other starts judge all of its candidates
	}
	for _, p := range n.plan.Points {
		if at = p; tests(k, p, freedom) {
			return at, idle
		}
		idle = append(idle, p)
	}
	return at, idle
}

func tests(k, blocks, freedom int) bool {
	rule := stat.DefaultRule()
	_, _, looked := rule.At(blocks)
	return looked && rule.Tests(blocks, freedom+stat.Freedom(k, blocks))
}

// whyIdle says what is missing at a look, and with how many blocks it would not be.
func whyIdle(k, blocks, freedom int) string {
	if _, _, looked := stat.DefaultRule().At(blocks); !looked {
		return fmt.Sprintf("the rule tests nothing before %d blocks", stat.DefaultRule().Looks[0].Blocks)
	}
	enough := blocks
	for !tests(k, enough, freedom) {
		enough++
	}
	return fmt.Sprintf("the rule cannot test %s after %d blocks, which leave %d of the %d degrees of freedom that it needs; it can after %d",
		candidates(k), blocks, freedom+stat.Freedom(k, blocks), stat.DefaultRule().MinDF, enough)
}

func candidates(k int) string {
	if k == 1 {
		return "one candidate"
	}
	return fmt.Sprintf("%d candidates", k)
}

// ownCandidates are the candidates of a stage that are started for it.
func ownCandidates(st study.Stage) []study.Candidate {
	return slices.DeleteFunc(slices.Clone(st.Candidates), func(c study.Candidate) bool { return c.Result != "" })
}
