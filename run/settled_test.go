package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/study/studytest"
)

// TestWhatWasDecidedIsNotDecidedAnew for want of a start that was lost, or since the study was
// changed: later starts stand on it. Where nothing was measured later, a start is made again.
func TestWhatWasDecidedIsNotDecidedAnew(t *testing.T) {
	t.Parallel()
	lose := func(starts ...string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			for _, s := range starts {
				place := filepath.Join(dir, "runs", "2026-12-01", filepath.FromSlash(s))
				require.DirExists(t, place)
				require.NoError(t, os.RemoveAll(place))
			}
		}
	}
	edit := func(old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			name := filepath.Join(dir, "study.yaml")
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Contains(t, string(data), old)
			require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), old, new, 1)), 0o644))
		}
	}
	const before = "  - id: first\n    title: {zh: 前, en: First}\n    question: {zh: 快吗？, en: Faster?}\n    candidates:\n      - id: new\n        name: {zh: 新, en: new}\n        add: --new\n"
	const ofOne = "stage one was decided before next was measured, and what it was decided by is not all there; missing is "
	for _, c := range []struct {
		name    string
		confirm string
		spoil   func(*testing.T, string)
		want    string // "" if the run goes on, to its end
	}{
		{"one start of a candidate", "1", lose("one/fast/start-2"), ofOne + "one/fast/start-2: bring that back"},
		{"the last before its stage was confirmed", "1", lose("one/fast/start-3"), ofOne + "one/fast/start-3:"},
		{"the incumbent's", "1", lose("one/base/start-1"), ofOne + "one/base/start-1:"},
		{"the last of all", "1", lose("one/slow/start-3"), ofOne + "one/slow/start-3:"},
		{"several", "1", lose("one/slow/start-1", "one/slow/start-2", "one/base/start-1", "one/base/start-2"), ofOne + "one/base/start-1, one/base/start-2, one/slow/start-1, one/slow/start-2:"},
		{"a candidate with all of them", "1", lose("one/slow"), ofOne + "one/slow/start-1, one/slow/start-2, one/slow/start-3:"},
		{"a stage", "1", lose("one"), ofOne + "one/base/start-1, one/fast/start-1, one/slow/start-1:"},
		{"one of a stage that was confirmed", "1", lose("next/more/start-1"), "stage next was decided before its confirmation was measured, and what it was decided by is not all there; missing is next/more/start-1:"},
		{"one that confirms", "1", lose("one/fast/start-4"), ""},
		{"the last of the last stage", "0", lose("next/more/start-3"), ""},
		{"one of the last stage", "0", lose("next/more/start-2"), ""},
		{"more blocks", "1", edit("blocks: 3", "blocks: 6"), "stage next was decided before its confirmation was measured, and the starts that are there do not decide it"},
		{"more that confirm", "1", edit("confirm: 1", "confirm: 2"), ""},
		{"a candidate more in a stage that is decided", "1", edit("      - id: slow", "      - id: new\n        name: {zh: 新, en: new}\n        add: --new\n      - id: slow"), ofOne + "one/new/start-1, one/new/start-2, one/new/start-3: bring that back from a copy of the run; if study.yaml was changed, undo that"},
		{"a stage before one that is decided", "1", edit("  - id: next\n", before+"  - id: next\n"), "stage first was decided before next was measured, and what it was decided by is not all there; missing is first/incumbent/start-1, first/new/start-1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := two()
			p.YAML = "run: {blocks: 3, confirm: " + c.confirm + "}\n"
			dir := place(t, p)
			done, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(&double{}, nil))
			require.NoError(t, err)
			require.True(t, done.Done(), done.Why)
			c.spoil(t, dir)
			was := everything(t, dir)
			d := &double{}
			out, err := run.Run(context.Background(), run.Options{Dir: dir, Resume: true, AcceptChanges: true}, deps(d, nil))
			if c.want == "" {
				require.NoError(t, err)
				require.True(t, out.Done(), out.Why)
				require.NotEmpty(t, d.orders)
				require.Equal(t, done.Step.FinalOf, out.Step.FinalOf)
				return
			}
			var refusal *run.Refusal
			require.ErrorAs(t, err, &refusal)
			require.Contains(t, err.Error(), c.want)
			require.Contains(t, err.Error(), "run 2026-12-01 cannot be gone on with: ")
			require.Empty(t, d.orders, "nothing is started")
			require.Empty(t, cmp.Diff(was, everything(t, dir)), "nothing is written")
		})
	}
}

// TestAnotherPickDoesNotSetLaterStartsApart: they were made on top of the first one.
func TestAnotherPickDoesNotSetLaterStartsApart(t *testing.T) {
	t.Parallel()
	p := two()
	p.YAML = "run: {blocks: 3, confirm: 0}\n"
	p.Stages[0].Candidates[1] = studytest.Candidate{ID: "fastest", YAML: "add: --fastest"} // which is as fast
	dir := place(t, p)
	done, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(&double{}, nil))
	require.NoError(t, err)
	other := map[string]string{"one/fast": "fastest", "one/fastest": "fast"}[done.Step.Decided[0].Adopted]
	require.NotEmpty(t, other)
	name := filepath.Join(dir, "study.yaml")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	text := strings.Replace(string(data), "  - id: one\n", "  - id: one\n    pick: {candidate: "+other+", reason: {zh: 好, en: better}}\n", 1)
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	d := &double{}
	_, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true, AcceptChanges: true}, deps(d, nil))
	var refusal *run.Refusal
	require.ErrorAs(t, err, &refusal)
	require.Regexp(t, `next/(incumbent|more|flat)/start-1 was started as "vllm serve .*", and the study now asks for "vllm serve .*--`+other+`.*": undo the change of the study`, err.Error())
	require.Empty(t, d.orders)
}
