package study_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study"
	"benchguide/study/studytest"
)

const (
	madeRun   = studytest.Dir + "/runs/" + studytest.Run
	madeStart = madeRun + "/one/fast/start-2"
)

// change gives files of a finished run another text, without sealing it again.
func change(changes map[string]string) fstest.MapFS {
	return studytest.With(studytest.Made().FS(), changes)
}

func TestWhatARunLeavesIsRead(t *testing.T) {
	t.Parallel()
	f, found := study.Load(studytest.Made().FS(), studytest.Dir)
	require.Empty(t, found)
	run, ok := f.Current()
	require.True(t, ok)
	require.Len(t, run.Starts, 10, "what is under way or spoilt is no start")
	require.Equal(t, []study.Spoilt{{Stage: "one", Candidate: "fast", Dir: "runs/published/one/fast/failed-1"}}, run.Spoilt)
	var prompts, sides []string
	for _, p := range run.Prompts {
		prompts = append(prompts, p.File)
	}
	require.Equal(t, []string{"runs/published/prompts/main.jsonl", "runs/published/prompts/prompts.json"}, prompts)
	for _, s := range run.Starts[0].Sides {
		sides = append(sides, strings.TrimPrefix(s.File, run.Starts[0].Dir+"/"))
	}
	require.Empty(t, cmp.Diff([]string{"gpu.csv", "main.log", "result.json", "server.log", "server_info.json",
		"sweep/main-2.txt", "sweep/main-4.txt", "sweep/main-8.txt", "sweep/note.log"}, sides))
	require.Len(t, run.Starts[0].Sweeps, 2, "a point that cannot be read is published, and is none of the curve")
}

func TestChangesAfterTheSealAreFound(t *testing.T) {
	t.Parallel()
	raw := studytest.Throughput(2000).Block()
	for _, c := range []struct {
		name    string
		changes map[string]string
		want    string
	}{
		{"a result", map[string]string{madeStart + "/main.txt": raw}, "main.txt: the file was changed after it was sealed"},
		{"how the start was made", map[string]string{madeStart + "/attempt.json": `{"schema": 1, "imported": false, "engine": "vllm", "version": "v0.11.0", "nonce": "x"}`},
			"attempt.json: the file was changed after it was sealed"},
		{"a log", map[string]string{madeStart + "/server.log": "other"}, "server.log: the file was changed"},
		{"a file of a sweep", map[string]string{madeStart + "/sweep/main-4.txt": "x"}, "sweep/main-4.txt: the file was changed"},
		{"a file is gone", map[string]string{madeStart + "/gpu.csv": studytest.Gone}, "gpu.csv: the file was removed after the start was sealed"},
		{"a result was added", map[string]string{madeStart + "/other.txt": raw}, "other.txt: the file was added after the start was sealed"},
		{"requests were added", map[string]string{madeStart + "/main.jsonl": "{}\n"}, "main.jsonl: the file was added after the start was sealed"},
		{"counters were added", map[string]string{madeStart + "/metrics-after-main.prom": "a 1\n"}, "metrics-after-main.prom: the file was added after the start was sealed"},
		{"a rate was added", map[string]string{madeStart + "/sweep/main-9.txt": raw}, "sweep/main-9.txt: the file was added after the start was sealed"},
		{"no seal", map[string]string{madeStart + "/result.json": studytest.Gone}, "start-2: the start is not sealed: it has no result.json"},
		{"half a seal", map[string]string{madeStart + "/result.json": `{"files": {`}, "result.json: the seal cannot be read"},
		{"a seal of other folders", map[string]string{madeStart + "/result.json": `{"files": {"../start-1/main.txt": "00"}}`}, "lies outside of the start"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(change(c.changes))
			require.NotEmpty(t, got)
			require.Contains(t, strings.Join(got, "\n"), c.want)
		})
	}
}

// TestStartsWithoutNonceNeedNoSeal: results that somebody put there by hand have none.
func TestStartsWithoutNonceNeedNoSeal(t *testing.T) {
	t.Parallel()
	_, found := study.Load(studytest.Winner().FS(), studytest.Dir)
	require.Empty(t, found)
}

// TestARehearsalStandsBehindWhatWasMeasured: a study that was rehearsed after its run still
// shows the run.
func TestARehearsalStandsBehindWhatWasMeasured(t *testing.T) {
	t.Parallel()
	files := withRuns(map[string]string{"real": "2026-01-01", "try": "2026-02-01"})
	name := studytest.Dir + "/runs/try/run.yaml"
	files[name] = &fstest.MapFile{Data: append(files[name].Data, "mark: rehearsed\n"...)}
	f, found := study.Load(files, studytest.Dir)
	require.Empty(t, found)
	run, ok := f.Current()
	require.True(t, ok)
	require.Equal(t, "real", run.ID)
}

func TestASingleStudyIsASiteOfItsOwn(t *testing.T) {
	t.Parallel()
	files := studytest.Winner().FS()
	c, found := study.LoadSingle(files, studytest.Dir)
	require.Empty(t, found)
	require.Len(t, c.Folders, 1)
	require.Equal(t, c.Folders[0].Study.Title, c.Site.Title)
	sub, err := files.Sub(studytest.Dir)
	require.NoError(t, err)
	require.True(t, study.IsSingle(sub))
	require.False(t, study.IsSingle(files), "a content folder")
	require.False(t, study.IsSingle(fstest.MapFS{}), "nothing")
}

func TestNumbersThatNoStartHasAreFound(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[string]string{
		`"throttled": {"main": 1.5}`:                  "1.5 is no plausible number for throttled of main",
		`"power_cap": {"main": -1}`:                   "-1 is no plausible number for power_cap of main",
		`"power_watts": {"main": 1e300}`:              "1e+300 is no plausible number for power_watts of main",
		`"cache_hits": {"main": 1.01}`:                "1.01 is no plausible number for cache_hits of main",
		`"times": {"began": "", "ready_seconds": -3}`: "-3 is no plausible number for times of ready_seconds",
	} {
		b := studytest.Winner()
		b.Each(attempt, func(s studytest.Start) bool { return s.Ref == "one/fast" && s.Number == 2 })
		got := problems(b.FS())
		require.Len(t, got, 1, attempt)
		require.Contains(t, got[0], want)
		require.Contains(t, got[0], "start-2/attempt.json:1:1")
	}
}

func TestAClientIsNamedOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"benchguide benchguide (devel)": "benchguide (devel)", "benchguide (devel)": "benchguide (devel)",
		"vllm 0.26.0": "vllm 0.26.0", "vllm vllm 0.26.0": "vllm 0.26.0", "vllmvllm 1": "vllmvllm 1",
	} {
		attempt := `{"schema": 1, "imported": false, "engine": "vllm", "version": "v0.11.0", "environment": {"client": "` + text + `"}}`
		f, _ := study.Load(studytest.With(studytest.Made().FS(), map[string]string{madeStart + "/attempt.json": attempt}), studytest.Dir)
		run, _ := f.Current()
		named := slices.IndexFunc(run.Starts, func(s study.Start) bool { return strings.HasSuffix(madeStart, s.Dir) })
		require.GreaterOrEqual(t, named, 0)
		require.Equal(t, want, run.Starts[named].Attempt.Environment["client"])
	}
}
