package run

import (
	"fmt"

	"benchguide/study"
)

// ablation measures the final configuration beside itself without what each stage
// changed. In its own stage an option was measured without those that came later.
func (n *next) ablation(final member) {
	final.stage, final.candidate, final.incumbent = study.AblationStage, study.IncumbentSide, true
	members := []member{final}
	for i, c := range n.changes {
		without, err := n.without(i, final.configuration)
		if err != nil {
			n.note("the final configuration without %s is not measured: %v", c.stage, err)
			continue
		}
		members = append(members, member{stage: study.AblationStage, candidate: c.stage, configuration: without})
	}
	if len(members) == 1 {
		return
	}
	// These blocks decide nothing, so that they are counted and not looked at.
	starts := n.of(study.AblationStage, "")
	n.step.Cut = nil
	for number := 1; ; number++ {
		members = n.able(starts, members, number)
		n.step.Members, n.step.Counted = len(members), n.fewest(starts, members, number-1)
		if len(members) == 1 || n.step.Counted >= ablationBlocks {
			n.step.Cut = nil
			return
		}
		b := n.block(study.AblationStage, starts, members, number)
		if !b.closed && len(b.pending) > 0 {
			n.start(b, "", fmt.Sprintf("ablation, block %d of %d", number, ablationBlocks))
			return
		}
	}
}

// able drops who cannot run; without the final configuration there is nothing to compare.
func (n *next) able(starts []study.Start, members []member, number int) []member {
	var kept []member
	for _, m := range members {
		why := n.leaves(starts, m.ref(), number)
		switch {
		case why == "":
			kept = append(kept, m)
		case m.incumbent:
			return members[:1]
		}
	}
	return kept
}

// without derives the final configuration with one change left out. The others must fit
// what is then there; another engine's options would be taken for its own.
func (n *next) without(left int, final study.Configuration) (study.Configuration, error) {
	c, err := n.study.Derive(study.Configuration{}, n.study.Baseline)
	if err != nil {
		return c, err
	}
	for i, change := range n.changes {
		// Candidates of one stage may derive from one another: they stay or go together.
		for _, candidate := range change.path {
			if i == left {
				continue
			}
			if c, err = n.study.Derive(c, candidate); err != nil {
				return c, fmt.Errorf("%s does not fit then: %w", change.stage, err)
			}
		}
	}
	switch {
	// Another engine takes options by its own grammar, so that nothing above has failed;
	// it would not start, or worse, it would.
	case c.Engine.ID != final.Engine.ID:
		return c, fmt.Errorf("it chose the engine, and later options are that engine's")
	// A later stage has overwritten the change: the two sides would be one configuration.
	case c.Fingerprint() == final.Fingerprint():
		return c, fmt.Errorf("nothing of it is left in the final configuration")
	}
	return c, nil
}
