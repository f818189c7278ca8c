package attempt

import (
	"context"
	"os"
	"path/filepath"
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
	t, err := j.try(ctx, w, place{folder: j.folder, name: w.Workload.ID}, 0)
	if err != nil {
		return err
	}
	j.keep(w.Workload.ID, t)
	return nil
}

// place is where the files of a trial lie: all of them begin with its name.
type place struct{ folder, name string }

func (p place) file(ext string) string { return filepath.Join(p.folder, p.name+ext) }

// during is how a failure names the trial.
func (p place) during() string { return "the trial " + p.name }

func (p place) scrape(when string) string {
	return filepath.Join(p.folder, study.ScrapeFile(when, p.name))
}

// trial is what is known of one measurement besides its files.
type trial struct {
	place
	command string
	result  string // file that the client wrote; "" without one
	counts  client.Counts
	wrong   []string  // what makes it worthless
	ended   time.Time // when it had measured
	cpu     cpuTrack
}

// look takes down what there is to see of the client while it runs: how much processor it
// uses, and whether its result is there, which it writes when it has measured. Python then
// takes seconds to end, in which the GPUs idle.
func (t *trial) look(now time.Time, id proc.Identity) {
	t.cpu.sample(now, id)
	if t.ended.IsZero() && t.result != "" {
		if info, err := os.Stat(t.result); err == nil && info.Size() > 0 {
			t.ended = now
		}
	}
}

// end takes down that the client has ended.
func (t *trial) end(now time.Time) {
	if t.ended.IsZero() {
		t.ended = now
	}
}

// measured is when the client measured, as far as it can be told: it ends with the result,
// and lasts as long as that says.
func (t trial) measured() (from, to time.Time) {
	return t.ended.Add(-time.Duration(max(t.counts.Seconds, 0) * float64(time.Second))), t.ended
}

// try runs a client against the server: counters before, the client under watch,
// counters after, the server's identity once more, and what the client left examined.
func (j *job) try(ctx context.Context, w Work, p place, rate float64) (trial, error) {
	t := trial{place: p}
	a, err := j.asked(w, p, rate)
	if err != nil {
		return t, err
	}
	t.command, t.result = j.ranAs(a.launch.Words, a.launch.Env), a.launch.Result
	if err := j.scrape(ctx, p.scrape("before")); err != nil {
		return t, err
	}
	exit, err := j.runClient(ctx, a, &t)
	if err != nil {
		return t, err
	}
	if err := j.scrape(ctx, p.scrape("after")); err != nil {
		return t, err
	}
	if err := j.stillOurs(ctx, p.during()); err != nil {
		return t, err
	}
	return t, j.examine(a, exit, &t)
}

// keep writes down what is known of the trial of a workload.
func (j *job) keep(workload string, t trial) {
	for _, wrong := range t.wrong {
		j.spoils("%s: %s", workload, wrong)
	}
	set(&j.record.Clients, workload, t.command)
	if t.counts.Seconds > 0 {
		set(&j.record.Times.Measured, workload, t.counts.Seconds)
	}
	if j.order.Rehearse != nil {
		return // the seconds are not of this machine, nor is anything that was seen in them
	}
	from, to := t.measured()
	if share, ok := t.cpu.share(from, to); ok {
		set(&j.record.ClientCPU, workload, share)
	}
	j.spans = append(j.spans, span{workload, from, to})
}
