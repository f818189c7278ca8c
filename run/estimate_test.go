package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
