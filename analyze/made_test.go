package analyze_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study"
	"benchguide/study/studytest"
)

// of analyses the study of some blocks, which must load.
func of(t *testing.T, b studytest.Blocks) *analyze.Report {
	t.Helper()
	c, problems := study.LoadCollection(b.FS())
	require.Empty(t, problems)
	return analyze.Study(c.Folders[0])
}

func TestARunSaysHowItWasMade(t *testing.T) {
	t.Parallel()
	r := of(t, studytest.Made())
	m := r.Made
	require.NotNil(t, m)
	require.Equal(t, "2026-11-30T13:05:00Z", m.Began)
	require.Equal(t, "2026-11-30T16:15:00Z", m.Ended)
	require.InDelta(t, 9, value(t, r, m.Starts), 0)
	require.InDelta(t, 2, value(t, r, m.SetAside), 0, "one invalid, one spoilt")
	require.InDelta(t, 1, value(t, r, m.Sittings), 0)
	require.InDelta(t, 7, value(t, r, m.Seed), 0)
	// Each block has three starts: of 600 s, 248.2, 82.5 and 83.5 pass until the server is ready.
	require.InDelta(t, 9*30/(3*(600*3-248.2-82.5-83.5)), value(t, r, m.Measured), 1e-12)

	require.Len(t, m.Engines, 1)
	require.Empty(t, cmp.Diff([]analyze.Ready{
		{Caches: "cold", Starts: "run:engine.vllm.starts.cold", Median: "run:engine.vllm.ready.cold"},
		{Caches: "warm", Starts: "run:engine.vllm.starts.warm", Median: "run:engine.vllm.ready.warm"},
	}, m.Engines[0].Ready))
	require.InDelta(t, 248.2, value(t, r, "run:engine.vllm.ready.cold"), 0)
	require.InDelta(t, 83, value(t, r, "run:engine.vllm.ready.warm"), 0, "between 82.5 and 83.5")
	require.InDelta(t, 6, value(t, r, "run:engine.vllm.starts.warm"), 0)

	require.Empty(t, cmp.Diff([]analyze.Surrounding{
		{Name: "client", Values: []string{"vLLM bench CLI v0.11.0"}},
		{Name: "cuda", Values: []string{"13.0"}},
		{Name: "driver", Values: []string{"580.126.16", "580.159.04"}, Count: "run:driver.values"},
		{Name: "gpu", Values: []string{"NVIDIA H100 80GB HBM3"}},
		{Name: "power_limit", Values: []string{"700 W"}, Facts: []string{"run:power_limit"}},
	}, m.Surroundings))
	require.InDelta(t, 700, value(t, r, "run:power_limit"), 0)

	require.Len(t, m.Telemetry, 3, "the baseline and both candidates")
	require.InDelta(t, 512.5, value(t, r, m.Telemetry[1].Power), 0)
	require.InDelta(t, 0.125, value(t, r, m.Telemetry[1].Cap), 1e-12)
	require.InDelta(t, 0.031/3, value(t, r, m.Telemetry[1].Throttled), 1e-12)

	require.Len(t, m.Sweeps, 4, "two rates a side; what cannot be read is no point")
	require.InDelta(t, 4, value(t, r, m.Sweeps[1].Rate), 0)
	require.InDelta(t, 3, value(t, r, m.Prompts[0].Count), 0)
	require.Contains(t, m.Sides[1].Ran, "--served-model-name one-fast-1")
	require.Equal(t, map[string]string{"VLLM_LOGGING_LEVEL": "INFO"}, m.Sides[1].Env)
}

// TestFactsOfStartsLeadToTheirLine: attempt.json has many lines, and a link ends at the one
// that says it.
func TestFactsOfStartsLeadToTheirLine(t *testing.T) {
	t.Parallel()
	b := studytest.Made()
	r := of(t, b)
	for id, says := range map[string]string{
		"one/fast/start-2:ready":          `"ready_seconds": 82.5`,
		"one/fast/start-2/main:power":     `"main": 512.5`,
		"one/fast/start-2/main:throttled": `"main": 0.031`,
		"run:power_limit":                 `"power_limit": "700 W"`,
	} {
		f, ok := r.Facts.Get(id)
		require.True(t, ok, id)
		lines := strings.Split(b.Text(f.Source.File), "\n")
		require.Contains(t, lines[f.Source.Line-1], says, id)
	}
}

