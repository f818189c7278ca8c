package parse_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// toolColumns are the metrics of right-values.csv, in its order.
func toolColumns() []metric.ID {
	return []metric.ID{
		metric.CompletedRequests, metric.FailedRequests, metric.Duration, metric.OutputThroughput, metric.TotalThroughput,
		metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT), metric.Of(metric.Mean, metric.ITL), metric.Of(metric.Mean, metric.E2E),
	}
}

// rightValues returns the cells of right-values.csv by file, one row a record.
func rightValues(t *testing.T) (files []string, rows map[string][][]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(fixture(t, "tools/right-values.csv"))).ReadAll()
	require.NoError(t, err)
	rows = map[string][][]string{}
	for _, row := range all[1:] {
		if rows[row[0]] == nil {
			files = append(files, row[0])
		}
		rows[row[0]] = append(rows[row[0]], row[2:])
	}
	return files, rows
}

func TestReadsTheRightValuesOfEachTool(t *testing.T) {
	t.Parallel()
	files, rows := rightValues(t)
	require.Greater(t, len(files), 30)
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes(file, fixture(t, "tools/"+file))
			require.Empty(t, problems)
			require.Len(t, records, len(rows[file]))
			for i, r := range records {
				require.Empty(t, r.Problems)
				require.Empty(t, r.Unknown)
				for j, id := range toolColumns() {
					checkRight(t, rows[file][i][j], r, id)
				}
			}
		})
	}
}

// checkRight compares a value with its cell, which is rounded.
func checkRight(t *testing.T, cell string, r parse.Record, id metric.ID) {
	t.Helper()
	got, ok := r.Number(id)
	if cell == "-" {
		require.False(t, ok, "%s is %v, which the file does not say", id, got)
		return
	}
	want, err := strconv.ParseFloat(cell, 64)
	require.NoError(t, err)
	require.True(t, ok, "%s is missing", id)
	require.InDelta(t, want, got, 0.0051+want*1e-5, "%s", id)
}

