package run_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/study/studytest"
)

// What a plan says of looks is held against runs in which every candidate is far better, so
// that a stage is decided at the first look at which anything can be.
func TestAPlanKnowsWhichLooksCanDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		candidates, blocks int
		idle               []run.IdleLook
		decided            int
	}{
		{1, 0, []run.IdleLook{{Stage: "one", Block: 3, Then: 6, Why: "the rule cannot test one candidate after 3 blocks, which leave 2 of the 4 degrees of freedom that it needs; it can after 5"}}, 6},
		{1, 3, []run.IdleLook{{Stage: "one", Block: 3, Why: "the rule cannot test one candidate after 3 blocks, which leave 2 of the 4 degrees of freedom that it needs; it can after 5"}}, 0},
		{1, 4, []run.IdleLook{
			{Stage: "one", Block: 3, Then: 4, Why: "the rule cannot test one candidate after 3 blocks, which leave 2 of the 4 degrees of freedom that it needs; it can after 5"},
			{Stage: "one", Block: 4, Why: "the rule cannot test one candidate after 4 blocks, which leave 3 of the 4 degrees of freedom that it needs; it can after 5"},
		}, 0},
		{1, 5, []run.IdleLook{{Stage: "one", Block: 3, Then: 5, Why: "the rule cannot test one candidate after 3 blocks, which leave 2 of the 4 degrees of freedom that it needs; it can after 5"}}, 5},
		{5, 2, []run.IdleLook{
			{Stage: "one", Block: 2, Why: "the rule tests nothing before 3 blocks"},
			{Stage: "next", Block: 2, Why: "the rule tests nothing before 3 blocks"},
		}, 0},
		{2, 0, nil, 3},
		{2, 3, nil, 3},
		{5, 0, nil, 3},
	} {
		name := fmt.Sprintf("%d candidates, blocks: %d", c.candidates, c.blocks)
		p := studytest.Plan{YAML: fmt.Sprintf("run: {blocks: %d, confirm: 0}\n", c.blocks), Stages: []studytest.Stage{{ID: "one"}, {ID: "next", Candidates: []studytest.Candidate{{ID: "more", YAML: "add: --more"}}}}}
		for i := range c.candidates {
			p.Stages[0].Candidates = append(p.Stages[0].Candidates, studytest.Candidate{ID: fmt.Sprint("c", i), YAML: fmt.Sprint("add: --c", i)})
		}
		s := newSim(t, p)
		s.gain = func(st run.Start) float64 { return 0.2 * float64(len(st.Configuration.Command.Flags)) }
		plan, err := run.PlanOf(&s.folder.Study)
		require.NoError(t, err)
		b := run.BlueprintOf(s.folder, studytest.Run, plan, s.next())
		// A second stage of one candidate has the first one's degrees of freedom, too: it is only
		// idle where nothing is tested at all.
		var idle []run.IdleLook
		for _, l := range b.Idle {
			if l.Stage == "one" || c.blocks == 2 {
				idle = append(idle, l)
			}
		}
		require.Equal(t, c.idle, idle, name)
		d := s.finish().Decided
		if c.decided == 0 {
			require.False(t, d[0].Changed, name)
			continue
		}
		require.True(t, d[0].Changed, name)
		require.Equal(t, c.decided, d[0].Block, name)
		require.Equal(t, 3, d[1].Block, name)
		require.NotContains(t, fmt.Sprint(b.Idle), "next", name)
		require.GreaterOrEqual(t, len(s.made), b.Least, name)
		require.LessOrEqual(t, len(s.made), b.Most, name)
	}
}
