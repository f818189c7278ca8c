package study

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"benchguide/parse"
	"benchguide/study/strict"
)

// Folder is a study as it lies on disk: study.yaml and the runs beneath it.
type Folder struct {
	ID     string // the folder's name
	Dir    string // slash-separated, as given to Load
	Source []byte // study.yaml
	Study  Study
	Runs   []Run // oldest first; runs without a date come before all others

	positions *strict.Positions
}

// Run is one execution of the study.
type Run struct {
	ID     string // the folder's name
	Source []byte // run.yaml
	Info   RunInfo
	Starts []Start // in path order

	// Of a run that benchguide made itself.
	Spoilt  []Spoilt // attempts that were set aside, in path order
	Prompts []Side   // what the clients were sent

	positions *strict.Positions
}

// At returns the line and column of a path in run.yaml.
func (r Run) At(path ...any) (line, column int) { return r.positions.At(path...) }

// Start is one start of an engine server with one configuration.
type Start struct {
	Stage, Candidate string
	Number           int
	Dir              string // relative to the study's folder
	Attempt          Attempt
	AttemptSource    []byte // attempt.json
	Results          []Result
	Sides            []Side // what the server counted and logged, and whatever else was kept
	Sweeps           []Sweep

	unusable []string // workloads whose raw output is there and was reported
}

// Ref returns "stage/candidate", the name by which a study refers to results.
func (s Start) Ref() string { return s.Stage + "/" + s.Candidate }

// Own reports whether benchguide made the start itself: only then is everything that lies
// in its folder something that a run left.
func (s Start) Own() bool { return s.Attempt.Nonce != "" }

// Phase is Confirm for a start that was made after its stage had decided. Starts of
// cases decide nothing in any phase, and are all measurements of their case.
func (s Start) Phase() string {
	if s.Stage == CasesStage {
		return ""
	}
	return s.Attempt.Phase
}

// Requests is what a client saved of each request of a trial.
type Requests = parse.Requests

// Result is the raw output of one trial with what was read from it.
type Result struct {
	Workload string
	Repeat   int    // 0, or 2 and more for a workload that its start measured again
	File     string // relative to the study's folder
	Bytes    []byte
	Hash     string // of the bytes: equal hashes are one trial, printed twice
	Record   parse.Record
	Requests *Requests // what the client saved of each request; nil if nothing
	Data     *Side     // the file that Requests was read from
}

// Load reads the study in dir of fsys. All problems are returned together, those of
// the study's own file with those of its runs; the folder is usable only when there
// are none.
func Load(fsys fs.FS, dir string) (*Folder, []Problem) {
	return load(Unpacked(fsys), dir, true)
}

// LoadPlan reads a study that may have no results yet, or a part of them: what is to be
// run. All other problems are those of Load.
func LoadPlan(fsys fs.FS, dir string) (*Folder, []Problem) {
	return load(Unpacked(fsys), dir, false)
}

func load(fsys fs.FS, dir string, finished bool) (*Folder, []Problem) {
	f := &Folder{ID: path.Base(dir), Dir: dir}
	if !idPattern.MatchString(f.ID) {
		return f, []Problem{{File: dir, Message: fmt.Sprintf("the folder's name %q cannot be a study's id", f.ID), Hint: idHint}}
	}
	source, problem := readFile(fsys, f.File(), "this is no study.yaml", "a study is a folder with a study.yaml")
	if problem != nil {
		return f, []Problem{*problem}
	}
	f.Source = source
	positions, problems := strict.Decode(f.File(), source, &f.Study)
	f.positions = positions
	v := newValidator(f, problems)
	runs, more := loadRuns(fsys, dir)
	f.Runs = runs
	v.study()
	f.nameRepeats()
	if finished {
		v.complete()
	}
	v.strays()
	problems = slices.Concat(problems, more, v.problems)
	strict.Sort(problems)
	return f, problems
}

// At returns the line and column of a path in study.yaml, for problems that are
// found after decoding.
func (f *Folder) At(path ...any) (line, column int) { return f.positions.At(path...) }

// File returns the name of study.yaml as problems print it.
func (f *Folder) File() string { return path.Join(f.Dir, "study.yaml") }