// TestSaysWhichToolAndVersion compares the producer, the versions and what the words mean.
func TestSaysWhichToolAndVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, format, producer, versions string
		definitions                      []parse.Definition
	}{
		{"guidellm-0.2.1-constant.json", "guidellm-json", "guidellm", "v0.2.0 to v0.2.1", []parse.Definition{parse.TPOTLastToken, parse.ITLAsTPOT, parse.PromptsTwice}},
		{"guidellm-0.2.1-constant.txt", "guidellm-console", "guidellm", "v0.2.0 to v0.2.1", []parse.Definition{parse.SecondsAsMS, parse.PromptsTwice}},
		{"guidellm-0.3.1-concurrent.json", "guidellm-json", "guidellm", "v0.3.0 to v0.3.1", []parse.Definition{parse.TPOTPerToken, parse.RatesOverSpan}},
		{"guidellm-0.3.1-concurrent.txt", "guidellm-console", "guidellm", "v0.3.0 to v0.3.1", []parse.Definition{parse.TPOTPerToken}},
		{"guidellm-0.5.4-concurrent.json", "guidellm-json", "guidellm", "v0.5.4", []parse.Definition{parse.TPOTWithTTFT, parse.RatesOverstated, parse.TPOTByTokens}},
		{"guidellm-0.5.4-concurrent.csv", "guidellm-csv", "guidellm", "v0.5.4", []parse.Definition{parse.RatesOverstated}},
		{"guidellm-0.5.4-concurrent.txt", "guidellm-console", "guidellm", "v0.4.0 to v0.6.1", []parse.Definition{parse.RatesOverstated, parse.RatesAllRequests}},
		{"guidellm-0.8.1-concurrent.json", "guidellm-json", "guidellm", "v0.8.1", []parse.Definition{parse.RatesInWindow, parse.InputByServer}},
		{"guidellm-0.8.1-concurrent.yaml", "guidellm-yaml", "guidellm", "v0.8.1", []parse.Definition{parse.RatesInWindow}},
		{"guidellm-0.8.1-concurrent.csv", "guidellm-csv", "guidellm", "v0.8.1", []parse.Definition{parse.RatesInWindow}},
		{"guidellm-0.8.1-concurrent.txt", "guidellm-console", "guidellm", "v0.7.0 or later", []parse.Definition{parse.RatesInWindow, parse.RatesAllRequests}},
		{"aiperf-0.13.0-concurrent.json", "aiperf-json", "aiperf", "v0.13.0", []parse.Definition{parse.ITLAsTPOT, parse.ITLPerChunk, parse.DurationOfSuccesses, parse.E2EToText}},
		{"aiperf-0.13.0-concurrent.jsonl", "aiperf-records", "aiperf", "", []parse.Definition{parse.FromRequestData}},
		{"aiperf-0.3.0-multitoken.csv", "aiperf-csv", "aiperf", "v0.3.0 or near", []parse.Definition{parse.ITLAsTPOT, parse.ITLPerChunk}},
		{"genai-perf-0.0.16-concurrent.json", "aiperf-json", "genai-perf", "", []parse.Definition{parse.ITLAsTPOT}},
		{"genai-perf-0.0.16-concurrent.csv", "aiperf-csv", "genai-perf", "v0.0.16 or near", nil},
		{"genai-perf-0.0.16-concurrent.txt", "aiperf-console", "genai-perf", "v0.0.16 or near", nil},
		{"aiperf-0.3.0-multitoken.json", "aiperf-json", "aiperf", "v0.3.0 or near", nil},
		{"aiperf-0.1-readme-table.txt", "aiperf-console", "aiperf", "v0.1.1 or near", nil},
		{"aiperf-0.13.0-concurrent.txt", "aiperf-console", "aiperf", "v0.13.0 or near", nil},
		{"shape-genai-perf-old.txt", "aiperf-console", "genai-perf", "before v0.0.16", nil},
		{"genai-bench-0.0.5-ms-c4.json", "genai-bench-json", "genai-bench", "v0.0.5 or near", []parse.Definition{parse.TPOTDecodeOnly}},
		{"inference-perf-0.7.0-some-failed.txt", "inference-perf-console", "inference-perf", "v0.7.0 or near", []parse.Definition{parse.RatesWithPauses, parse.TPOTLastToken}},
		{"evalscope-1.14.1-c4-benchmark_summary.json", "evalscope-json", "evalscope perf", "v1.14.1 or near", []parse.Definition{parse.InputRateZero}},
		{"evalscope-0.17.1-multitoken.txt", "evalscope-console", "evalscope perf", "v0.17.0 or later", []parse.Definition{parse.TPOTDecodeOnly}},
		{"shape-evalscope-0.8.txt", "evalscope-console", "evalscope perf", "before v0.13.0", []parse.Definition{parse.TPOTWithTTFT}},
		{"shape-gpustack-rows.json", "gpustack-json", "gpustack (guidellm)", "", []parse.Definition{parse.RatesMayOverstate, parse.ITLAsTPOT}},
		{"shape-llmperf.json", "llmperf-json", "llmperf", "", []parse.Definition{parse.TPOTWithTTFT}},
	} {
		records, _ := parse.Bytes(c.file, fixture(t, "tools/"+c.file))
		require.NotEmpty(t, records, c.file)
		got := [3]string{records[0].Format, records[0].Producer, records[0].Versions}
		require.Equal(t, [3]string{c.format, c.producer, c.versions}, got, c.file)
		require.Subset(t, records[0].Definitions, c.definitions, c.file)
	}
}

func TestAWrongRateIsRecomputedAndKeptBesideIt(t *testing.T) {
	t.Parallel()
	for file, printed := range map[string]map[metric.ID]float64{
		"guidellm-0.2.1-constant.json":   {metric.TotalThroughput: 1023.5613990956276},
		"guidellm-0.5.4-concurrent.json": {metric.OutputThroughput: 85.16763105669742, metric.TotalThroughput: 449.7915515181832, metric.InputThroughput: 394.2166710011562},
	} {
		records, _ := parse.Bytes(file, fixture(t, "tools/"+file))
		for id, want := range printed {
			v, ok := records[0].Value(id)
			require.True(t, ok)
			require.True(t, v.Derived, "%s of %s", id, file)
			require.NotEmpty(t, v.From)
			require.Equal(t, want, v.Printed)
			require.Equal(t, strconv.FormatFloat(want, 'f', -1, 64), v.Text)
		}
	}
	for _, file := range []string{"guidellm-0.3.1-concurrent.json", "guidellm-0.8.1-concurrent.json"} {
		records, _ := parse.Bytes(file, fixture(t, "tools/"+file))
		v, _ := records[0].Value(metric.TotalThroughput)
		require.False(t, v.Derived, "%s prints the right rate", file)
	}
}

func TestPercentilesOfRatesAreNotShown(t *testing.T) {
	t.Parallel()
	records, _ := parse.Bytes("r", fixture(t, "tools/guidellm-0.8.1-concurrent.json"))
	for _, v := range records[0].Values {
		require.False(t, strings.Contains(v.Label, "_per_second") && !strings.HasSuffix(v.Label, ".mean"), "%s", v.Label)
	}
}

func TestReadsTheLoadThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][]float64{
		"guidellm-0.3.1-concurrent.json": {1, 4}, "guidellm-0.3.1-concurrent.txt": {1, 4}, "guidellm-0.5.4-concurrent.csv": {1, 4},
		"guidellm-0.5.4-concurrent.txt": {1, 4}, "aiperf-0.13.0-concurrent.json": {4}, "aiperf-0.3.0-multitoken.json": {4},
		"genai-perf-0.0.16-concurrent.json": {4}, "genai-bench-0.0.5-ms-c4.json": {4}, "evalscope-1.14.1-two-points.txt": {2, 4},
	} {
		records, _ := parse.Bytes(file, fixture(t, "tools/"+file))
		var got []float64
		for _, r := range records {
			n, _ := r.Number(metric.MaxConcurrency)
			got = append(got, n)
		}
		require.Equal(t, want, got, file)
	}
	records, _ := parse.Bytes("c", fixture(t, "tools/guidellm-0.2.1-constant.json"))
	rate, _ := records[0].Number(metric.RequestRate)
	require.Equal(t, 3.0, rate)
	require.Equal(t, []string{"constant@3.00"}, records[0].Labels)
}

func TestLineNumbersOfJSONValues(t *testing.T) {
	t.Parallel()
	src := fixture(t, "tools/guidellm-0.3.1-concurrent.json")
	records, _ := parse.Bytes("l", src)
	lines := bytes.Split(src, []byte{'\n'})
	for _, r := range records {
		for _, v := range r.Values {
			require.Contains(t, string(lines[v.Line-1]), v.Text, "%s", v.Label)
			require.True(t, r.Line <= v.Line && v.Line <= r.EndLine)
		}
	}
}

func TestRefusesLlamaBenchByName(t *testing.T) {
	t.Parallel()
	for _, ext := range []string{"md", "csv", "json"} {
		records, problems := parse.Bytes("l", fixture(t, "tools/llama-bench-b11669."+ext))
		require.Empty(t, records, ext)
		require.Equal(t, []found{{parse.CodeUnsupported, parse.Error, 1}}, foundIn(nil, problems), ext)
		require.Contains(t, problems[0].Message, "llama-bench")
	}
	_, problems := parse.Bytes("l", fixture(t, "tools/genai-bench-0.0.5-experiment_metadata.json"))
	require.Equal(t, []found{{parse.CodeUnsupported, parse.Error, 1}}, foundIn(nil, problems))
}

func TestStreamReadsToolsAsBytesDoes(t *testing.T) {
	t.Parallel()
	files, _ := rightValues(t)
	for _, name := range files {
		src := fixture(t, "tools/"+name)
		want, wantProblems := parse.Bytes("f", src)
		var got []parse.Record
		gotProblems, err := parse.Stream("f", iotest.OneByteReader(bytes.NewReader(src)), func(r parse.Record) { got = append(got, r) })
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-bytes +stream):\n%s", name, diff)
		}
		require.Equal(t, wantProblems, gotProblems, name)
	}
}

// A cut file may have less than the whole, and may fail to say what follows from
// what is missing; it has no value that the whole file does not have.
func TestCuttingAToolsFileNeverInventsAValue(t *testing.T) {
	t.Parallel()
	files, _ := rightValues(t)
	for _, file := range files {
		if strings.HasSuffix(file, ".jsonl") {
			continue // a shorter list of requests is another run
		}
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			src := fixture(t, "tools/"+file)
			whole, _ := parse.Bytes("f", src)
			step := max(1, len(src)/120)
			for n := 0; n < len(src); n += step {
				cut, _ := parse.Bytes("f", src[:n])
				for _, r := range cut {
					for _, v := range r.Values {
						require.True(t, hasValue(whole, v), "the first %d bytes give %s = %v (%q) in line %d", n, v.Metric, v.Number, v.Text, v.Line)
					}
				}
			}
		})
	}
}

// hasValue reports whether some record has a value: at the same place, or, if it is
// derived, to within the rounding of what it is derived from.
func hasValue(records []parse.Record, v parse.Value) bool {
	for _, r := range records {
		for _, w := range r.Values {
			same := w.Metric == v.Metric && w.Line == v.Line && w.Number == v.Number && w.Text == v.Text
			if same || v.Derived && w.Metric == v.Metric && math.Abs(w.Number-v.Number) <= 0.005*w.Number {
				return true
			}
		}
	}
	return false
}
