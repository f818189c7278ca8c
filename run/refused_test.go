package run_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/run/attempt"
	"benchguide/study"
)

// everything is what lies in a study's folder, to the last byte.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			list[name] = "a folder"
			return err
		}
		data, err := os.ReadFile(name)
		list[name] = string(data)
		return err
	}))
	return list
}

func TestARefusedRunLeavesTheStudyAsItWas(t *testing.T) {
	t.Parallel()
	begun := func(t *testing.T, dir string) {
		out, err := run.Run(context.Background(), run.Options{Dir: dir, Name: "r", Budget: time.Hour}, deps(&double{}, nil))
		require.NoError(t, err)
		require.False(t, out.Done())
		require.NoFileExists(t, filepath.Join(out.Dir, ".lock"), "a runner that ended in order")
	}
	// Nobody needs the journal of a run that was published.
	edited := func(t *testing.T, dir string) {
		begun(t, dir)
		require.NoError(t, os.Remove(filepath.Join(dir, "runs", "r", run.JournalFile)))
		name := filepath.Join(dir, "study.yaml")
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Contains(t, string(data), "add: --more")
		require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), "add: --more", "add: --most", 1)), 0o644))
	}
	noMachine := func(d *run.Deps) {
		d.Ready = func(context.Context, *study.Folder) error { return &run.Refusal{Message: "no"} }
	}
	noPrompts := func(d *run.Deps) {
		d.Works = func(context.Context, *study.Folder, string) (run.Works, error) {
			return run.Works{}, errors.New("there is no data set")
		}
	}
	for _, c := range []struct {
		name    string
		before  func(t *testing.T, dir string)
		options run.Options
		lacks   func(d *run.Deps)
	}{
		{"a new one without its machine", nil, run.Options{}, noMachine},
		{"a new one without its prompts", nil, run.Options{}, noPrompts},
		{"one more without its prompts", begun, run.Options{Name: "s"}, noPrompts},
		{"one to go on with, without its machine", begun, run.Options{Resume: true}, noMachine},
		{"one whose study was edited", edited, run.Options{Resume: true}, nil},
		{"one whose study was edited, without the prompts of what is new", edited, run.Options{Resume: true, AcceptChanges: true}, noPrompts},
		{"one that is not finished", begun, run.Options{}, nil},
		{"one of another kind", begun, run.Options{Name: "r", Rehearse: &attempt.Rehearse{}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := place(t, quick())
			if c.before != nil {
				c.before(t, dir)
			}
			want := everything(t, dir)
			d := deps(&double{}, nil)
			if c.lacks != nil {
				c.lacks(&d)
			}
			c.options.Dir = dir
			_, err := run.Run(context.Background(), c.options, d)
			var refusal *run.Refusal
			require.ErrorAs(t, err, &refusal)
			require.Empty(t, cmp.Diff(want, everything(t, dir)))
		})
	}
}
