package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/run"
	"benchguide/study"
	"benchguide/study/studytest"
)

// perBlock counts the starts of a run by block and ref, without their order.
func perBlock(made []string) map[string]int {
	count := map[string]int{}
	for _, m := range made {
		count[m]++
	}
	return count
}

func verdicts(d run.Decision) map[string]analyze.Verdict {
	list := map[string]analyze.Verdict{}
	for _, r := range d.Rows {
		list[r.Ref] = r.Verdict
	}
	return list
}

func TestARunGoesThroughItsStages(t *testing.T) {
	t.Parallel()
	s := newSim(t, two())
	s.gain = gains()
	step := s.finish()
	require.True(t, step.Done(), step.Stuck)
	require.Len(t, step.Decided, 2)
	one, second := step.Decided[0], step.Decided[1]
	require.Equal(t, "one/fast", one.Adopted)
	require.Equal(t, 3, one.Block, "both are told from the baseline at the first look")
	require.Equal(t, map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.NoGain}, verdicts(one))
	require.InDelta(t, 1.10, one.Gain, 0.01)
	require.InDelta(t, 1.10, one.Confirmed, 0.01)
	require.Equal(t, "one/fast", second.Incumbent)
	require.Equal(t, "next/more", second.Adopted)
	require.Equal(t, 6, second.Block, "one is undecided at the first look")
	require.Equal(t, analyze.NotDistinguishable, verdicts(second)["next/flat"])
	require.Equal(t, "next/more", step.FinalOf)
	require.Equal(t, "vllm serve Qwen/Qwen3-8B --fast --more", step.Final.Text())
	require.True(t, strings.HasSuffix(s.made[0], "one/base"), "the first start of a sitting is the incumbent's: %s", s.made[0])

	want := map[string]int{}
	add := func(block string, refs ...string) {
		for _, ref := range refs {
			want[block+" "+ref]++
		}
	}
	for _, b := range []string{"1", "2", "3"} {
		add(b, "one/base", "one/fast", "one/slow")
	}
	for _, b := range []string{"1", "2", "3", "4", "5", "6"} {
		add(b, "next/incumbent", "next/more", "next/flat")
	}
	for _, b := range []string{"4", "5", "6"} {
		add(b, "one/base confirm", "one/fast confirm")
	}
	for _, b := range []string{"7", "8", "9"} {
		add(b, "next/incumbent confirm", "next/more confirm")
	}
	require.Empty(t, cmp.Diff(want, perBlock(s.made)))
}

func TestTheGuideSeesWhatTheRunDecided(t *testing.T) {
	t.Parallel()
	s := newSim(t, two())
	s.gain = gains()
	step := s.finish()
	f, problems := study.Load(s.blocks.FS(), studytest.Dir)
	require.Empty(t, problems)
	report := analyze.Study(f)
	require.False(t, report.Failed(), "%v", report.Findings)
	require.Equal(t, step.FinalOf, report.Final.Ref)
	for i, d := range step.Decided {
		require.Equal(t, d.Adopted, report.Stages[i].Adopted)
		require.NotEmpty(t, report.Stages[i].Confirmed, d.Stage)
		require.InDelta(t, 1.09, d.Confirmed, 0.02)
	}
}

