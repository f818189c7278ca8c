package bench_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/bench"
)

const ms = time.Millisecond

func TestTimesOfOneAnswer(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		outcome bench.Outcome
		ttft    time.Duration
		hasTTFT bool
		tpot    time.Duration
		hasTPOT bool
		gaps    []time.Duration
	}{
		"one token a chunk, with the usage after them": {
			bench.Outcome{Chunks: []time.Duration{30 * ms, 40 * ms, 52 * ms}, End: 54 * ms, Output: 3},
			30 * ms, true, 12 * ms, true, []time.Duration{10 * ms, 12 * ms}},
		"empty chunks at both ends are gaps too": {
			bench.Outcome{Chunks: []time.Duration{30 * ms, 31 * ms, 41 * ms, 42 * ms}, End: 42 * ms, Output: 2},
			30 * ms, true, 12 * ms, true, []time.Duration{1 * ms, 10 * ms, 1 * ms}},
		"several tokens a chunk": {
			bench.Outcome{Chunks: []time.Duration{30 * ms, 60 * ms}, End: 60 * ms, Output: 7},
			30 * ms, true, 5 * ms, true, []time.Duration{30 * ms}},
		"one token has no time per further token": {
			bench.Outcome{Chunks: []time.Duration{30 * ms}, End: 31 * ms, Output: 1},
			30 * ms, true, 0, false, []time.Duration{}},
		"no chunk has no times": {
			bench.Outcome{End: 31 * ms, Output: 5}, 0, false, 0, false, []time.Duration{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ttft, hasTTFT := c.outcome.TTFT()
			tpot, hasTPOT := c.outcome.TPOT()
			require.Equal(t, []any{c.ttft, c.hasTTFT, c.tpot, c.hasTPOT}, []any{ttft, hasTTFT, tpot, hasTPOT})
			require.Empty(t, cmp.Diff(c.gaps, c.outcome.Gaps()))
		})
	}
}

func TestTTFTAndGapsAddUpToTheLastChunk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var o bench.Outcome
		at := time.Duration(0)
		for _, gap := range rapid.SliceOfN(rapid.Int64Range(0, 1e9), 1, 50).Draw(t, "gaps") {
			at += time.Duration(gap)
			o.Chunks = append(o.Chunks, at)
		}
		sum, _ := o.TTFT()
		for _, gap := range o.Gaps() {
			sum += gap
		}
		require.Equal(t, at, sum)
	})
}

func TestQueueTimeIsNeverNegative(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3*ms, (&bench.Outcome{Due: 2 * ms, Sent: 5 * ms}).Queued())
	require.Zero(t, (&bench.Outcome{Due: 5 * ms, Sent: 2 * ms}).Queued())
}
