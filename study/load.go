package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
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
}

// Start is one start of an engine server with one configuration.
type Start struct {
	Stage, Candidate string
	Number           int
	Dir              string // relative to the study's folder
	Attempt          Attempt
	AttemptSource    []byte // attempt.json
	Results          []Result
	Sides            []Side // what the server counted and logged, where it was kept
}

// Ref returns "stage/candidate", the name by which a study refers to results.
func (s Start) Ref() string { return s.Stage + "/" + s.Candidate }

// Result is the raw output of one trial with what was read from it.
type Result struct {
	Workload string
	Repeat   int    // 0, or 2 and more for a workload that its start measured again
	File     string // relative to the study's folder
	Bytes    []byte
	Hash     string // of the bytes: equal hashes are one trial, printed twice
	Record   parse.Record
	Requests *parse.Requests // what the client saved of each request; nil if nothing
	Data     *Side           // the file that Requests was read from
}

// maxRaw bounds a raw file: a benchmark's output has a few kilobytes, so anything
// above this is a server log put there by mistake.
const maxRaw = 8 << 20

// No tool prints numbers beyond these in earnest, and between them no quotient or
// product of a few is infinite.
const (
	leastNumber = 1e-9
	mostNumber  = 1e15
)

// Load reads the study in dir of fsys. All problems are returned together; the
// folder is usable only when there are none.
func Load(fsys fs.FS, dir string) (*Folder, []Problem) {
	f := &Folder{ID: path.Base(dir), Dir: dir}
	file := path.Join(dir, "study.yaml")
	source, err := fs.ReadFile(fsys, file)
	if err != nil {
		return f, []Problem{ioProblem(file, err, "a study is a folder with a study.yaml")}
	}
	f.Source = source
	positions, problems := strict.Decode(file, source, &f.Study)
	f.positions = positions
	if len(problems) == 0 {
		problems = f.validate()
	}
	runs, more := loadRuns(fsys, dir)
	f.Runs = runs
	problems = append(problems, more...)
	if len(problems) == 0 {
		f.nameRepeats()
		problems = f.validateResults()
	}
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
	var problems []Problem
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

func loadRun(fsys fs.FS, dir, id string) (Run, []Problem) {
	r := Run{ID: id}
	file := path.Join(dir, "runs", id, "run.yaml")
	source, err := fs.ReadFile(fsys, file)
	if err != nil {
		return r, []Problem{ioProblem(file, err, "a run's folder holds a run.yaml; remove the folder if it is none")}
	}
	r.Source = source
	positions, problems := strict.Decode(file, source, &r.Info)
	if len(problems) == 0 {
		problems = r.Info.validate(file, positions)
	}
	starts, err := fs.Glob(fsys, path.Join(dir, "runs", id, "*", "*", "start-*"))
	if err != nil {
		return r, append(problems, ioProblem(file, err, ""))
	}
	for _, d := range starts {
		s, more := loadStart(fsys, dir, d)
		r.Starts = append(r.Starts, s)
		problems = append(problems, more...)
	}
	return r, problems
}

// sortKey orders runs by date, unknown dates first.
func (i RunInfo) sortKey() string {
	if i.Date == UnknownDate {
		return ""
	}
	return i.Date
}

func loadStart(fsys fs.FS, dir, full string) (Start, []Problem) {
	rel := strings.TrimPrefix(full, dir+"/")
	parts := strings.Split(rel, "/") // runs, run, stage, candidate, start-N
	s := Start{Stage: parts[2], Candidate: parts[3], Dir: rel}
	number, err := strconv.Atoi(strings.TrimPrefix(parts[4], "start-"))
	if err != nil || number < 1 {
		return s, []Problem{{File: full, Message: fmt.Sprintf("%q does not end in a start's number", parts[4]), Hint: "name it start-1"}}
	}
	s.Number = number
	attempt, problems := loadAttempt(fsys, path.Join(full, "attempt.json"), &s.Attempt)
	s.AttemptSource = attempt
	entries, err := fs.ReadDir(fsys, full)
	if err != nil {
		return s, append(problems, ioProblem(full, err, ""))
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".txt" {
			continue
		}
		result, more := loadResult(fsys, dir, path.Join(full, e.Name()))
		problems = append(problems, more...)
		if len(more) == 0 {
			s.Results = append(s.Results, result)
		}
	}
	sides, more := loadSides(fsys, dir, full)
	s.Sides = sides
	return s, append(problems, more...)
}

func loadAttempt(fsys fs.FS, file string, into *Attempt) ([]byte, []Problem) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, []Problem{ioProblem(file, err, "every start has an attempt.json that says how it was made")}
	}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return data, []Problem{{File: file, Line: jsonLine(data, dec.InputOffset()), Message: err.Error(), Hint: "see the schema of attempt.json"}}
	}
	if into.Schema != RunSchema {
		return data, []Problem{{File: file, Line: 1, Message: fmt.Sprintf("schema is %d, this program reads %d", into.Schema, RunSchema), Hint: "set schema to " + strconv.Itoa(RunSchema)}}
	}
	return data, nil
}

func jsonLine(data []byte, offset int64) int {
	return 1 + strings.Count(string(data[:min(int(offset), len(data))]), "\n")
}

func loadResult(fsys fs.FS, dir, file string) (Result, []Problem) {
	info, err := fs.Stat(fsys, file)
	if err != nil {
		return Result{}, []Problem{ioProblem(file, err, "")}
	}
	if info.Size() > maxRaw {
		return Result{}, []Problem{{File: file, Message: fmt.Sprintf("the file has %d MB; a trial's output has a few kB", info.Size()>>20),
			Hint: "keep the benchmark client's output only, without the server's log"}}
	}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return Result{}, []Problem{ioProblem(file, err, "")}
	}
	records, problems := parse.Bytes(file, data)
	if found := rawProblems(file, records, problems); len(found) > 0 {
		return Result{}, found
	}
	side, requests, found := loadRequests(fsys, dir, file)
	sum := sha256.Sum256(data)
	return Result{
		Workload: strings.TrimSuffix(path.Base(file), ".txt"),
		File:     strings.TrimPrefix(file, dir+"/"),
		Bytes:    data,
		Hash:     hex.EncodeToString(sum[:]),
		Record:   records[0],
		Requests: requests,
		Data:     side,
	}, found
}

// rawProblems returns what makes a raw file unusable as the result of one trial.
func rawProblems(file string, records []parse.Record, problems []parse.Problem) []Problem {
	var found []Problem
	for _, p := range problems {
		if p.Severity == parse.Error {
			found = append(found, fromParse(p))
		}
	}
	for _, r := range records {
		for _, p := range r.Problems {
			if p.Severity == parse.Error {
				found = append(found, fromParse(p))
			}
		}
	}
	for _, r := range records {
		for _, v := range r.Values {
			if a := math.Abs(v.Number); a > mostNumber || a > 0 && a < leastNumber {
				found = append(found, Problem{File: file, Line: v.Line, Message: fmt.Sprintf("%s %s is no plausible number", v.Label, v.Text), Hint: "take the trial out of the study"})
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	switch len(records) {
	case 1:
		return nil
	case 0:
		return []Problem{{File: file, Message: "no benchmark result was found in it", Hint: "the file must hold the client's output with its result block"}}
	default:
		return []Problem{{File: file, Line: records[1].Line, Message: fmt.Sprintf("%d benchmark results were found, a trial has one", len(records)), Hint: "keep one file for each workload"}}
	}
}
