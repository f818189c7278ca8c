package attempt_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/attempt"
	"benchguide/run/gpu"
	"benchguide/run/proc"
	"benchguide/study"
)

// starved is how long a loaded machine may leave a process without a processor. What waits
// for something that never comes waits as long, so that all that does come has come by then;
// whatever should come is waited for much longer, which costs a test that passes nothing.
const (
	starved = 3 * time.Second
	ample   = time.Minute
)

// anOrder is an order of one workload, without GPUs. Its prompts do not exist.
func anOrder() attempt.Order {
	w := study.Workload{ID: "main", Dataset: "d", Prompts: 8, Concurrency: 4, Command: "benchguide bench --backend openai-chat --max-concurrency 4"}
	o := attempt.Order{
		Schema: attempt.Schema, Nonce: "bg-one", Study: "s", Stage: "one", Candidate: "c", Number: 1, Block: 1, Sitting: "s1",
		Engine: "vllm", Version: "v0.26.0", Command: "vllm serve Qwen/Qwen3-8B", Env: map[string]string{"A": "b"},
		Model: study.Model{ID: "Qwen/Qwen3-8B", Name: "Qwen3-8B"}, Hardware: study.Hardware{GPU: "NVIDIA H100 SXM", Short: "H100", Count: 1},
		Warmup:    attempt.Work{Workload: w, Prompts: "warmup.jsonl", Count: 4},
		Workloads: []attempt.Work{{Workload: w, Prompts: "main.jsonl", Count: 8}},
		Patience:  attempt.Patience{Start: ample, Stall: ample, Client: ample, Free: time.Second},
	}
	o.Machine.NoGPU = true
	return o
}

// bed is a place to carry an attempt out in.
type bed struct {
	folder string
	order  attempt.Order
	deps   attempt.Deps
	events []attempt.Event
	comes  func()                   // brings somebody else to the GPU
	on1st  map[attempt.Phase]func() // what is done when a phase begins
}

// newBed writes prompts for the order of a rehearsal, whose fake engine shows what a
// script says.
func newBed(t *testing.T, rules ...string) *bed {
	t.Helper()
	dir := t.TempDir()
	b := &bed{folder: filepath.Join(dir, ".work", "bg"), order: anOrder(), deps: attempt.Here(gpu.None{}), on1st: map[attempt.Phase]func(){}}
	b.deps.Poll, b.deps.Grace = 20*time.Millisecond, time.Second
	b.deps.Own = []string{program, "bench"}
	b.order.Nonce = "bg-" + strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(fmt.Sprintf("%s-%d", filepath.Base(dir), time.Now().UnixNano()%1e9)))
	b.order.Rehearse = &attempt.Rehearse{TimeScale: 0.001, Program: []string{program, "fake-engine"}, Seed: 1}
	if len(rules) > 0 {
		b.order.Rehearse.Script = filepath.Join(dir, "script.json")
		require.NoError(t, os.WriteFile(b.order.Rehearse.Script, []byte(`{"rules": [`+strings.Join(rules, ",")+`]}`), 0o644))
	}
	b.order.Warmup.Prompts, b.order.Warmup.Digest = prompts(t, dir, "warmup", 4)
	b.order.Workloads[0].Prompts, b.order.Workloads[0].Digest = prompts(t, dir, "main", 8)
	return b
}

// prompts writes a prompt file.
func prompts(t *testing.T, dir, name string, n int) (file, digest string) {
	t.Helper()
	var list []bench.Prompt
	var text strings.Builder
	for i := range n {
		p := bench.Prompt{Text: fmt.Sprintf("%s prompt %d: tell me of the number %d", name, i, i*i), Output: 6 + i%3}
		line, err := json.Marshal(p)
		require.NoError(t, err)
		text.Write(append(line, '\n'))
		list = append(list, p)
	}
	file = filepath.Join(dir, name+".jsonl")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	return file, bench.Digest(list)
}

// run carries the attempt out.
func (b *bed) run(t *testing.T, ctx context.Context) attempt.Result {
	t.Helper()
	result, err := attempt.Run(ctx, b.folder, b.order, b.deps, func(e attempt.Event) {
		b.events = append(b.events, e)
		if b.on1st[e.Phase] != nil {
			b.on1st[e.Phase]()
			delete(b.on1st, e.Phase)
		}
	})
	require.NoError(t, err)
	got, complete, err := attempt.Sealed(b.folder)
	require.NoError(t, err)
	require.True(t, complete)
	require.Equal(t, result, got)
	return result
}

// told is everything that the events said, a line each.
func (b *bed) told() string {
	var all []string
	for _, e := range b.events {
		all = append(all, string(e.Phase)+" "+e.Text)
	}
	return strings.Join(all, "\n")
}

func (b *bed) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(b.folder, name))
	require.NoError(t, err)
	return string(data)
}

// fail stops the test for a thing that a test itself could not do.
func (b *bed) fail(err error) {
	if err != nil {
		panic(err)
	}
}

// requireNothingLeft proves that no process of the attempt runs any more.
func (b *bed) requireNothingLeft(t *testing.T) {
	t.Helper()
	left, err := proc.Leftovers(attempt.Tag(b.folder, b.order.Nonce))
	require.NoError(t, err)
	require.Empty(t, left)
}

// requireRecord compares attempt.json with the seal, and proves that nothing of passing
// use is left in the folder.
func (b *bed) requireRecord(t *testing.T, r attempt.Result) study.Attempt {
	t.Helper()
	var a study.Attempt
	dec := json.NewDecoder(strings.NewReader(b.read(t, attempt.AttemptFile)))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&a))
	require.Equal(t, r.Invalid, a.Invalid)
	if r.Class == "" {
		require.Nil(t, a.Failure)
	} else {
		require.Equal(t, &study.Failure{Class: r.Class, Reason: r.Reason}, a.Failure)
	}
	require.Equal(t, b.order.Nonce, a.Nonce)
	require.NotEmpty(t, a.Times.Ended)
	for _, name := range []string{attempt.OrderFile, attempt.EventsFile, attempt.ProcessesFile} {
		require.NoFileExists(t, filepath.Join(b.folder, name))
	}
	return a
}
