package executor_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/machine"
	"benchguide/study"
)

func slurm(c *cluster) executor.Slurm {
	return executor.Slurm{Program: "/opt/bin/benchguide", Commands: c, Pace: quick()}
}

// events collects what was seen.
type events struct {
	mu   sync.Mutex
	list []attempt.Event
}

func (e *events) seen(event attempt.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, event)
}

func (e *events) texts() (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, event := range e.list {
		list = append(list, string(event.Phase)+": "+event.Text)
	}
	return list
}

func TestSlurmSubmitsOnceUnderTheNonce(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{}
	c.onSubmit = func() { c.state = "COMPLETED"; require.NoError(t, writeSeal(folder)) }
	s := slurm(c)
	s.Profile = machine.Slurm{Partition: "gpu", Gres: "gpu:h100:{gpus}", Time: "01:00:00", Options: []string{"--exclusive"}}
	require.NoError(t, s.Run(t.Context(), folder, o, nil))
	want := []string{"sbatch --partition=gpu --time=01:00:00 --nodes=1 --gres=gpu:h100:2 --exclusive --parsable --no-requeue --job-name=bg-0a1b" +
		" --comment=benchguide small engine/vllm --output=" + folder + "/job.log --error=" + folder + "/job.log --open-mode=append --signal=B:TERM@120 " + folder + "/job.sh"}
	if diff := cmp.Diff(want, c.called("sbatch")); diff != "" {
		t.Error(diff)
	}
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 1, "only the seal stays: a finished folder is the attempt's alone")
}

func TestSlurmScript(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{refuse: "sbatch: error: Batch job submission failed: Invalid partition name specified\n"}
	s := slurm(c)
	s.Program = "/opt/my tools/benchguide"
	s.Profile.Setup = "module load cuda\nulimit -l unlimited"
	var script string
	s.Commands = watch{c, func() {
		b, _ := os.ReadFile(filepath.Join(folder, "job.sh"))
		script = string(b)
	}}
	require.ErrorIs(t, s.Run(t.Context(), folder, o, nil), executor.ErrRefused)
	for _, want := range []string{
		"\nexport BENCHGUIDE_JOB=bg-0a1b\nmodule load cuda\nulimit -l unlimited\n",
		"\n'/opt/my tools/benchguide' attempt " + folder + " &\n", "SLURM_RESTART_COUNT",
	} {
		require.Contains(t, script, want)
	}
}

// watch looks on at each command.
type watch struct {
	executor.Commands
	look func()
}

func (w watch) Command(ctx context.Context, words ...string) (executor.Output, error) {
	w.look()
	return w.Commands.Command(ctx, words...)
}

func TestSlurmAsksForNoGPUOfAMachineWithoutAny(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*attempt.Order){
		"a study of a CPU":      func(o *attempt.Order) { o.Hardware.Kind = study.KindCPU },
		"a machine without any": func(o *attempt.Order) { o.Machine.NoGPU = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, o := order(t)
			change(&o)
			c := &cluster{}
			c.onSubmit = func() { c.state = "COMPLETED"; require.NoError(t, writeSeal(folder)) }
			require.NoError(t, slurm(c).Run(t.Context(), folder, o, nil))
			require.NotContains(t, c.called("sbatch")[0], "--gres")
		})
	}
}

func TestSlurmRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		refuse string
		slurm  machine.Slurm
		want   []string
	}{
		{"what the cluster has not", "sbatch: error: Batch job submission failed: Requested node configuration is not available\n", machine.Slurm{},
			[]string{"Requested node configuration is not available", "machine.yaml"}},
		{"an option that is more than one job", "", machine.Slurm{Options: []string{"--array=0-3"}}, []string{"--array=0-3", "leave it out"}},
		{"jobs of another cluster", "", machine.Slurm{Options: []string{"-M", "far"}}, []string{"-M", "leave it out"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder, o := order(t)
			s := slurm(&cluster{refuse: test.refuse})
			s.Profile = test.slurm
			err := s.Run(t.Context(), folder, o, nil)
			require.ErrorIs(t, err, executor.ErrRefused)
			require.NotErrorIs(t, err, executor.ErrLost)
			for _, want := range test.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// A seal that was written in time counts whatever Slurm says, and nothing counts but a seal.
func TestSlurmEnds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		state string // of scontrol
		exit  string
		sacct string
		seal  bool
		want  string // in the error; "" for none
	}{
		{"sealed and complete", "COMPLETED", "0:0", "", true, ""},
		{"sealed, then cancelled", "CANCELLED", "0:15", "", true, ""},
		{"sealed, then its node died", "NODE_FAIL", "0:0", "", true, ""},
		{"sealed and forgotten", "", "", "", true, ""},
		{"complete without a seal", "COMPLETED", "0:0", "", false, "share the file system"},
		{"failed", "FAILED", "7:0", "", false, "status 7:0"},
		{"no place for its output", "FAILED", "0:53", "", false, "could not write its output"},
		{"time limit", "TIMEOUT", "0:0", "", false, "raise slurm.time"},
		{"memory", "OUT_OF_MEMORY", "0:125", "", false, "--mem=64G"},
		{"node lost", "NODE_FAIL", "0:0", "", false, "node failed on n1"},
		{"preempted", "PREEMPTED", "0:0", "", false, "was preempted"},
		{"cancelled", "CANCELLED", "0:15", "", false, "cancelled by somebody"},
		{"only accounting knows", "", "", "CANCELLED by 0", false, "cancelled by somebody"},
		{"a runaway of the accounting", "", "", "RUNNING", false, "nothing has known of job 17"},
		{"nobody knows", "", "", "", false, "nothing has known of job 17"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder, o := order(t)
			c := &cluster{}
			c.onSubmit = func() {
				c.state, c.exit, c.sacct = test.state, test.exit, test.sacct
				if test.seal {
					require.NoError(t, writeSeal(folder))
				}
			}
			err := slurm(c).Run(t.Context(), folder, o, nil)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, executor.ErrLost)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestSlurmErrorHoldsTheJobsLastWords(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{}
	c.onSubmit = func() {
		c.state, c.exit = "FAILED", "127:0"
		require.NoError(t, os.WriteFile(filepath.Join(folder, "job.log"), []byte("job.sh: 12: benchguide: not found\n"), 0o644))
	}
	require.ErrorContains(t, slurm(c).Run(t.Context(), folder, o, nil), "benchguide: not found")
}

// The id of a job that the controller lost is given to somebody else's.
func TestSlurmDoesNotTakeAnotherJobForItsOwn(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{}
	c.onPoll = func(n int) {
		if n == 3 {
			c.name, c.state = "somebody-elses", "RUNNING"
		}
	}
	require.ErrorIs(t, slurm(c).Run(t.Context(), folder, o, nil), executor.ErrLost)
	for _, call := range c.called("scancel") {
		t.Errorf("%s: the other job was cancelled", call)
	}
}

func TestSlurmWaitsForAControllerThatIsDown(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{down: true}
	s := slurm(c)
	done := make(chan error, 1)
	var heard events
	go func() { done <- s.Run(t.Context(), folder, o, heard.seen) }()
	require.Eventually(t, func() bool { return len(c.called("squeue")) > 3 }, 10*time.Second, time.Millisecond)
	require.Empty(t, c.called("sbatch"), "nothing is submitted before it is known that nothing is there")
	c.set(func() { c.down = false; c.onSubmit = func() { c.state, c.down = "RUNNING", true } })
	// Down for longer than a job without any trace may be away.
	require.Eventually(t, func() bool { return len(c.called("scontrol")) > 40 }, 10*time.Second, time.Millisecond)
	require.NoError(t, writeSeal(folder))
	c.set(func() { c.down, c.state = false, "COMPLETED" })
	require.NoError(t, <-done)
	require.Len(t, c.called("sbatch"), 1)
	require.Contains(t, strings.Join(heard.texts(), "\n"), "Slurm does not answer")
}

func TestSlurmDoesNotSubmitAgainWhatArrivedWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{swallow: true}
	c.onPoll = func(n int) {
		if n == 2 {
			c.state = "COMPLETED"
			_ = writeSeal(folder)
		}
	}
	require.NoError(t, slurm(c).Run(t.Context(), folder, o, nil))
	require.Len(t, c.called("sbatch"), 1)
}

func TestSlurmHandsEventsOn(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	path := filepath.Join(folder, "events.jsonl")
	lines := []string{`{"nonce":"bg-0a1b","phase":"starting","text":"weights"}` + "\n", "not an event\n", `{"nonce":"bg-0a1b","phase":"mea`, `suring","text":"c4"}` + "\n"}
	c := &cluster{}
	c.onPoll = func(n int) {
		c.state = "RUNNING"
		if n <= len(lines) { // a line may be read before it is whole
			f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if _, err := f.WriteString(lines[n-1]); err != nil {
				t.Error(err)
			}
			return
		}
		c.state = "COMPLETED"
		_ = os.Remove(path) // as a sealed attempt does
		_ = writeSeal(folder)
	}
	var heard events
	require.NoError(t, slurm(c).Run(t.Context(), folder, o, heard.seen))
	if diff := cmp.Diff([]string{"starting: weights", "measuring: c4"}, heard.texts()); diff != "" {
		t.Error(diff)
	}
}

func TestSlurmSaysWhyAJobWaits(t *testing.T) {
	t.Parallel()
	folder, o := order(t)
	c := &cluster{}
	c.onPoll = func(n int) {
		if n == 5 {
			c.state = "COMPLETED"
			_ = writeSeal(folder)
		}
	}
	var heard events
	require.NoError(t, slurm(c).Run(t.Context(), folder, o, heard.seen))
	if diff := cmp.Diff([]string{"queued: job 17 waits in the queue: Priority"}, heard.texts()); diff != "" {
		t.Error(diff)
	}
}

func TestSlurmEndsTheJobWithItsContext(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		state  string // in which it is cancelled
		obeys  string // state after SIGTERM
		seals  bool   // the attempt writes its seal then
		sealed bool   // so there is no error
		want   []string
	}{
		{"asked, and it seals itself", "RUNNING", "COMPLETED", true, true, []string{"scancel --name=bg-0a1b --signal=TERM --batch 17"}},
		{"asked, and it ends", "RUNNING", "FAILED", false, false, []string{"scancel --name=bg-0a1b --signal=TERM --batch 17"}},
		{"it does not listen", "RUNNING", "", false, false, []string{"scancel --name=bg-0a1b --signal=TERM --batch 17", "scancel --name=bg-0a1b 17"}},
		{"it has not begun", "PENDING", "", false, false, []string{"scancel --name=bg-0a1b 17"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder, o := order(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c := &cluster{obeys: test.obeys}
			if test.seals {
				c.folder = folder
			}
			c.onPoll = func(n int) {
				if n == 1 {
					c.state = test.state
				}
				if n == 3 {
					cancel()
				}
			}
			err := slurm(c).Run(ctx, folder, o, nil)
			if test.sealed {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, context.Canceled)
			}
			if diff := cmp.Diff(test.want, c.called("scancel")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSlurmRecovers(t *testing.T) {
	t.Parallel()
	ended := func(c *cluster, folder string) func(int) {
		return func(n int) {
			if n == 3 {
				c.state = "COMPLETED"
				_ = writeSeal(folder)
			}
		}
	}
	tests := []struct {
		name    string
		note    string // job.json; "" for none
		age     time.Duration
		cluster func(folder string) *cluster
		sealed  bool
	}{
		{"what was never submitted", "", 0, func(string) *cluster { return &cluster{} }, false},
		{"a job that runs", `{"name": "bg-0a1b", "id": "17"}`, 0, func(folder string) *cluster {
			c := &cluster{name: "bg-0a1b", id: "17", state: "RUNNING"}
			c.onPoll = ended(c, folder)
			return c
		}, true},
		{"a job whose id was never written", `{"name": "bg-0a1b"}`, 0, func(folder string) *cluster {
			c := &cluster{name: "bg-0a1b", id: "17", state: "RUNNING"}
			c.onPoll = ended(c, folder)
			return c
		}, true},
		{"a submission that never arrived", `{"name": "bg-0a1b"}`, 0, func(string) *cluster { return &cluster{} }, false},
		{"a job that failed meanwhile", `{"name": "bg-0a1b", "id": "17"}`, 0, func(string) *cluster {
			return &cluster{name: "bg-0a1b", id: "17", state: "NODE_FAIL"}
		}, false},
		{"a job that was forgotten long ago", `{"name": "bg-0a1b", "id": "17"}`, time.Hour, func(string) *cluster { return &cluster{} }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder, o := order(t)
			path := filepath.Join(folder, "job.json")
			if test.note != "" {
				require.NoError(t, os.WriteFile(path, []byte(test.note), 0o644))
				then := time.Now().Add(-test.age)
				require.NoError(t, os.Chtimes(path, then, then))
			}
			c := test.cluster(folder)
			require.NoError(t, slurm(c).Recover(t.Context(), folder, o, nil))
			require.Empty(t, c.called("sbatch"), "recovering starts nothing")
			_, err := os.Stat(filepath.Join(folder, attempt.ResultFile))
			require.Equal(t, test.sealed, err == nil)
		})
	}
}

func TestSlurmWantsPathsThatHoldEverywhere(t *testing.T) {
	t.Parallel()
	_, o := order(t)
	require.ErrorContains(t, slurm(&cluster{}).Run(t.Context(), "attempts/one", o, nil), "absolute")
	folder, o := order(t)
	o.Nonce = "a b;c"
	require.ErrorContains(t, slurm(&cluster{}).Run(t.Context(), folder, o, nil), "nonce")
}

// TestAMachineWithoutAClusterIsKnownBeforehand: three attempts that nobody could submit would
// only say so in the end.
func TestAMachineWithoutAClusterIsKnownBeforehand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer answers
		want   string // "" if attempts may be made
	}{
		"no sbatch": {func(words []string) (executor.Output, error) {
			return executor.Output{}, &exec.Error{Name: words[0], Err: exec.ErrNotFound}
		}, `--executor slurm submits jobs with sbatch: exec: "sbatch": executable file not found in $PATH: start the run where Slurm's commands are on PATH, such as a login node`},
		"no configuration": {func(words []string) (executor.Output, error) {
			return executor.Output{Stderr: words[0] + ": fatal: Could not establish a configuration source\n", Status: 1}, nil
		}, "sbatch says: sbatch: fatal: Could not establish a configuration source: this machine knows of no cluster: start the run on one that does, or set SLURM_CONF"},
		"a controller that is restarted": {func(words []string) (executor.Output, error) {
			if words[0] == "sbatch" {
				return executor.Output{Stdout: "slurm 24.11.5\n"}, nil
			}
			return executor.Output{Stderr: words[0] + ": error: " + noController + "\n", Status: 1}, nil
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := executor.Slurm{Commands: c.answer, Pace: quick()}.Ready(t.Context())
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}

// answers are what every command says.
type answers func(words []string) (executor.Output, error)

func (a answers) Command(_ context.Context, words ...string) (executor.Output, error) {
	return a(words)
}
