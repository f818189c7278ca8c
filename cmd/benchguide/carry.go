package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/client"
	"benchguide/run/executor"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/run/proc"
	"benchguide/run/server"
	"benchguide/run/watch"
	"benchguide/study"

	runner "benchguide/run"
)

// runCommand is `benchguide run STUDY`.
type runCommand struct {
	Study         string        `arg:"" help:"Folder of the study: it holds study.yaml."`
	Machine       string        `placeholder:"FILE" help:"What is true of this machine: where engines and models are, which GPUs and ports may be used."`
	Name          string        `placeholder:"RUN" help:"Name of the run; by default the date, or rehearsal."`
	Resume        bool          `help:"Go on with an unfinished run."`
	AcceptChanges bool          `help:"Go on although what the study measures has changed since the run began."`
	Budget        time.Duration `placeholder:"TIME" help:"End cleanly before this time is over, such as 6h."`
	Executor      string        `enum:"local,slurm,command" default:"local" help:"Where attempts are carried out: ${enum}."`
	Rehearse      bool          `help:"Let a fake engine take the servers' place: no GPU is needed, and results are marked as rehearsed."`
	TimeScale     float64       `placeholder:"X" help:"Clock of a rehearsal: 0.01 makes a second last 10 ms. By default next to nothing is waited for."`
	JSONEvents    bool          `name:"json-events" help:"Print every event as a line of JSON on the standard output."`
	Logs          bool          `help:"Show the logs of the attempt under way, and follow them; nothing is started."`
}

// Help is the end of the help text.
func (runCommand) Help() string {
	return `Starts every configuration of the study, measures it, and decides by the rule that the guide
uses. Results lie under runs/RUN of the study. A run that was stopped, killed or is out of budget goes on
with --resume; a finished start is never repeated.

Examples:
  benchguide run content/studies/mine --rehearse
  benchguide run content/studies/mine --machine machine.yaml --budget 6h
  benchguide run content/studies/mine --resume
  benchguide run content/studies/mine --logs`
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
	options := runner.Options{Dir: c.Study, Name: c.Name, Resume: c.Resume, AcceptChanges: c.AcceptChanges, Budget: c.Budget, Machine: profile}
	if c.Rehearse {
		options.Rehearse = rehearsal(f, program, c.TimeScale)
	}
	options.Client = clientVersions(ctx, f, profile, c.Rehearse)
	do, err := c.executor(profile, program)
	if err != nil {
		return err
	}
	watcher := c.watcher(f, std)
	out, err := runner.Run(ctx, options, runner.Deps{
		Executor: do,
		Works:    runner.Prepared(c.Study, profile, c.Rehearse),
		Ready:    c.site(profile).Ready,
		Dummy:    isDummy,
		Identity: c.identity(),
		Now:      time.Now,
		Seen:     watcher.See,
	})
	watcher.Close()
	return c.report(std, f, out, err)
}

