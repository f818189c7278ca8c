package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"benchguide/study"

	runner "benchguide/run"
)

// report says what the run came to, and with which code the program ends.
func (c runCommand) report(std streams, f *study.Folder, out runner.Outcome, err error) error {
	var refusal *runner.Refusal
	var problems *runner.Problems
	switch {
	case errors.As(err, &refusal) && refusal.Study:
		return failure{exitFindings, err}
	case errors.As(err, &refusal):
		return failure{exitBadInput, err}
	case errors.As(err, &problems):
		printProblems(std.err, c.Study, problems.List)
		return failure{exitFindings, fmt.Errorf("the study cannot be run: %s in %s", plural(len(problems.List), "problem"), c.Study)}
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
		if shown := measuredRun(f); c.Rehearse && shown != "" {
			fmt.Fprintf(&b, "next: the guide shows run %s, which was measured, and no rehearsal: build a copy of the study without runs/%s to see this one\n", shown, shown)
			break
		}
		fmt.Fprintf(&b, "next: benchguide build%s\n", contentOf(c, f))
	default:
		fmt.Fprintf(&b, "next: benchguide run %s%s\n", c.Study, again(c))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// measuredRun is the run of a study that its guide shows rather than any rehearsal; "" if
// there is none.
func measuredRun(f *study.Folder) string {
	if r, ok := f.Current(); ok && r.Info.Mark != study.MarkRehearsed {
		return r.ID
	}
	return ""
}

// contentOf is how a guide of the study is built: with the content folder that it lies in,
// or by itself.
func contentOf(c runCommand, f *study.Folder) string {
	text := " " + c.Study
	if full, err := filepath.Abs(c.Study); err == nil && filepath.Base(filepath.Dir(full)) == "studies" {
		text = " " + filepath.Dir(filepath.Dir(filepath.Clean(c.Study)))
	}
	if c.Rehearse {
		text += " --include-rehearsed"
	}
	return text
}

// budgetText is a duration as somebody would type it: 6h, and not 6h0m0s.
func budgetText(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len("0s")]
		}
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
	if c.Budget != nil {
		text += " --budget " + budgetText(*c.Budget)
	}
	if c.Executor != "local" {
		text += " --executor " + c.Executor
	}
	if c.Rehearse {
		text += " --rehearse"
	}
	return text
}
