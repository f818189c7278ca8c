package analyze_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/gpulog"
	"benchguide/study/studytest"
)

// steps is a clock that is wrong in the seconds before a trial of these and after the longest of them.
func steps(index int, at time.Duration) float64 {
	if at < 61*time.Second || at > 94*time.Second {
		return 345
	}
	return 1900 - 100*float64(index)
}

// edit changes a file of every start that has it.
func edit(b studytest.Blocks, file, from, to string) studytest.Blocks {
	for _, s := range b.Starts {
		if text, ok := s.Files[file]; ok {
			s.Files[file] = strings.ReplaceAll(text, from, to)
		}
	}
	return b
}

// TestTheClockIsThatOfTheTrial: the seconds before and after the trial, in which the clock
// is another one, do not count, and of two GPUs the slower one sets the pace.
func TestTheClockIsThatOfTheTrial(t *testing.T) {
	t.Parallel()
	b := studytest.Clocked(steps)
	r := judge(t, b)
	require.Len(t, r.Made.Telemetry, 3, "every configuration")
	for _, telemetry := range r.Made.Telemetry {
		require.InDelta(t, 1800, value(t, r, telemetry.Clock), 0, telemetry.Sample)
	}
	f, _ := r.Facts.Get("one/base/start-1/main:sm_clock")
	require.Equal(t, "runs/published/one/base/start-1/gpu.csv", f.Source.File)
	require.Contains(t, strings.Split(b.Starts[0].Files[gpulog.File], "\n")[f.Source.Line-1], "2026-11-30T21:01:01.000Z,0,", "the first of its seconds")
}

// TestAClockIsMissingWhereTheTrialCannotBePlaced: what nobody knows is not guessed.
func TestAClockIsMissingWhereTheTrialCannotBePlaced(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]studytest.Blocks{
		"another client":             edit(studytest.Clocked(steps), "main.json", `"client": {"name": "benchguide bench"}`, `"other": 1`),
		"no date":                    edit(studytest.Clocked(steps), "main.json", `"20261130-210100"`, `null`),
		"the clock of another zone":  edit(studytest.Clocked(steps), "main.json", `"20261130-210100"`, `"20261130-220100"`),
		"before the start":           edit(studytest.Clocked(steps), "main.json", `"20261130-210100"`, `"20261130-205958"`),
		"after the end":              edit(studytest.Clocked(steps), "main.json", `"20261130-210100"`, `"20261130-210440"`),
		"no clock":                   edit(studytest.Clocked(steps), gpulog.File, "clocks.sm", "other"),
		"no such file":               edit(studytest.Clocked(steps), gpulog.File, gpulog.Header(), ""),
		"a trial of which no sample": edit(studytest.Clocked(steps), gpulog.File, "T21:01", "T20:01"),
	} {
		for _, telemetry := range judge(t, b).Made.Telemetry {
			require.Empty(t, telemetry.Clock, name)
		}
	}
}

// TestALongStartDoesNotTellItsZone: in a start of hours, a trial lies inside of it by the
// clocks of several zones.
func TestALongStartDoesNotTellItsZone(t *testing.T) {
	t.Parallel()
	for minutes, known := range map[int]bool{29: true, 30: false} {
		b := studytest.Clocked(steps)
		for i := range b.Starts {
			b.Starts[i].Attempt = strings.Replace(b.Starts[i].Attempt, "21:05:00", fmt.Sprintf("21:%d:00", minutes), 1)
		}
		clock := ""
		for _, telemetry := range judge(t, b).Made.Telemetry {
			clock += telemetry.Clock
		}
		require.Equal(t, known, clock != "", minutes)
	}
}

// TestTelemetryIsOfEveryConfiguration: what a stage did not adopt is told, too, and each
// load's configurations stand together.
func TestTelemetryIsOfEveryConfiguration(t *testing.T) {
	t.Parallel()
	b := studytest.TwoStages()
	b.Each(`"power_watts": {"main": 500}`, studytest.All)
	b.Own = true
	b.Each(`"nonce": "n"`, studytest.All)
	var samples []string
	for _, telemetry := range judge(t, b).Made.Telemetry {
		samples = append(samples, telemetry.Sample)
	}
	require.Equal(t, []string{"one/base/main", "one/fast/main", "one/flat/main", "one/slow/main", "one/same/main",
		"next/incumbent/main", "next/more/main", "next/less/main"}, samples)
}
