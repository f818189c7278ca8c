package executor_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/executor"
)

// versions are those of Slurm whose outputs lie in testdata/slurm.
func versions(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("testdata/slurm/*/failed.scontrol")
	require.NoError(t, err)
	require.Greater(t, len(found), 2)
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	return found
}

func recorded(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	require.NoError(t, err)
	return string(b)
}

// Every version that was tried says these states in the same words.
func TestRecordedScontrol(t *testing.T) {
	t.Parallel()
	tests := map[string]executor.Record{
		"failed":    {Name: "bg-failed", State: "FAILED", Exit: "7:0", Reason: "NonZeroExitCode", Nodes: "n1"},
		"running":   {Name: "bg-running", State: "RUNNING", Exit: "0:0", Nodes: "n1"},
		"pending":   {Name: "bg-pending", State: "PENDING", Exit: "0:0", Reason: "BeginTime"},
		"cancelled": {Name: "bg-running", State: "CANCELLED", Exit: "0:15", Nodes: "n1"},
		"spaces":    {Name: "my job=x JobState=RUNNING", State: "COMPLETED", Exit: "0:0", Nodes: "n1"},
		"signal":    {Name: "bg-signal", State: "FAILED", Exit: "0:11", Nodes: "n1"},
	}
	for _, version := range versions(t) {
		for name, want := range tests {
			t.Run(filepath.Base(version)+"/"+name, func(t *testing.T) {
				t.Parallel()
				got, ok := executor.ParseScontrol(recorded(t, version, name+".scontrol"))
				require.True(t, ok)
				require.NotEmpty(t, got.ID)
				got.ID = ""
				if name == "signal" {
					// The reason of a signal has another wording in each version; nothing depends on it.
					got.Reason = ""
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestRecordedQueue(t *testing.T) {
	t.Parallel()
	for _, version := range versions(t) {
		text := recorded(t, version, "queue.squeue")
		for name, state := range map[string]string{"bg-running": "RUNNING", "bg-pending": "PENDING"} {
			got, ok := executor.ParseSqueue(text, name)
			require.True(t, ok, version)
			require.Equal(t, state, got.State, version)
		}
		_, ok := executor.ParseSqueue(text, "bg-run")
		require.False(t, ok, "the whole name has to match")
	}
}

func TestRecordedRefusalIsNotTransient(t *testing.T) {
	t.Parallel()
	for _, version := range versions(t) {
		text := recorded(t, version, "refused.stderr")
		require.Contains(t, text, "Requested node configuration is not available")
		require.False(t, executor.Transient(text))
		require.Contains(t, recorded(t, version, "unknown.stderr"), "Invalid job id")
	}
}

func TestParseSacct(t *testing.T) {
	t.Parallel()
	text := recorded(t, "testdata/slurm/22.05.8/jobs.sacct")
	tests := []struct {
		name string
		text string
		job  string
		want executor.Record
		ok   bool
	}{
		{"failed", text, "bg-failed", executor.Record{Name: "bg-failed", State: "FAILED", Exit: "7:0", Nodes: "n1"}, true},
		{"cancelled by whom", text, "bg-running", executor.Record{Name: "bg-running", State: "CANCELLED", Exit: "0:0", Nodes: "n1"}, true},
		{"another job's name", text, "bg-other", executor.Record{}, false},
		{"the last of two under one id", "9|a|NODE_FAIL|0:0|n1\n9|a|PENDING|0:0|None assigned\n", "a", executor.Record{Name: "a", State: "PENDING", Exit: "0:0"}, true},
		{"an older job under the id", "9|older|COMPLETED|0:0|n1\n", "a", executor.Record{}, false},
		{"nothing", "", "a", executor.Record{}, false},
		{"a line that was cut", "9|a|COMPL", "a", executor.Record{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := executor.ParseSacct(test.text, test.job)
			require.Equal(t, test.ok, ok)
			got.ID = ""
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseSbatch(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"17\n":                        "17",
		"17;far\n":                    "17",
		"Your budget: 3 hours\n17\n":  "17",
		"":                            "",
		"Submitted batch job 17\n":    "",
		"17\nsee https://example.org": "",
		"-1\n":                        "",
	} {
		got, ok := executor.ParseSbatch(text)
		require.Equal(t, want, got, "%q", text)
		require.Equal(t, want != "", ok, "%q", text)
	}
}

func TestTransient(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)":            true,
		"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation":                         true,
		"sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying":                                true,
		"sbatch: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\"":                          true,
		"sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified":      false,
		"sbatch: error: QOSMaxSubmitJobPerUserLimit":                                                                  false,
		"sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)": false,
	} {
		require.Equal(t, want, executor.Transient(text), text)
	}
}

// Whatever a cluster prints, a record that is found is one that can be asked for.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"*.scontrol", "*.sacct", "*.squeue"} {
		files, _ := filepath.Glob("testdata/slurm/*/" + pattern)
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(b), "bg-running")
		}
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		if r, ok := executor.ParseScontrol(text); ok && (r.ID == "" || r.State == "") {
			t.Errorf("scontrol: %+v", r)
		}
		if r, ok := executor.ParseSacct(text, name); ok && (r.ID == "" || r.State == "" || r.Name != name) {
			t.Errorf("sacct: %+v", r)
		}
		if r, ok := executor.ParseSqueue(text, name); ok && (r.ID == "" || r.State == "" || r.Name != name) {
			t.Errorf("squeue: %+v", r)
		}
		if id, ok := executor.ParseSbatch(text); ok != (id != "") {
			t.Errorf("sbatch: %q", id)
		}
	})
}
