package bench_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
)

// recorder is a sender that notes what it was asked, and how much of it at once.
type recorder struct {
	answer func(ctx context.Context, p bench.Prompt) bench.Outcome

	mu        sync.Mutex
	sent      []string
	now, most int
}

func (r *recorder) Do(ctx context.Context, p bench.Prompt) bench.Outcome {
	r.mu.Lock()
	r.sent = append(r.sent, p.Text)
	r.now++
	r.most = max(r.most, r.now)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.now--
		r.mu.Unlock()
	}()
	return r.answer(ctx, p)
}

func well(_ context.Context, p bench.Prompt) bench.Outcome {
	return bench.Outcome{Prompt: p, Chunks: []time.Duration{ms}, End: ms, Input: 1, Output: 1}
}

func prompts(prefix string, n int) []bench.Prompt {
	all := make([]bench.Prompt, n)
	for i := range all {
		all[i] = bench.Prompt{Text: fmt.Sprintf("%s%d", prefix, i), Output: 1}
	}
	return all
}

func TestPromptsAreSentInOrderAfterTheWarmUp(t *testing.T) {
	t.Parallel()
	s := &recorder{answer: well}
	r, err := bench.Run(t.Context(), s, bench.Load{
		Prompts: prompts("p", 3), Warmups: prompts("w", 2), Due: make([]time.Duration, 3), Concurrency: 1,
	})
	require.NoError(t, err)
	require.Equal(t, []string{"w0", "w1", "p0", "p1", "p2"}, s.sent)
	for i, o := range r.Outcomes {
		require.Equal(t, fmt.Sprintf("p%d", i), o.Prompt.Text)
	}
}

func TestConcurrencyIsNeverExceeded(t *testing.T) {
	t.Parallel()
	s := &recorder{answer: func(ctx context.Context, p bench.Prompt) bench.Outcome {
		time.Sleep(ms)
		return well(ctx, p)
	}}
	r, err := bench.Run(t.Context(), s, bench.Load{Prompts: prompts("p", 40), Due: make([]time.Duration, 40), Concurrency: 4})
	require.NoError(t, err)
	require.Len(t, s.sent, 40)
	require.LessOrEqual(t, s.most, 4)
	require.Positive(t, r.Outcomes[39].Queued(), "the last waited for places")
}

// Without a limit all are under way at once: each answer waits for the last request.
func TestWithoutALimitAllAreUnderWayAtOnce(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	all.Add(20)
	s := &recorder{answer: func(ctx context.Context, p bench.Prompt) bench.Outcome {
		all.Done()
		all.Wait()
		return well(ctx, p)
	}}
	_, err := bench.Run(t.Context(), s, bench.Load{Prompts: prompts("p", 20), Due: make([]time.Duration, 20)})
	require.NoError(t, err)
	require.Equal(t, 20, s.most)
}

func TestNothingIsSentBeforeItIsDue(t *testing.T) {
	t.Parallel()
	due := []time.Duration{0, 20 * ms, 40 * ms}
	r, err := bench.Run(t.Context(), &recorder{answer: well}, bench.Load{Prompts: prompts("p", 3), Due: due})
	require.NoError(t, err)
	for i, o := range r.Outcomes {
		require.GreaterOrEqual(t, o.Sent, due[i])
		require.Equal(t, due[i], o.Due)
	}
}

func hang(ctx context.Context, p bench.Prompt) bench.Outcome {
	<-ctx.Done()
	return bench.Outcome{Prompt: p, Err: context.Cause(ctx).Error()}
}

func TestDeadlineEndsARunAndKeepsIt(t *testing.T) {
	t.Parallel()
	r, err := bench.Run(t.Context(), &recorder{answer: hang}, bench.Load{
		Prompts: prompts("p", 3), Due: make([]time.Duration, 3), Concurrency: 1, Deadline: 20 * ms,
	})
	require.NoError(t, err)
	require.Len(t, r.Outcomes, 3)
	for _, o := range r.Outcomes {
		require.Contains(t, o.Err, "the deadline of the run, 20ms, has passed")
	}
	require.Contains(t, r.Outcomes[2].Err, "not sent")
}

func TestStoppedRunIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &recorder{answer: func(ctx context.Context, p bench.Prompt) bench.Outcome {
		cancel()
		return hang(ctx, p)
	}}
	_, err := bench.Run(ctx, s, bench.Load{Prompts: prompts("p", 3), Due: make([]time.Duration, 3), Concurrency: 1})
	require.ErrorIs(t, err, context.Canceled)
}

func TestWarmUpThatFailsThroughoutEndsTheRun(t *testing.T) {
	t.Parallel()
	s := &recorder{answer: func(_ context.Context, p bench.Prompt) bench.Outcome { return bench.Outcome{Err: "no such model"} }}
	_, err := bench.Run(t.Context(), s, bench.Load{Prompts: prompts("p", 1), Due: make([]time.Duration, 1), Warmups: prompts("w", 2)})
	require.ErrorContains(t, err, "all 2 warm-up requests failed, the first with: no such model")
	require.Len(t, s.sent, 2)
}

func TestClientThatBoundsTheRunSaysSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		self bench.Self
		want string
	}{
		"idle":                   {bench.Self{CPU: 0.1, LagP99: 1}, ""},
		"just below":             {bench.Self{CPU: 0.79, LagP99: 4.9}, ""},
		"busy":                   {bench.Self{CPU: 0.8}, "80 % of its cores"},
		"late":                   {bench.Self{CPU: 0.1, LagP99: 5}, "5.0 ms late"},
		"late for quick answers": {bench.Self{CPU: 0.1, LagP99: 5, TTFT: 99}, "5.0 ms late"},
		"not for slow ones":      {bench.Self{CPU: 0.1, LagP99: 19.9, TTFT: 400}, ""},
		"late for slow ones":     {bench.Self{CPU: 0.1, LagP99: 20, TTFT: 400}, "20.0 ms late"},
		"late for any":           {bench.Self{CPU: 0.1, LagP99: 25, TTFT: 9000}, "25.0 ms late"},
		"busy, cores not known":  {bench.Self{CPU: -1}, ""},
	} {
		got := c.self.Bounded()
		require.Contains(t, got, c.want, name)
		require.Equal(t, c.want == "", got == "", name)
	}
}
