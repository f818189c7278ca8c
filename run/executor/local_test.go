package executor_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/gpu"
	"benchguide/run/proc"
	"benchguide/study"
)

// local returns an executor and an order that fails because no engine is installed.
func local(t *testing.T) (*executor.Local, string, attempt.Order) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "prompts.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"prompt":"x","output_tokens":1}`+"\n"), 0o644))
	work := attempt.Work{Workload: study.Workload{ID: "main", Command: "benchguide bench"}, Prompts: file, Count: 1}
	o := attempt.Order{
		Schema: attempt.Schema, Nonce: "bg-local", Stage: "one", Candidate: "c", Number: 1, Engine: "vllm", Version: "v1", Command: "vllm serve m",
		Workloads: []attempt.Work{work}, Patience: attempt.DefaultPatience(), Rehearse: &attempt.Rehearse{Program: []string{"/nowhere/engine"}},
	}
	deps := attempt.Here(gpu.None{})
	deps.Grace = 100 * time.Millisecond
	return &executor.Local{Deps: deps}, filepath.Join(dir, "work"), o
}

func TestLocalSealsWhateverTheAttemptComesTo(t *testing.T) {
	t.Parallel()
	l, folder, o := local(t)
	var events []attempt.Event
	require.NoError(t, l.Run(t.Context(), folder, o, func(e attempt.Event) { events = append(events, e) }))
	r, complete, err := attempt.Sealed(folder)
	require.NoError(t, err)
	require.True(t, complete)
	require.Equal(t, study.FailInfra, r.Class)
	require.NotEmpty(t, events)
	require.NoError(t, l.Recover(t.Context(), folder, o, nil), "nothing is left of a sealed attempt")
	require.Error(t, l.Run(t.Context(), folder, o, nil), "a sealed folder is not used again")
}

func TestLocalEndsWhatAnEarlierRunnerLeft(t *testing.T) {
	t.Parallel()
	l, folder, o := local(t)
	require.NoError(t, attempt.WriteOrder(folder, o))
	p, err := proc.Start(proc.Spec{Words: []string{"sleep", "600"}, Nonce: attempt.Tag(folder, o.Nonce)})
	require.NoError(t, err)
	require.NoError(t, l.Recover(t.Context(), folder, o, nil))
	<-p.Done()
	left, err := proc.Leftovers(attempt.Tag(folder, o.Nonce))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestLocalLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	l, folder, o := local(t)
	require.NoError(t, attempt.WriteOrder(folder, o))
	other := folder + "-2" // the same nonce in another run, as two rehearsals of one study have it
	p, err := proc.Start(proc.Spec{Words: []string{"sleep", "600"}, Nonce: attempt.Tag(other, o.Nonce)})
	require.NoError(t, err)
	require.NoError(t, l.Recover(t.Context(), folder, o, nil))
	require.True(t, proc.Alive(p.Identity()))
	require.NoError(t, l.Recover(t.Context(), other, o, nil))
	<-p.Done()
}
