package bench_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/bench"
	"benchguide/parse"
)

func stamped(text string, seconds float64) string {
	return fmt.Sprintf(`{"choices":[{"delta":{"content":%q}}],"benchguide_clock":%.6f}`, text, seconds)
}

const stampedUsage = `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2},"benchguide_clock":0.250001}`

func TestARehearsalTakesTheTimesFromTheStamps(t *testing.T) {
	t.Parallel()
	c := answering(t, http.StatusOK, stream(stamped("a", 0.1), stamped("b", 0.25), stampedUsage, "[DONE]"))
	c.Rehearsal = true
	o := c.Do(t.Context(), bench.Prompt{Text: "x", Output: 2})
	require.Empty(t, o.Err)
	require.Equal(t, []time.Duration{100 * ms, 250 * ms}, o.Chunks)
	require.Equal(t, 100*ms, o.FirstText)
	require.Equal(t, 250*ms+time.Microsecond, o.End)

	c.Rehearsal = false
	o = c.Do(t.Context(), bench.Prompt{Text: "x", Output: 2})
	require.Empty(t, o.Err, "without the mode the field is ignored")
	require.NotEqual(t, 250*ms+time.Microsecond, o.End)
}

func TestARehearsalWithARealServerIsRefused(t *testing.T) {
	t.Parallel()
	for says, body := range map[string]string{
		"this server is no fake engine": stream(content("a"), usage(1, 1), "[DONE]"),
		"which is no time in seconds":   stream(`{"choices":[{"delta":{"content":"a"}}],"benchguide_clock":-1}`),
	} {
		c := answering(t, http.StatusOK, body)
		c.Rehearsal = true
		o := c.Do(t.Context(), bench.Prompt{Text: "x", Output: 1})
		require.Contains(t, o.Err, says)
		require.Zero(t, o.End, "no time of this machine is kept")
	}
}

func TestTheLoadIsStated(t *testing.T) {
	t.Parallel()
	due := []time.Duration{time.Second, 4 * time.Second}
	for name, c := range map[string]struct {
		load bench.Load
		want map[string]string
	}{
		"closed":          {bench.Load{Prompts: prompts("p", 9), Due: make([]time.Duration, 9), Concurrency: 4}, map[string]string{bench.LoadHeader: "4"}},
		"fewer prompts":   {bench.Load{Prompts: prompts("p", 2), Due: make([]time.Duration, 2), Concurrency: 4}, map[string]string{bench.LoadHeader: "2"}},
		"all at once":     {bench.Load{Prompts: prompts("p", 9), Due: make([]time.Duration, 9)}, map[string]string{bench.LoadHeader: "9"}},
		"open":            {bench.Load{Prompts: prompts("p", 2), Due: due}, map[string]string{bench.LoadHeader: "2", bench.RateHeader: "0.5"}},
		"open and closed": {bench.Load{Prompts: prompts("p", 2), Due: due, Concurrency: 1}, map[string]string{bench.LoadHeader: "1", bench.RateHeader: "0.5"}},
	} {
		require.Equal(t, c.want, c.load.States(), name)
	}
	seen := make(chan http.Header, 1)
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		io.WriteString(w, stream(stamped("a", 0.1), stampedUsage, "[DONE]"))
	})
	c.Headers = map[string]string{"X-Own": "1"}
	c.Rehearse(bench.Load{Prompts: prompts("p", 9), Concurrency: 3})
	require.Empty(t, c.Do(t.Context(), bench.Prompt{Text: "x", Output: 1}).Err)
	h := <-seen
	require.Equal(t, "3", h.Get(bench.LoadHeader))
	require.Equal(t, "1", h.Get("X-Own"))
}

// TestTheTimelineOfARun checks what holds for any outcomes.
func TestTheTimelineOfARun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lasts := rapid.SliceOfN(rapid.Int64Range(0, 5000), 1, 60).Draw(t, "lasts")
		places := rapid.IntRange(0, 8).Draw(t, "places")
		outcomes, due := make([]bench.Outcome, len(lasts)), make([]time.Duration, len(lasts))
		at, work, longest := time.Duration(0), time.Duration(0), time.Duration(0)
		open := rapid.Bool().Draw(t, "open")
		for i, d := range lasts {
			outcomes[i].End = time.Duration(d) * time.Millisecond
			if open {
				at += time.Duration(rapid.Int64Range(0, 1000).Draw(t, "gap")) * time.Millisecond
			}
			due[i] = at
			work += outcomes[i].End
			longest = max(longest, outcomes[i].End)
		}
		r := bench.Timeline(outcomes, due, places)
		require.Len(t, r.Outcomes, len(lasts))

		end, latest := time.Duration(0), time.Duration(0)
		for i, o := range r.Outcomes {
			require.GreaterOrEqual(t, o.Sent, due[i], "none is early")
			require.GreaterOrEqual(t, o.Sent, latest, "in the order of the prompts")
			latest, end = o.Sent, max(end, o.Sent+o.End)
			require.True(t, o.Sent == due[i] || places > 0, "who needs no place does not wait")
		}
		require.Equal(t, end, r.Duration)
		require.GreaterOrEqual(t, r.Duration, longest)
		if places > 0 {
			require.GreaterOrEqual(t, r.Duration, work/time.Duration(places))
			require.LessOrEqual(t, r.Duration, at+work/time.Duration(places)+longest, "no place stays free while somebody waits")
			require.LessOrEqual(t, mostAtOnce(r.Outcomes), places)
		}
		if places == 1 && !open {
			require.Equal(t, work, r.Duration)
		}
	})
}

