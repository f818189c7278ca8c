package watch_test

import (
	"bytes"
	"encoding/json"
	"strconv"
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

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.Local)

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
		{Kind: run.Phased, Stage: "engine", Candidate: "vllm", Phase: attempt.Starting, Warning: true, Text: "the server does not tell its version"},
		{Kind: run.Phased, Stage: "engine", Candidate: "vllm", Phase: attempt.Starting, Warning: true, Text: "the server does not tell its version"},
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
	got := watch.Render(told(story()), noon.Add(11*time.Minute), watch.Style{Width: 80})
	require.Empty(t, cmp.Diff([]string{
		"qwen3-8b-h100-latency, run 2026-12-01, for 11 min 00 s: 17 starts made",
		"4 to 12 left, about 8 min 40 s to 26 min 00 s",
		"stage kernels (2 of 2), block 2: triton, start 2, try 2",
		"measuring c4, 12,346 tokens/s, for 2 min 00 s (start: 3 min 00 s)",
		"decided: engine: sglang +10.5%, confirmed",
	}, got))
	between := watch.Render(told(story()[:6]), noon.Add(5*time.Minute), watch.Style{Width: 120})
	require.Len(t, between, 2, "between two attempts there is the run only")
}

// What was decided last is what a person looks for, so that no line of it is cut off.
func TestDecisionsTakeAsManyLinesAsTheyNeed(t *testing.T) {
	t.Parallel()
	s := told(story())
	for _, stage := range []string{"kernels", "scheduling"} {
		d := decision()
		d.Stage, d.Adopted, d.Rows = stage, stage+"/something-long", nil
		s.Decided = append(s.Decided, d)
	}
	got := watch.Render(s, noon.Add(11*time.Minute), watch.Style{Width: 80})
	require.Equal(t, []string{
		"decided: engine: sglang +10.5%, confirmed; kernels: something-long",
		"         scheduling: something-long",
	}, got[4:])
}

func TestAQueueSaysItselfWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	s := told(append(story(), run.Event{Kind: run.Phased, Time: noon.Add(11 * time.Minute), Phase: "queued", Text: "in the queue: Priority"}))
	got := watch.Render(s, noon.Add(12*time.Minute), watch.Style{Width: 80})
	require.Equal(t, "in the queue: Priority, for 1 min 00 s (start: 4 min 00 s)", got[3])
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

func TestLinesTellWhatAPersonWantsToKnow(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := watch.NewLines(&out, func() time.Time { return time.Time{} }) // its own looks find nothing that lasts
	for _, e := range story() {
		l.See(e)
	}
	l.Close()
	require.Equal(t, `12:00:00 Run begins.
12:01:00 engine/vllm, start 1.
12:03:00   the server does not tell its version
12:05:00 engine/vllm is measured.
12:06:00 Stage engine: sglang is adopted.
12:07:00 Stage engine: confirmed.
12:08:00 kernels/triton, start 2.
`, out.String())
}

func TestLinesShowThatALongStartIsAlive(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := watch.NewLines(&out, func() time.Time { return time.Time{} })
	began := noon.Add(time.Hour)
	l.See(run.Event{Kind: run.Ordered, Time: began, Text: "kernels/triton, start 3."})
	l.See(run.Event{Kind: run.Phased, Time: began, Phase: attempt.Starting, Text: "starting the server"})
	for second := range 700 {
		l.Look(began.Add(time.Duration(second) * time.Second))
	}
	measuring := began.Add(700 * time.Second)
	l.See(run.Event{Kind: run.Phased, Time: measuring, Phase: attempt.Measuring, Workload: "c4", Tokens: 512})
	l.Look(measuring.Add(9 * time.Second))
	l.Look(measuring.Add(10 * time.Second))
	l.See(run.Event{Kind: run.Finished, Time: measuring.Add(time.Minute), Text: "done."})
	l.Look(measuring.Add(time.Hour))
	l.Close()
	require.Equal(t, `13:00:00 kernels/triton, start 3.
13:00:10   starting the server, for 10 s (start: 10 s)
13:01:00   starting the server, for 1 min 00 s (start: 1 min 00 s)
13:05:00   starting the server, for 5 min 00 s (start: 5 min 00 s)
13:10:00   starting the server, for 10 min 00 s (start: 10 min 00 s)
13:11:50   measuring c4, 512 tokens/s, for 10 s (start: 11 min 50 s)
13:12:40 done.
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
	l.See(run.Event{Kind: run.Finished, Time: noon.Add(time.Hour), Invalid: "requests failed", Text: "not to be used."})
	require.Contains(t, screen(out.String()), "decided: engine: sglang +10.5%, confirmed")
	l.Close()
	require.Equal(t, []string{
		"12:00:00 Run begins.", "12:03:00   the server does not tell its version", "12:04:00   the server does not tell its version",
		"12:06:00 Stage engine: sglang is adopted.", "12:07:00 Stage engine: confirmed.", "13:00:00 not to be used.",
	}, screen(out.String()))
}

// A screen is never cleared before there is something in its place, or it would flicker.
func TestALiveViewIsWrittenOverTheOldOne(t *testing.T) {
	t.Parallel()
	w := &writes{}
	l := watch.NewLive(w, watch.State{Study: "s"}, func() watch.Style { return watch.Style{Width: 80} }, func() time.Time { return noon })
	for _, e := range story() {
		l.See(e)
	}
	l.Close()
	for _, text := range w.list {
		require.LessOrEqual(t, strings.Count(text, "\x1b[J"), 1)
		require.True(t, strings.HasSuffix(text, "\x1b[J"), "what is below is cleared last: %q", text)
	}
}

// writes keeps what was written at once.
type writes struct{ list []string }

func (w *writes) Write(p []byte) (int, error) {
	w.list = append(w.list, string(p))
	return len(p), nil
}

// screen is what a terminal shows in the end.
func screen(text string) []string {
	var lines []string
	at := 0
	for text != "" {
		switch {
		case strings.HasPrefix(text, "\x1b[J"):
			lines, text = lines[:at], text[len("\x1b[J"):]
		case strings.HasPrefix(text, "\x1b["):
			up, rest, _ := strings.Cut(text[len("\x1b["):], "A\r")
			n, _ := strconv.Atoi(up)
			at, text = at-n, rest
		default:
			line, rest, _ := strings.Cut(text, "\n")
			lines = append(lines[:at], append([]string{strings.TrimSuffix(line, "\x1b[K")}, lines[min(at+1, len(lines)):]...)...)
			at, text = at+1, rest
		}
	}
	return lines
}
