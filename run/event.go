package run

import (
	"time"

	"benchguide/run/attempt"
)

// Event is something that happened in a run, for whoever watches. On `run --json-events`
// each is one line; docs/running.md lists the kinds.
type Event struct {
	Time      time.Time     `json:"time"`
	Kind      Kind          `json:"event"`
	Run       string        `json:"run"`
	Stage     string        `json:"stage,omitempty"`
	Candidate string        `json:"candidate,omitempty"`
	Start     int           `json:"start,omitempty"` // number of the start
	Try       int           `json:"try,omitempty"`
	Block     int           `json:"block,omitempty"`
	Confirms  bool          `json:"confirms,omitempty"` // the start was made after the decision
	Phase     attempt.Phase `json:"phase,omitempty"`    // of the attempt
	Workload  string        `json:"workload,omitempty"`
	Tokens    float64       `json:"tokens_per_second,omitempty"`
	Warning   bool          `json:"warning,omitempty"` // of a phase: the text is something that a person should know
	Class     string        `json:"class,omitempty"`   // of a failure
	Invalid   string        `json:"invalid,omitempty"` // why a start may not be used
	Metric    string        `json:"metric,omitempty"`  // that the study is decided by, with what the start measured of it
	Value     float64       `json:"value,omitempty"`
	Unit      string        `json:"unit,omitempty"`
	Seconds   float64       `json:"seconds,omitempty"` // that an attempt took
	Made      int           `json:"made,omitempty"`    // starts that are finished
	Least     int           `json:"least,omitempty"`   // starts that are still to be made, at least and at most
	Most      int           `json:"most,omitempty"`
	Each      float64       `json:"each,omitempty"` // seconds that one start takes, as estimated
	Decision  *Decision     `json:"decision,omitempty"`
	Text      string        `json:"text"` // a sentence for a person
}

// Kind is what an event is about.
type Kind string

// The kinds of events.
const (
	Began     Kind = "run"       // the run begins or goes on
	Ordered   Kind = "attempt"   // an attempt begins
	Phased    Kind = "phase"     // it is at something else, or tells its speed
	Finished  Kind = "finished"  // it is a start, usable or not
	FailedNow Kind = "failed"    // it is none
	LeftStage Kind = "left"      // a candidate is measured no more
	Decided   Kind = "decided"   // a stage is decided
	Confirmed Kind = "confirmed" // its gain was measured again
	Noted     Kind = "note"      // something that a person should know
	Stopped   Kind = "stopped"   // the run ends before it is done
	Ended     Kind = "done"      // the run is done
)

// journaled reports whether an event is worth a line in the journal: progress is not.
func (e Event) journaled() bool { return e.Kind != Phased }
