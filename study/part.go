package study

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Part returns the study as it stood when a run had come so far: its first stages, and
// of that run's starts in them those that are kept. What speaks of the whole study is
// left out: cases, notes, claims, accepted findings. The study and its runs are not
// changed, and neither are they by changes of the list of stages that is returned.
//
// A run decides by such parts, so that a decision is the same whenever it is worked out
// again, whatever was measured later.
func (f *Folder) Part(run string, stages int, keep func(Start) bool) *Folder {
	part := *f
	part.Study.Stages = slices.Clone(f.Study.Stages[:min(stages, len(f.Study.Stages))])
	part.Study.Cases, part.Study.Notes, part.Study.Accept, part.Study.Published = nil, nil, nil, nil
	part.Runs = nil
	within := map[string]bool{}
	for _, st := range part.Study.Stages {
		within[st.ID] = true
	}
	for _, r := range f.Runs {
		if r.ID != run {
			continue
		}
		kept := r
		kept.Starts = nil
		for _, s := range r.Starts {
			if within[s.Stage] && keep(s) {
				kept.Starts = append(kept.Starts, s)
			}
		}
		part.Runs = []Run{kept}
	}
	return &part
}

// Add reads one more start of a run, from its folder relative to the study's: what a run
// has just measured. It is put where Load would have put it.
func (f *Folder) Add(fsys fs.FS, run, start string) []Problem {
	i := slices.IndexFunc(f.Runs, func(r Run) bool { return r.ID == run })
	if i < 0 {
		return []Problem{{File: path.Join(f.Dir, start), Message: fmt.Sprintf("the study has no run %q", run), Hint: "load the study again"}}
	}
	s, problems := loadStart(Unpacked(fsys), f.Dir, path.Join(f.Dir, start), f.Runs[i].Info.Imported == nil)
	added := &Folder{ID: f.ID, Dir: f.Dir, Study: f.Study, Runs: []Run{{ID: run, Starts: []Start{s}}}, positions: f.positions}
	added.nameRepeats()
	v := newValidator(added, problems)
	v.strays()
	r := &f.Runs[i]
	at, _ := slices.BinarySearchFunc(r.Starts, s, func(a, b Start) int { return strings.Compare(a.Dir, b.Dir) })
	r.Starts = slices.Insert(r.Starts, at, added.Runs[0].Starts[0])
	return append(problems, v.problems...)
}

// Run returns a run by its name, and false when there is none.
func (f *Folder) Run(id string) (Run, bool) {
	for _, r := range f.Runs {
		if r.ID == id {
			return r, true
		}
	}
	return Run{}, false
}

// Valid reports whether a start measured a workload and its results may be used.
func (s Start) Valid(workload string) bool {
	return s.Attempt.Invalid == "" && s.Attempt.Failure == nil &&
		slices.ContainsFunc(s.Results, func(r Result) bool { return r.Workload == workload && r.Repeat == 0 })
}

// MaxInvalid is how many starts in a row may be invalid: then their candidate is measured
// no more.
const MaxInvalid = 3

// Block is the round that the start belongs to; its number where nobody wrote it down.
func (s Start) Block() int {
	if s.Attempt.Block > 0 {
		return s.Attempt.Block
	}
	return s.Number
}
