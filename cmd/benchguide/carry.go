package main

import (
	"context"
	"errors"
	"os"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/run/proc"
	"benchguide/run/watch"
	"benchguide/study"

	runner "benchguide/run"
)

// runCommand is `benchguide run STUDY`.
type runCommand struct {
	Study         string         `arg:"" help:"Folder of the study: it holds study.yaml."`
	Machine       string         `placeholder:"FILE" help:"A machine.yaml: where engines, models and data sets are, which GPUs and ports may be used. By default programs are looked for on PATH."`
	Name          string         `placeholder:"RUN" help:"Name of the run to begin, by default the date, or rehearsal; with --resume, of the one to go on with, by default the last unfinished one."`
	Resume        bool           `help:"Go on with an unfinished run. Without it a new one is begun."`
	AcceptChanges bool           `help:"With --resume: go on although what the study measures has changed since the run began. What would not be comparable is refused all the same."`
	Budget        *time.Duration `placeholder:"TIME" help:"End in order before this time is over: 90m, 6h, 1h30m. What would not fit is not begun."`
	Executor      string         `enum:"local,slurm,command" default:"local" help:"Where starts are made: local (this machine), slurm (jobs of a cluster) or command (commands of your own). machine.yaml says how, under slurm or command."`
	Rehearse      bool           `help:"Let a fake engine take the servers' place, at made-up speeds: no GPU, engine or model is needed, and results are marked as rehearsed."`
	TimeScale     float64        `placeholder:"X" help:"Clock of a rehearsal: 0.01 makes a second last 10 ms. By default next to nothing is waited for."`
	Script        string         `hidden:"" placeholder:"FILE" help:"Faults that the fake engine of a rehearsal shows; see the package run/fake."`
	JSONEvents    bool           `name:"json-events" help:"Print every event as a line of JSON on the standard output, and all else on the standard error."`
	Logs          bool           `help:"Show the logs of the attempt under way, and follow them; nothing is started."`
}

// Help is the end of the help text.
func (runCommand) Help() string {
	return `Starts every configuration of the study, measures it, and decides by the rule that the guide
uses. Results lie under runs/RUN of the study. A run that was stopped, killed or is out of budget goes on
with --resume; a finished start is never repeated. 'benchguide plan' says beforehand how long it takes.

Ctrl-C ends the attempt in hand in order. A budget ends a run before a start that would not fit, and before
a new block of starts that would not fit as a whole; only the first block is begun if one start fits.

Exit codes: 0 the run is done; 5 it is not, --resume goes on; 3 nothing was started; 1 the study has faults.

Examples:
  benchguide run testdata/small --rehearse                              # no GPU, and over in seconds
  benchguide run STUDY --machine machine.yaml --budget 6h
  benchguide run STUDY --machine machine.yaml --budget 6h --resume      # the next night
  benchguide run STUDY --machine machine.yaml --executor slurm          # every start is a job
  benchguide run STUDY --logs                                           # in another terminal`
}

// budget is the time that was given; 0 for any.
func (c runCommand) budget() time.Duration {
	if c.Budget == nil {
		return 0
	}
	return *c.Budget
}