// site is this machine, to be looked at before anything is started.
func (c runCommand) site(m machine.Profile) runner.Site {
	return runner.Site{
		Machine: m, Monitor: c.monitor(m), Dir: c.Study, Rehearse: c.Rehearse, Remote: c.Executor != "local",
		Program:  func(name string) error { _, err := exec.LookPath(name); return err },
		DiskFree: proc.DiskFree,
		FreePort: func(first, last int) (int, error) { return proc.FreePort(first, last) },
	}
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

// rehearsedPoll is how often the processes of a rehearsal are looked at. A fake server is
// up in milliseconds.
const rehearsedPoll = 10 * time.Millisecond

func (c runCommand) executor(m machine.Profile, program string) (executor.Executor, error) {
	switch {
	case c.Executor == "local":
		here := attempt.Here(c.monitor(m))
		if c.Rehearse {
			here.Poll = rehearsedPoll
		}
		return &executor.Local{Deps: here}, nil
	default:
		return remote(c.Executor, m, program)
	}
}

// watcher shows the run in the form that the streams allow.
func (c runCommand) watcher(f *study.Folder, std streams) watch.Watcher {
	if c.JSONEvents {
		return &watch.JSON{Out: std.out}
	}
	if _, terminal := columns(std.err); !terminal {
		return &watch.Lines{Out: std.err}
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

// report says what the run came to, and with which code the program ends.
func (c runCommand) report(std streams, f *study.Folder, out runner.Outcome, err error) error {
	var refusal *runner.Refusal
	var problems *runner.Problems
	switch {
	case errors.As(err, &refusal):
		return failure{exitBadInput, err}
	case errors.As(err, &problems):
		printProblems(std.err, c.Study, problems.List)
		return failure{exitFindings, fmt.Errorf("the study cannot be run: %d problems in %s", len(problems.List), c.Study)}
	case err != nil && out.Run == "":
		return err
	}
	to := std.out
	if c.JSONEvents {
		to = std.err
	}
	if err := printOutcome(to, c, f, out); err != nil {
		return err
	}
	if err == nil && !out.Done() {
		return failure{code: exitUnfinished}
	}
	return err
}

// printOutcome prints what the stages decided, and what to type next.
func printOutcome(w io.Writer, c runCommand, f *study.Folder, out runner.Outcome) error {
	rows := [][]string{{"stage", "adopted", "gain", "confirmed"}}
	for _, d := range out.Step.Decided {
		row := []string{d.Stage, "nothing", "", ""}
		if d.Changed {
			_, row[1], _ = strings.Cut(d.Adopted, "/")
			row[2] = runner.GainText(d.Gain)
			if d.Confirmed > 0 {
				row[3] = runner.GainText(d.Confirmed)
			}
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	if len(rows) > 1 {
		if err := writeAligned(&b, rows, 2); err != nil {
			return err
		}
	}
	switch {
	case out.Done():
		fmt.Fprintf(&b, "\n%s\n", out.Step.Final.Text())
		fmt.Fprintf(&b, "next: benchguide build%s\n", contentOf(c, f))
	default:
		fmt.Fprintf(&b, "next: benchguide run %s%s\n", c.Study, again(c))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// contentOf is how the content folder is built that the study lies in.
func contentOf(c runCommand, f *study.Folder) string {
	text := ""
	if full, err := filepath.Abs(c.Study); err == nil && filepath.Base(filepath.Dir(full)) == "studies" {
		text = " " + filepath.Dir(filepath.Dir(filepath.Clean(c.Study)))
	}
	if c.Rehearse {
		text += " --include-rehearsed"
	}
	return text
}

// again is the command line that goes on with a run.
func again(c runCommand) string {
	text := " --resume"
	if c.Name != "" {
		text += " --name " + c.Name
	}
	if c.Machine != "" {
		text += " --machine " + c.Machine
	}
	if c.Executor != "local" {
		text += " --executor " + c.Executor
	}
	if c.Rehearse {
		text += " --rehearse"
	}
	return text
}

// loadMachine reads machine.yaml; a machine that nothing is said of has none.
func loadMachine(name string, stderr io.Writer) (machine.Profile, error) {
	if name == "" {
		return machine.Profile{Schema: machine.Schema}, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return machine.Profile{}, failure{exitBadInput, fmt.Errorf("%s: %w", name, withoutPath(err))}
	}
	profile, problems := machine.Load(name, data)
	for _, p := range problems {
		fmt.Fprintln(stderr, p.Error())
		fmt.Fprint(stderr, p.Excerpt(data))
	}
	if len(problems) > 0 {
		return profile, failure{exitFindings, fmt.Errorf("%s cannot be used: it has %d problems", name, len(problems))}
	}
	return profile, nil
}

// loadStudy reads the study of a run, and prints everything that is wrong with it.
func loadStudy(dir string, stderr io.Writer) (*study.Folder, error) {
	f, problems, err := runner.Load(dir)
	if err != nil {
		return nil, failure{exitBadInput, err}
	}
	if len(problems) > 0 {
		printProblems(stderr, dir, problems)
		return nil, failure{exitFindings, fmt.Errorf("the study cannot be run: %d problems in %s", len(problems), dir)}
	}
	return f, nil
}

// printProblems names files as the person who typed dir can open them: a study's
// problems name them below the folder that it lies in.
func printProblems(w io.Writer, dir string, problems []study.Problem) {
	for _, p := range problems {
		_, below, _ := strings.Cut(p.File, "/")
		p.File = filepath.Join(dir, filepath.FromSlash(below))
		fmt.Fprintln(w, p.Error())
		if source, err := os.ReadFile(p.File); err == nil && p.Line > 0 {
			fmt.Fprint(w, p.Excerpt(source))
		}
	}
}

// withOwnClient says where our own client is: it is this program, on PATH or not.
func withOwnClient(m machine.Profile, program string) machine.Profile {
	id := client.Own().ID()
	if own, ok := m.Clients[id]; ok && len(own.Program) > 0 {
		return m
	}
	clients := map[string]machine.Client{}
	for key, value := range m.Clients {
		clients[key] = value
	}
	clients[id] = machine.Client{Program: []string{program, "bench"}, Env: m.Clients[id].Env}
	m.Clients = clients
	return m
}

// hurried is the clock of a rehearsal unless another one is asked for: a second lasts
// 100 µs, so that what takes time is starting processes.
const hurried = 0.0001

// rehearsal is how the fake engine is started.
func rehearsal(f *study.Folder, program string, scale float64) *attempt.Rehearse {
	hardware := f.Study.Hardware
	if scale == 0 {
		scale = hurried
	}
	words := []string{program, "fake-engine", "--gpu", hardware.GPU, "--gpus", fmt.Sprint(hardware.Count)}
	return &attempt.Rehearse{TimeScale: scale, Program: words}
}

func isDummy(c study.Configuration) bool {
	d, err := server.Of(c.Engine.ID)
	return err == nil && d.Dummy(c)
}

// clientVersions are the clients of a study's workloads with the versions that they say.
func clientVersions(ctx context.Context, f *study.Folder, m machine.Profile, rehearse bool) string {
	var list []string
	add := func(c client.Client) {
		text := c.ID()
		if words := c.VersionWords(m); len(words) > 0 {
			version := firstLine(ctx, words)
			if strings.HasPrefix(version, text) {
				version = strings.TrimSpace(version[len(text):])
			}
			text = strings.TrimSpace(text + " " + version)
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if rehearse {
		add(client.Own())
		return list[0]
	}
	for _, w := range f.Study.Workloads {
		if c, err := client.Of(w.Command); err == nil {
			add(c)
		}
	}
	return strings.Join(list, ", ")
}

// versionTime is how long a client may take to say its version: Python clients import
// half a framework for it.
const versionTime = time.Minute

func firstLine(ctx context.Context, words []string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
