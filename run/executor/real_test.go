package executor_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/machine"
	"benchguide/study"
)

// slurmUp starts, asks and stops the cluster of these tests.
const slurmUp = "../../tools/slurm-up"

// TestRealSlurm carries attempts out on a real cluster. A script stands in for
// `benchguide attempt`, so that each attempt does one thing.
func TestRealSlurm(t *testing.T) {
	startCluster(t)
	t.Run("three attempts", func(t *testing.T) { t.Parallel(); realAttempts(t) })
	t.Run("refused", func(t *testing.T) { t.Parallel(); realRefusal(t) })
	t.Run("cancelled", func(t *testing.T) { t.Parallel(); realCancel(t) })
	t.Run("recovered", func(t *testing.T) { t.Parallel(); realRecovery(t) })
	t.Run("node killed", func(t *testing.T) { t.Parallel(); realNodeKill(t) })
	t.Run("whole attempts", func(t *testing.T) { t.Parallel(); realWhole(t) })
	t.Run("nothing left behind", func(t *testing.T) { t.Parallel(); realSweep(t) })
}

// startCluster starts a cluster, unless one runs, and stops it if it was started here.
func startCluster(t *testing.T) {
	t.Helper()
	_, err := exec.LookPath("slurmctld")
	if err != nil || os.Geteuid() != 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Slurm here, or not root: continuous integration has to run these tests; see tools/slurm-up deps")
		}
		t.Skip("attempts on a real Slurm are left out: this machine has none, or this is not root; tools/slurm-up says what is needed")
	}
	runs := exec.Command(slurmUp, "status").Run() == nil
	out, err := exec.Command(slurmUp, "start").CombinedOutput()
	require.NoError(t, err, "%s", out)
	if !runs {
		t.Cleanup(func() {
			if out, err := exec.Command(slurmUp, "stop").CombinedOutput(); err != nil {
				t.Errorf("the cluster was not stopped: %v\n%s", err, out)
			}
		})
	}
	out, err = exec.Command(slurmUp, "env").Output()
	require.NoError(t, err)
	conf, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "export SLURM_CONF=")
	require.True(t, ok, "%s", out)
	t.Setenv("SLURM_CONF", conf)
}

// realJob is an attempt of a script that is given the attempt's folder.
func realJob(t *testing.T, script string) (executor.Slurm, string, attempt.Order) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "an attempt") // with a space, as a folder of a study may have
	require.NoError(t, os.Mkdir(folder, 0o755))
	program := filepath.Join(t.TempDir(), "benchguide")
	text := "#!/bin/sh\nset -eu\ncd \"$2\"\nseal() { echo '{}' >result.new; mv result.new result.json; }\n" + script
	require.NoError(t, os.WriteFile(program, []byte(text), 0o755))
	s := executor.Slurm{Program: program, Pace: executor.Pace{
		First: 200 * time.Millisecond, Most: time.Second, Tail: 50 * time.Millisecond,
		Lost: 20 * time.Second, Settle: 2 * time.Second, Grace: 10 * time.Second,
	}}
	// One test kills the node n3, whole. Jobs that ask for no GPU would be put beside its own.
	s.Profile = machine.Slurm{Gres: "gpu:h100:{gpus}", Time: "00:05:00", Options: []string{"--exclude=n3"}}
	nonce := fmt.Sprintf("bg-%d-%d", os.Getpid(), time.Now().UnixNano())
	return s, folder, attempt.Order{Nonce: nonce, Study: "small", Stage: "engine", Candidate: "vllm", Hardware: study.Hardware{Count: 1}}
}

func realAttempts(t *testing.T) {
	for i := range 3 {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			t.Parallel()
			s, folder, o := realJob(t, `echo '{"phase":"measuring","text":"'"$CUDA_VISIBLE_DEVICES"'"}' >>events.jsonl
printf %s "$SETTING" >setting; sleep 1; rm events.jsonl; seal`)
			s.Profile.Setup = "export SETTING='of the machine'"
			var heard events
			require.NoError(t, s.Run(t.Context(), folder, o, heard.seen))
			require.Regexp(t, `measuring: [01]\b`, strings.Join(heard.texts(), "\n"))
			require.Equal(t, "of the machine", recorded(t, folder, "setting"))
			require.NoFileExists(t, filepath.Join(folder, "job.sh"))
		})
	}
}