func TestHowAStageIsDecided(t *testing.T) {
	t.Parallel()
	third := func(p *studytest.Plan) {
		p.Stages[0].Candidates = append(p.Stages[0].Candidates, studytest.Candidate{ID: "third", YAML: "add: --third"})
	}
	for _, c := range []struct {
		name    string
		change  func(p *studytest.Plan)
		gains   map[string]float64
		edit    []string
		fault   func(run.Start) string
		adopted string
		block   int
		left    []string // parts of the reasons, in order
		want    map[string]analyze.Verdict
	}{
		{"a first look only", func(p *studytest.Plan) { p.YAML = "run: {blocks: 3, confirm: 0}\n" }, map[string]float64{"--fast": 0.1}, nil, nil,
			"one/fast", 3, nil, map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.NotDistinguishable}},
		{"nothing is better", nil, map[string]float64{"--fast": -0.05, "--slow": -0.06}, nil, nil,
			"one/base", 3, []string{"worse than the incumbent", "worse than the incumbent"}, map[string]analyze.Verdict{"one/fast": analyze.NoGain, "one/slow": analyze.NoGain}},
		{"far behind", third, map[string]float64{"--fast": 0.1, "--slow": -0.2, "--third": -0.06}, nil, nil,
			"one/fast", 3, []string{"20% behind the incumbent after 2 blocks", "worse than the incumbent"},
			map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.NotDistinguishable, "one/third": analyze.NoGain}},
		{"far behind in a stage that needs its starts", nil, map[string]float64{"--fast": 0.1, "--slow": -0.2}, nil, nil,
			"one/fast", 3, []string{"worse than the incumbent"}, map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.NoGain}},
		{"screening can be set", func(p *studytest.Plan) { third(p); p.YAML = "run: {screen: 30%}\n" },
			map[string]float64{"--fast": 0.1, "--slow": -0.2, "--third": -0.06}, nil, nil,
			"one/fast", 3, []string{"worse than the incumbent", "worse than the incumbent"},
			map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.NoGain, "one/third": analyze.NoGain}},
		{"a limit is broken", nil, map[string]float64{"--fast": 0.1}, studytest.Limits("{metric: mean_tpot, at_most: 7}"), nil,
			"one/base", 2, []string{"broke a limit", "broke a limit"}, map[string]analyze.Verdict{"one/fast": analyze.Infeasible, "one/slow": analyze.Infeasible}},
		{"one cannot run", nil, map[string]float64{"--fast": 0.1}, nil, func(s run.Start) string { return map[string]string{"one/fast": study.FailConfig}[s.Ref()] },
			"one/base", 6, []string{"it cannot run: it died"}, map[string]analyze.Verdict{"one/fast": analyze.Infeasible, "one/slow": analyze.NotDistinguishable}},
		{"none can run", nil, nil, nil, func(s run.Start) string {
			return map[string]string{"one/fast": study.FailConfig, "one/slow": study.FailConfig}[s.Ref()]
		}, "one/base", 1, []string{"it cannot run", "it cannot run"}, map[string]analyze.Verdict{"one/fast": analyze.Infeasible, "one/slow": analyze.Infeasible}},
		{"one dies under load", nil, map[string]float64{"--slow": 0.1}, nil, func(s run.Start) string { return map[string]string{"one/fast": study.FailFlaky}[s.Ref()] },
			"one/slow", 6, []string{"it cannot run: it died"}, map[string]analyze.Verdict{"one/fast": analyze.Infeasible, "one/slow": analyze.Adopted}},
		{"one dies after it was measured twice", nil, map[string]float64{"--fast": 0.3}, nil, func(s run.Start) string {
			return map[string]string{"one/fast 3": study.FailConfig}[fmt.Sprint(s.Ref(), " ", s.Block)]
		}, "one/base", 6, []string{"it cannot run: it died"}, map[string]analyze.Verdict{"one/fast": analyze.Infeasible, "one/slow": analyze.NotDistinguishable}},
		{"one is never valid", nil, map[string]float64{"--fast": 0.1}, nil, func(s run.Start) string { return map[string]string{"one/slow": "invalid"}[s.Ref()] },
			"one/fast", 6, []string{"3 starts in a row are invalid: another process held the GPU"}, map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.Invalid}},
		{"the pick is followed", func(p *studytest.Plan) {
			p.Stages[0].YAML = "pick: {candidate: slow, reason: {zh: 更省, en: cheaper}}"
		}, map[string]float64{"--fast": 0.10, "--slow": 0.101}, nil, nil,
			"one/slow", 3, nil, map[string]analyze.Verdict{"one/fast": analyze.Tied, "one/slow": analyze.Adopted}},
		{"a pick outside of the group is not", func(p *studytest.Plan) {
			p.Stages[0].YAML = "pick: {candidate: slow, reason: {zh: 更省, en: cheaper}}"
		}, map[string]float64{"--fast": 0.10, "--slow": -0.06}, nil, nil,
			"one/fast", 3, []string{"worse than the incumbent"}, map[string]analyze.Verdict{"one/fast": analyze.Adopted, "one/slow": analyze.NoGain}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := two()
			p.Stages = p.Stages[:1]
			if c.change != nil {
				c.change(&p)
			}
			s := newSim(t, p)
			s.blocks.Edit = c.edit
			s.load()
			s.gain = byCandidate(c.gains)
			if c.fault != nil {
				s.fault = c.fault
			}
			step := s.finish()
			require.True(t, step.Done(), step.Stuck)
			require.Len(t, step.Decided, 1)
			d := step.Decided[0]
			require.Equal(t, c.adopted, d.Adopted)
			require.Equal(t, c.block, d.Block)
			require.Empty(t, cmp.Diff(c.want, verdicts(d)))
			require.Len(t, d.Departed, len(c.left), "%v", d.Departed)
			for i, part := range c.left {
				require.Contains(t, d.Departed[i].Why, part)
			}
			if strings.Contains(c.name, "outside") {
				require.Contains(t, strings.Join(d.Notes, "\n"), "the study picks one/slow")
			}
		})
	}
}

