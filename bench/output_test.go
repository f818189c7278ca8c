package bench_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/metric"
	"benchguide/parse"
)

// recorded is a run of three requests, of which one failed, with known times.
func recorded() bench.Result {
	return bench.Result{
		Began: time.Date(2026, 11, 30, 21, 2, 50, 0, time.UTC), Duration: 2 * time.Second,
		Self: bench.Self{CPU: 0.25, LagP99: 0.5, LagMax: 1},
		Outcomes: []bench.Outcome{
			{Chunks: []time.Duration{100 * ms, 110 * ms, 130 * ms}, End: 140 * ms, Input: 10, Output: 3, Prompt: bench.Prompt{Output: 3}, Text: "a b"},
			{Sent: 50 * ms, Err: "500 Internal Server Error", End: 5 * ms, Prompt: bench.Prompt{Output: 3}},
			{Sent: 60 * ms, Chunks: []time.Duration{200 * ms, 240 * ms}, End: 260 * ms, Input: 20, Output: 2, Prompt: bench.Prompt{Output: 3}},
		},
	}
}

func settings() bench.Settings {
	return bench.Settings{
		Backend: "openai-chat", Model: "m", Dataset: "custom", Lengths: bench.AsGiven, Concurrency: 2, Rate: math.Inf(1), Burstiness: 1,
		Metrics: []string{"ttft", "tpot", "itl", "e2el"}, Percentiles: []float64{50, 99.9},
		Goodput: bench.Goodput{TTFT: 150 * ms},
	}
}

// expected is what the recorded run comes to, computed by hand.
var expected = map[metric.ID]float64{
	metric.CompletedRequests: 2, metric.FailedRequests: 1, metric.MaxConcurrency: 2, metric.Duration: 2,
	metric.InputTokens: 30, metric.OutputTokens: 5, metric.RequestThroughput: 1, metric.RequestGoodput: 0.5,
	metric.OutputThroughput: 2.5, metric.TotalThroughput: 17.5, metric.PeakOutputRate: 5, metric.PeakConcurrency: 2,
	metric.Of(metric.Mean, metric.TTFT): 150, metric.Of(metric.Mean, metric.TPOT): 40, metric.Of(metric.Median, metric.ITL): 20,
	metric.Of(metric.Mean, metric.E2E): 200, metric.Of(metric.Pct(50), metric.TTFT): 150,
}

func numbers(r parse.Record) map[metric.ID]float64 {
	got := map[metric.ID]float64{}
	for id := range expected {
		if n, ok := r.Number(id); ok {
			got[id] = math.Round(n*1e6) / 1e6
		}
	}
	return got
}

func TestOurParserReadsTheBlock(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, bench.WriteBlock(&out, bench.Summarize(recorded(), settings().Goodput), settings()))
	records, problems := parse.Bytes("c2.txt", out.Bytes())
	require.Empty(t, problems)
	require.Len(t, records, 1)
	require.Empty(t, records[0].Problems)
	require.Empty(t, records[0].Unknown)
	require.Empty(t, cmp.Diff(expected, numbers(records[0])))
	require.Equal(t, "benchguide bench", records[0].Producer, "the block is not vLLM's")
	require.Empty(t, records[0].Versions)
	require.Contains(t, records[0].Definitions, parse.ITLEmptyChunks, "the block says that the API is chat")
}

func TestOurParserReadsAndRecomputesTheResultFile(t *testing.T) {
	t.Parallel()
	for _, detail := range []bool{false, true} {
		var out bytes.Buffer
		require.NoError(t, bench.WriteJSON(&out, recorded(), bench.Summarize(recorded(), settings().Goodput), settings(), detail))
		records, problems := parse.Bytes("c2.json", out.Bytes())
		require.Empty(t, problems)
		require.Len(t, records, 1)
		require.Equal(t, "vllm-json", records[0].Format)
		require.Equal(t, "benchguide bench", records[0].Producer)
		require.Empty(t, records[0].Unknown)
		require.Contains(t, records[0].Settings, parse.Setting{Name: "client.prompt_lengths", Text: bench.AsGiven, Line: 1})
		require.NotContains(t, records[0].Definitions, parse.InputByClient)
		require.Empty(t, records[0].Problems, "nothing printed differs from what is recomputed")
		require.Empty(t, cmp.Diff(expected, numbers(records[0])))
		ttft, _ := records[0].Value(metric.Of(metric.Mean, metric.TTFT))
		require.Equal(t, detail, ttft.Recomputed)
	}
}

// A block and a file of one run mean the same, so that either may stand in a study.
func TestBlockAndFileAgreeOnTheirMeaning(t *testing.T) {
	t.Parallel()
	var block, file bytes.Buffer
	sum := bench.Summarize(recorded(), settings().Goodput)
	require.NoError(t, bench.WriteBlock(&block, sum, settings()))
	require.NoError(t, bench.WriteJSON(&file, recorded(), sum, settings(), false))
	a, _ := parse.Bytes("c2.txt", block.Bytes())
	b, _ := parse.Bytes("c2.json", file.Bytes())
	require.ElementsMatch(t, a[0].Definitions, b[0].Definitions)
}

func TestRunWithoutSuccessIsPrintedAndRead(t *testing.T) {
	t.Parallel()
	r := bench.Result{Duration: time.Second, Outcomes: []bench.Outcome{{Err: "refused"}}}
	var out bytes.Buffer
	require.NoError(t, bench.WriteBlock(&out, bench.Summarize(r, bench.Goodput{}), settings()))
	records, _ := parse.Bytes("c.txt", out.Bytes())
	require.Len(t, records, 1)
	failed, _ := records[0].Number(metric.FailedRequests)
	require.Equal(t, 1.0, failed)
	_, measured := records[0].Value(metric.Of(metric.Mean, metric.TTFT))
	require.False(t, measured)
}
