package bench_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/metric"
	"benchguide/parse"
)

// counters is what vLLM 0.26 writes, shortened: two engines behind one server.
const counters = `# HELP vllm:spec_decode_num_drafts_total Number of spec decoding drafts.
# TYPE vllm:spec_decode_num_drafts_total counter
vllm:spec_decode_num_drafts_total{engine="0",model_name="m"} 100.0
vllm:spec_decode_num_drafts_total{engine="1",model_name="m"} 58.0
vllm:spec_decode_num_drafts_created{engine="0",model_name="m"} 1.79e+09
vllm:spec_decode_num_draft_tokens_total{engine="0",model_name="m"} 474.0
vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="m"} 234.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="0"} 150.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="1"} 84.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="99999999"} 1.0
vllm:spec_decode_num_drafts_total{engine="0"
vllm:spec_decode_num_draft_tokens_total{engine="0"} NaN
vllm:request_success_total{engine="0"} 5.0
`

// llamaCounters is what llama.cpp's server writes, shortened.
const llamaCounters = `# HELP llamacpp:n_decode_total Total number of llama_decode() calls
llamacpp:n_decode_total 39
# TYPE llamacpp:spec_decode_num_draft_tokens_total counter
llamacpp:spec_decode_num_draft_tokens_total 46
llamacpp:spec_decode_num_accepted_tokens_total 45
llamacpp:spec_decode_num_drafts_total 4
llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 4
llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position="1"} 3
`

func serving(t *testing.T, path, body string) *bench.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return &bench.Client{HTTP: bench.NewHTTP(), Base: server.URL}
}

func TestSpeculationIsReadFromTheServer(t *testing.T) {
	t.Parallel()
	s, ok := serving(t, "/metrics", counters).Speculation(t.Context())
	require.True(t, ok)
	require.Empty(t, cmp.Diff(bench.Speculation{Drafts: 158, Drafted: 474, Accepted: 234, Positions: []float64{150, 84}}, s))
	d, ok := s.Since(bench.Speculation{Drafts: 58, Drafted: 174, Accepted: 84, Positions: []float64{60}})
	require.True(t, ok)
	require.Empty(t, cmp.Diff(bench.Speculation{Drafts: 100, Drafted: 300, Accepted: 150, Positions: []float64{90, 84}}, d))
	require.Equal(t, 50.0, d.Rate())
	require.Equal(t, 2.5, d.Length())

	// llama.cpp's server has the names without labels, and always all of them.
	s, ok = serving(t, "/metrics", llamaCounters).Speculation(t.Context())
	require.True(t, ok)
	require.Empty(t, cmp.Diff(bench.Speculation{Drafts: 4, Drafted: 46, Accepted: 45, Positions: []float64{4, 3}}, s))

	_, ok = s.Since(s)
	require.False(t, ok, "nothing was drafted meanwhile")
	_, ok = serving(t, "/metrics", "vllm:request_success_total 5\n").Speculation(t.Context())
	require.False(t, ok, "the server does not speculate")
	_, ok = serving(t, "/elsewhere", counters).Speculation(t.Context())
	require.False(t, ok, "the server has no metrics")
}

// What is printed of it is what vLLM's client prints: parse reads both the same way.
func TestSpeculationIsPrintedAndWritten(t *testing.T) {
	t.Parallel()
	sum := bench.Summarize(recorded(), bench.Goodput{})
	sum.Speculation = &bench.Speculation{Drafts: 100, Drafted: 300, Accepted: 150, Positions: []float64{90, 60}}
	var block, file bytes.Buffer
	require.NoError(t, bench.WriteBlock(&block, sum, settings()))
	require.NoError(t, bench.WriteJSON(&file, recorded(), sum, settings(), true))
	for name, src := range map[string][]byte{"c.txt": block.Bytes(), "c.json": file.Bytes()} {
		records, _ := parse.Bytes(name, src)
		require.Len(t, records, 1)
		require.Empty(t, records[0].Unknown)
		for id, want := range map[metric.ID]float64{
			metric.AcceptanceRate: 50, metric.AcceptanceLength: 2.5, metric.Drafts: 100, metric.DraftTokens: 300, metric.AcceptedTokens: 150,
			metric.AcceptanceAt(0): 90, metric.AcceptanceAt(1): 60,
		} {
			got, ok := records[0].Number(id)
			require.True(t, ok, "%s in %s", id, name)
			require.InDelta(t, want, got, 1e-9, "%s in %s", id, name)
		}
	}
}