// What got through before a candidate was given up is no sample: it cannot break a limit,
// and must not be what a study's pick is followed by. From the first look on it can.
func TestACandidateThatIsGivenUpBeforeALookIsNotJudged(t *testing.T) {
	t.Parallel()
	pick := "pick: {candidate: fast, reason: {zh: 更省, en: cheaper}}"
	for _, c := range []struct {
		name    string
		valid   int
		pick    string
		limits  []string
		verdict analyze.Verdict
		adopted string
	}{
		{"one start", 1, "", nil, analyze.Invalid, "one/base"},
		{"two starts", 2, "", nil, analyze.Invalid, "one/base"},
		{"one start that was picked", 1, pick, nil, analyze.Invalid, "one/base"},
		{"one start that broke a limit", 1, "", studytest.Limits("{metric: total_throughput, at_most: 1200}"), analyze.Invalid, "one/base"},
		{"three starts", 3, "", nil, analyze.Adopted, "one/fast"},
	} {
		p := two()
		p.Stages = p.Stages[:1]
		p.Stages[0].YAML, p.YAML = c.pick, "run: {confirm: 0}\n"
		s := newSim(t, p)
		s.blocks.Edit = c.limits
		s.load()
		s.gain = byCandidate(map[string]float64{"--fast": 0.3})
		made := 0
		s.fault = func(st run.Start) string {
			if st.Ref() != "one/fast" {
				return ""
			}
			if made++; made > c.valid {
				return "invalid"
			}
			return ""
		}
		step := s.finish()
		require.True(t, step.Done(), "%s: %s", c.name, step.Stuck)
		d := step.Decided[0]
		require.Equal(t, c.adopted, d.Adopted, c.name)
		require.Equal(t, c.verdict, verdicts(d)["one/fast"], c.name)
		require.Contains(t, d.Departed[0].Why, "3 starts in a row are invalid", c.name)
		f, problems := study.Load(s.blocks.FS(), studytest.Dir)
		require.Empty(t, problems)
		stage := analyze.Study(f).Stages[0]
		require.Equal(t, c.verdict, stage.Candidates[1].Verdict, "%s: the page says what the run said", c.name)
		if c.verdict == analyze.Invalid {
			require.Equal(t, "another process held the GPU", stage.Candidates[1].Excluded, c.name)
			require.NotContains(t, stage.TieGroup, "one/fast", c.name)
		}
	}
}

func TestFailedAttemptsAreRetriedAndThenStopTheRun(t *testing.T) {
	t.Parallel()
	s := newSim(t, two())
	s.gain = gains()
	infra := 2
	s.fault = func(st run.Start) string {
		if st.Ref() == "one/fast" && infra > 0 {
			infra--
			return study.FailInfra
		}
		return ""
	}
	step := s.finish()
	require.True(t, step.Done(), "two failures are tried again: %s", step.Stuck)
	require.Len(t, s.failed, 2)

	s = newSim(t, two())
	s.fault = func(st run.Start) string { return map[string]string{"one/fast": study.FailInfra}[st.Ref()] }
	step = s.finish()
	require.Contains(t, step.Stuck, "3 attempts at one/fast in a row failed by the machine, the last with: it died")
	require.Len(t, s.failed, 3)
	for i := range s.failed {
		s.failed[i].Old = true // a person has seen them, and resumes
	}
	step = s.next()
	require.NotNil(t, step.Start)
	require.Equal(t, "one/fast", step.Start.Ref())
	require.Equal(t, 4, step.Start.Try)
	require.Equal(t, 1, step.Start.Number)
}

