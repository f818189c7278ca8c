package study

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Current returns the run that the guide shows: the newest complete one. Where none is
// complete it is the newest of our own that was stopped before its last stage: it is
// shown as far as it got (see Measured). A rehearsal stands behind every run that measured
// something. Runs without a date are older than all others. It returns false when no run
// has a whole stage.
func (f *Folder) Current() (Run, bool) {
	best, rank := Run{}, 0
	for _, r := range slices.Backward(f.Runs) {
		if now := f.rank(r); now > rank {
			best, rank = r, now
		}
	}
	return best, rank > 0
}

// rank orders runs by how much a guide would rather show them; 0 cannot be shown.
func (f *Folder) rank(r Run) int {
	measured := f.Measured(r)
	if measured == 0 {
		return 0
	}
	rank := 1
	if measured == len(f.Study.Stages) {
		rank++
	}
	if r.Info.Mark != MarkRehearsed {
		rank += 2
	}
	return rank
}

// Measured counts the stages of which a run has every result, up to the first that lacks
// one. A run of our own measures its stages in their order, and what it did not come to is
// no mistake of anybody's; an imported one that lacks anything has none.
func (f *Folder) Measured(r Run) int {
	missing := f.missing(r)
	stages := len(f.Study.Stages)
	if len(missing) > 0 && r.Info.Imported != nil {
		return 0
	}
	for _, w := range missing {
		switch w.at[0] {
		case "baseline":
			return 0
		case "stages":
			stages = min(stages, w.at[1].(int))
		}
	}
	return stages
}

// StartResult is a result with the start that it belongs to.
type StartResult struct {
	Start  Start
	Result Result
}

// Results returns the results of a reference on a workload, in start order: of each
// valid start the first trial.
func (r Run) Results(ref, workload string) []StartResult {
	return r.results(ref, workload, func(result Result) bool { return result.Repeat == 0 })
}

// Repeats returns the trials by which starts measured a workload again, in start
// order, and within a start in the order of their numbers.
func (r Run) Repeats(ref, workload string) []StartResult {
	return r.results(ref, workload, func(result Result) bool { return result.Repeat > 0 })
}

