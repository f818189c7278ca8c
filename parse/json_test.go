package parse_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

const jsonFixtures = "json/"

// one reads a text that holds one result.
func one(t testing.TB, name string, src []byte) parse.Record {
	t.Helper()
	records, problems := parse.Bytes(name, src)
	require.Empty(t, problems, name)
	require.Len(t, records, 1, name)
	return records[0]
}

func codes(r parse.Record) []string {
	var all []string
	for _, p := range r.Problems {
		all = append(all, p.Code)
	}
	return all
}

// The values that the outputs' index gives, which were found by hand and by other
// programs: done, failed, s, out, total, TTFT, TPOT, ITL, E2E; NaN where there is none.
func TestReadsEveryClientsJSON(t *testing.T) {
	t.Parallel()
	no := math.NaN()
	for _, c := range []struct {
		file     string
		index    int
		producer string
		versions string
		want     [9]float64
	}{
		{"vllm-0.4.3-sharegpt.json", 0, "vllm benchmark_serving.py", "v0.4.0 to v0.5.5", [9]float64{30, 0, 5.86, 219.38, 551.95, 87.36, 14.79, 15.03, 716.11}},
		{"vllm-0.6.6.post1-goodput.json", 0, "vllm benchmark_serving.py", "v0.6.4 to v0.6.6.post1", [9]float64{30, 0, 2.18, 292.09, 1183.91, 64.16, 10.75, 10.73, 281.79}},
		{"vllm-0.9.2-random-multitoken-detailed.json", 0, "vllm benchmark_serving.py", "v0.9.2 to v0.10.2", [9]float64{30, 0, 2.80, 228.99, 1598.67, 58.00, 3.66, 7.70, 133.96}},
		{"vllm-0.26.0-append-two-runs.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{36, 0, 8.64, 100.03, 671.02, 64.27, 10.52, 9.68, no}},
		{"vllm-0.26.0-append-two-runs.json", 1, "vllm bench serve", "v0.17.0 or later", [9]float64{24, 0, 2.67, 215.97, 1448.82, 75.13, 10.96, 10.08, no}},
		{"vllm-0.26.0-goodput-multitoken-detailed.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{32, 0, 2.14, 718.15, 4548.28, 72.81, 3.91, 10.11, 256.36}},
		{"vllm-0.26.0-percentiles.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{40, 0, 3.82, 302.69, 1083.23, 69.21, 11.41, 10.62, 386.87}},
		{"vllm-0.26.0-reasoning.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{24, 0, 4.70, 245.11, 944.70, 63.13, 11.03, 10.57, no}},
		{"vllm-0.26.0-sweep-c1-summary.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{8, 0, 2.18, 88.15, 591.32, 51.45, 9.59, 8.82, 271.92}},
		{"vllm-0.26.0-sweep-c1-summary.json", 1, "vllm bench serve", "v0.17.0 or later", [9]float64{8, 0, 2.24, 85.71, 574.95, 54.15, 9.81, 9.02, 279.70}},
		{"h200-vllm-0.26.0-c1.1.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{25, 0, 31.79, 188.35, 340.50, 23.15, 5.21, 5.21, 1270.94}},
		{"h200-vllm-0.26.0-server-died.json", 0, "vllm bench serve", "v0.17.0 or later", [9]float64{0, 100, 0.22, 0, 0, no, no, no, no}},
		{"sglang-0.3.6-sharegpt.jsonl", 0, "sglang bench_serving", "v0.2.12 to v0.3.6", [9]float64{30, no, 3.25, 295.02, no, no, no, no, 393.73}},
		{"sglang-0.4.1.post5-multitoken.jsonl", 0, "sglang bench_serving", "v0.4.1.post5 to v0.4.1.post7", [9]float64{30, no, 3.11, 309.04, 939.67, 54.27, 3.80, 9.92, 172.04}},
		{"sglang-0.5.4-multitoken.jsonl", 0, "sglang bench_serving", "v0.5.3.post1 to v0.5.4.post1", [9]float64{30, 0, 3.11, 308.25, 937.29, 58.08, 4.14, 10.53, 186.29}},
		{"sglang-0.5.17-two-runs.jsonl", 1, "sglang bench_serving", "v0.5.14 or later", [9]float64{30, no, 3.71, 258.64, 808.26, 58.32, 10.02, 10.02, 369.03}},
		{"sglang-0.5.17-some-failed-details.jsonl", 0, "sglang bench_serving", "v0.5.14 or later", [9]float64{30, 6, 3.03, 316.71, 1583.56, 64.98, 10.11, 10.11, 378.49}},
		{"sglang-0.5.17-chat-multitoken-details.jsonl", 0, "sglang bench_serving", "v0.5.14 or later", [9]float64{24, 0, 2.08, 554.20, 2032.06, 63.47, 4.03, 9.93, 252.94}},
	} {
		t.Run(fmt.Sprintf("%s %d", c.file, c.index), func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes(c.file, fixture(t, jsonFixtures+c.file))
			require.Empty(t, problems)
			require.Greater(t, len(records), c.index)
			r := records[c.index]
			require.Equal(t, c.producer, r.Producer)
			require.Equal(t, c.versions, r.Versions)
			require.True(t, r.Usable(), "%v", r.Problems)
			require.Empty(t, r.Unknown)
			var got [9]float64
			for i, id := range headline() {
				got[i] = no
				if n, ok := r.Number(id); ok {
					got[i] = n
				}
			}
			// The index gives what was printed; a request's last token comes a little before its end.
			if diff := cmp.Diff(c.want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0.005, 0.006)); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThePrintedValueStaysBesideTheRecomputedOne(t *testing.T) {
	t.Parallel()
	r := one(t, "x", fixture(t, jsonFixtures+"h200-vllm-0.26.0-c1.1.json"))
	tpot, ok := r.Value("mean_tpot")
	require.True(t, ok)
	require.True(t, tpot.Recomputed)
	require.False(t, tpot.Derived)
	require.Equal(t, "mean_tpot_ms", tpot.Label)
	require.InDelta(t, 5.21126, tpot.Printed, 1e-4)
	require.InDelta(t, 5.20999, tpot.Number, 1e-4)
	e2e, ok := r.Value("mean_e2e_latency")
	require.True(t, ok)
	require.True(t, e2e.Recomputed && e2e.Derived, "it was not printed")
	require.Empty(t, e2e.Text)
	require.Empty(t, r.Problems, "the usage chunk explains the difference")
}

func TestAValueThatTheListsContradictIsAFinding(t *testing.T) {
	t.Parallel()
	src := string(fixture(t, jsonFixtures+"vllm-0.26.0-goodput-multitoken-detailed.json"))
	for key, id := range map[string]metric.ID{
		"output_throughput": metric.OutputThroughput, "completed": metric.CompletedRequests, "failed": metric.FailedRequests,
		"mean_ttft_ms": "mean_ttft", "p99_ttft_ms": "p99_ttft", "mean_e2el_ms": "mean_e2e_latency", "mean_tpot_ms": "mean_tpot",
		"total_output_tokens": metric.OutputTokens, "mean_itl_ms": "mean_itl", "std_itl_ms": "std_itl", "p99_itl_ms": "p99_itl",
	} {
		_, rest, found := strings.Cut(src, `"`+key+`": `)
		require.True(t, found, key)
		number, _, _ := strings.Cut(rest, ",")
		edited := strings.Replace(src, `"`+key+`": `+strings.TrimSuffix(number, "}"), `"`+key+`": 7777`, 1)
		r := one(t, "edited", []byte(edited))
		require.Contains(t, codes(r), parse.CodeRecomputed, key)
		require.Contains(t, r.Problems[slices.Index(codes(r), parse.CodeRecomputed)].Message, "7777", key)
		v, ok := r.Value(id)
		require.True(t, ok, key)
		if key != "p99_itl_ms" { // only checked: the gaps are not held
			require.NotEqual(t, 7777.0, v.Number, "%s is not recomputed", key)
			require.Equal(t, 7777.0, v.Printed, key)
		}
	}
}

func TestFailuresAreCountedFromTheErrors(t *testing.T) {
	t.Parallel()
	r := one(t, "x", fixture(t, jsonFixtures+"sglang-0.5.17-some-failed-details.jsonl"))
	failed, ok := r.Value(metric.FailedRequests)
	require.True(t, ok)
	require.Equal(t, 6.0, failed.Number)
	require.True(t, failed.Derived && failed.Recomputed)
	require.Contains(t, r.Definitions, parse.FailuresHidden)

	// Without the lists, only a client that says how many were to be sent tells.
	r = one(t, "x", []byte(`{"model_id": "m", "tokenizer_id": "m", "num_prompts": 10, "duration": 1.0, "completed": 8, "total_input_tokens": 1, "total_output_tokens": 16, "request_throughput": 8.0}`))
	failed, _ = r.Value(metric.FailedRequests)
	require.Equal(t, 2.0, failed.Number)
	require.Equal(t, []metric.ID{metric.TotalRequests, metric.CompletedRequests}, failed.From)
}

func TestDefinitionsFollowTheData(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]struct {
		has, lacks []parse.Definition
	}{
		"vllm-0.26.0-append-two-runs.json":             {[]parse.Definition{parse.ITLEmptyChunks, parse.TPOTDecodeOnly, parse.PeakPerChunk}, []parse.Definition{parse.FailuresHidden}},
		"vllm-0.26.0-goodput-multitoken-detailed.json": {[]parse.Definition{parse.ITLPerChunk}, []parse.Definition{parse.ITLEmptyChunks}},
		"vllm-0.6.6.post1-goodput.json":                {[]parse.Definition{parse.ITLPerChunk, parse.FailuresHidden, parse.InputByClient}, []parse.Definition{parse.ITLEmptyChunks, parse.PeakPerChunk}},
		"h200-vllm-0.26.0-c1.1.json":                   {[]parse.Definition{parse.ITLEmptyChunks}, nil},
		"h200-vllm-0.26.0-server-died.json":            {nil, []parse.Definition{parse.TPOTDecodeOnly, parse.ITLPerChunk}},
		"sglang-0.4.1.post5-multitoken.jsonl":          {[]parse.Definition{parse.OutputAsAsked, parse.FailuresHidden}, []parse.Definition{parse.PeakPerChunk}},
		"sglang-0.5.17-chat-multitoken-details.jsonl":  {[]parse.Definition{parse.ITLPerChunk, parse.PeakPerChunk}, []parse.Definition{parse.ITLPerToken, parse.OutputAsAsked}},
	} {
		records, _ := parse.Bytes(file, fixture(t, jsonFixtures+file))
		require.NotEmpty(t, records, file)
		for _, d := range want.has {
			require.Contains(t, records[0].Definitions, d, file)
		}
		for _, d := range want.lacks {
			require.NotContains(t, records[0].Definitions, d, file)
		}
	}
}

// SGLang divides the printed gaps by their tokens when its server speculates, and
// keeps the gaps as they came: the canonical value is that of the lists.
func TestITLOfASpeculatingSGLangServer(t *testing.T) {
	t.Parallel()
	const result = `{"backend": %q, "dataset_name": "random", "request_rate": Infinity, "duration": 1.0, "completed": 1, "total_input_tokens": 5, "total_output_tokens": 5, ` +
		`"total_output_tokens_retokenized": 5, "mean_itl_ms": 5.0, "median_itl_ms": 5.0, "accept_length": 2.0%s}`
	const lists = `, "output_lens": [5], "ttfts": [0.1], "itls": [[0.01, 0.01]], "errors": [""]`
	plain := one(t, "x", fmt.Appendf(nil, result, "sglang-oai-chat", ""))
	require.Contains(t, plain.Definitions, parse.ITLPerToken)
	require.Equal(t, 5.0, must(t, plain, "mean_itl"))
	detailed := one(t, "x", fmt.Appendf(nil, result, "sglang-oai-chat", lists))
	require.Empty(t, detailed.Problems)
	require.Contains(t, detailed.Definitions, parse.ITLPerChunk)
	require.InDelta(t, 10.0, must(t, detailed, "mean_itl"), 1e-9)
	_, ok := detailed.Number("median_itl")
	require.False(t, ok, "it is a median of other numbers")
	native := one(t, "x", fmt.Appendf(nil, result, "sglang", ""))
	require.Contains(t, native.Definitions, parse.ITLPerToken)
	other := one(t, "x", fmt.Appendf(nil, result, "vllm-chat", lists))
	require.Contains(t, codes(other), parse.CodeRecomputed)
}

func must(t testing.TB, r parse.Record, id metric.ID) float64 {
	t.Helper()
	n, ok := r.Number(id)
	require.True(t, ok, "%s is missing", id)
	return n
}

func TestNothingIsMadeOfAnswersThatCameInOnePiece(t *testing.T) {
	t.Parallel()
	r := one(t, "x", []byte(`{"backend": "sglang", "dataset_name": "random", "request_rate": 4.0, "duration": 1.0, "completed": 2, "total_input_tokens": 5,
"total_output_tokens": 10, "total_output_tokens_retokenized": 10, "mean_e2e_latency_ms": 150.0, "mean_ttft_ms": 150.0, "mean_tpot_ms": 0.0, "mean_itl_ms": 0.0,
"output_lens": [5, 5], "ttfts": [0.1, 0.2], "itls": [[], []], "errors": ["", ""]}`))
	for _, id := range []metric.ID{"mean_ttft", "mean_tpot", "mean_itl", "median_ttft"} {
		_, ok := r.Number(id)
		require.False(t, ok, "%s was not measured", id)
	}
	require.InDelta(t, 150.0, must(t, r, "mean_e2e_latency"), 1e-9)
	require.True(t, r.Usable())
}

func TestWhatTheServerWasStartedWithIsNeverShown(t *testing.T) {
	t.Parallel()
	src := bytes.Replace(fixture(t, jsonFixtures+"sglang-0.5.17-two-runs.jsonl"), []byte(`"server_info": null`),
		[]byte(`"server_info": {"host": "10.1.2.3", "api_key": "sesame", "internal_states": [{"path": "/home/me"}]}`), -1)
	records, problems := parse.Bytes("x", src)
	require.Empty(t, problems)
	require.Len(t, records, 2)
	shown := fmt.Sprintf("%+v", records)
	for _, secret := range []string{"sesame", "10.1.2.3", "/home/me"} {
		require.NotContains(t, shown, secret)
	}
}

func TestEveryJSONValueStandsInItsLine(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(fixtures, jsonFixtures, "*.json*"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		lines := strings.Split(string(src), "\n")
		records, _ := parse.Bytes(name, src)
		for _, r := range records {
			for _, v := range r.Values {
				line := lines[v.Line-1]
				if !v.Derived && (!strings.Contains(line, `"`+v.Label+`"`) || !strings.Contains(line, v.Text)) {
					t.Errorf("%s:%d: this is not the line of %s %q %q", name, v.Line, v.Metric, v.Label, v.Text)
				}
				if _, ok := metric.Lookup(v.Metric); !ok {
					t.Errorf("%s: metric %s is not declared", name, v.Metric)
				}
			}
		}
	}
}

func TestRequestsAreHandedOnAsTheyStand(t *testing.T) {
	t.Parallel()
	src := fixture(t, jsonFixtures+"vllm-0.26.0-goodput-multitoken-detailed.json")
	var want struct {
		Input  []float64   `json:"input_lens"`
		Output []float64   `json:"output_lens"`
		Start  []float64   `json:"start_times"`
		TTFT   []float64   `json:"ttfts"`
		Gaps   [][]float64 `json:"itls"`
		Errors []string    `json:"errors"`
	}
	require.NoError(t, json.Unmarshal(src, &want))
	var got []parse.Requests
	problems, err := parse.ReadRequests("x", bytes.NewReader(src), func(q parse.Requests) { got = append(got, q) })
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Len(t, got, 1)
	e2e := make([]float64, len(want.TTFT))
	for i := range e2e {
		e2e[i] = want.TTFT[i]
		for _, g := range want.Gaps[i] {
			e2e[i] += g
		}
	}
	wanted := parse.Requests{File: "x", Line: 1, Input: want.Input, Output: want.Output, Start: want.Start, TTFT: want.TTFT, E2E: e2e, Gaps: want.Gaps, Errors: want.Errors}
	if diff := cmp.Diff(wanted, got[0], cmpopts.EquateApprox(1e-15, 0)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// TestOnlyOurOwnClientSaysWhenItBegan: vLLM's date is when its file was written, and a
// rehearsal has no time.
func TestOnlyOurOwnClientSaysWhenItBegan(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 12, 1, 3, 59, 29, 0, time.UTC)
	for _, c := range []struct {
		date, client string
		want         time.Time
	}{
		{`"20261201-035929"`, `{"name": "benchguide bench"}`, began},
		{`"20261201-035929"`, `{"name": "other"}`, time.Time{}},
		{`"20261201-035929"`, `null`, time.Time{}},
		{`"2026-12-01"`, `{"name": "benchguide bench"}`, time.Time{}},
		{`null`, `{"name": "benchguide bench"}`, time.Time{}},
	} {
		src := fmt.Sprintf(`{"date": %s, "model_id": "m", "completed": 1, "total_input_tokens": 1, "input_lens": [1], "output_lens": [1], "ttfts": [0.1], "client": %s}`, c.date, c.client)
		var got []parse.Requests
		_, err := parse.ReadRequests("x", strings.NewReader(src), func(q parse.Requests) { got = append(got, q) })
		require.NoError(t, err)
		require.Len(t, got, 1, src)
		require.Equal(t, c.want, got[0].Began, src)
	}
}

func TestAFileWithoutRequestsSaysSo(t *testing.T) {
	t.Parallel()
	for _, src := range [][]byte{fixture(t, jsonFixtures+"vllm-0.26.0-percentiles.json"), []byte(base(t)), nil} {
		problems, err := parse.ReadRequests("x", bytes.NewReader(src), func(parse.Requests) { t.Error("requests were made up") })
		require.NoError(t, err)
		require.Equal(t, []found{{parse.CodeNoResult, parse.Error, 0}}, foundIn(nil, problems))
	}
}

// A summary is what was printed: the lists are passed over.
func TestASummaryHoldsThePrintedValues(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(fixtures, jsonFixtures, "*.json*"))
	require.NoError(t, err)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		var summaries []parse.Record
		problems, err := parse.Summarize(name, bytes.NewReader(src), func(r parse.Record) { summaries = append(summaries, r) })
		require.NoError(t, err)
		require.Empty(t, problems)
		records, _ := parse.Bytes(name, src)
		require.Len(t, summaries, len(records))
		for i, r := range records {
			if diff := cmp.Diff(printed(r), printed(summaries[i])); diff != "" {
				t.Errorf("%s (-records +summary):\n%s", name, diff)
			}
			for _, v := range summaries[i].Values {
				require.False(t, v.Recomputed, "%s %s", name, v.Metric)
			}
		}
	}
}

// printed returns the values that stand in the file, by metric.
func printed(r parse.Record) map[metric.ID]float64 {
	all := map[metric.ID]float64{}
	for _, v := range r.Values {
		switch {
		case v.Text == "":
		case v.Recomputed:
			all[v.Metric] = v.Printed
		default:
			all[v.Metric] = v.Number
		}
	}
	return all
}