func TestARunStopsWhereItsIncumbentCannotRun(t *testing.T) {
	t.Parallel()
	for _, class := range []string{study.FailConfig, study.FailFlaky, "invalid"} {
		s := newSim(t, two())
		s.fault = func(st run.Start) string { return map[string]string{"one/base": class}[st.Ref()] }
		step := s.finish()
		require.Contains(t, step.Stuck, "the incumbent one/base", class)
		require.Contains(t, step.Stuck, "remove its last start to try it again", class)
	}
}

func TestACandidateThatDoesNotFitStopsTheRunBeforeItsStage(t *testing.T) {
	t.Parallel()
	p := two()
	p.Stages[1].Candidates[0].YAML = "set: --slow 1"
	s := newSim(t, p)
	s.gain = gains()
	step := s.finish()
	require.Regexp(t, `^next/more cannot be built on one/fast: set: --slow is not there .* mend line \d+ of study.yaml$`, step.Stuck)
	require.NotContains(t, strings.Join(s.made, "\n"), "next/")
}

// TestAnUnfinishedBlockOfAnotherSittingIsNotContinued: its starts still count, and so
// the stage is decided once everybody has enough.
func TestAnUnfinishedBlockOfAnotherSittingIsNotContinued(t *testing.T) {
	t.Parallel()
	p := two()
	p.YAML = "run: {blocks: 3, confirm: 0}\n"
	s := newSim(t, p)
	s.gain = gains()
	for range 5 { // the first block and two starts of the second
		s.do(*s.next().Start)
	}
	s.sitting = "sitting-2"
	step := s.next()
	require.Equal(t, "3 one/base", line(*step.Start), "a new block, which begins with the incumbent")
	require.Equal(t, "block 3, which is round 2 of at most 3, since not all before it are whole", step.Start.Why)
	require.Len(t, step.Cut, 1)
	require.Regexp(t, `^block 2 of one was begun in sitting-1, and is not completed in another sitting.*: it lacks a usable start of (fast|slow|base); those that it has count, and a further block is made$`, step.Cut[0])
	plan, err := run.PlanOf(&s.folder.Study)
	require.NoError(t, err)
	require.Equal(t, step.Cut, run.BlueprintOf(s.folder, studytest.Run, plan, step).Cut)
	// Of the three rounds one is whole, so that two more are to come, and a stage after it.
	require.Equal(t, 2*3+3*3, run.OutlookOf(s.folder, studytest.Run, plan, step).Least)
	require.True(t, s.finish().Done())
	seen := perBlock(s.made)
	require.Equal(t, 1, seen["4 one/base"], "in block 2 one was missing, so a fourth block is needed: %v", s.made)
	require.Zero(t, seen["5 one/base"])
}

func TestEveryStartHasAFolderOfItsOwnAndNoneIsRepeated(t *testing.T) {
	t.Parallel()
	s := newSim(t, two())
	s.gain = gains()
	turn := 0
	s.fault = func(run.Start) string {
		turn++
		if turn%5 == 0 {
			return study.FailInfra
		}
		return ""
	}
	taken := map[string]bool{}
	for range mostStarts {
		step := s.next()
		if step.Start == nil {
			require.True(t, step.Done(), step.Stuck)
			return
		}
		key := fmt.Sprint(step.Start.Ref(), step.Start.Number, step.Start.Try)
		require.False(t, taken[key], key)
		taken[key] = true
		s.do(*step.Start)
	}
	require.Fail(t, "the run does not end")
}

func TestResultsOfAnotherCandidateNeedNoStarts(t *testing.T) {
	t.Parallel()
	p := two()
	p.Stages[0].Candidates[1] = studytest.Candidate{ID: "same", YAML: "add: --fast\nresult: one/fast"}
	p.YAML = "run: {confirm: 0}\n"
	s := newSim(t, p)
	s.gain = gains()
	step := s.finish()
	require.True(t, step.Done(), step.Stuck)
	require.NotContains(t, strings.Join(s.made, "\n"), "one/same")
	require.Equal(t, analyze.Adopted, verdicts(step.Decided[0])["one/fast"])
}

