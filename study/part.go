package study

import "slices"

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

// Block is the round that the start belongs to; its number where nobody wrote it down.
func (s Start) Block() int {
	if s.Attempt.Block > 0 {
		return s.Attempt.Block
	}
	return s.Number
}
