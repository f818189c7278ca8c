package attempt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/internal/llama"
	"benchguide/run/attempt"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/study"
)

// A real server with real weights: what the fakes stand in for. The model copies a text,
// so that pieces of the prompt come again and speculation has something to guess from;
// how much of it is right is measured and not simulated.
func TestARealServer(t *testing.T) {
	t.Parallel()
	dir, build := llama.Up(t, "a real server")
	b := newBed(t)
	b.deps = attempt.Here(gpu.None{})
	b.deps.Own = []string{program, "bench"}
	o := &b.order
	o.Rehearse = nil
	o.Engine, o.Version = "llama.cpp", build
	o.Hardware = study.Hardware{Kind: study.KindCPU, GPU: "CPU", Short: "CPU", Count: 1}
	o.Model = study.Model{ID: "SmolLM2-135M-Instruct.Q4_1.gguf", Name: "SmolLM2-135M-Instruct"}
	// One thread: several that wait for each other crawl on a machine that is busy with other tests.
	o.Command = "llama-server --model " + o.Model.ID + " --threads 1 --parallel 1 --ctx-size 1024 --spec-type ngram-simple --spec-ngram-simple-size-n 4 --spec-ngram-simple-size-m 12"
	o.Env = nil
	o.Machine = machine.Profile{
		Schema: machine.Schema, Ports: "19000-19999",
		Models:  map[string]string{o.Model.ID: filepath.Join(dir, "smollm2.gguf")},
		Engines: map[string]machine.Launch{"llama.cpp": {Program: []string{filepath.Join(dir, "bin", "llama-server")}}},
	}
	o.Patience = attempt.Patience{Start: 2 * time.Minute, Stall: time.Minute, Client: 3 * time.Minute, Free: time.Second}
	w := study.Workload{ID: "main", Dataset: "d", Prompts: 2, Concurrency: 1, Command: "benchguide bench --backend openai-chat --dataset-name custom --max-concurrency 1"}
	o.Warmup = copies(t, w, "warmup", "The ferry leaves the old harbour every morning at seven and comes back before noon.")
	o.Workloads = []attempt.Work{copies(t, w, "main",
		"Our library opens a second reading room in the spring, with forty desks and large windows to the garden.",
		"A hedgehog lived under the wooden steps of the school and walked along the fence every evening.")}

	r := b.run(t, t.Context())
	require.Equal(t, attempt.Done, r.State, "%+v\n%s", r, b.told())
	b.requireNothingLeft(t)
	a := b.requireRecord(t, r)
	require.Equal(t, "Q4_1", a.Server["dtype"])
	require.Empty(t, a.Environment["gpu"])
	block := b.read(t, "main.txt")
	require.Regexp(t, `Successful requests: +2 `, block)
	require.Regexp(t, `Total generated tokens: +40 `, block)
	require.Regexp(t, `Accepted tokens: +[1-9]`, block)
}

// copies are prompts to copy a text, as a workload.
func copies(t *testing.T, w study.Workload, name string, texts ...string) attempt.Work {
	t.Helper()
	var list []bench.Prompt
	var lines strings.Builder
	for _, text := range texts {
		p := bench.Prompt{Text: "Copy the following text word by word: " + text, Output: 20}
		list = append(list, p)
		lines.WriteString(`{"prompt": "` + p.Text + `", "output_tokens": 20}` + "\n")
	}
	file := filepath.Join(t.TempDir(), name+".jsonl")
	require.NoError(t, os.WriteFile(file, []byte(lines.String()), 0o644))
	return attempt.Work{Workload: w, Prompts: file, Digest: bench.Digest(list), Count: len(list)}
}
