package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/parse"
)

// In a table every column, or every row, is a run; columns that compare runs are none.
func TestReadsTables(t *testing.T) {
	t.Parallel()
	records, problems := parse.Bytes("tables.md", fixture(t, "tables.md"))
	require.Empty(t, problems)
	var got []string
	for _, r := range records {
		require.True(t, r.Usable(), "%v", r.Problems)
		if r.Format != "serving-table" {
			continue
		}
		var cells []string
		for _, v := range r.Values {
			cells = append(cells, fmt.Sprintf("%s=%v", v.Metric, v.Number))
		}
		got = append(got, strings.Join(r.Labels[:len(r.Labels)-1], ", ")+": "+strings.Join(cells, " "))
	}
	want := []string{
		"Engine A: completed_requests=1000 duration=50 total_throughput=1234.5 mean_ttft=100.1 mean_tpot=10",
		"Engine B: completed_requests=998 duration=40 total_throughput=1543.12 mean_ttft=90.2 mean_tpot=9",
		"backend vllm, concurrency 1, ok y: output_throughput=130.2 mean_ttft=12.1 p99_ttft=20.1",
		"backend vllm, concurrency 4, ok y: output_throughput=430.2 mean_ttft=14.1 p99_ttft=24.1",
		"backend sglang, concurrency 1, ok n: output_throughput=131 mean_ttft=13",
		": mean_ttft=11.5 mean_tpot=7.5",
		": mean_ttft=12.5 mean_tpot=8.5",
		"run 1: output_throughput=812.1 mean_e2e_latency=99",
		"Case short prompts: output_throughput=1812.1 mean_ttft=31.4",
		"Case long prompts: output_throughput=912.1 mean_ttft=131.4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestReadsTheSummaryOfBatches(t *testing.T) {
	t.Parallel()
	records, _ := parse.Bytes("tables.md", fixture(t, "tables.md"))
	var itl []float64
	for _, r := range records {
		if r.Format == "sglang-one-batch-table" {
			n, _ := r.Number("mean_itl")
			itl = append(itl, n)
			require.Contains(t, r.Definitions, parse.DecodeRateOnly)
			_, ok := r.Number("output_throughput")
			require.False(t, ok, "its output throughput leaves the prefill out")
		}
	}
	require.Equal(t, []float64{9.72, 11.38}, itl)
}

// Words without statistic or unit could mean anything.
func TestATableOfLooseWordsIsNoResult(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"| Engine | TTFT (ms) | Throughput |\n|---|---|---|\n| a | 12 | 100 |\n",
		"| Metric | Value |\n|---|---|\n| Mean TTFT (ms) | 12.00 |\n", // one value is no result
		"| Mean TTFT (ms) | Mean TPOT (ms) |\n|---|---|\n",
	} {
		records, problems := parse.Bytes("in", []byte(src))
		require.Empty(t, records, src)
		require.Equal(t, []found{{parse.CodeNoResult, parse.Error, 0}}, foundIn(records, problems))
	}
}

func TestUnknownRowsOfATableAreListed(t *testing.T) {
	t.Parallel()
	src := "| Metric | A |\n|---|---|\n| Mean TTFT (ms) | 12.00 |\n| Mean TPOT (ms) | 5.00 |\n| GPU memory (GB) | 70 |\n"
	require.Equal(t, []parse.Unknown{{Text: "GPU memory (GB): 70", Line: 5}}, parseOne(t, src).Unknown)
}
