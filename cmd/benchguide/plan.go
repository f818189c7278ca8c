package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"benchguide/study"

	runner "benchguide/run"
)

// planCommand is `benchguide plan STUDY`.
type planCommand struct {
	Study    string `arg:"" help:"Folder of the study: it holds study.yaml."`
	Machine  string `placeholder:"FILE" help:"A machine.yaml to check as well; the plan does not depend on it."`
	Name     string `name:"name" placeholder:"RUN" help:"The run to look at; by default the last unfinished one, or else the last."`
	Rehearse bool   `help:"Look at rehearsals in place of real runs."`
	Format   string `default:"text" enum:"text,json" help:"How the plan is printed: ${enum}."`
}

// Help is the end of the help text.
func (planCommand) Help() string {
	return `Shows the stages, the serving commands as far as they are known, the order of the next block, how many
starts a run takes and about how long, and what has been decided so far. Nothing is started or written, and no GPU or engine is needed.

Exit codes: 0 the run can go on, or is done; 1 it cannot, and the plan says why; 3 the study cannot be opened.

Examples:
  benchguide plan testdata/small
  benchguide plan content/studies/qwen3-8b-h200-latency --name h200        # what a run has done, and what is left
  benchguide plan content/studies/qwen3-14b-h100-throughput --format json`
}

// Run prints the plan.
func (c planCommand) Run(_ context.Context, std streams) error {
	if _, err := loadMachine(c.Machine, std.err); err != nil {
		return err
	}
	f, err := loadStudy(c.Study, std.err)
	if err != nil {
		return err
	}
	plan, err := runner.PlanOf(&f.Study)
	if err != nil {
		return failure{exitFindings, fmt.Errorf("study.yaml: %w", err)}
	}
	if err := runner.Clients(&f.Study); err != nil {
		return failure{exitFindings, err}
	}
	id, err := c.run(f)
	if err != nil {
		return err
	}
	dir := filepath.Join(c.Study, "runs", id)
	failed, err := runner.ReadFailed(dir)
	if err != nil {
		return failure{exitBadInput, err}
	}
	for i := range failed {
		failed[i].Old = true // --resume tries them again
	}
	identity := runner.Identity()
	if c.Rehearse {
		identity = runner.RehearsalIdentity
	}
	sitting, err := runner.SittingOf(dir, identity)
	if err != nil {
		return failure{exitBadInput, err}
	}
	b := runner.BlueprintOf(f, id, plan, runner.Next(f, id, failed, plan, sitting))
	if c.Rehearse {
		b.Each, b.Once, b.BlockTime, b.BlockCold, b.LeastTime, b.MostTime, b.Guess = 0, 0, 0, 0, 0, 0, "" // its clock stands nearly still
	}
	if err := c.print(std.out, f, b); err != nil {
		return err
	}
	if b.Stuck != "" {
		return failure{code: exitFindings}
	}
	return nil
}

