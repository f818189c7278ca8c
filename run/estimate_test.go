package run_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/engine"
	"benchguide/run"
	"benchguide/study"
)

// The figures are those of real runs with vllm bench serve: the guess has to be within a
// factor of two.
func TestAStartIsGuessedFromTheRoofline(t *testing.T) {
	t.Parallel()
	base := study.Study{
		Model:     study.Model{ID: "Qwen/Qwen3-8B", Name: "Qwen3-8B"},
		Hardware:  study.Hardware{GPU: "NVIDIA H200", Count: 1},
		Engines:   map[string]string{"vllm": "v0.26.0"},
		Baseline:  study.Candidate{ID: "base", Engine: "vllm"},
		Workloads: []study.Workload{{ID: "c4", Prompts: 100, Concurrency: 4, Command: "vllm bench serve --model Qwen/Qwen3-8B"}},
	}
	// A warm start took 80 s, the client 24 s around 28 s that it measured, the end some more.
	real := 147 * time.Second
	for _, c := range []struct {
		name        string
		change      func(*study.Study)
		least, most time.Duration
		once        time.Duration
		guess       string
	}{
		{"known", func(*study.Study) {}, real / 2, 2 * real, 170 * time.Second, "from the roofline of NVIDIA H200 and Qwen3-8B"},
		{"an unknown GPU", func(s *study.Study) { s.Hardware.GPU = "Abacus 9" }, 3 * time.Minute, 4 * time.Minute, 170 * time.Second,
			"with 4 s for each request, since no table has this hardware with this model"},
		{"our own client saves its start", func(s *study.Study) { s.Workloads[0].Command = "benchguide bench" }, real/2 - 23*time.Second, 2*real - 23*time.Second, 170 * time.Second,
			"from the roofline of NVIDIA H200 and Qwen3-8B"},
		{"two engines are cold once each", func(s *study.Study) { s.Engines["sglang"] = "v0.5.17" }, real / 2, 2 * real, 229 * time.Second,
			"from the roofline of NVIDIA H200 and Qwen3-8B"},
		{"each rate of a sweep lasts as long as its schedule", func(s *study.Study) { s.Workloads[0].Rates = []float64{0.1} }, 1000 * time.Second, 1200 * time.Second, 170 * time.Second,
			"from the roofline of NVIDIA H200 and Qwen3-8B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := base
			s.Engines = map[string]string{"vllm": "v0.26.0"}
			s.Workloads = append([]study.Workload(nil), base.Workloads...)
			c.change(&s)
			o := run.OutlookOf(&study.Folder{Study: s}, "", run.Plan{Points: []int{3}}, run.Step{})
			require.GreaterOrEqual(t, o.Each, c.least)
			require.LessOrEqual(t, o.Each, c.most)
			require.Equal(t, c.once, o.Once)
			require.Equal(t, c.guess, o.Guess)
			require.False(t, o.Measured)
		})
	}
}

// Engines differ by minutes, and so do the configurations of one.
func TestStartsAreTakenToLastAsTheirOwnKindDid(t *testing.T) {
	t.Parallel()
	vllm, _ := engine.Lookup("vllm")
	s := study.Study{
		Model: study.Model{ID: "m", Name: "M"}, Hardware: study.Hardware{GPU: "NVIDIA H200", Count: 1},
		Engines: map[string]string{"vllm": "v1", "sglang": "v1", "llama.cpp": "v1"}, Baseline: study.Candidate{ID: "base", Engine: "vllm"},
		Stages: []study.Stage{{ID: "one", Candidates: []study.Candidate{{ID: "slow"}, {ID: "flat"}, {ID: "sg", Engine: "sglang"}, {ID: "llama", Engine: "llama.cpp"}}}},
	}
	start := func(candidate, engine string, took time.Duration) study.Start {
		began := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
		return study.Start{Stage: "one", Candidate: candidate, Number: 1, Attempt: study.Attempt{Engine: engine, Block: 1,
			Times: &study.Times{Began: began.Format(time.RFC3339), Ended: began.Add(took).Format(time.RFC3339)}}}
	}
	f := &study.Folder{Study: s, Runs: []study.Run{{ID: "r", Starts: []study.Start{
		start("base", "vllm", 100*time.Second), start("slow", "vllm", 400*time.Second), start("base", "vllm", 110*time.Second), start("base", "vllm", 90*time.Second),
		start("sg", "sglang", 200*time.Second),
	}}}}
	step := run.Step{Start: &run.Start{Stage: "one", Candidate: "base", Block: 1}, Members: 5, Final: study.Configuration{Engine: vllm}, FinalOf: "one/base"}
	o := run.OutlookOf(f, "r", run.Plan{Points: []int{3}}, step)
	require.Equal(t, 15, o.Least)
	// base 100, slow 400, flat as vLLM is (the upper of the middle two of four), sg 200; llama.cpp
	// was never started, and is vLLM without its 80 s of getting ready, with 2 s of its own.
	require.Equal(t, 3*(100+400+110+200+(110-80+2))*time.Second, o.LeastTime)
	require.Equal(t, o.LeastTime, o.MostTime)
	require.Equal(t, o.MostTime/15, o.Each)
	require.True(t, o.Measured)
	require.Zero(t, o.Once)

	step.Left = []run.Departure{{Ref: "one/slow"}}
	step.Members = 4
	o = run.OutlookOf(f, "r", run.Plan{Points: []int{3}}, step)
	require.Equal(t, 12, o.Least)
	require.Equal(t, 3*(100+110+200+32)*time.Second, o.LeastTime)
}

// TestColdCachesCountInARunThatGoesOnElsewhere: the next machine compiles once more, and
// whoever sizes a budget by the total has to know.
func TestColdCachesCountInARunThatGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	f, problems := study.Load(os.DirFS("../content"), "studies/qwen3-8b-h200-latency")
	require.Empty(t, problems)
	plan, err := run.PlanOf(&f.Study)
	require.NoError(t, err)
	o := run.OutlookOf(f, "h200", plan, run.Next(f, "h200", nil, plan, "another machine"))
	require.Positive(t, o.BlockCold)
	require.Equal(t, o.BlockCold, o.Once)
	require.InDelta(t, o.Once+time.Duration(o.Most)*o.Each, o.MostTime, float64(o.Most))
}
