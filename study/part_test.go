package study_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study"
	"benchguide/study/studytest"
)

// bare is a study without any run.
func bare() map[string]string {
	gone := map[string]string{}
	for name := range plan().FS() {
		if strings.Contains(name, "/runs/") {
			gone[name] = studytest.Gone
		}
	}
	return gone
}

func TestAStudyWithoutResultsCanBePlanned(t *testing.T) {
	t.Parallel()
	files := studytest.With(plan().FS(), bare())
	_, found := study.Load(files, studytest.Dir)
	require.Len(t, found, 1, "a guide needs results")
	_, found = study.LoadPlan(files, studytest.Dir)
	require.Empty(t, found)

	files = replace(t, files, studyFile, "goal: throughput", "goal: speed")
	_, found = study.LoadPlan(files, studytest.Dir)
	require.Len(t, found, 1, "every other problem is reported")
	require.Contains(t, found[0].Error(), `goal "speed" is not known`)
}

func TestHalfARunCanBeContinuedAndItsStraysAreReported(t *testing.T) {
	t.Parallel()
	files := studytest.With(plan().FS(), map[string]string{studytest.Result("one/c2", "main"): studytest.Gone})
	_, found := study.LoadPlan(files, studytest.Dir)
	require.Empty(t, found)
	files = studytest.With(files, map[string]string{studytest.Attempt("one/typo"): `{"schema": 1, "imported": true, "engine": "vllm", "version": "v1"}`})
	_, found = study.LoadPlan(files, studytest.Dir)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Error(), `the study has no candidate "one/typo"`)
}

func TestAPartHasNothingOfWhatCameLater(t *testing.T) {
	t.Parallel()
	f, found := study.Load(studytest.TwoStages().FS(), studytest.Dir)
	require.Empty(t, found)
	part := f.Part(studytest.Run, 1, func(s study.Start) bool { return s.Block() <= 2 })
	require.Len(t, part.Study.Stages, 1)
	require.Empty(t, part.Study.Cases)
	require.Len(t, part.Runs, 1)
	for _, s := range part.Runs[0].Starts {
		require.Equal(t, "one", s.Stage)
		require.LessOrEqual(t, s.Block(), 2)
	}
	require.Len(t, part.Runs[0].Starts, 10)
	_, complete := part.Current()
	require.True(t, complete)

	part.Study.Stages[0].Pick = &study.Pick{Candidate: "fast"}
	require.Nil(t, f.Study.Stages[0].Pick, "the study itself is not changed")
	require.Empty(t, f.Part("nowhere", 1, func(study.Start) bool { return true }).Runs)
}

func TestOnlyAStartThatMeasuredAWorkloadIsValidForIt(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Each(`"invalid": "a neighbour"`, func(s studytest.Start) bool { return s.Ref == "one/fast" && s.Number == 1 })
	b.Fail("one/slow", 4, "out of memory")
	f, found := study.Load(b.FS(), studytest.Dir)
	require.Empty(t, found)
	for _, s := range f.Runs[0].Starts {
		spoilt := s.Ref() == "one/fast" && s.Number == 1 || s.Ref() == "one/slow" && s.Number == 4
		require.Equal(t, !spoilt, s.Valid("main"), s.Dir)
		require.False(t, s.Valid("other"), s.Dir)
	}
}

// TestAStartThatIsAddedIsWhereLoadPutsIt so that what is decided while a run lasts is what
// is decided from its files.
func TestAStartThatIsAddedIsWhereLoadPutsIt(t *testing.T) {
	t.Parallel()
	b := studytest.Fleet("fast", "flat").Blocks(11, studytest.Noisy(studytest.Gains()))
	want, found := study.Load(b.FS(), studytest.Dir)
	require.Empty(t, found)
	none := b
	none.Starts = nil
	got, found := study.LoadPlan(none.FS(), studytest.Dir)
	require.Empty(t, found)
	for _, s := range b.Starts {
		require.Empty(t, got.Add(b.FS(), studytest.Run, fmt.Sprintf("runs/%s/%s/start-%d", studytest.Run, s.Ref, s.Number)))
	}
	require.Equal(t, want.Runs[0].Starts, got.Runs[0].Starts)

	damaged := studytest.With(b.FS(), map[string]string{studytest.Result("one/fast", "main"): "nothing"})
	found = got.Add(damaged, studytest.Run, "runs/"+studytest.Run+"/one/fast/start-1")
	require.Len(t, found, 1)
	require.Contains(t, found[0].Error(), "no benchmark result in 1 lines")
	require.Len(t, got.Add(b.FS(), "other", "runs/other/one/fast/start-1"), 1)
}
