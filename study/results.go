package study

import (
	"fmt"
	"path"
	"slices"
)

// Current returns the run that the guide shows: the newest complete one. Runs
// without a date are older than all others. It returns false when none is complete.
func (f *Folder) Current() (Run, bool) {
	for _, r := range slices.Backward(f.Runs) {
		if len(f.missing(r)) == 0 {
			return r, true
		}
	}
	return Run{}, false
}

// StartResult is a result with the start that it belongs to.
type StartResult struct {
	Start  Start
	Result Result
}

// Results returns the results of a reference on a workload, in start order.
func (r Run) Results(ref, workload string) []StartResult {
	var list []StartResult
	for _, s := range r.Starts {
		for _, result := range s.Results {
			if s.Ref() == ref && result.Workload == workload && s.Attempt.Invalid == "" {
				list = append(list, StartResult{s, result})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b StartResult) int { return a.Start.Number - b.Start.Number })
	return list
}

// Failure returns why a candidate gave no results at all, and nil when it gave some or
// was never started.
func (r Run) Failure(ref string) *Failure {
	var failure *Failure
	for _, s := range r.Starts {
		if s.Ref() != ref {
			continue
		}
		if len(s.Results) > 0 {
			return nil
		}
		failure = s.Attempt.Failure
	}
	return failure
}

// want is a result that a study needs, and the place that asks for it.
type want struct {
	ref, workload string
	at            []any
}

// wants lists the results without which the study's page cannot be made.
func (s *Study) wants() []want {
	var list []want
	objective := s.Objective.Workload
	for i, st := range s.Stages {
		if i == 0 {
			list = append(list, want{s.BaselineRef(), objective, []any{"baseline"}})
		}
		for j, c := range st.Candidates {
			ref := st.ID + "/" + c.ID
			if c.Result != "" {
				ref = c.Result
			}
			list = append(list, want{ref, objective, []any{"stages", i, "candidates", j}})
		}
	}
	for i, c := range s.Cases {
		baseline, optimized := c.Sides()
		list = append(list, want{baseline, c.Workload, []any{"cases", i}}, want{optimized, c.Workload, []any{"cases", i}})
	}
	return list
}

func (f *Folder) missing(r Run) []want {
	var missing []want
	for _, w := range f.Study.wants() {
		if len(r.Results(w.ref, w.workload)) == 0 && r.Failure(w.ref) == nil {
			missing = append(missing, w)
		}
	}
	return missing
}

// validateResults checks that some run is complete, and that no run holds results
// that belong to nothing in the study.
func (f *Folder) validateResults() []Problem {
	v := &validator{f: f}
	if len(f.Runs) == 0 {
		v.add("the study has no results", "put raw output under runs/RUN/STAGE/CANDIDATE/start-1/WORKLOAD.txt", "stages")
		return v.problems
	}
	if _, ok := f.Current(); !ok {
		newest := f.Runs[len(f.Runs)-1]
		for _, w := range f.missing(newest) {
			file := path.Join("runs", newest.ID, w.ref, "start-1", w.workload+".txt")
			v.add(fmt.Sprintf("the result %s is missing", file), "add the raw output, or take the candidate or case out of the study", w.at...)
		}
	}
	for _, r := range f.Runs {
		f.strays(v, r)
	}
	return v.problems
}

// strays reports result files that nothing in the study asks for: most often a
// misspelt stage or workload.
func (f *Folder) strays(v *validator, r Run) {
	for _, s := range r.Starts {
		if !slices.Contains(f.Study.Refs(), s.Ref()) {
			v.problems = append(v.problems, Problem{File: path.Join(f.Dir, s.Dir), Message: fmt.Sprintf("the study has no candidate %q", s.Ref()), Hint: "rename the folder, or add the candidate"})
			continue
		}
		for _, result := range s.Results {
			if _, ok := f.Study.Workload(result.Workload); !ok {
				v.problems = append(v.problems, Problem{File: path.Join(f.Dir, result.File), Message: fmt.Sprintf("the study has no workload %q", result.Workload), Hint: "rename the file, or declare the workload"})
			}
		}
	}
}
