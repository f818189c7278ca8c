package main

import (
	"context"
	"fmt"
	"os"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/machine"
)

// attemptCommand is `benchguide attempt FOLDER`, which jobs on other machines consist of.
// Nobody types it, so that help does not list it.
type attemptCommand struct {
	Folder string `arg:"" help:"Folder with the order of an attempt."`
}

// Help is the end of the help text.
func (attemptCommand) Help() string {
	return `Carries out the attempt whose order.json lies in FOLDER, on this machine, and completes the folder.
'benchguide run' gives such orders to Slurm and to commands of somebody's own. Exit code 0 says that the
folder is complete, whatever the attempt came to: result.json says that.`
}

// Run reads the order, carries it out, and says what happens in lines.
func (c attemptCommand) Run(ctx context.Context, io streams) error {
	if r, complete, err := attempt.Sealed(c.Folder); complete || err != nil {
		if err != nil {
			return failure{exitBadInput, err}
		}
		fmt.Fprintf(io.err, "%s is complete already: %s\n", c.Folder, outcome(r))
		return nil
	}
	o, err := attempt.ReadOrder(c.Folder)
	if err != nil {
		return failure{exitBadInput, err}
	}
	o.Machine = o.Machine.Seeing(os.Getenv(machine.VisibleGPUs), os.Getenv("SLURM_JOB_ID") != "")
	local := executor.Local{Deps: attempt.Here(attempt.MonitorOf(o))}
	// A job that is started a second time on the same folder finds what the first left.
	if err := local.Recover(ctx, c.Folder, o, nil); err != nil {
		return failure{exitInternal, err}
	}
	if err := local.Run(ctx, c.Folder, o, func(e attempt.Event) { fmt.Fprintln(io.err, eventLine(e)) }); err != nil {
		return failure{exitInternal, err}
	}
	r, _, err := attempt.Sealed(c.Folder)
	if err != nil {
		return failure{exitInternal, err}
	}
	fmt.Fprintln(io.err, outcome(r))
	return nil
}

// eventLine is an event as a line of a log.
func eventLine(e attempt.Event) string {
	line := e.Time.Format("15:04:05") + " " + string(e.Phase)
	if e.Workload != "" {
		line += " " + e.Workload
	}
	if e.Text != "" {
		line += ": " + e.Text
	}
	if e.Tokens > 0 {
		line += fmt.Sprintf(" (%.0f tokens/s)", e.Tokens)
	}
	return line
}

// outcome says in a line what an attempt came to.
func outcome(r attempt.Result) string {
	switch {
	case r.State == attempt.Failed:
		return fmt.Sprintf("failed (%s): %s; %s", r.Class, r.Reason, r.Next)
	case r.Invalid != "":
		return "measured, but not to be used: " + r.Invalid
	default:
		return "measured"
	}
}
