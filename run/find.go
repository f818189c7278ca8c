package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"benchguide/study"
)

// Load reads the study of a run. Problems are as study.LoadPlan has them.
func Load(dir string) (*study.Folder, []study.Problem, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(full); err != nil || !info.IsDir() {
		return nil, nil, refuse("%s is no folder; name the folder of a study, which holds its study.yaml", dir)
	}
	// A content folder is what build and check take, so that it is named here by habit.
	if found, _ := filepath.Glob(filepath.Join(dir, "studies", "*", "study.yaml")); len(found) > 0 && !exists(filepath.Join(full, "study.yaml")) {
		return nil, nil, refuse("%s holds studies and is none itself; name one of them: %s", dir, filepath.Dir(found[0]))
	}
	f, problems := study.LoadPlan(os.DirFS(filepath.Dir(full)), filepath.Base(full))
	return f, problems, nil
}

// Latest is the run of benchguide's own that a study was last worked at: the last
// unfinished one, or else the last one. It returns false when there is none.
func Latest(f *study.Folder, rehearsed bool) (study.Run, bool) {
	for _, wantDone := range []bool{false, true} {
		for _, r := range slices.Backward(f.Runs) {
			if own(r, rehearsed) && finished(f, r.ID) == wantDone {
				return r, true
			}
		}
	}
	return study.Run{}, false
}

// own reports whether a run is one that this program began and may go on with.
func own(r study.Run, rehearsed bool) bool {
	return r.Info.Plan != "" && (r.Info.Mark == study.MarkRehearsed) == rehearsed
}

// finished reports whether a run has nothing left to do. That does not depend on the
// machine: with no block under way there is no sitting to compare.
func finished(f *study.Folder, id string) bool {
	plan, err := PlanOf(&f.Study)
	return err == nil && Next(f, id, nil, plan, "").Done()
}

// choose decides which run is carried out: the name, and whether it is to be made first.
func choose(f *study.Folder, o Options, today time.Time) (id string, fresh bool, err error) {
	rehearsed := o.Rehearse != nil
	// A name is a person's word for which run is meant; without one there is a guess, and
	// a guess must not begin a second run beside one that waits to be gone on with.
	if o.Name != "" {
		return named(f, o, rehearsed)
	}
	for _, r := range slices.Backward(f.Runs) {
		if !own(r, rehearsed) || finished(f, r.ID) && !unsettled(o, r.ID) {
			continue
		}
		if o.Resume {
			return r.ID, false, nil
		}
		return "", false, unfinished(o.Dir, r.ID)
	}
	if o.Resume {
		return "", false, refuse("there is no unfinished run of %s; leave --resume out to begin one", f.ID)
	}
	// Days, because runs are read in the order of their dates; numbers behind them, because
	// a second run of one day is no mistake.
	base := today.Format(time.DateOnly)
	if rehearsed {
		base = "rehearsal"
	}
	id = base
	for n := 2; taken(f, id); n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id, true, nil
}

// named is the choice where a person gave the name.
func named(f *study.Folder, o Options, rehearsed bool) (id string, fresh bool, err error) {
	// Before the folder is there: a run that no study can be loaded with stops all of them.
	if !study.RunName(o.Name) {
		return "", false, refuse("%q cannot be the name of a run: use letters, digits, dots and dashes", o.Name)
	}
	r, there := f.Run(o.Name)
	switch {
	case !there && o.Resume:
		return "", false, refuse("there is no run %s of %s; leave --resume out to begin it", o.Name, f.ID)
	case !there:
		return o.Name, true, nil
	case !own(r, rehearsed):
		return "", false, refuse("run %s is of another kind (imported, measured or rehearsed) and cannot be gone on with; use another --name", o.Name)
	case finished(f, o.Name) && !unsettled(o, o.Name):
		return "", false, refuse("run %s is finished; begin another one with another --name", o.Name)
	case !o.Resume:
		return "", false, unfinished(o.Dir, o.Name)
	}
	return o.Name, false, nil
}

// unsettled reports whether a run that is to be gone on with was killed after its last
// start: nothing is left to measure, but its end was not said and not tidied up.
func unsettled(o Options, id string) bool {
	return o.Resume && exists(filepath.Join(o.Dir, "runs", id, workDir))
}

func taken(f *study.Folder, id string) bool {
	_, there := f.Run(id)
	return there
}

// unfinished refuses to begin a run beside one that is not finished. It may be one that
// somebody is working on just now, and then that is what there is to say.
func unfinished(dir, id string) error {
	release, err := lock(filepath.Join(dir, "runs", id))
	if err != nil {
		return err
	}
	return errors.Join(refuse("run %s is not finished: go on with it by --resume, or begin another one with another --name", id), release())
}
