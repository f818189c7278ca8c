// Package watch shows how a run goes: as a view of a few lines that is redrawn in place,
// as plain lines, or as JSON. It decides nothing.
package watch

import (
	"time"

	"benchguide/run"
	"benchguide/run/attempt"
)

// State is what a view shows: the events of a run so far, without those that are past. It is
// built from events alone, so that whoever reads them elsewhere can show the same.
type State struct {
	Study    string
	Run      string
	Stages   []string
	Began    time.Time // of this invocation
	Now      run.Event // the attempt under way; zero between two
	Since    time.Time // when it began
	Phase    attempt.Phase
	PhaseAt  time.Time
	Workload string
	Says     string // what the attempt last said of the phase
	Tokens   float64
	Made     int
	Least    int
	Most     int
	Each     time.Duration
	Decided  []run.Decision
	Over     bool
}

// Apply takes an event into the state.
func (s *State) Apply(e run.Event) {
	if e.Run != "" {
		s.Run = e.Run
	}
	switch e.Kind {
	case run.Began:
		s.Began, s.Made = e.Time, e.Made
	case run.Ordered:
		s.Now, s.Since, s.Phase, s.PhaseAt, s.Workload, s.Says, s.Tokens = e, e.Time, "", e.Time, "", "", 0
		s.Made, s.Least, s.Most, s.Each = e.Made, e.Least, e.Most, time.Duration(e.Each*float64(time.Second))
	case run.Phased:
		s.phased(e)
	// Between two attempts there is nothing under way, and the view shows the run only.
	case run.Finished, run.FailedNow:
		s.Now = run.Event{}
	case run.Decided, run.Confirmed:
		s.decided(*e.Decision)
	case run.Stopped, run.Ended:
		s.Over, s.Now = true, run.Event{}
	}
}

// phased keeps a workload's name through events that do not repeat it.
func (s *State) phased(e run.Event) {
	// The clock of a phase goes on through everything that is told within it.
	if e.Phase != "" && (e.Phase != s.Phase || e.Workload != "" && e.Workload != s.Workload) {
		s.Phase, s.Workload, s.Says, s.Tokens, s.PhaseAt = e.Phase, e.Workload, "", 0, e.Time
	}
	if e.Text != "" && !e.Warning {
		s.Says = e.Text
	}
	if e.Tokens > 0 {
		s.Tokens = e.Tokens
	}
}

// decided keeps one decision for a stage: the one that says most, which comes last.
func (s *State) decided(d run.Decision) {
	for i := range s.Decided {
		if s.Decided[i].Stage == d.Stage {
			s.Decided[i] = d
			return
		}
	}
	s.Decided = append(s.Decided, d)
}