// Run carries the study out.
func (c runCommand) Run(ctx context.Context, std streams) error {
	if c.Logs {
		return follow(ctx, c.Study, std)
	}
	switch {
	case c.TimeScale != 0 && !c.Rehearse:
		return failure{exitUsage, errors.New("--time-scale is for rehearsals: add --rehearse, or leave it out")}
	case c.TimeScale < 0 || c.TimeScale > 1:
		return failure{exitUsage, errors.New("--time-scale must be above 0 and at most 1, where a second lasts a second")}
	case c.Budget != nil && *c.Budget <= 0: // what a script has left may be nothing
		return failure{exitUsage, errors.New("--budget must be above 0, such as 6h; leave it out to run to the end")}
	case c.AcceptChanges && !c.Resume:
		return failure{exitUsage, errors.New("--accept-changes is for a run that goes on: add --resume, or leave it out")}
	case c.Script != "" && !c.Rehearse:
		return failure{exitUsage, errors.New("--script is for rehearsals: add --rehearse, or leave it out")}
	case c.Rehearse && c.Executor != "local":
		return failure{exitUsage, errors.New("a rehearsal needs no other machine: leave --executor out")}
	}
	profile, err := loadMachine(c.Machine, std.err)
	if err != nil {
		return err
	}
	f, err := loadStudy(c.Study, std.err)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	profile = withOwnClient(profile, program)
	if c.Executor == "local" {
		profile = profile.Seeing(os.Getenv(machine.VisibleGPUs), false)
	}
	options := runner.Options{Dir: c.Study, Name: c.Name, Resume: c.Resume, AcceptChanges: c.AcceptChanges, Budget: c.budget(), Machine: profile}
	if c.Rehearse {
		if options.Rehearse, err = rehearsal(f, program, c.TimeScale, c.Script); err != nil {
			return err
		}
	}
	options.Client = clientVersions(ctx, f, profile, c.Rehearse)
	do, err := c.executor(profile, f.Study.Hardware, program)
	if err != nil {
		return err
	}
	std = std.outliving()
	watcher := c.watcher(f, std)
	out, err := runner.Run(ctx, options, runner.Deps{
		Executor: do,
		Works:    runner.Prepared(c.Study, profile, c.Rehearse),
		Ready:    c.site(profile, do).Ready,
		Dummy:    isDummy,
		Identity: c.identity(),
		Now:      time.Now,
		Seen:     watcher.See,
	})
	watcher.Close()
	return c.report(std, f, out, err)
}

// site is this machine, to be looked at before anything is started.
func (c runCommand) site(m machine.Profile, do executor.Executor) runner.Site {
	site := runner.Site{
		Machine: m, Monitor: c.monitor(m), Dir: c.Study, Rehearse: c.Rehearse, Remote: c.Executor != "local",
		Program:  proc.Runnable,
		DiskFree: proc.DiskFree,
		FreePort: proc.FreePort,
	}
	if slurm, ok := do.(executor.Slurm); ok {
		site.Cluster = slurm.Ready
	}
	return site
}

func (c runCommand) monitor(m machine.Profile) gpu.Monitor {
	if m.NoGPU || c.Rehearse {
		return nil
	}
	smi := &gpu.SMI{}
	if len(m.GPUs) > 0 {
		smi = smi.Select(m.GPUs...)
	}
	return smi
}

// identity names what a sitting is on: this machine since its last boot, or the cluster,
// whose nodes are as alike as its owner says.
func (c runCommand) identity() string {
	if c.Executor == "local" {
		return runner.Identity()
	}
	return c.Executor
}

// executor carries attempts out. Of this machine's GPUs it sees those that the study uses:
// what somebody else does on the others spoils nothing, and is not this study's power.
func (c runCommand) executor(m machine.Profile, of study.Hardware, program string) (executor.Executor, error) {
	if c.Executor != "local" {
		return remote(c.Executor, m, program)
	}
	return &executor.Local{Deps: attempt.Here(attempt.MonitorOf(attempt.Order{Machine: m, Hardware: of}))}, nil
}

// watcher shows the run in the form that the streams allow.
func (c runCommand) watcher(f *study.Folder, std streams) watch.Watcher {
	if c.JSONEvents {
		return &watch.JSON{Out: std.out}
	}
	if _, terminal := columns(std.err); !terminal {
		return watch.NewLines(std.err, time.Now)
	}
	state := watch.State{Study: f.ID}
	for _, st := range f.Study.Stages {
		state.Stages = append(state.Stages, st.ID)
	}
	style := func() watch.Style {
		width, _ := columns(std.err)
		return watch.Style{Width: width, Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	}
	return watch.NewLive(std.err, state, style, time.Now)
}