func (c planCommand) print(w io.Writer, f *study.Folder, b runner.Blueprint) error {
	if c.Format == "text" {
		return printPlan(w, f, b)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(b)
}

// run is the run that is looked at; the name of none where there is none yet.
func (c planCommand) run(f *study.Folder) (string, error) {
	if c.Name != "" {
		r, ok := f.Run(c.Name)
		switch {
		case !ok:
			return "", failure{exitBadInput, fmt.Errorf("there is no run %s of %s: leave --name out to see the last one, or what a new one would do", c.Name, f.ID)}
		case r.Info.Imported != nil:
			return "", failure{exitBadInput, fmt.Errorf("run %s of %s was imported, so that there is nothing to go on with: leave --name out to see what a new one would do", c.Name, f.ID)}
		}
		return c.Name, nil
	}
	r, _ := runner.Latest(f, c.Rehearse)
	return r.ID, nil
}

// printPlan prints a plan for a person.
func printPlan(w io.Writer, f *study.Folder, b runner.Blueprint) error {
	var t strings.Builder
	s := &f.Study
	fmt.Fprintf(&t, "%s: %s on %d × %s, decided by %s of %s\n", b.Study, s.Model.Name, s.Hardware.Count, s.Hardware.GPU, s.Objective.Goal, s.Objective.Workload)
	for i, st := range b.Stages {
		fmt.Fprintf(&t, "\nstage %d, %s: %s\n", i+1, st.ID, s.Stages[i].Question.EN)
		if st.On != "" {
			fmt.Fprintf(&t, "  on top of what %s adopts\n", st.On)
		}
		for _, c := range st.Candidates {
			fmt.Fprintf(&t, "  %s\n    %s\n", c.Ref, commandText(c))
			if c.Large {
				fmt.Fprintf(&t, "    its weights do not fit into %d × %s: without offloading it will not start\n", s.Hardware.Count, s.Hardware.GPU)
			}
		}
		for _, d := range b.Decided {
			if d.Stage == st.ID {
				decisionLines(&t, d)
			}
		}
	}
	fmt.Fprintf(&t, "\neach start measures:\n")
	for _, wl := range b.Workloads {
		fmt.Fprintf(&t, "  %s, %d prompts\n    %s\n", wl.ID, wl.Prompts, wl.Command)
	}
	printProspect(&t, b)
	_, err := io.WriteString(w, t.String())
	return err
}

// commandText is what is known of a candidate's command.
func commandText(c runner.BlueprintCandidate) string {
	switch {
	case c.Problem != "":
		return "no command: " + c.Problem
	case c.Result != "":
		return "judged by the starts of " + c.Result
	case c.Command == "" && c.Changes == "":
		return "nothing is changed"
	case c.Command == "":
		return "changes: " + c.Changes
	}
	return c.Command
}

func decisionLines(w io.Writer, d runner.Decision) {
	adopted := "nothing adopted"
	if d.Changed {
		adopted = "adopted " + d.Adopted + " " + runner.GainText(d.Gain)
	}
	fmt.Fprintf(w, "  decided after block %d: %s\n", d.Block, adopted)
	if d.Confirmed > 0 {
		fmt.Fprintf(w, "  measured again: %s\n", runner.GainText(d.Confirmed))
	}
}

// printProspect says what comes next, and how long it all takes.
func printProspect(w io.Writer, b runner.Blueprint) {
	looks := make([]string, len(b.Points))
	for i, p := range b.Points {
		looks[i] = fmt.Sprint(p)
	}
	fmt.Fprintf(w, "\na stage is decided after %s blocks, each of one start of everything that is still in play\n", strings.Join(looks, " or "))
	for _, l := range b.Idle {
		fmt.Fprintln(w, idleLine(l))
	}
	if b.Confirm > 0 {
		fmt.Fprintf(w, "what it adopts is confirmed in %d further blocks\n", b.Confirm)
	}
	if b.Ablation {
		fmt.Fprintln(w, "last, the final configuration is measured beside itself without the change of each stage")
	}
	switch {
	case b.Stuck != "":
		fmt.Fprintf(w, "\nit cannot go on: %s\n", b.Stuck)
		return
	case b.Done:
		fmt.Fprintf(w, "\nrun %s is done, %d starts: %s\n", b.Run, b.Made, b.Final)
		return
	case b.Run == "" && len(b.Imported) > 0:
		fmt.Fprintf(w, "\nthe results of %s were imported, so that there is no run to go on with: a run measures all of this anew\n", strings.Join(b.Imported, " and "))
	case b.Run != "":
		fmt.Fprintf(w, "\nrun %s is not finished, %d starts are made; --resume goes on\n", b.Run, b.Made)
	}
	for _, c := range b.Cut {
		fmt.Fprintln(w, c)
	}
	fmt.Fprintf(w, "\nnext: %s\n", strings.Join(b.Block, ", "))
	if b.BlockTime > 0 {
		fmt.Fprintf(w, "these take %s\n", runner.About(seconds(b.BlockTime), seconds(b.BlockCold)))
	}
	printTime(w, b)
}

// idleLine warns of a look that cannot decide its stage.
func idleLine(l runner.IdleLook) string {
	if l.Then == 0 {
		return fmt.Sprintf("stage %s cannot be decided after %d blocks, and ends without a test: %s; raise blocks under run, or give the stage more candidates", l.Stage, l.Block, l.Why)
	}
	return fmt.Sprintf("stage %s cannot be decided after %d blocks, and goes on to %d: %s", l.Stage, l.Block, l.Then, l.Why)
}

func seconds(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }

// between says once what is the same at least and at most.
func between(least, most string) string {
	if least == most {
		return least
	}
	return least + " to " + most
}

// printTime says how many starts there are to be made, and about how long they take.
func printTime(w io.Writer, b runner.Blueprint) {
	fmt.Fprintf(w, "starts to be made: %s", between(fmt.Sprint(b.Least), fmt.Sprint(b.Most)))
	// What a rehearsal simulates takes no time, and on a loaded machine any.
	if b.Each < 1 {
		fmt.Fprintln(w, ", each of a moment")
		return
	}
	fmt.Fprintf(w, ", of about %s each", runner.Span(seconds(b.Each)))
	if b.Once > 0 {
		fmt.Fprintf(w, ", and %s once while caches are cold", runner.Span(seconds(b.Once)))
	}
	fmt.Fprintf(w, ": %s\n", between(runner.Span(seconds(b.LeastTime)), runner.Span(seconds(b.MostTime))))
	if b.Measured {
		fmt.Fprintln(w, "(by the medians of those that were made)")
		return
	}
	fmt.Fprintf(w, "(a guess, %s; the first start tells)\n", b.Guess)
}
