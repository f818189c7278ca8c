package executor_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/study"
)

// cluster answers for Slurm as version 22.05 does. Each test moves its one job through
// its states.
type cluster struct {
	mu       sync.Mutex
	name     string // of the job, once there is one
	id       string
	state    string // as scontrol says it; "" when the controller knows the job no longer
	exit     string
	sacct    string // state in the accounting; "" for none
	down     bool   // the controller does not answer
	refuse   string // what sbatch says instead of an id
	swallow  bool   // sbatch takes the job and gives no answer
	obeys    string // state after SIGTERM
	folder   string // for an attempt that ends when asked
	calls    []string
	onSubmit func()
	onPoll   func(n int)
	polls    int
}

const noController = "Unable to contact slurm controller (connect failure)"

var errSilent = errors.New("no answer in time")

func (c *cluster) Command(_ context.Context, words ...string) (executor.Output, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, strings.Join(words, " "))
	if c.down && words[0] != "sacct" {
		return executor.Output{Stderr: words[0] + ": error: " + noController + "\n", Status: 1}, nil
	}
	switch words[0] {
	case "sbatch":
		return c.sbatch(words)
	case "squeue":
		if c.state == "PENDING" || c.state == "RUNNING" {
			return executor.Output{Stdout: fmt.Sprintf("%s|%s|%s\n", c.id, c.name, c.state)}, nil
		}
		return executor.Output{}, nil
	case "scontrol":
		c.polls++
		if c.onPoll != nil {
			c.onPoll(c.polls)
		}
		if c.state == "" || words[4] != c.id {
			return executor.Output{Stderr: "slurm_load_jobs error: Invalid job id specified\n", Status: 1}, nil
		}
		return executor.Output{Stdout: fmt.Sprintf("JobId=%s JobName=%s UserId=root(0) JobState=%s Reason=Priority Dependency=(null) ExitCode=%s NodeList=n1\n", c.id, c.name, c.state, c.exit)}, nil
	case "sacct":
		if c.sacct == "" {
			return executor.Output{Stderr: "Slurm accounting storage is disabled\n", Status: 1}, nil
		}
		return executor.Output{Stdout: fmt.Sprintf("%s|%s|%s|0:0|n1\n", c.id, c.name, c.sacct)}, nil
	case "scancel":
		return c.scancel(words)
	}
	return executor.Output{}, errors.New("no such command")
}

func (c *cluster) sbatch(words []string) (executor.Output, error) {
	if c.refuse != "" {
		return executor.Output{Stderr: c.refuse, Status: 1}, nil
	}
	for _, word := range words {
		if name, ok := strings.CutPrefix(word, "--job-name="); ok {
			c.name = name
		}
	}
	c.id, c.state = "17", "PENDING"
	if c.onSubmit != nil {
		c.onSubmit()
	}
	if c.swallow {
		c.swallow = false
		return executor.Output{}, errSilent
	}
	return executor.Output{Stdout: "17\n"}, nil
}

func (c *cluster) scancel(words []string) (executor.Output, error) {
	switch {
	case c.state != "RUNNING" && c.state != "PENDING":
		return executor.Output{Stderr: "scancel: error: Kill job error on job id 17: Invalid job id specified\n", Status: 1}, nil
	case strings.Contains(strings.Join(words, " "), "--signal=TERM"):
		if c.obeys != "" {
			c.state = c.obeys
			if c.folder != "" {
				return executor.Output{}, writeSeal(c.folder)
			}
		}
	default:
		c.state = "CANCELLED"
	}
	return executor.Output{}, nil
}

// set changes the cluster while a run waits.
func (c *cluster) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// called returns the commands so far that begin with a word.
func (c *cluster) called(program string) (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.calls {
		if strings.HasPrefix(call, program+" ") {
			list = append(list, call)
		}
	}
	return list
}

// writeSeal ends an attempt in its folder.
func writeSeal(folder string) error {
	path := filepath.Join(folder, attempt.ResultFile)
	if err := os.WriteFile(path+".new", []byte(`{"schema": 1, "state": "done", "files": {}}`), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// quick is a pace for a cluster that answers at once.
func quick() executor.Pace {
	return executor.Pace{First: time.Millisecond, Most: 4 * time.Millisecond, Tail: time.Millisecond, Command: time.Minute,
		Submit: 5 * time.Second, Lost: 60 * time.Millisecond, Settle: 20 * time.Millisecond, Grace: 40 * time.Millisecond}
}

// order returns an attempt of a study with two GPUs and its folder.
func order(t *testing.T) (string, attempt.Order) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "bg-0a1b")
	require.NoError(t, os.Mkdir(folder, 0o755))
	return folder, attempt.Order{Schema: attempt.Schema, Nonce: "bg-0a1b", Study: "small", Stage: "engine", Candidate: "vllm", Hardware: study.Hardware{Count: 2}}
}
