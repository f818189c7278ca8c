package fake_test

import (
	"bytes"
	"hash/fnv"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/fake"
)

// bytesOf rehearses a load on a fresh start, behind a handler that disturbs it, and
// returns the block, the result file and the counters.
func bytesOf(t *testing.T, command string, l bench.Load, disturb func(http.Handler) http.Handler) string {
	t.Helper()
	h, err := fake.New(fake.Options{Words: words(command), Seed: 5, TimeScale: 0.001})
	require.NoError(t, err)
	s := httptest.NewServer(disturb(h))
	defer s.Close()
	client := clientOf(s.URL, bench.Chat)
	l.Rehearsal = true
	client.Rehearse(l)
	r, err := bench.Run(t.Context(), client, l)
	require.NoError(t, err)
	set := bench.Settings{Backend: "openai-chat", Model: "m", Dataset: "custom", Lengths: bench.AsGiven, Concurrency: l.Concurrency,
		Rate: math.Inf(1), Burstiness: 1, Metrics: bench.Quantities(), Percentiles: []float64{50, 99}, Rehearsal: true}
	summary := bench.Summarize(r, bench.Goodput{})
	require.Equal(t, len(l.Prompts), summary.Completed)
	var out bytes.Buffer
	require.NoError(t, bench.WriteBlock(&out, summary, set))
	require.NoError(t, bench.WriteJSON(&out, r, summary, set, true))
	resp, err := http.Get(s.URL + "/metrics")
	require.NoError(t, err)
	defer resp.Body.Close()
	_, err = out.ReadFrom(resp.Body)
	require.NoError(t, err)
	return out.String()
}

func undisturbed(h http.Handler) http.Handler { return h }

// delayed holds up each request by another time, so that they arrive in another order.
func delayed(seed uint64) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		var n atomic.Uint64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Duration((seed+n.Add(1))*2654435761%20) * time.Millisecond)
			h.ServeHTTP(w, r)
		})
	}
}

// someLoad has lengths that differ, and prompts that are sent twice with another length.
func someLoad(n int) bench.Load {
	l := bench.Load{Due: make([]time.Duration, n), Concurrency: 4}
	for i := range n {
		h := fnv.New32a()
		h.Write([]byte{byte(i)})
		x := int(h.Sum32() % 97)
		p := bench.Prompt{Text: strings.Repeat("word ", 10+x) + string(rune('a'+i%26)), Output: 5 + x%23}
		if i%5 == 4 {
			p.Text = l.Prompts[i-3].Text
		}
		l.Prompts = append(l.Prompts, p)
		l.Warmups = append(l.Warmups, bench.Prompt{Text: "warm " + p.Text, Output: 3})
	}
	return l
}

func TestARehearsalIsTheSameToTheLastByte(t *testing.T) {
	t.Parallel()
	due, err := bench.Arrivals(40, 20, 1, 1)
	require.NoError(t, err)
	for engine, command := range commands {
		for name, change := range map[string]func(*bench.Load){
			"closed": func(*bench.Load) {},
			"open":   func(l *bench.Load) { l.Due, l.Concurrency = due, 0 },
			"both":   func(l *bench.Load) { l.Due, l.Concurrency = due, 3 },
		} {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				l := someLoad(40)
				change(&l)
				want := bytesOf(t, command, l, undisturbed)
				for seed := range uint64(2) {
					if d := cmp.Diff(want, bytesOf(t, command, l, delayed(seed))); d != "" {
						t.Errorf("after delays (-undisturbed +disturbed):\n%s", d)
					}
				}
			})
		}
	}
}

// TestADifferentLoadHasOtherBytes: the test above could pass with constants.
func TestADifferentLoadHasOtherBytes(t *testing.T) {
	t.Parallel()
	l := someLoad(10)
	other := someLoad(10)
	slices.Reverse(other.Prompts)
	require.NotEqual(t, bytesOf(t, commands["vllm"], l, undisturbed), bytesOf(t, commands["vllm"], other, undisturbed))
}