func loadRuns(fsys fs.FS, dir string) ([]Run, []Problem) {
	entries, err := fs.ReadDir(fsys, path.Join(dir, "runs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []Problem{ioProblem(path.Join(dir, "runs"), err, "")}
	}
	var runs []Run
	problems := outside(fsys, path.Join(dir, "runs"))
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		r, more := loadRun(fsys, dir, e.Name())
		runs = append(runs, r)
		problems = append(problems, more...)
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return strings.Compare(a.Info.sortKey(), b.Info.sortKey()) })
	return runs, problems
}

// runPattern keeps names of runs usable in addresses and in patterns.
var runPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// RunName reports whether a run can have this name.
func RunName(id string) bool { return runPattern.MatchString(id) }

func loadRun(fsys fs.FS, dir, id string) (Run, []Problem) {
	r := Run{ID: id}
	folder := path.Join(dir, "runs", id)
	if !RunName(id) {
		return r, []Problem{{File: folder, Message: fmt.Sprintf("%q cannot be the name of a run", id), Hint: "use letters, digits, dots and dashes"}}
	}
	file := path.Join(folder, "run.yaml")
	source, problem := readFile(fsys, file, "this is no run.yaml", "a run's folder holds a run.yaml; remove the folder if it is none")
	var problems []Problem
	if problem != nil {
		problems = append(problems, *problem)
	} else {
		r.Source = source
		r.positions, problems = strict.Decode(file, source, &r.Info)
		if len(problems) == 0 {
			problems = r.Info.validate(file, r.positions)
		}
	}
	own := r.Info.Imported == nil
	starts, more := loadStarts(fsys, dir, folder, own)
	r.Starts = starts
	problems = append(problems, more...)
	if own {
		r.Spoilt = loadSpoilt(fsys, dir, folder)
		r.Prompts, more = loadPrompts(fsys, dir, folder)
		problems = append(problems, more...)
	}
	return r, problems
}

// loadStarts reads everything under runs/RUN/STAGE/CANDIDATE. Folders that begin with
// a dot are being written and are not read; those of spoilt attempts are none of starts.
func loadStarts(fsys fs.FS, dir, folder string, own bool) ([]Start, []Problem) {
	var starts []Start
	found, err := fs.Glob(fsys, path.Join(folder, "*", "*", "*"))
	if err != nil {
		return nil, []Problem{ioProblem(folder, err, "")}
	}
	problems := append(outside(fsys, folder), outside(fsys, path.Join(folder, "*"))...)
	for _, name := range found {
		switch {
		case strings.Contains(name, "/."):
		case strings.HasPrefix(path.Base(name), "start-"):
			s, more := loadStart(fsys, dir, name, own)
			starts = append(starts, s)
			problems = append(problems, more...)
		case path.Ext(name) == rawExt:
			problems = append(problems, misplaced(name, "move it into start-1"))
		case !strings.HasPrefix(path.Base(name), spoiltPrefix) && holdsResult(fsys, name):
			problems = append(problems, Problem{File: name, Message: fmt.Sprintf("the folder %q holds a result and is no start", path.Base(name)), Hint: "name it start-1"})
		}
	}
	return starts, problems
}

// outside lists results in folders that hold none. Whoever keeps notes may keep them there.
func outside(fsys fs.FS, folder string) []Problem {
	found, err := fs.Glob(fsys, path.Join(folder, "*"+rawExt))
	if err != nil {
		return []Problem{ioProblem(folder, err, "")}
	}
	var problems []Problem
	for _, name := range found {
		if strings.Contains(name, "/.") {
			continue // being written
		}
		source, err := fs.ReadFile(fsys, name)
		if records, _ := parse.Bytes(name, source); err == nil && len(records) > 0 {
			problems = append(problems, misplaced(name, "move it into the start that it is of: runs/RUN/STAGE/CANDIDATE/start-1"))
		}
	}
	return problems
}

func misplaced(name, hint string) Problem {
	return Problem{File: name, Message: "a result lies outside of a start", Hint: hint}
}

// holdsResult reports whether a folder has a raw output in it.
func holdsResult(fsys fs.FS, folder string) bool {
	found, err := fs.Glob(fsys, path.Join(folder, "*"+rawExt))
	return err == nil && len(found) > 0
}

// sortKey orders runs by date, unknown dates first.
func (i RunInfo) sortKey() string {
	if i.Date == UnknownDate {
		return ""
	}
	return i.Date
}
