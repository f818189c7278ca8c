package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"benchguide/parse"
)

// Side is a file that lies beside raw outputs and says more about them.
type Side struct {
	File  string // relative to the study's folder
	Bytes []byte
}

// The files of a start as a whole: what its server counted, and what it logged.
const (
	MetricsFile = "metrics.prom"
	ServerLog   = "server.log"
)

// maxSide bounds a side file. The data of ten thousand requests with their answers
// have about 60 MB.
const maxSide = 128 << 20

// firstRepeat is the least number in the name of a repeat: WORKLOAD.2.txt.
const firstRepeat = 2

// ScrapeFile is the name of what a server counted before or after a trial: "before" or
// "after", and the trial's file name without its ending.
func ScrapeFile(when, trial string) string { return "metrics-" + when + "-" + trial + scrapeExt }

const scrapeExt = ".prom"

// loadSides reads the files of a start as a whole, and the scrapes around its trials. Of
// a start that benchguide made, it reads all that lies there, since all of it is kept.
func loadSides(fsys fs.FS, dir, full string, entries []fs.DirEntry, own bool) (sides []Side, problems []Problem) {
	for _, e := range entries {
		name := e.Name()
		scraped := name == ServerLog || path.Ext(name) == scrapeExt
		if !scraped && !(own && besides(e)) || own && tooLarge(e) {
			continue // what is too large stays where it is, sealed, and is not published
		}
		side, found := loadSide(fsys, dir, path.Join(full, name))
		problems = append(problems, found...)
		if side != nil {
			sides = append(sides, *side)
		}
	}
	return sides, problems
}

// loadSide reads a file; nil if it does not exist.
func loadSide(fsys fs.FS, dir, file string) (*Side, []Problem) {
	info, err := fs.Stat(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > maxSide {
		return nil, []Problem{{File: file, Message: fmt.Sprintf("the file has %d MB, of which at most %d are read", info.Size()>>20, maxSide>>20),
			Hint: "cut it to what the trials need, or leave it out"}}
	}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, []Problem{ioProblem(file, err, "")}
	}
	return &Side{File: strings.TrimPrefix(file, dir+"/"), Bytes: data}, nil
}

// loadRequests reads what a client saved of each request of a trial, from the JSON
// file beside its raw output. A file without such data is left alone.
func loadRequests(fsys fs.FS, dir, txt string) (*Side, *parse.Requests, []Problem) {
	stem := strings.TrimSuffix(txt, path.Ext(txt))
	for _, ext := range []string{".json", ".jsonl"} {
		side, problems := loadSide(fsys, dir, stem+ext)
		if side == nil && problems == nil {
			continue
		}
		if problems != nil {
			return nil, nil, problems
		}
		return readRequests(stem+ext, side)
	}
	return nil, nil, nil
}

func readRequests(file string, side *Side) (*Side, *parse.Requests, []Problem) {
	var list []parse.Requests
	found, err := parse.ReadRequests(file, bytes.NewReader(side.Bytes), func(q parse.Requests) { list = append(list, q) })
	if err != nil {
		return nil, nil, []Problem{ioProblem(file, err, "")}
	}
	more, err := parse.Summarize(file, bytes.NewReader(side.Bytes), func(r parse.Record) { found = append(found, r.Problems...) })
	if err != nil {
		return nil, nil, []Problem{ioProblem(file, err, "")}
	}
	found = append(found, more...)
	var problems []Problem
	for _, p := range found {
		if p.Severity == parse.Error && p.Code != parse.CodeNoResult {
			problems = append(problems, fromParse(p))
		}
	}
	switch {
	case len(problems) > 0:
		return nil, nil, problems
	case len(list) == 0:
		return nil, nil, nil
	case len(list) > 1:
		return nil, nil, []Problem{{File: file, Line: list[1].Line, Message: fmt.Sprintf("%d results were found, a trial has one", len(list)),
			Hint: "keep one file for each trial"}}
	}
	return side, &list[0], nil
}

// nameRepeats tells repeats from workloads: "c4.2.txt" is the second trial of the
// workload c4 within its start, unless the study declares a workload "c4.2".
func (f *Folder) nameRepeats() {
	for i := range f.Runs {
		for j := range f.Runs[i].Starts {
			results := f.Runs[i].Starts[j].Results
			for k := range results {
				if w, n, ok := f.repeatOf(results[k].Workload); ok {
					results[k].Workload, results[k].Repeat = w, n
				}
			}
		}
	}
}

func (f *Folder) repeatOf(name string) (workload string, number int, ok bool) {
	if _, declared := f.Study.Workload(name); declared {
		return "", 0, false
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(name[dot+1:])
	_, declared := f.Study.Workload(name[:dot])
	return name[:dot], number, err == nil && declared && number >= firstRepeat
}
