package run

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// tell completes an event, writes it down and hands it on. A journal that cannot be
// written is said once and stops nothing: nothing is decided by it.
func (r *runner) tell(e Event) {
	e.Time, e.Run = r.deps.Now().UTC().Round(time.Millisecond), r.id
	if e.journaled() && r.journal != nil {
		if err := r.journal.add(e); err != nil && !r.told["journal"] {
			r.told["journal"] = true
			r.deps.Seen(Event{Time: e.Time, Run: r.id, Kind: Noted, Text: "The journal cannot be written: " + err.Error() + "."})
		}
	}
	r.deps.Seen(e)
}

// once tells what was not told before under the same key.
func (r *runner) once(key string, e Event) {
	if !r.told[key] {
		r.told[key] = true
		r.tell(e)
	}
}

// announce says what a step has decided that was not said before.
func (r *runner) announce(step Step) {
	// In the order in which it happened: who left, what was decided, what came of it. After a
	// resume everything is said again, so that whoever watches knows how things stand.
	for _, d := range step.Decided {
		for _, l := range d.Departed {
			r.once("left "+l.Ref, leftEvent(d.Stage, l))
		}
		r.once("decided "+d.Stage, Event{Kind: Decided, Stage: d.Stage, Block: d.Block, Decision: &d, Text: decisionText(d)})
		confirming := step.Start != nil && step.Start.Stage == d.Stage
		if d.Confirmed > 0 && !confirming {
			r.once("confirmed "+d.Stage, Event{Kind: Confirmed, Stage: d.Stage, Decision: &d, Text: confirmedText(d)})
		}
		for _, n := range d.Notes {
			r.once("note "+n, Event{Kind: Noted, Stage: d.Stage, Text: sentence(n)})
		}
	}
	for _, l := range step.Left {
		stage, _, _ := strings.Cut(l.Ref, "/")
		r.once("left "+l.Ref, leftEvent(stage, l))
	}
	for _, n := range slices.Concat(step.Cut, step.Notes) {
		r.once("note "+n, Event{Kind: Noted, Text: sentence(n)})
	}
}

func leftEvent(stage string, l Departure) Event {
	return Event{Kind: LeftStage, Stage: stage, Candidate: lastOf(l.Ref), Block: l.Block, Text: fmt.Sprintf("%s is measured no more: %s.", l.Ref, l.Why)}
}
