package run

import (
	"benchguide/analyze"
	"benchguide/study"
)

// Step is what comes next in a run. Exactly one of three things holds: there is a start
// to make, the run is stuck, or it is done.
type Step struct {
	Start   *Start              // to be made now; nil when stuck or done
	Stuck   string              // why nothing can be started, and what to do about it
	Decided []Decision          // by the stages so far, in their order
	Left    []Departure         // the candidates that the stage under way measures no more
	Members int                 // configurations that the block under way has
	Counted int                 // valid starts that each of them has in this phase of the stage
	Looked  int                 // after how many blocks the stage under way was looked at last; 0 before that
	Tested  bool                // the rule could test something then, and did not decide
	Cut     []string            // blocks of the stage under way that stay unfinished, a sentence each
	Final   study.Configuration // what the stages so far go on with
	FinalOf string              // its ref
	Notes   []string            // what a person should know of it, a sentence each

	amiss        bool   // stuck, since what is there does not fit together or not to the study
	lost, lostOf string // starts that are missing of a stage that was decided, and the stage
	block        block  // the one under way, or that the start opens
}

// Pending lists the refs that are still to be started in the block under way, in their order.
func (s Step) Pending() []string {
	var refs []string
	for _, m := range s.block.pending {
		refs = append(refs, m.ref())
	}
	return refs
}

// Done reports that every stage is decided and confirmed, and nothing is left to measure.
func (s Step) Done() bool { return s.Start == nil && s.Stuck == "" }

// Start is one start of one configuration.
type Start struct {
	Stage, Candidate string
	Number           int // of the folder, start-N
	Try              int // from 1; more after failures
	Block            int
	Phase            string
	Configuration    study.Configuration
	Why              string // a few words for a person
}

// Ref is where the start's results lie.
func (s Start) Ref() string { return s.Stage + "/" + s.Candidate }

// Decision is what a stage decided, and how far it is confirmed.
type Decision struct {
	Stage     string   `json:"stage"`
	Incumbent string   `json:"incumbent"`
	Adopted   string   `json:"adopted"`
	Changed   bool     `json:"changed"`
	Picked    bool     `json:"picked,omitempty"` // the author chose among those that cannot be told apart
	Block     int      `json:"block"`            // after which it was decided
	Rows      []Row    `json:"candidates"`
	Gain      float64  `json:"gain,omitempty"`      // ratio of the adopted over the incumbent; 0 if nothing changed
	Confirmed float64  `json:"confirmed,omitempty"` // the same from starts that came after; 0 while there are too few
	Notes     []string `json:"notes,omitempty"`
	Departed  Departed `json:"left,omitempty"`
}

// Row is a candidate's verdict.
type Row struct {
	Ref     string          `json:"ref"`
	Verdict analyze.Verdict `json:"verdict"`
	Ratio   float64         `json:"ratio,omitempty"` // over the incumbent; 0 where it was not compared
	Reason  string          `json:"reason,omitempty"`
}

// Departure is a candidate that is measured no more, though its stage goes on.
type Departure struct {
	Ref   string `json:"ref"`
	Block int    `json:"block"` // in or after which it left
	Why   string `json:"why"`
}

// Departed are the candidates that left a stage.
type Departed []Departure

// Failed is an attempt that came to nothing through no fault of its configuration, as
// its folder failed-N says.
type Failed struct {
	Ref    string
	Block  int
	Phase  string // of the run: study.Confirm, or none
	Class  string
	Reason string
	Old    bool // it lay there when a person resumed the run, and so has looked at it
}

// Of reports whether the attempt was one at a start: the same configuration in the same
// block. What failed in other blocks was made good or given up since.
func (f Failed) Of(s Start) bool {
	return f.Ref == s.Ref() && f.Block == s.Block && f.Phase == s.Phase
}
