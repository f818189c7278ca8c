package study_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"benchguide/study"
	"benchguide/study/studytest"
)

// withRuns gives the study runs of these names and dates; those whose name ends in
// "-part" lack a result.
func withRuns(dates map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, data := range plan().FS() {
		rest, isRun := strings.CutPrefix(name, studytest.Dir+"/runs/"+studytest.Run+"/")
		if !isRun {
			files[name] = data
			continue
		}
		for run, date := range dates {
			target := studytest.Dir + "/runs/" + run + "/" + rest
			switch {
			case rest == "run.yaml":
				files[target] = &fstest.MapFile{Data: fmt.Appendf(nil, "schema: 1\ndate: %s\nclient: x\n", date)}
			case strings.HasSuffix(run, "-part") && rest == "one/c2/start-1/main.txt":
			default:
				files[target] = data
			}
		}
	}
	return files
}

func TestTheNewestCompleteRunIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		dates map[string]string
		want  string
		order []string
	}{
		{"newest", map[string]string{"a": "2026-02-01", "b": "2026-01-31"}, "a", []string{"b", "a"}},
		{"unknown is oldest", map[string]string{"z": "unknown", "b": "2001-01-01"}, "b", []string{"z", "b"}},
		{"incomplete is passed over", map[string]string{"a": "2025-01-01", "b-part": "2026-01-01"}, "a", []string{"a", "b-part"}},
		{"the same day, by name", map[string]string{"a": "2026-01-01", "b": "2026-01-01"}, "b", []string{"a", "b"}},
		{"all unknown, by name", map[string]string{"a": "unknown", "b": "unknown"}, "b", []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, found := study.Load(withRuns(c.dates), studytest.Dir)
			require.Empty(t, found)
			run, ok := f.Current()
			require.True(t, ok)
			require.Equal(t, c.want, run.ID)
			var order []string
			for _, r := range f.Runs {
				order = append(order, r.ID)
			}
			require.Equal(t, c.order, order)
		})
	}
}

func TestWhereNoRunIsCompleteTheNewestSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	got := problems(withRuns(map[string]string{"a-part": "2025-01-01", "b-part": "2026-01-01"}))
	require.Len(t, got, 1)
	require.Contains(t, got[0], "the result runs/b-part/one/c2/start-1/main.txt is missing")
}

func TestNamesOfRunsCanStandInAddresses(t *testing.T) {
	t.Parallel()
	got := problems(withRuns(map[string]string{"a": "2025-01-01", "b [2]": "2026-01-01"}))
	require.Equal(t, []string{`runs/b [2]: "b [2]" cannot be the name of a run; use letters, digits, dots and dashes`}, got)
}

// TestAFailedStartHasNoResults whatever its client has printed by then, and does not keep the
// study from being read.
func TestAFailedStartHasNoResults(t *testing.T) {
	t.Parallel()
	for name, printed := range map[string]string{"nothing": "", "half": studytest.Good().Block()[:300], "all of it": studytest.Good().Block()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := studytest.Winner()
			for i := range b.Starts {
				if b.Starts[i].Ref == "one/fast" {
					b.Starts[i].Trials, b.Starts[i].Files = nil, map[string]string{"main.txt": printed}
					b.Starts[i].Attempt = `"failure": {"class": "flaky", "reason": "it died"}`
				}
			}
			f, problems := study.Load(b.FS(), studytest.Dir)
			require.Empty(t, problems)
			require.Empty(t, f.Runs[0].Results("one/fast", "main"))
			require.Equal(t, "it died", f.Runs[0].Failure("one/fast").Reason)
			require.NotEmpty(t, f.Runs[0].Results("one/base", "main"))
		})
	}
}

// TestAnInvalidStartNeedNotBeReadable: a client whose requests all failed prints whatever it
// likes, and the run must be able to go on.
func TestAnInvalidStartNeedNotBeReadable(t *testing.T) {
	t.Parallel()
	load := func(attempt string) (*study.Folder, []study.Problem) {
		b := studytest.Winner()
		for i := range b.Starts {
			if b.Starts[i].Ref == "one/fast" {
				b.Starts[i].Attempt, b.Starts[i].Trials = attempt, nil
				b.Starts[i].Files = map[string]string{"main.txt": studytest.Good().Block()[:300]}
			}
		}
		return study.Load(b.FS(), studytest.Dir)
	}
	f, problems := load(`"invalid": "the client's result cannot be used"`)
	require.Empty(t, problems)
	require.Empty(t, f.Runs[0].Results("one/fast", "main"))
	require.Equal(t, "the client's result cannot be used", f.Runs[0].Invalid("one/fast"))
	_, problems = load("")
	require.NotEmpty(t, problems, "what is to be used must be readable")
}