func TestThrottledTrialsCarryACaution(t *testing.T) {
	t.Parallel()
	r := of(t, studytest.Made())
	var subjects []string
	for _, f := range r.Findings {
		if f.Code == analyze.CodeThrottled {
			require.Equal(t, analyze.SeverityCaution, f.Severity)
			subjects = append(subjects, f.Subject)
			require.Contains(t, strings.Split(studytest.Made().Text(f.File), "\n")[f.Line-1], "0.031", "it points at the number")
			require.InDelta(t, 0.031, value(t, r, f.Facts["Share"]), 0)
		}
	}
	require.Equal(t, []string{"one/fast/start-2/main"}, subjects)
}

// TestRehearsedAndMeasuredStartsAreNotMixed: the word of each start must be that of its run.
func TestRehearsedAndMeasuredStartsAreNotMixed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, mark, attempt string
		bad                 []string
	}{
		{"measured", "", "", nil},
		{"rehearsed", "rehearsed", "", nil},
		{"one start of a measured run", "", `"rehearsed": true`, []string{"one/fast/start-2"}},
		{"one start of a rehearsed run", "rehearsed", `"rehearsed": false`, []string{"one/fast/start-2"}},
		{"every start of a measured run", "", "all", []string{"one/base/start-1"}},
		{"a start with dummy weights", "dummy-weights", `"rehearsed": true`, []string{"one/fast/start-2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := studytest.Winner()
			b.Mark = c.mark
			switch c.attempt {
			case "":
			case "all":
				b.Each(`"rehearsed": true`, studytest.All)
			default:
				b.Each(c.attempt, func(s studytest.Start) bool { return s.Ref == "one/fast" && s.Number == 2 })
			}
			r := of(t, b)
			var bad []string
			for _, f := range r.Findings {
				if f.Code == analyze.CodeRehearsalMixed {
					require.Equal(t, analyze.SeverityError, f.Severity)
					bad = append(bad, f.Subject)
				}
			}
			require.Equal(t, c.bad, bad)
			require.Equal(t, c.bad != nil, r.Failed())
		})
	}
}

// TestOtherPromptsAreNotRanked: two sides that were sent other prompts did other work.
func TestOtherPromptsAreNotRanked(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Each(`"prompts": {"main": "aa"}`, func(s studytest.Start) bool { return s.Ref != "one/fast" })
	b.Each(`"prompts": {"main": "bb"}`, studytest.Of("one/fast"))
	r := of(t, b)
	for _, c := range r.Stages[0].Candidates {
		if c.ID == "fast" {
			require.Equal(t, analyze.RefusedEnvironment, c.VersusIncumbent.Refused)
		}
	}
}

// TestEveryConfigurationThatWasStartedShowsWhatWasRun: also one that was not adopted, and one
// whose server would not run; not one that other starts judge.
func TestEveryConfigurationThatWasStartedShowsWhatWasRun(t *testing.T) {
	t.Parallel()
	b := studytest.Made()
	b.Plan.Stages[0].Candidates = append(b.Plan.Stages[0].Candidates,
		studytest.Candidate{ID: "broken", YAML: "add: --broken"}, studytest.Candidate{ID: "judged", YAML: "add: --max-num-seqs 2\nresult: one/flat"})
	b.Starts = append(b.Starts, studytest.Start{Ref: "one/broken", Number: 1, Attempt: `"failure": {"class": "config", "reason": "no such option"}`})
	r := of(t, b)
	require.False(t, r.Failed(), "%v", r.Findings)
	var refs []string
	for _, side := range r.Made.Sides {
		refs = append(refs, side.Ref)
		require.NotEmpty(t, side.Ran, side.Ref)
		require.Equal(t, "vllm", side.Engine)
		require.Equal(t, side.Other, len(side.Clients) == 0, side.Ref)
		require.Contains(t, side.Ran, strings.ReplaceAll(side.Ref, "/", "-")+"-1")
	}
	require.Equal(t, []string{"one/base", "one/fast", "one/flat", "one/broken"}, refs)
}