func realRefusal(t *testing.T) {
	s, folder, o := realJob(t, "seal")
	o.Hardware.Count = 64
	err := s.Run(t.Context(), folder, o, nil)
	require.ErrorIs(t, err, executor.ErrRefused)
	require.ErrorContains(t, err, "Requested node configuration is not available")
}

// The attempt is asked first: it stops what it started and seals its folder.
func realCancel(t *testing.T) {
	s, folder, o := realJob(t, `trap 'echo asked >asked; seal; exit 1' TERM
touch begun; while :; do sleep 0.1; done`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, folder, o, nil) }()
	appears(t, filepath.Join(folder, "begun"))
	cancel()
	require.NoError(t, <-done, "a sealed attempt is one that is over")
	require.FileExists(t, filepath.Join(folder, "asked"))
	require.Empty(t, queued(t, o.Nonce))
}

// A runner that is killed leaves its job running; the next one finds it by its name.
func realRecovery(t *testing.T) {
	s, folder, o := realJob(t, `touch begun; while ! test -e go; do sleep 0.1; done; seal`)
	// What a runner leaves that was killed while it submitted: the job, and no id.
	submitted := exec.Command("sbatch", "--parsable", "--no-requeue", "--exclude=n3", "--job-name="+o.Nonce, "--output=/dev/null",
		"--wrap", fmt.Sprintf("%s attempt '%s'", s.Program, folder))
	out, err := submitted.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "job.json"), fmt.Appendf(nil, `{"name": %q}`, o.Nonce), 0o644))
	appears(t, filepath.Join(folder, "begun"))

	done := make(chan error, 1)
	go func() { done <- s.Recover(t.Context(), folder, o, nil) }()
	require.Eventually(t, func() bool {
		b, _ := os.ReadFile(filepath.Join(folder, "job.json"))
		return strings.Contains(string(b), strings.TrimSpace(string(out)))
	}, 20*time.Second, 20*time.Millisecond, "it has the id again")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "go"), nil, 0o644))
	require.NoError(t, <-done)
	require.FileExists(t, filepath.Join(folder, "result.json"))
	require.Empty(t, queued(t, o.Nonce))
}

// A machine that loses its power makes the attempt lost, and another may succeed.
func realNodeKill(t *testing.T) {
	s, folder, o := realJob(t, "touch begun; sleep 300")
	s.Profile.Options = []string{"--nodelist=n3"}
	o.Hardware.Count = 2 // all of the node: no other test is on it
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context(), folder, o, nil) }()
	appears(t, filepath.Join(folder, "begun"))
	t.Cleanup(func() {
		if out, err := exec.Command(slurmUp, "node-start", "n3").CombinedOutput(); err != nil {
			t.Errorf("the node was not started again: %v\n%s", err, out)
		}
	})
	out, err := exec.Command(slurmUp, "node-kill", "n3").CombinedOutput()
	require.NoError(t, err, "%s", out)
	err = <-done
	require.ErrorIs(t, err, executor.ErrLost)
	require.ErrorContains(t, err, "node failed on n3")
}

// The job ends what the attempt left, even where it went into a session of its own and
// the site does not track it.
func realSweep(t *testing.T) {
	s, folder, o := realJob(t, `setsid sleep 271 & echo $! >left; seal`)
	require.NoError(t, s.Run(t.Context(), folder, o, nil))
	pid := strings.TrimSpace(recorded(t, folder, "left"))
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, 10*time.Second, 20*time.Millisecond)
}