// mostAtOnce counts the requests under way at each beginning, the plain way.
func mostAtOnce(outcomes []bench.Outcome) int {
	most := 0
	for _, o := range outcomes {
		n := 0
		for _, p := range outcomes {
			if p.Sent <= o.Sent && o.Sent < p.Sent+p.End {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func TestAClosedLoopByHand(t *testing.T) {
	t.Parallel()
	outcomes := []bench.Outcome{{End: 3 * time.Second}, {End: time.Second}, {End: time.Second}, {End: 5 * time.Second}, {End: time.Second}}
	r := bench.Timeline(outcomes, make([]time.Duration, 5), 2)
	var sent []time.Duration
	for _, o := range r.Outcomes {
		sent = append(sent, o.Sent)
	}
	require.Equal(t, []time.Duration{0, 0, time.Second, 2 * time.Second, 3 * time.Second}, sent)
	require.Equal(t, 7*time.Second, r.Duration)
}

// TestARehearsedRunKeepsNoTimeOfThisMachine runs against a server that needs its time.
func TestARehearsedRunKeepsNoTimeOfThisMachine(t *testing.T) {
	t.Parallel()
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		io.WriteString(w, stream(stamped("a", 0.1), stampedUsage, "[DONE]"))
	})
	l := bench.Load{Prompts: prompts("p", 6), Due: make([]time.Duration, 6), Concurrency: 2, Rehearsal: true, Warmups: prompts("w", 2)}
	c.Rehearse(l)
	r, err := bench.Run(t.Context(), c, l)
	require.NoError(t, err)
	require.Equal(t, 3*(250*ms+time.Microsecond), r.Duration)
	require.Zero(t, r.Began)
	require.Equal(t, bench.Self{CPU: -1}, r.Self)
	require.Empty(t, r.Self.Bounded())
}

func TestARehearsedResultSaysSo(t *testing.T) {
	t.Parallel()
	set := settings()
	set.Rehearsal = true
	var block, file bytes.Buffer
	require.NoError(t, bench.WriteBlock(&block, bench.Summarize(recorded(), set.Goodput), set))
	require.Contains(t, block.String(), "rehearsal=True")
	early, late := recorded(), recorded()
	late.Began = late.Began.Add(time.Hour)
	for _, r := range []bench.Result{early, late} {
		var text bytes.Buffer
		require.NoError(t, bench.WriteJSON(&text, r, bench.Summarize(r, set.Goodput), set, true))
		require.Contains(t, text.String(), `"date": null`)
		require.Contains(t, text.String(), `"rehearsal":true`)
		require.True(t, file.Len() == 0 || bytes.Equal(file.Bytes(), text.Bytes()))
		file = text
	}
	for name, text := range map[string][]byte{"c.txt": block.Bytes(), "c.json": file.Bytes()} {
		records, problems := parse.Bytes(name, text)
		require.Empty(t, problems)
		require.Len(t, records, 1)
		require.Empty(t, records[0].Problems)
		require.Empty(t, cmp.Diff(expected, numbers(records[0])), name)
	}
}

// TestRepeatedPromptsWaitForEachOther: of two that are alike the first must be answered
// first, however many places there are.
func TestRepeatedPromptsWaitForEachOther(t *testing.T) {
	t.Parallel()
	lines := make(chan string, 100)
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := "one"
		if bytes.Contains(body, []byte(`"max_tokens":2`)) {
			id = "two"
		}
		lines <- "begin " + id
		if id == "one" {
			time.Sleep(20 * time.Millisecond)
		}
		lines <- "end " + id
		io.WriteString(w, stream(stamped("a", 0.1), stampedUsage, "[DONE]"))
	})
	l := bench.Load{Prompts: []bench.Prompt{{Text: "same", Output: 1}, {Text: "same", Output: 2}}, Due: make([]time.Duration, 2), Concurrency: 2, Rehearsal: true}
	c.Rehearse(l)
	_, err := bench.Run(t.Context(), c, l)
	require.NoError(t, err)
	close(lines)
	require.Equal(t, []string{"begin one", "end one", "begin two", "end two"}, slices.Collect(func(yield func(string) bool) {
		for s := range lines {
			if !yield(s) {
				return
			}
		}
	}))
}
