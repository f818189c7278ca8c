package study

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/parse"
)

// The names of folders in a run that benchguide made.
const (
	PromptsFolder = "prompts" // of a run: what its clients were sent
	SweepFolder   = "sweep"   // of a start: the rates that a workload was tried at
	spoiltPrefix  = "failed-"
	attemptFile   = "attempt.json"
)

// WarmupPrompts is the name of the prompts that are sent before the workloads.
const WarmupPrompts = "warmup"

// PromptFile is the name of a workload's prompts, below a run's folder.
func PromptFile(workload string) string { return path.Join(PromptsFolder, workload+".jsonl") }

// Spoilt is an attempt that the machine or a person spoilt. It is counted, and nothing
// that it printed is ever read as a result.
type Spoilt struct {
	Stage, Candidate string
	Dir              string // relative to the study's folder
}

// Sweep is one rate of a workload that was tried at several.
type Sweep struct {
	Workload string
	Rate     float64 // requests a second
	File     string  // relative to the study's folder; its bytes are among the start's sides
	Record   parse.Record
}

// loadSpoilt lists the attempts that were set aside. They may be torn in any way, so none
// of their files is opened.
func loadSpoilt(fsys fs.FS, dir, folder string) []Spoilt {
	found, err := fs.Glob(fsys, path.Join(folder, "*", "*", spoiltPrefix+"*"))
	if err != nil {
		return nil // the pattern has been used for the starts already
	}
	var list []Spoilt
	for _, name := range found {
		if strings.Contains(name, "/.") {
			continue
		}
		rel := strings.TrimPrefix(name, dir+"/")
		parts := strings.Split(rel, "/") // runs, run, stage, candidate, failed-N
		list = append(list, Spoilt{Stage: parts[2], Candidate: parts[3], Dir: rel})
	}
	return list
}

// loadPrompts reads what the clients of a run were sent.
func loadPrompts(fsys fs.FS, dir, folder string) (prompts []Side, problems []Problem) {
	entries, err := fs.ReadDir(fsys, path.Join(folder, PromptsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a run that was made elsewhere has none
	}
	if err != nil {
		return nil, []Problem{ioProblem(path.Join(folder, PromptsFolder), err, "")}
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || tooLarge(e) {
			continue
		}
		side, found := loadSide(fsys, dir, path.Join(folder, PromptsFolder, e.Name()))
		problems = append(problems, found...)
		if side != nil {
			prompts = append(prompts, *side)
		}
	}
	return prompts, problems
}

// besides reports whether an entry of a start's folder is a file that nothing else reads.
func besides(e fs.DirEntry) bool {
	return !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && path.Ext(e.Name()) != rawExt && e.Name() != attemptFile
}

// tooLarge reports whether a file is beyond what is read. In a run of benchguide's own it
// cannot be cut, since it is sealed.
func tooLarge(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Size() > maxSide
}

// loadSweeps reads sweep/WORKLOAD-RATE.txt. A rate beyond the knee may leave anything, so
// that what cannot be read is no problem, and no point of the curve.
func loadSweeps(fsys fs.FS, dir, full string) []Sweep {
	entries, err := fs.ReadDir(fsys, path.Join(full, SweepFolder))
	if err != nil {
		return nil // reported where its files are read
	}
	var list []Sweep
	for _, e := range entries {
		stem, isRaw := strings.CutSuffix(e.Name(), rawExt)
		dash := strings.LastIndexByte(stem, '-')
		if !isRaw || dash < 1 {
			continue
		}
		rate, err := strconv.ParseFloat(stem[dash+1:], 64)
		if err != nil || !(rate > 0 && rate < mostNumber) {
			continue
		}
		file := path.Join(full, SweepFolder, e.Name())
		data, problem := readFile(fsys, file, "", "")
		if problem != nil {
			continue
		}
		records, problems := parse.Bytes(file, data)
		if len(rawProblems(file, records, problems)) > 0 {
			continue
		}
		list = append(list, Sweep{Workload: stem[:dash], Rate: rate, File: strings.TrimPrefix(file, dir+"/"), Record: records[0]})
	}
	return list
}

// sweepSides reads every file of a start's sweep, to be published with it.
func sweepSides(fsys fs.FS, dir, full string) (sides []Side, problems []Problem) {
	entries, err := fs.ReadDir(fsys, path.Join(full, SweepFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // most starts have none
	}
	if err != nil {
		return nil, []Problem{ioProblem(path.Join(full, SweepFolder), err, "")}
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || tooLarge(e) {
			continue
		}
		side, found := loadSide(fsys, dir, path.Join(full, SweepFolder, e.Name()))
		problems = append(problems, found...)
		if side != nil {
			sides = append(sides, *side)
		}
	}
	return sides, problems
}

// Values returns a point's printed values by metric.
func (s Sweep) Values() map[metric.ID]parse.Value {
	values := map[metric.ID]parse.Value{}
	for _, v := range s.Record.Values {
		if !v.Derived {
			values[v.Metric] = v
		}
	}
	return values
}
