package run

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"benchguide/bench"
	"benchguide/run/attempt"
	"benchguide/run/machine"
	"benchguide/run/prompts"
	"benchguide/study"
)

// Prepared returns what Deps.Works needs on a machine: the prompts are made once in a
// run's folder, and found there by whoever goes on with the run.
func Prepared(studyDir string, m machine.Profile, rehearse bool) func(context.Context, *study.Folder, string) (Works, error) {
	return func(ctx context.Context, f *study.Folder, dir string) (Works, error) {
		set, err := prompts.Load(dir)
		if errors.Is(err, fs.ErrNotExist) {
			set, err = prompts.Prepare(ctx, request(f, studyDir, m, rehearse))
			if err == nil {
				err = set.Write(dir)
			}
		}
		if err != nil {
			return Works{}, err
		}
		return worksOf(f, set, dir)
	}
}

func request(f *study.Folder, dir string, m machine.Profile, rehearse bool) prompts.Request {
	r := prompts.Request{Study: f.Study, Dir: dir, Files: m.Datasets, Rehearse: rehearse}
	if p := f.Study.Run; p != nil {
		r.Seed, r.Warmup = p.Seed, p.Warmup
	}
	// Where the model is on this disk its own tokenizer counts. Elsewhere lengths are
	// approximate, which prompts.json says; every start is sent the same all the same.
	if path, ok := m.ModelPath(f.Study.Model.ID); ok && exists(filepath.Join(path, "tokenizer.json")) {
		r.Tokenizer = path
	}
	return r
}

// worksOf puts the lists beside the loads under which they are sent.
func worksOf(f *study.Folder, set prompts.Set, dir string) (Works, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Works{}, err
	}
	work := func(w study.Workload, name string) (attempt.Work, error) {
		list, ok := set.List(name)
		if !ok {
			return attempt.Work{}, refuse("the run's prompts have none for workload %s: begin another run with --name", name)
		}
		return attempt.Work{Workload: w, Prompts: filepath.Join(dir, prompts.FileName(name)), Digest: bench.Digest(list.Prompts), Count: len(list.Prompts)}, nil
	}
	// The warm-up is sent like the workload that decides, so that what the server compiles
	// and captures for that load is there when it is measured.
	warm, _ := f.Study.Workload(f.Study.Objective.Workload)
	warm.ID, warm.Rates = study.WarmupPrompts, nil
	var works Works
	if works.Warmup, err = work(warm, study.WarmupPrompts); err != nil {
		return works, err
	}
	for _, w := range f.Study.Workloads {
		made, err := work(w, w.ID)
		if err != nil {
			return works, err
		}
		works.Workloads = append(works.Workloads, made)
	}
	return works, nil
}