func TestResultsOfALaterStageStopARunBeforeItBegins(t *testing.T) {
	t.Parallel()
	p := two()
	p.Stages[0].Candidates[1].YAML = "add: --more\nresult: next/more"
	s := newSim(t, p)
	step := s.finish()
	require.Regexp(t, `^one/slow is judged by the starts of next/more, which no run has made by then; mend line \d+ of study.yaml$`, step.Stuck)
	require.Empty(t, s.made)
}

func TestAblationLeavesOutOneStageAtATime(t *testing.T) {
	t.Parallel()
	p := two()
	p.YAML = "run: {ablation: true, confirm: 0}\n"
	s := newSim(t, p)
	s.gain = gains()
	step := s.finish()
	require.True(t, step.Done(), step.Stuck)
	seen := perBlock(s.made)
	for _, ref := range []string{"ablation/incumbent", "ablation/one", "ablation/next"} {
		for _, b := range []string{"1 ", "2 ", "3 "} {
			require.Equal(t, 1, seen[b+ref], "%v", s.made)
		}
		require.Zero(t, seen["4 "+ref])
	}
}

func TestAStudyWithoutStagesCannotBeRun(t *testing.T) {
	t.Parallel()
	step := run.Next(&study.Folder{ID: "small"}, "", nil, run.Plan{Points: []int{3}}, "sitting-1")
	require.Contains(t, step.Stuck, "the study has no stages")
	require.False(t, step.Done())
}

// TestTheOutlookHoldsWhatComes: nobody is told that a run ends later than it can.
func TestTheOutlookHoldsWhatComes(t *testing.T) {
	t.Parallel()
	s := newSim(t, two())
	s.gain = gains()
	var outlooks []run.Outlook
	plan, err := run.PlanOf(&s.folder.Study)
	require.NoError(t, err)
	for {
		step := s.next()
		if step.Start == nil {
			break
		}
		outlooks = append(outlooks, run.OutlookOf(s.folder, studytest.Run, plan, step))
		s.do(*step.Start)
	}
	require.Equal(t, []int{2 * 3 * 3, 2 * (6*3 + 2*3)}, []int{outlooks[0].Least, outlooks[0].Most})
	for i, o := range outlooks {
		left := len(s.made) - i
		require.LessOrEqual(t, o.Least, o.Most)
		require.LessOrEqual(t, left, o.Most, "before start %d", i+1)
		require.LessOrEqual(t, o.Least, left, "before start %d", i+1)
	}
	require.Equal(t, 1, outlooks[len(outlooks)-1].Most)
	require.False(t, outlooks[0].Measured)
}

func TestAPlanSaysWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	three, minus := 3, -1
	for _, c := range []struct {
		name  string
		given *study.RunPlan
		want  run.Plan
		wrong string
	}{
		{"defaults", nil, run.Plan{Points: []int{3, 6}, Confirm: 3, Screen: 0.1}, ""},
		{"one look", &study.RunPlan{Blocks: 3, Seed: 7, Confirm: &three, Screen: "5 %", Ablation: true}, run.Plan{Points: []int{3}, Seed: 7, Confirm: 3, Screen: 0.05, Ablation: true}, ""},
		{"between looks", &study.RunPlan{Blocks: 4}, run.Plan{Points: []int{3, 4}, Confirm: 3, Screen: 0.1}, ""},
		{"before the first look", &study.RunPlan{Blocks: 2}, run.Plan{Points: []int{2}, Confirm: 3, Screen: 0.1}, ""},
		{"beyond the last look", &study.RunPlan{Blocks: 9}, run.Plan{Points: []int{3, 6}, Confirm: 3, Screen: 0.1}, ""},
		{"no percentage", &study.RunPlan{Screen: "much"}, run.Plan{}, `screen "much" is no percentage`},
		{"negative", &study.RunPlan{Confirm: &minus}, run.Plan{}, "cannot be negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := run.PlanOf(&study.Study{Run: c.given})
			if c.wrong != "" {
				require.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}
