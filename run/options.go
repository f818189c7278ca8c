package run

import (
	"context"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/machine"
	"benchguide/study"
)

// Options say which run is to be carried out, and how far.
type Options struct {
	Dir           string // the study's folder
	Name          string // of the run; by default the date, or "rehearsal"
	Resume        bool   // go on with an unfinished run
	AcceptChanges bool   // although the study has changed
	Budget        time.Duration
	Machine       machine.Profile
	Client        string            // for run.yaml: benchmark client and version
	Rehearse      *attempt.Rehearse // a fake engine takes the servers' place; nil to measure
}

// Deps are what a run does its work by.
type Deps struct {
	Executor executor.Executor
	// Works prepares the prompts in a folder, or finds them there.
	Works func(ctx context.Context, f *study.Folder, dir string) (Works, error)
	// Ready says why the run cannot begin on this machine, before anything is started.
	Ready func(ctx context.Context, f *study.Folder) error
	// Dummy reports whether a configuration serves random weights.
	Dummy    func(study.Configuration) bool
	Identity string // of the machine since its last boot
	Now      func() time.Time
	Seen     func(Event)
}

// Outcome is how far a run came.
type Outcome struct {
	Run  string
	Dir  string // of the run
	Step Step   // what would come next
	Made int    // starts that are finished
	Why  string // why it ended before it was done; "" if it is done
}

// Done reports that nothing is left to do.
func (o Outcome) Done() bool { return o.Why == "" }
