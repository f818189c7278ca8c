package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/machine"
	"benchguide/study"
)

// TestAttemptCarriesOutTheOrderInAFolder gives an order that fails early: what an attempt
// does otherwise is for its own package to test.
func TestAttemptCarriesOutTheOrderInAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prompts, folder := filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "bg-1")
	require.NoError(t, os.WriteFile(prompts, []byte(`{"prompt":"x","output_tokens":1}`+"\n"), 0o644))
	o := attempt.Order{
		Schema: attempt.Schema, Nonce: "bg-1", Stage: "one", Candidate: "c", Number: 1, Engine: "vllm", Version: "v1", Command: "vllm serve m",
		Workloads: []attempt.Work{{Workload: study.Workload{ID: "main", Command: "benchguide bench"}, Prompts: prompts, Count: 1}},
		Patience:  attempt.DefaultPatience(), Rehearse: &attempt.Rehearse{Program: []string{"/nowhere/engine"}},
	}
	require.NoError(t, attempt.WriteOrder(folder, o))
	call := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, nil, &out, &errs)
		return code, out.String(), errs.String()
	}

	code, out, errs := call("attempt", folder)
	require.Equal(t, exitOK, code, errs)
	require.Empty(t, out, "results are in the folder")
	require.Contains(t, errs, "checking: looking for the programs")
	require.Contains(t, errs, "failed (infra): ")
	require.Contains(t, errs, "machine.yaml under engines")
	require.FileExists(t, filepath.Join(folder, attempt.ResultFile))

	code, _, errs = call("attempt", folder)
	require.Equal(t, exitOK, code)
	require.Contains(t, errs, "is complete already: failed (infra)")

	code, _, errs = call("attempt", dir)
	require.Equal(t, exitBadInput, code)
	require.Contains(t, errs, "either this is no folder of an attempt")

	require.NoError(t, os.WriteFile(filepath.Join(folder, "server.log"), []byte("x"), 0o644))
	code, _, errs = call("attempt", folder)
	require.Equal(t, exitBadInput, code)
	require.Contains(t, errs, "server.log was added")
}

// TestAnAttemptThatNohupStartedOutlivesItsTerminal: whoever starts attempts on another machine
// by a command of his own may leave them there.
func TestAnAttemptThatNohupStartedOutlivesItsTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prompts, folder, begun, goOn := filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "bg-2"), filepath.Join(dir, "begun"), filepath.Join(dir, "go-on")
	require.NoError(t, os.WriteFile(prompts, []byte(`{"prompt":"x","output_tokens":1}`+"\n"), 0o644))
	engine := "touch " + begun + "; until test -e " + goOn + "; do sleep 0.01; done; exit 1"
	o := attempt.Order{
		Schema: attempt.Schema, Nonce: "bg-2", Stage: "one", Candidate: "c", Number: 1, Engine: "vllm", Version: "v1", Command: "vllm serve m",
		Machine:   machine.Profile{NoGPU: true, Engines: map[string]machine.Launch{"vllm": {Program: []string{"sh", "-c", engine}}}},
		Workloads: []attempt.Work{{Workload: study.Workload{ID: "main", Command: "benchguide bench"}, Prompts: prompts, Count: 1}},
		Patience:  attempt.DefaultPatience(),
	}
	require.NoError(t, attempt.WriteOrder(folder, o))
	cmd := exec.Command("nohup", "benchguide", "attempt", folder)
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(begun); return err == nil }, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	require.NoError(t, os.WriteFile(goOn, nil, 0o644))
	require.NoError(t, cmd.Wait())
	r, complete, err := attempt.Sealed(folder)
	require.NoError(t, err)
	require.True(t, complete)
	require.Equal(t, study.FailFlaky, r.Class, r.Reason)
}