func (r Run) results(ref, workload string, want func(Result) bool) []StartResult {
	var list []StartResult
	for _, s := range r.Starts {
		for _, result := range s.Results {
			if s.Ref() == ref && result.Workload == workload && s.Attempt.Invalid == "" && want(result) {
				list = append(list, StartResult{s, result})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b StartResult) int {
		return cmp.Or(cmp.Compare(a.Start.Number, b.Start.Number), cmp.Compare(a.Result.Repeat, b.Result.Repeat))
	})
	return list
}

// Failure returns why a candidate does not run, and nil when it does. One start that failed
// is enough, whatever the others have measured: a server that comes up two times out of
// three, or dies under its load, is nothing that a guide can recommend. Starts that are
// invalid say nothing. Nor do those that confirm: by then the candidate was adopted, from
// starts that ran, and its gain is called unconfirmed instead.
func (r Run) Failure(ref string) *Failure {
	var failure *Failure
	for _, s := range r.Starts {
		if s.Ref() == ref && s.Attempt.Invalid == "" && s.Phase() != Confirm && s.Attempt.Failure != nil {
			failure = s.Attempt.Failure
		}
	}
	return failure
}

// Invalid returns why the results of a candidate must not be used, and "" unless that
// holds for every one of its starts.
func (r Run) Invalid(ref string) string {
	reason := ""
	for _, s := range r.Starts {
		if s.Ref() != ref {
			continue
		}
		if s.Attempt.Invalid == "" {
			return ""
		}
		reason = s.Attempt.Invalid
	}
	return reason
}

// want is a result that a study needs, and the place that asks for it.
type want struct {
	ref, workload string
	at            []any
	mayBeGone     bool // a candidate that would not run is a result too; a side of a comparison is not
}

// wants lists the results without which the study's page cannot be made of a run.
func (s *Study) wants(imported bool) []want {
	var list []want
	objective := s.Objective.Workload
	for i, st := range s.Stages {
		if i == 0 {
			list = append(list, want{s.BaselineRef(), objective, []any{"baseline"}, false})
		}
		for j, c := range st.Candidates {
			ref := st.ID + "/" + c.ID
			if c.Result != "" {
				ref = c.Result
			}
			list = append(list, want{ref, objective, []any{"stages", i, "candidates", j}, true})
		}
	}
	if !imported {
		return list // every start of our own measures every workload: a case has what its sides' starts have
	}
	for i, c := range s.Cases {
		baseline, optimized := c.Sides()
		list = append(list, want{baseline, c.Workload, []any{"cases", i}, false}, want{optimized, c.Workload, []any{"cases", i}, false})
	}
	return list
}

// missing lists the results that a run lacks. What names nothing is reported where it
// stands, and is no missing result; nor is a file that is there and cannot be used.
func (f *Folder) missing(r Run) []want {
	var missing []want
	refs := f.Study.Refs()
	for _, w := range f.Study.wants(r.Info.Imported != nil) {
		_, known := f.Study.Workload(w.workload)
		if !known || !slices.Contains(refs, w.ref) || strings.HasSuffix(w.ref, "/") || strings.HasPrefix(w.ref, "/") {
			continue
		}
		gone := w.mayBeGone && (r.Failure(w.ref) != nil || r.Invalid(w.ref) != "")
		decides := slices.ContainsFunc(r.Results(w.ref, w.workload), func(s StartResult) bool { return s.Start.Phase() != Confirm })
		if !decides && !gone && !r.unusable(w.ref, w.workload) {
			missing = append(missing, w)
		}
	}
	return missing
}

// unusable reports whether there is a raw output that could not be read.
func (r Run) unusable(ref, workload string) bool {
	return slices.ContainsFunc(r.Starts, func(s Start) bool { return s.Ref() == ref && slices.Contains(s.unusable, workload) })
}

// complete checks that some run has all the results that the study needs.
func (v *validator) complete() {
	f := v.f
	if len(f.Runs) == 0 {
		v.add("the study has no results", "make them with benchguide run, or put raw output under runs/RUN/STAGE/CANDIDATE/start-1/WORKLOAD.txt", "stages")
		return
	}
	if _, ok := f.Current(); ok {
		return
	}
	newest := f.Runs[len(f.Runs)-1]
	for _, w := range f.missing(newest) {
		file := path.Join("runs", newest.ID, w.ref, "start-1", w.workload+rawExt)
		v.list(fmt.Sprintf("the result %s is missing", file), "add the raw output under this name, whatever its format, or take the candidate or case out of the study", w.at...)
	}
}

// strays checks that no run holds results that belong to nothing in the study.
func (v *validator) strays() {
	for _, r := range v.f.Runs {
		for _, s := range r.Starts {
			v.stray(s)
		}
	}
}

// stray reports results that nothing in the study asks for: most often a stage or a
// workload is misspelt.
func (v *validator) stray(s Start) {
	if v.allRefs && !slices.Contains(v.f.Study.Refs(), s.Ref()) {
		v.problems = append(v.problems, Problem{File: path.Join(v.f.Dir, s.Dir), Message: fmt.Sprintf("the study has no candidate %q", s.Ref()), Hint: "rename the folder, or add the candidate"})
		return
	}
	for _, result := range s.Results {
		if _, ok := v.f.Study.Workload(result.Workload); v.allWorkloads && !ok {
			v.problems = append(v.problems, Problem{File: path.Join(v.f.Dir, result.File), Message: fmt.Sprintf("the study has no workload %q", result.Workload), Hint: "rename the file, or declare the workload"})
		}
		if result.Repeat > 0 && !s.has(result.Workload) {
			v.problems = append(v.problems, Problem{File: path.Join(v.f.Dir, result.File), Message: fmt.Sprintf("this repeats %s, of which the start has no first trial", result.Workload),
				Hint: "name the first trial " + result.Workload + rawExt})
		}
	}
}

// has reports whether a start has the first trial of a workload, usable or not.
func (s Start) has(workload string) bool {
	return slices.Contains(s.unusable, workload) ||
		slices.ContainsFunc(s.Results, func(r Result) bool { return r.Workload == workload && r.Repeat == 0 })
}
