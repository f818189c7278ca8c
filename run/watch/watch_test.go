package watch_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/run"
	"benchguide/run/attempt"
	"benchguide/run/watch"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// decision is one of a stage that adopted something.
func decision() run.Decision {
	return run.Decision{Stage: "engine", Incumbent: "engine/vllm", Adopted: "engine/sglang", Changed: true, Block: 3, Gain: 1.12,
		Rows: []run.Row{{Ref: "engine/sglang", Verdict: analyze.Adopted, Ratio: 1.12}}}
}

// story is a run up to the middle of an attempt, a minute from one event to the next.
func story() []run.Event {
	d, again := decision(), decision()
	again.Confirmed = 1.105
	events := []run.Event{
		{Kind: run.Began, Text: "Run begins."},
		{Kind: run.Ordered, Stage: "engine", Candidate: "vllm", Start: 1, Try: 1, Block: 1, Least: 9, Most: 40, Each: 130, Text: "engine/vllm, start 1."},
		{Kind: run.Phased, Stage: "engine", Phase: attempt.Starting, Text: "starting the server"},
		{Kind: run.Finished, Stage: "engine", Text: "engine/vllm is measured."},
		{Kind: run.Decided, Stage: "engine", Decision: &d, Text: "Stage engine: sglang is adopted."},
		{Kind: run.Confirmed, Stage: "engine", Decision: &again, Text: "Stage engine: confirmed."},
		{Kind: run.Ordered, Stage: "kernels", Candidate: "triton", Start: 2, Try: 2, Block: 2, Made: 17, Least: 4, Most: 12, Each: 130, Text: "kernels/triton, start 2."},
		{Kind: run.Phased, Stage: "kernels", Phase: attempt.Measuring, Workload: "c4", Text: "measuring c4"},
		{Kind: run.Phased, Stage: "kernels", Phase: attempt.Measuring, Workload: "c4", Tokens: 12345.6},
	}
	for i := range events {
		events[i].Run, events[i].Time = "2026-12-01", noon.Add(time.Duration(i)*time.Minute)
	}
	return events
}

func told(events []run.Event) watch.State {
	s := watch.State{Study: "qwen3-8b-h100-latency", Stages: []string{"engine", "kernels"}}
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

func TestTheViewShowsWhereTheRunIs(t *testing.T) {
	t.Parallel()
	got := watch.Render(told(story()), noon.Add(9*time.Minute), watch.Style{Width: 120})
	require.Empty(t, cmp.Diff([]string{
		"qwen3-8b-h100-latency, run 2026-12-01, 9 min 00 s: 17 starts made, 4 to 12 left, about 8 min 40 s to 26 min 00 s",
		"stage kernels (2 of 2), block 2: triton, start 2, try 2",
		"measuring c4, 12,346 tokens/s, for 2 min 00 s (start: 3 min 00 s)",
		"decided: engine: sglang +10.5%, confirmed",
	}, got))
	between := watch.Render(told(story()[:4]), noon.Add(5*time.Minute), watch.Style{Width: 120})
	require.Len(t, between, 1, "between two attempts there is the run only")
}

func TestTheViewKeepsToTheTerminal(t *testing.T) {
	t.Parallel()
	for _, width := range []int{0, 21, 40, 79} {
		for _, line := range watch.Render(told(story()), noon.Add(time.Hour), watch.Style{Width: width}) {
			require.LessOrEqual(t, runewidth.StringWidth(line), max(20, width-1))
			require.NotContains(t, line, "\x1b")
		}
	}
	colored := strings.Join(watch.Render(told(story()), noon, watch.Style{Width: 80, Color: true}), "\n")
	require.Contains(t, colored, "\x1b[1mmeasuring")
}

func TestLinesTellEachEventOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &watch.Lines{Out: &out}
	for _, e := range story() {
		l.See(e)
	}
	l.Close()
	require.Equal(t, `12:00:00 Run begins.
12:01:00 engine/vllm, start 1.
12:02:00   starting the server
12:03:00 engine/vllm is measured.
12:04:00 Stage engine: sglang is adopted.
12:05:00 Stage engine: confirmed.
12:06:00 kernels/triton, start 2.
12:07:00   measuring c4
`, out.String())
}

func TestJSONTellsEverything(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	j := &watch.JSON{Out: &out}
	for _, e := range story() {
		j.See(e)
	}
	j.Close()
	var got []run.Event
	dec := json.NewDecoder(&out)
	for dec.More() {
		var e run.Event
		require.NoError(t, dec.Decode(&e))
		got = append(got, e)
	}
	require.Empty(t, cmp.Diff(story(), got))
}

func TestALiveViewLeavesOnlyWhatLasts(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := watch.NewLive(&out, watch.State{Study: "s"}, func() watch.Style { return watch.Style{Width: 80} }, func() time.Time { return noon })
	for _, e := range story() {
		l.See(e)
	}
	l.Close()
	require.Equal(t, []string{"12:00:00 Run begins.", "12:04:00 Stage engine: sglang is adopted.", "12:05:00 Stage engine: confirmed."}, screen(out.String()))
}

// screen is what a terminal shows in the end.
func screen(text string) []string {
	var lines []string
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			up := 0
			for rest[0] >= '0' && rest[0] <= '9' {
				up, rest = 10*up+int(rest[0]-'0'), rest[1:]
			}
			lines = lines[:len(lines)-up]
			text = strings.TrimPrefix(rest, "A\r\x1b[J")
			continue
		}
		line, rest, _ := strings.Cut(text, "\n")
		lines, text = append(lines, line), rest
	}
	return lines
}
