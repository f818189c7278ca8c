package run_test

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/study"
	"benchguide/study/studytest"
)

// sim is a run in memory: starts are made by a model in place of a machine.
type sim struct {
	t       tester
	blocks  studytest.Blocks
	failed  []run.Failed
	sitting string
	memory  run.Memory
	gain    func(s run.Start) float64 // over the baseline's 1000 tokens a second
	fault   func(s run.Start) string  // "", invalid, or a failure class
	made    []string
	folder  *study.Folder
}

// tester is a test, or one case of a property.
type tester interface {
	require.TestingT
	Helper()
}

// newSim begins a run of a plan.
func newSim(t tester, p studytest.Plan) *sim {
	s := &sim{t: t, blocks: studytest.Blocks{Plan: p}, sitting: "sitting-1", memory: run.Memory{},
		gain: func(run.Start) float64 { return 0 }, fault: func(run.Start) string { return "" }}
	s.load()
	return s
}

func (s *sim) load() {
	folder, problems := study.LoadPlan(s.blocks.FS(), studytest.Dir)
	require.Empty(s.t, problems)
	s.folder = folder
}

// next asks what comes next. Now and then it asks without anything that was remembered,
// which must not matter.
func (s *sim) next() run.Step {
	plan, err := run.PlanOf(&s.folder.Study)
	require.NoError(s.t, err)
	step := s.memory.Next(s.folder, studytest.Run, s.failed, plan, s.sitting)
	if len(s.made)%7 == 0 {
		fresh := run.Next(s.folder, studytest.Run, s.failed, plan, s.sitting)
		require.Equal(s.t, fresh.Start, step.Start)
		require.Equal(s.t, fresh.Decided, step.Decided)
		require.Equal(s.t, fresh.Stuck, step.Stuck)
	}
	return step
}

// line is a start as the tests write it.
func line(st run.Start) string {
	text := fmt.Sprintf("%d %s", st.Block, st.Ref())
	if st.Phase != "" {
		text += " " + st.Phase
	}
	return text
}

// do makes a start, as an executor would leave it.
func (s *sim) do(st run.Start) {
	s.made = append(s.made, line(st))
	members := []string{`"block": ` + strconv.Itoa(st.Block), fmt.Sprintf(`"sitting": %q`, s.sitting), fmt.Sprintf(`"command": %q`, st.Configuration.Engine.Print(st.Configuration.Command))}
	if st.Phase != "" {
		members = append(members, fmt.Sprintf(`"phase": %q`, st.Phase))
	}
	made := studytest.Start{Ref: st.Ref(), Number: st.Number}
	switch class := s.fault(st); {
	case class == "invalid":
		members = append(members, `"invalid": "another process held the GPU"`)
		made.Trials = map[string]studytest.Trial{"main": s.trial(st)}
	case class == "":
		made.Trials = map[string]studytest.Trial{"main": s.trial(st)}
	case run.GiveUp(s.failed, st, class):
		members = append(members, fmt.Sprintf(`"failure": {"class": %q, "reason": "it died"}`, class))
	default:
		s.failed = append(s.failed, run.Failed{Ref: st.Ref(), Block: st.Block, Phase: st.Phase, Class: class, Reason: "it died"})
		return
	}
	made.Attempt = strings.Join(members, ", ")
	s.blocks.Starts = append(s.blocks.Starts, made)
	s.add(made)
}

// add reads one more start, as a run does.
func (s *sim) add(made studytest.Start) {
	alone := s.blocks
	alone.Starts = []studytest.Start{made}
	folder := path.Join("runs", studytest.Run, made.Ref, fmt.Sprintf("start-%d", made.Number))
	require.Empty(s.t, s.folder.Add(alone.FS(), studytest.Run, folder))
}

// trial is what a client would print.
func (s *sim) trial(st run.Start) studytest.Trial {
	return studytest.Throughput(1000 * (1 + s.gain(st)) * wobble(st))
}

// wobble is what starts differ by: at most 0.3 %, unlike for every one.
func wobble(st run.Start) float64 {
	sum := 7 * st.Block
	for i, letter := range st.Ref() + st.Phase {
		sum += (i + 1) * int(letter)
	}
	return 1 + []float64{0.2, -0.3, 0.1, -0.1, 0.3, 0, -0.2}[sum%7]/100
}

// mostStarts is more than any run of these tests may take.
const mostStarts = 300

// finish carries the run out to its end.
func (s *sim) finish() run.Step {
	for range mostStarts {
		step := s.next()
		if step.Start == nil {
			return step
		}
		s.do(*step.Start)
	}
	require.FailNow(s.t, "the run does not end", strings.Join(s.made, "\n"))
	return run.Step{}
}

// byCandidate gives gains by candidate; what a later stage builds on multiplies.
func byCandidate(gains map[string]float64) func(run.Start) float64 {
	return func(st run.Start) float64 {
		g := 1.0
		for _, f := range st.Configuration.Command.Flags {
			g *= 1 + gains[f.String()]
		}
		return g - 1
	}
}

// two is a plan of two stages of two candidates: one better, one worse; one better, one
// that cannot be told apart.
func two() studytest.Plan {
	return studytest.Plan{Stages: []studytest.Stage{
		{ID: "one", Candidates: []studytest.Candidate{{ID: "fast", YAML: "add: --fast"}, {ID: "slow", YAML: "add: --slow"}}},
		{ID: "next", Candidates: []studytest.Candidate{{ID: "more", YAML: "add: --more"}, {ID: "flat", YAML: "add: --flat"}}},
	}}
}

// gains are the true ones of two.
func gains() func(run.Start) float64 {
	return byCandidate(map[string]float64{"--fast": 0.10, "--slow": -0.06, "--more": 0.08, "--flat": 0.001})
}
