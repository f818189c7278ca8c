package analyze_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
	"benchguide/study/studytest"
)

// load reads a study that must have nothing wrong with it.
func load(t require.TestingT, files fstest.MapFS) *study.Folder {
	f, problems := study.Load(files, studytest.Dir)
	require.Empty(t, problems)
	return f
}

// report analyses a plan.
func report(t require.TestingT, p studytest.Plan) *analyze.Report {
	return analyze.Study(load(t, p.FS()))
}

// setNumber gives a result another number than its text has, for values that no
// printed precision reaches.
func setNumber(t *testing.T, f *study.Folder, ref string, id metric.ID, number float64) {
	t.Helper()
	for i := range f.Runs {
		for j := range f.Runs[i].Starts {
			s := &f.Runs[i].Starts[j]
			for k := range s.Results {
				for v := range s.Results[k].Record.Values {
					if s.Ref() == ref && s.Results[k].Record.Values[v].Metric == id {
						s.Results[k].Record.Values[v].Number = number
						return
					}
				}
			}
		}
	}
	t.Fatalf("no %s in %s", id, ref)
}

// verdicts returns the verdict of every candidate by its id.
func verdicts(r *analyze.Report) map[string]analyze.Verdict {
	m := map[string]analyze.Verdict{}
	for _, s := range r.Stages {
		for _, c := range s.Candidates {
			m[c.Ref] = c.Verdict
		}
	}
	return m
}

// codes returns the codes of the findings, in order.
func codes(r *analyze.Report) []string {
	list := []string{}
	for _, f := range r.Findings {
		list = append(list, f.Code)
	}
	return list
}

// candidate returns a judged candidate by its ref.
func candidate(t require.TestingT, r *analyze.Report, ref string) analyze.Candidate {
	for _, s := range r.Stages {
		for _, c := range s.Candidates {
			if c.Ref == ref {
				return c
			}
		}
	}
	require.Fail(t, "no candidate "+ref)
	return analyze.Candidate{}
}

// value returns the number of a fact.
func value(t require.TestingT, r *analyze.Report, id string) float64 {
	f, ok := r.Facts.Get(id)
	require.True(t, ok, "no fact %s", id)
	return f.Value
}

// walk copies a folder of files.
func walk(from fs.FS, to fstest.MapFS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, name)
		to[name] = &fstest.MapFile{Data: data}
		return err
	})
}
