package attempt_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/study"
)

func TestAnOrderReadsBackAsItWasGiven(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new")
	want := anOrder()
	require.NoError(t, attempt.WriteOrder(folder, want))
	got, err := attempt.ReadOrder(folder)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(want, got))
}

func TestOrdersThatCannotBeCarriedOutAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*attempt.Order)
		want   string
	}{
		"another schema": {func(o *attempt.Order) { o.Schema = 7 }, "use the same benchguide on both sides"},
		"nonce":          {func(o *attempt.Order) { o.Nonce = "../x" }, "not of letters, digits and dashes"},
		"option":         {func(o *attempt.Order) { o.Nonce = "-x" }, "not of letters, digits and dashes"},
		"no command":     {func(o *attempt.Order) { o.Command = "" }, "lacks an engine"},
		"no workload":    {func(o *attempt.Order) { o.Workloads = nil }, "has no workload"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := anOrder()
			c.change(&o)
			folder := t.TempDir()
			require.NoError(t, attempt.WriteOrder(folder, o))
			_, err := attempt.ReadOrder(folder)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := attempt.ReadOrder(t.TempDir())
	require.ErrorContains(t, err, "either this is no folder of an attempt, or the attempt is complete")
}

// sealed makes a folder with these files and a seal over them.
func sealed(t *testing.T, files map[string]string) (folder string, r attempt.Result) {
	t.Helper()
	folder = t.TempDir()
	r = attempt.Result{Schema: attempt.Schema, State: attempt.Done, Files: map[string]string{}}
	for name, text := range files {
		full := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
		sum := sha256.Sum256([]byte(text))
		r.Files[name] = hex.EncodeToString(sum[:])
	}
	data, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, attempt.ResultFile), data, 0o644))
	return folder, r
}

func TestASealHoldsWhileNothingChanges(t *testing.T) {
	t.Parallel()
	folder, want := sealed(t, map[string]string{"attempt.json": "{}", "sweep/main-2.txt": "x"})
	got, complete, err := attempt.Sealed(folder)
	require.NoError(t, err)
	require.True(t, complete)
	require.Empty(t, cmp.Diff(want, got))
}

func TestABrokenSealIsAnErrorThatNamesTheFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breaks func(t *testing.T, folder string)
		want   string
	}{
		"changed": {func(t *testing.T, folder string) {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "main.txt"), []byte("y"), 0o644))
		}, "main.txt was changed"},
		"removed": {func(t *testing.T, folder string) { require.NoError(t, os.Remove(filepath.Join(folder, "main.txt"))) }, "main.txt is gone"},
		"added": {func(t *testing.T, folder string) {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "more.txt"), []byte("y"), 0o644))
		}, "more.txt was added"},
		"half a seal": {func(t *testing.T, folder string) {
			require.NoError(t, os.WriteFile(filepath.Join(folder, attempt.ResultFile), []byte(`{"sch`), 0o644))
		}, "result.json cannot be read"},
		"of another program": {func(t *testing.T, folder string) {
			require.NoError(t, os.WriteFile(filepath.Join(folder, attempt.ResultFile), []byte(`{"schema":9}`), 0o644))
		}, "schema 9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, _ := sealed(t, map[string]string{"main.txt": "x"})
			c.breaks(t, folder)
			_, _, err := attempt.Sealed(folder)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestAFolderWithoutASealDidNotHappen(t *testing.T) {
	t.Parallel()
	folder, _ := sealed(t, nil)
	require.NoError(t, os.Remove(filepath.Join(folder, attempt.ResultFile)))
	_, complete, err := attempt.Sealed(folder)
	require.NoError(t, err)
	require.False(t, complete)
}

func TestAttemptsAreFiledByWhatTheyCameTo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		result attempt.Result
		want   string
	}{
		"measured":   {attempt.Result{State: attempt.Done}, "start-2"},
		"invalid":    {attempt.Result{State: attempt.Done, Invalid: "x"}, "start-2"},
		"infeasible": {attempt.Result{State: attempt.Failed, Class: study.FailConfig}, "start-2"},
		"machine":    {attempt.Result{State: attempt.Failed, Class: study.FailInfra}, "failed-4"},
		"flaky":      {attempt.Result{State: attempt.Failed, Class: study.FailFlaky}, "failed-4"},
		"stopped":    {attempt.Result{State: attempt.Failed, Class: study.FailUser}, "failed-4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, o := t.TempDir(), anOrder()
			o.Number = 2
			require.NoError(t, os.MkdirAll(filepath.Join(run, o.Stage, o.Candidate, "failed-3"), 0o755))
			work, _ := sealed(t, map[string]string{"attempt.json": "{}"})
			got, err := attempt.Publish(work, run, o, c.result)
			require.NoError(t, err)
			require.Equal(t, filepath.Join(run, o.Stage, o.Candidate, c.want), got)
			require.FileExists(t, filepath.Join(got, "attempt.json"))
			require.NoDirExists(t, work)
		})
	}
}

// TestALostAttemptIsFiledWithoutSecrets: nobody has cleaned what it had written so far.
func TestALostAttemptIsFiledWithoutSecrets(t *testing.T) {
	t.Parallel()
	run, o := t.TempDir(), anOrder()
	o.Machine.Env = map[string]string{"HF_TOKEN": "hf_abcDEF1234567890abcDEF"}
	work := filepath.Join(run, ".work", o.Nonce)
	require.NoError(t, attempt.WriteOrder(work, o))
	for _, name := range []string{study.ServerLog, "job.log", attempt.ProcessesFile} {
		require.NoError(t, os.WriteFile(filepath.Join(work, name), []byte("HF_TOKEN=hf_abcDEF1234567890abcDEF of /home/alice\n"), 0o644))
	}
	got, err := attempt.SetAside(work, run, o)
	require.NoError(t, err)
	for _, name := range []string{study.ServerLog, "job.log"} {
		text, err := os.ReadFile(filepath.Join(got, name))
		require.NoError(t, err)
		require.Equal(t, "HF_TOKEN=[key] of [path]\n", string(text))
	}
	for _, name := range []string{attempt.OrderFile, attempt.ProcessesFile} {
		require.NoFileExists(t, filepath.Join(got, name))
	}
}

func TestNoStartIsReplaced(t *testing.T) {
	t.Parallel()
	run, o := t.TempDir(), anOrder()
	there := filepath.Join(run, o.Stage, o.Candidate, "start-1")
	require.NoError(t, os.MkdirAll(there, 0o755)) // empty: rename(2) would take it
	work, r := sealed(t, map[string]string{"attempt.json": "{}"})
	_, err := attempt.Publish(work, run, o, r)
	require.ErrorContains(t, err, "is there already and is not replaced")
	require.FileExists(t, filepath.Join(work, "attempt.json"))
}
