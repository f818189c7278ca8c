package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"

	"benchguide/parse"
)

// rawExt is how the names of raw outputs end.
const rawExt = ".txt"

// maxFile bounds every file of a study: a benchmark's output has a few kilobytes, so
// anything above this is a server log put there by mistake.
const maxFile = 8 << 20

// No tool prints numbers beyond these in earnest, and between them no quotient or
// product of a few is infinite.
const (
	leastNumber = 1e-9
	mostNumber  = 1e15
)

// readFile reads a file that has to be there and to be small. Its problem carries one
// hint for a file that is far too large, and one for a file that cannot be read.
func readFile(fsys fs.FS, file, ifLarge, ifMissing string) ([]byte, *Problem) {
	info, err := fs.Stat(fsys, file)
	if err == nil && info.Size() > maxFile {
		return nil, &Problem{File: file, Message: fmt.Sprintf("the file has %d MB", info.Size()>>20), Hint: ifLarge}
	}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		problem := ioProblem(file, err, ifMissing)
		return nil, &problem
	}
	return data, nil
}

func loadStart(fsys fs.FS, dir, full string, own bool) (Start, []Problem) {
	rel := strings.TrimPrefix(full, dir+"/")
	parts := strings.Split(rel, "/") // runs, run, stage, candidate, start-N
	s := Start{Stage: parts[2], Candidate: parts[3], Dir: rel}
	number, err := strconv.Atoi(strings.TrimPrefix(parts[4], "start-"))
	if err != nil || number < 1 || parts[4] != fmt.Sprintf("start-%d", number) {
		return s, []Problem{{File: full, Message: fmt.Sprintf("%q does not end in a start's number", parts[4]), Hint: "name it start-1"}}
	}
	s.Number = number
	attempt, problems := loadAttempt(fsys, path.Join(full, "attempt.json"), &s.Attempt)
	s.AttemptSource = attempt
	entries, err := fs.ReadDir(fsys, full)
	if err != nil {
		return s, append(problems, ioProblem(full, err, "a start is a folder"))
	}
	for _, e := range entries {
		// What a client had printed when its start failed is anything from nothing to a whole block
		// of failed requests. It tells what went wrong, and is no result.
		if path.Ext(e.Name()) != rawExt || s.Attempt.Failure != nil {
			continue
		}
		result, more := loadResult(fsys, dir, path.Join(full, e.Name()))
		// An attempt has looked at what its client printed. Where it has found that it must not be
		// used, nobody needs to be able to read it.
		if !own || s.Attempt.Invalid == "" {
			problems = append(problems, more...)
		}
		if len(more) > 0 {
			s.unusable = append(s.unusable, result.Workload)
			continue
		}
		s.Results = append(s.Results, result)
	}
	if own {
		problems = append(problems, sealed(fsys, full, s.Attempt)...)
	}
	if own = own && s.Own(); own {
		s.Sweeps = loadSweeps(fsys, dir, full)
	}
	sides, more := loadSides(fsys, dir, full, entries, own)
	problems = append(problems, more...)
	if own {
		swept, more := sweepSides(fsys, dir, full)
		sides, problems = append(sides, swept...), append(problems, more...)
	}
	for i, side := range sides {
		for _, r := range s.Results {
			if r.Data != nil && r.Data.File == side.File {
				sides[i] = *r.Data // one copy of what may be large
			}
		}
	}
	s.Sides = sides
	return s, problems
}

// loadResult reads a raw output. Where that fails, the result has its names only.
func loadResult(fsys fs.FS, dir, file string) (Result, []Problem) {
	r := Result{Workload: strings.TrimSuffix(path.Base(file), rawExt), File: strings.TrimPrefix(file, dir+"/")}
	data, problem := readFile(fsys, file, "keep the benchmark client's output only, without the server's log; that has a few kB", "")
	if problem != nil {
		return r, []Problem{*problem}
	}
	records, problems := parse.Bytes(file, data)
	found := rawProblems(file, records, problems)
	if len(found) > 0 {
		return r, found
	}
	sum := sha256.Sum256(data)
	r.Bytes, r.Hash, r.Record = data, hex.EncodeToString(sum[:]), records[0]
	r.Data, r.Requests, found = loadRequests(fsys, dir, file)
	return r, found
}

// rawProblems returns what makes a raw file unusable as the result of one trial.
func rawProblems(file string, records []parse.Record, problems []parse.Problem) []Problem {
	var found []Problem
	for _, p := range problems {
		if forbids(p) {
			found = append(found, fromParse(p))
		}
	}
	for _, r := range records {
		for _, p := range r.Problems {
			if forbids(p) {
				found = append(found, fromParse(p))
			}
		}
		found = append(found, absurd(file, r)...)
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

// forbids reports whether a problem makes a result unusable. A value that is not
// finite does: the tool could not compute it, so the trial went wrong.
func forbids(p parse.Problem) bool {
	return p.Severity == parse.Error || p.Code == parse.CodeNotFinite
}

// absurd reports numbers that no trial can have.
func absurd(file string, r parse.Record) []Problem {
	var found []Problem
	for _, v := range r.Values {
		if size := math.Abs(v.Number); size > mostNumber || size > 0 && size < leastNumber {
			found = append(found, Problem{File: file, Line: v.Line, Message: fmt.Sprintf("%q is no plausible number for %q", v.Text, v.Label),
				Hint: "compare it with the tool's output, or take the trial out of the study"})
		}
	}
	return found
}
