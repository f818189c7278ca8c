package run

import (
	"errors"
	"strings"
)

// edits are what a study asks for otherwise than when its run began.
type edits struct {
	parts []string // of what is measured
	texts bool     // something else in study.yaml
	now   Measured
}

// changed compares what the study asks for with what it asked for when the run began. It
// refuses what nobody has accepted, and what nobody can.
func (r *runner) changed() (edits, error) {
	before, err := readMeasured(r.dir)
	if err != nil {
		return edits{}, err
	}
	now := MeasuredBy(r.folder)
	e := edits{texts: before.Source != now.Source, now: now}
	var fixed []string
	for _, d := range before.differences(e.now) {
		e.parts = append(e.parts, d.text())
		if what := d.fixed(r.run().Starts); what != "" {
			fixed = append(fixed, what)
		}
	}
	switch {
	case len(fixed) > 0:
		return e, refuse("the study has changed since run %s began, in what its prompts or its starts were made with: %s; what it measures from now on could not be compared with what is there: undo that, or begin another run with --name",
			r.id, strings.Join(fixed, ", "))
	case len(e.parts) > 0 && !r.options.AcceptChanges:
		return e, refuse("the study has changed since run %s began: %s; undo that, begin another run with --name, or go on with --accept-changes",
			r.id, strings.Join(e.parts, ", "))
	}
	return e, nil
}

// accept goes on with a study that has changed.
func (r *runner) accept(e edits) error {
	switch {
	case len(e.parts) > 0:
		r.tell(Event{Kind: Noted, Text: "The study has changed since the run began, and the run goes on with it: " + strings.Join(e.parts, ", ") + "."})
		info := r.run().Info
		info.Plan = e.now.Digest()
		return errors.Join(e.now.write(r.dir), writeInfo(r.dir, info))
	case e.texts:
		r.tell(Event{Kind: Noted, Text: "study.yaml has changed since the run began, but only in what is not measured."})
	}
	return nil
}