// The job is what it is in use: benchguide itself, which starts an engine, measures it
// with our own client and seals the folder. The engine is the one of rehearsals.
func realWhole(t *testing.T) {
	program := filepath.Join(t.TempDir(), "benchguide")
	build := exec.Command("go", "build", "-o", program, "benchguide/cmd/benchguide")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	t.Run("carried out", func(t *testing.T) {
		t.Parallel()
		s, folder, o := rehearsal(t, program, 0.001)
		var heard events
		require.NoError(t, s.Run(t.Context(), folder, o, heard.seen))
		r, complete, err := attempt.Sealed(folder)
		require.NoError(t, err)
		require.True(t, complete)
		require.Equal(t, attempt.Done, r.State, "%+v", r)
		require.Contains(t, strings.Join(heard.texts(), "\n"), string(attempt.Measuring))
		require.FileExists(t, filepath.Join(folder, "main.txt"))
	})
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		s, folder, o := rehearsal(t, program, 1000) // an answer would take hours
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan error, 1)
		var heard events
		go func() { done <- s.Run(ctx, folder, o, heard.seen) }()
		require.Eventually(t, func() bool { return strings.Contains(strings.Join(heard.texts(), "\n"), string(attempt.Starting)) },
			40*time.Second, 20*time.Millisecond)
		cancel()
		require.NoError(t, <-done)
		r, complete, err := attempt.Sealed(folder)
		require.NoError(t, err)
		require.True(t, complete)
		require.Equal(t, study.FailUser, r.Class, "%+v", r)
		require.Empty(t, queued(t, o.Nonce))
	})
}

// rehearsal is an attempt with the engine of rehearsals, written into its folder.
func rehearsal(t *testing.T, program string, scale float64) (executor.Slurm, string, attempt.Order) {
	t.Helper()
	s, folder, o := realJob(t, "")
	s.Program = program
	s.Pace.Grace = 30 * time.Second
	w := study.Workload{ID: "main", Dataset: "d", Prompts: 4, Concurrency: 2, Command: "benchguide bench --backend openai-chat --max-concurrency 2"}
	o.Schema, o.Candidate, o.Number, o.Block, o.Sitting = attempt.Schema, "fast", 1, 1, "s1"
	o.Engine, o.Version, o.Command = "vllm", "v0.26.0", "vllm serve Qwen/Qwen3-8B"
	o.Model = study.Model{ID: "Qwen/Qwen3-8B", Name: "Qwen3-8B"}
	o.Hardware = study.Hardware{GPU: "NVIDIA H100 SXM", Short: "H100", Count: 1}
	o.Machine.NoGPU = true
	o.Patience = attempt.Patience{Start: time.Minute, Stall: 30 * time.Second, Client: time.Minute, Free: time.Second}
	o.Rehearse = &attempt.Rehearse{TimeScale: scale, Program: []string{program, "fake-engine"}, Seed: 1}
	work := func(name string, n int) attempt.Work {
		var list []bench.Prompt
		var text strings.Builder
		for i := range n {
			p := bench.Prompt{Text: fmt.Sprintf("%s %d: tell me of the number %d", name, i, i*i), Output: 6}
			list = append(list, p)
			fmt.Fprintf(&text, "{\"prompt\": %q, \"output_tokens\": %d}\n", p.Text, p.Output)
		}
		file := filepath.Join(t.TempDir(), name+".jsonl")
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
		return attempt.Work{Workload: w, Prompts: file, Digest: bench.Digest(list), Count: n}
	}
	o.Warmup, o.Workloads = work("warmup", 2), []attempt.Work{work("main", 4)}
	require.NoError(t, attempt.WriteOrder(folder, o))
	return s, folder, o
}

// appears waits for a file.
func appears(t *testing.T, path string) {
	t.Helper()
	require.Eventually(t, func() bool { _, err := os.Stat(path); return err == nil }, 40*time.Second, 20*time.Millisecond, path)
}

// queued returns what the queue says of a job.
func queued(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("squeue", "-h", "--name="+name, "-t", "PENDING,RUNNING", "-o", "%i").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
