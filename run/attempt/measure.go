package attempt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"benchguide/run/client"
	"benchguide/run/proc"
	"benchguide/study"
)

// measure runs the workloads in the order's order, each once.
func (j *job) measure(ctx context.Context) error {
	for _, w := range j.order.Workloads {
		j.tell.tell(Event{Workload: w.Workload.ID, Text: "measuring " + w.Workload.ID})
		began := j.deps.Now()
		var err error
		if len(w.Workload.Rates) > 0 {
			err = j.sweep(ctx, w)
		} else {
			err = j.workload(ctx, w)
		}
		set(&j.record.Times.Trials, w.Workload.ID, j.deps.Now().Sub(began).Seconds())
		if err != nil {
			return err
		}
	}
	return nil
}

// workload measures one workload and records what is known of the trial.
func (j *job) workload(ctx context.Context, w Work) error {
	t, err := j.trial(ctx, w, place{folder: j.folder, name: w.Workload.ID}, 0)
	if err != nil {
		return err
	}
	j.keep(w.Workload.ID, t)
	return nil
}

// place is where the files of a trial lie: all of them begin with its name.
type place struct{ folder, name string }

func (p place) file(ext string) string { return filepath.Join(p.folder, p.name+ext) }

func (p place) scrape(when string) string {
	return filepath.Join(p.folder, study.ScrapeFile(when, p.name))
}

// trial is what is known of one measurement besides its files.
type trial struct {
	command  string
	ended    time.Time
	verdict  client.Verdict
	cpu      cpuSamples
	measured time.Duration
}

// trial runs a client against the server: counters before, the client under watch,
// counters after, the server's identity once more, and what the client left examined.
func (j *job) trial(ctx context.Context, w Work, p place, rate float64) (trial, error) {
	var t trial
	c, launch, err := j.clientFor(w, p, rate)
	if err != nil {
		return t, err
	}
	t.command = ranAs(launch.Words, launch.Env)
	if err := j.scrape(ctx, p.scrape("before")); err != nil {
		return t, err
	}
	exit, err := j.runClient(ctx, w, p, launch, &t)
	if err != nil {
		return t, err
	}
	if err := j.scrape(ctx, p.scrape("after")); err != nil {
		return t, err
	}
	if err := j.stillOurs(ctx); err != nil {
		return t, err
	}
	return t, j.examine(c, w, p, launch, exit, &t)
}
