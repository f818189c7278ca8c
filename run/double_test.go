package run_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/study"
	"benchguide/study/studytest"
)

// double is an executor that leaves finished folders, as a real one would, and can be
// killed at any moment of an attempt.
type double struct {
	fault  func(o attempt.Order, n int) attempt.Result // of the n-th attempt, from 1; zero: measured
	lost   func(n int) bool
	kill   func(n int) moment
	cancel func(n int)
	takes  func(o attempt.Order) *study.Times // on a test's own clock, which goes on by it
	times  *study.Times                       // of the attempt in hand
	n      int
	orders []attempt.Order
	events bool
}

var _ executor.Executor = (*double)(nil)

// moment is when the runner is killed.
type moment int

const (
	never moment = iota
	before
	halfway
	sealed
)

// killed is what a kill looks like from within: nothing after it happens.
type killed struct{}

func (d *double) Run(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error {
	d.n++
	d.orders = append(d.orders, o)
	at := never
	if d.kill != nil {
		at = d.kill(d.n)
	}
	if at == before {
		panic(killed{})
	}
	if d.takes != nil {
		d.times = d.takes(o)
	}
	if d.events {
		seen(attempt.Event{Nonce: o.Nonce, Phase: attempt.Measuring, Workload: "main", Tokens: 812, Text: "measuring main"})
	}
	if d.lost != nil && d.lost(d.n) {
		return errors.New("the node is gone: NODE=gpu07.example.internal, /home/alice/runs")
	}
	var r attempt.Result
	if d.fault != nil {
		r = d.fault(o, d.n)
	}
	if d.cancel != nil {
		d.cancel(d.n)
	}
	if ctx.Err() != nil {
		r = attempt.Result{State: attempt.Failed, Class: study.FailUser, Reason: "stopped by a person"}
	}
	if r.State == "" {
		r.State = attempt.Done
	}
	if err := d.leave(folder, o, &r, at == halfway); err != nil {
		return err
	}
	if at == sealed {
		panic(killed{})
	}
	return nil
}

// Recover has nothing to end: nothing outlives a function.
func (d *double) Recover(context.Context, string, attempt.Order, func(attempt.Event)) error {
	return nil
}

// leave writes what an attempt leaves.
func (d *double) leave(folder string, o attempt.Order, r *attempt.Result, half bool) error {
	made := study.Attempt{Schema: study.RunSchema, Engine: o.Engine, Version: o.Version, Command: o.Command, Env: o.Env,
		Block: o.Block, Sitting: o.Sitting, Phase: o.Phase, Invalid: r.Invalid, Rehearsed: o.Rehearse != nil, Nonce: o.Nonce, Times: d.times}
	if r.State == attempt.Failed {
		made.Failure = &study.Failure{Class: r.Class, Reason: r.Reason}
	}
	files := map[string]string{}
	data, err := json.Marshal(made)
	if err != nil {
		return err
	}
	files["attempt.json"] = string(data)
	if r.State == attempt.Done {
		files["main.txt"] = d.trial(o).Block()
	}
	r.Schema, r.Files = attempt.Schema, map[string]string{}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
		if half {
			panic(killed{})
		}
		sum := sha256.Sum256([]byte(text))
		r.Files[name] = hex.EncodeToString(sum[:])
	}
	if err := os.Remove(filepath.Join(folder, attempt.OrderFile)); err != nil {
		return err
	}
	seal, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, attempt.ResultFile), seal, 0o644)
}

// trial is a function of what is started and nothing else, as in a rehearsal.
func (d *double) trial(o attempt.Order) studytest.Trial {
	s := run.Start{Stage: o.Stage, Candidate: o.Candidate, Number: o.Number, Block: o.Block, Phase: o.Phase}
	gain := 1.0
	for word, g := range map[string]float64{"--fast": 0.10, "--slow": -0.06, "--more": 0.08, "--flat": 0.001} {
		if strings.Contains(o.Command, word) {
			gain *= 1 + g
		}
	}
	return studytest.Throughput(1000 * gain * wobble(s))
}

// place writes a study without any run to a folder, and returns the study's.
func place(t *testing.T, p studytest.Plan) string {
	t.Helper()
	dir := t.TempDir()
	for name, file := range (studytest.Blocks{Plan: p}).FS() {
		if strings.Contains(name, "/runs/") {
			continue
		}
		target := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		require.NoError(t, os.WriteFile(target, file.Data, 0o644))
	}
	return filepath.Join(dir, filepath.FromSlash(studytest.Dir))
}

// clock is a clock that goes on a minute whenever it is looked at.
func clock() func() time.Time {
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Minute)
		return now
	}
}

// deps are those of a run by a double; events are collected.
func deps(d *double, events *[]run.Event) run.Deps {
	return run.Deps{
		Executor: d, Identity: "machine-1", Now: clock(),
		Works: func(context.Context, *study.Folder, string) (run.Works, error) {
			return run.Works{Workloads: []attempt.Work{{Workload: study.Workload{ID: "main"}}}}, nil
		},
		Ready: func(context.Context, *study.Folder) error { return nil },
		Dummy: func(study.Configuration) bool { return false },
		Seen: func(e run.Event) {
			if events != nil {
				*events = append(*events, e)
			}
		},
	}
}

// survive calls a function that may be killed.
func survive(f func()) (alive bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(killed); !ok {
				panic(p)
			}
		}
	}()
	f()
	return true
}

// files lists what a run has left, with digests; what is under way, the journal and
// nothing else is left out.
func files(t tester, dir string) map[string]string {
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && e.Name() == ".work" {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if e.IsDir() || e.Name() == "journal.jsonl" {
			return nil
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		list[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	require.NoError(t, err)
	return list
}
