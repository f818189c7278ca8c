package parse_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// aiperfTags is a report of AIPerf with the given members beside two whole ones.
func aiperfTags(members string) string {
	return `{"request_count": {"unit": "requests", "avg": 24.0},` + "\n" + members +
		"\n" + `"time_to_first_token": {"unit": "ms", "avg": 77.0, "p50": 76.0}}` + "\n"
}

func TestBadToolOutputIsReportedWithItsPlace(t *testing.T) {
	t.Parallel()
	latency := func(body string) string { return aiperfTags(`"request_latency": {` + body + `},`) }
	gridless := strings.Repeat("x", 70_000)
	for name, c := range map[string]struct {
		src     string
		records int
		want    []found
	}{
		"a whole report":                 {latency(`"unit": "ms", "avg": 12.5`), 1, nil},
		"seconds by their unit":          {latency(`"unit": "sec", "avg": 0.0125`), 1, nil},
		"an unknown unit":                {latency(`"unit": "parsec", "avg": 12.5`), 1, []found{{parse.CodeUnreadable, parse.Error, 2}}},
		"tokens where a time must be":    {latency(`"unit": "tokens", "avg": 12.5`), 1, []found{{parse.CodeUnreadable, parse.Error, 2}}},
		"a key twice, same value":        {latency(`"unit": "ms", "avg": 12.5, "avg": 12.5`), 1, nil},
		"a key twice, other value":       {latency(`"unit": "ms", "avg": 12.5, "avg": 13.5`), 1, []found{{parse.CodeDuplicate, parse.Error, 2}}},
		"NaN":                            {latency(`"unit": "ms", "avg": NaN`), 1, []found{{parse.CodeNotFinite, parse.Warning, 2}}},
		"out of range":                   {latency(`"unit": "ms", "avg": 1e999`), 1, []found{{parse.CodeNotFinite, parse.Warning, 2}}},
		"null":                           {latency(`"unit": "ms", "avg": null`), 1, nil},
		"text for a number":              {latency(`"unit": "ms", "avg": "fast"`), 1, []found{{parse.CodeUnreadable, parse.Error, 2}}},
		"a list for a number":            {latency(`"unit": "ms", "avg": [1, 2]`), 1, []found{{parse.CodeUnreadable, parse.Error, 2}}},
		"the end is missing":             {strings.TrimSuffix(latency(`"unit": "ms", "avg": 12.5`), "}\n"), 0, []found{{parse.CodeTruncated, parse.Error, 3}}},
		"a comma is missing":             {strings.Replace(latency(`"unit": "ms", "avg": 12.5`), "},\n", "}\n", 1), 0, []found{{parse.CodeMalformed, parse.Error, 2}}},
		"nested without end":             {aiperfTags(`"x": ` + strings.Repeat("[", 5000)), 0, []found{{parse.CodeMalformed, parse.Error, 2}}},
		"a box cut in mid-row":           {"NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃ avg ┃\n│ Request Latency (ms) │ 12", 1, []found{{parse.CodeTruncated, parse.Error, 2}}},
		"a number cut by its column":     {"NVIDIA GenAI-Perf | LLM Metrics\n┃ Statistic ┃ avg ┃ min ┃\n│ Request latency (ms) │ 11.… │ 10.25 │\n└──┴──┘\n", 1, []found{{parse.CodeUnreadable, parse.Error, 3}}},
		"a row of too few cells":         {"NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃ avg ┃ min ┃\n│ Request Latency (ms) │ 12.50 │\n└──┴──┘\n", 1, []found{{parse.CodeMalformed, parse.Error, 3}}},
		"a title without a table":        {"NVIDIA AIPerf | LLM Metrics\nnothing\n", 1, []found{{parse.CodeTruncated, parse.Error, 2}}},
		"an AIPerf row that ends":        {"Metric,avg,min,max,p99\nRequest Latency (ms),12.50,1.00,2.00,2.0", 0, []found{{parse.CodeCutValue, parse.Error, 2}}},
		"a report without metrics":       {`{"benchmarks": [{"type_": "generative_benchmark"}]}`, 0, []found{{parse.CodeUnsupported, parse.Error, 1}}},
		"GuideLLM without a list":        {`{"benchmarks": 3, "x": "guidellm"}`, 0, []found{{parse.CodeNoResult, parse.Error, 0}}},
		"an endless line after a title":  {"ℹ Run Summary Info\n" + gridless + "\n", 0, []found{{parse.CodeTruncated, parse.Error, 1}}},
		"inference-perf without its end": {"=== START_SUMMARY ===\n{\"load_summary\": {\n", 0, []found{{parse.CodeTruncated, parse.Error, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes("in", []byte(c.src))
			require.Len(t, records, c.records)
			if diff := cmp.Diff(c.want, foundIn(records, problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			for _, p := range problems {
				require.NotEmpty(t, p.Hint, p.Code)
			}
		})
	}
}

func TestUnknownKeysOfToolsAreListed(t *testing.T) {
	t.Parallel()
	for file, edit := range map[string][2]string{
		"guidellm-0.8.1-concurrent.json":                {`"request_totals"`, `"request_karma": {"successful": 1}, "request_totals"`},
		"aiperf-0.3.0-multitoken.json":                  {`"request_count": {`, `"request_karma": {"unit": "ms", "avg": 1}, "request_count": {`},
		"genai-bench-0.0.5-ms-c4.json":                  {`"num_requests"`, `"request_karma": 1, "num_requests"`},
		"inference-perf-0.7.0-some-failed-summary.json": {`"load_summary"`, `"request_karma": 1, "load_summary"`},
		"evalscope-1.14.1-c4-benchmark_summary.json":    {`"Concurrency"`, `"request_karma": 1, "Concurrency"`},
		"shape-llmperf.json":                            {`"num_concurrent_requests"`, `"request_karma": 1, "num_concurrent_requests"`},
		"shape-aisbench.txt":                            {"Max Concurrency ", "request_karma   "},
		"aiperf-0.1-readme-table.txt":                   {"Request Latency (ms)", "request_karma   (ms)"},
		"evalscope-0.17.1-multitoken.txt":               {"| Number of concurrency ", "| request_karma         "},
		"genai-perf-0.0.16-concurrent.csv":              {"Request Latency (ms)", "request_karma (ms)"},
	} {
		src := strings.Replace(string(fixture(t, "tools/"+file)), edit[0], edit[1], 1)
		records, _ := parse.Bytes(file, []byte(src))
		require.NotEmpty(t, records, file)
		require.NotEmpty(t, records[0].Unknown, file)
		require.Contains(t, records[0].Unknown[0].Text, "request_karma", file)
	}
}

func TestWhatNoRequestGaveIsAbsent(t *testing.T) {
	t.Parallel()
	empty := func(key string) string {
		return fmt.Sprintf(`"%s": {"successful": {"mean": 0.0, "median": 0.0, "min": 0.0, "max": 0.0, "count": 0, "total_sum": 0.0}}`, key)
	}
	src := `{"benchmarks": [{"type_": "generative_benchmark", "config": {}, "duration": 2.0, "metrics": {
"request_totals": {"successful": 0, "errored": 6, "incomplete": 0, "total": 6},` +
		empty("request_latency") + "," + empty("time_to_first_token_ms") + "," + empty("output_tokens_per_second") + "}}]}"
	records, problems := parse.Bytes("in", []byte(src))
	require.Empty(t, problems)
	require.Len(t, records, 1)
	var ids []metric.ID
	for _, v := range records[0].Values {
		ids = append(ids, v.Metric)
	}
	require.Equal(t, []metric.ID{metric.Duration, metric.CompletedRequests, metric.FailedRequests, metric.TotalRequests}, ids)
	failed, _ := records[0].Number(metric.FailedRequests)
	require.Equal(t, 6.0, failed)
}

func TestCompleteBenchmarksOfACutReportAreRead(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"guidellm-0.3.1-concurrent.json", "guidellm-0.5.4-concurrent.json"} {
		src := fixture(t, "tools/"+file)
		records, problems := parse.Bytes(file, src[:len(src)*9/10])
		require.Len(t, records, 1, file)
		require.True(t, records[0].Usable())
		require.Equal(t, parse.CodeTruncated, problems[0].Code)
	}
}

func TestTheUnitOfGenAIBenchIsTheFiles(t *testing.T) {
	t.Parallel()
	ms := string(fixture(t, "tools/genai-bench-0.0.5-ms-c4.json"))
	for unit, scale := range map[string]float64{`"ms"`: 1, `"s"`: 1000} {
		records, _ := parse.Bytes("g", []byte(strings.Replace(ms, `"_time_unit": "ms"`, `"_time_unit": `+unit, 1)))
		ttft, _ := records[0].Number(metric.Of(metric.Mean, metric.TTFT))
		require.InDelta(t, 73.948*scale, ttft, 0.001*scale, unit)
		duration, _ := records[0].Number(metric.Duration)
		require.InDelta(t, 2.0168, duration, 0.0001, "the duration is in seconds in both")
	}
	// Files of the first versions name no unit and hold seconds.
	records, _ := parse.Bytes("g", []byte(strings.Replace(ms, `"_time_unit"`, `"_other"`, 1)))
	ttft, _ := records[0].Number(metric.Of(metric.Mean, metric.TTFT))
	require.InDelta(t, 73948, ttft, 1)
}

func TestStatisticsWithoutWarmUpGiveNoTokens(t *testing.T) {
	t.Parallel()
	src := strings.Replace(string(fixture(t, "tools/genai-bench-0.0.5-ms-c4.json")), `"num_completed_requests": 24`, `"num_completed_requests": 27`, 1)
	records, _ := parse.Bytes("g", []byte(src))
	_, ok := records[0].Number(metric.OutputTokens)
	require.False(t, ok)
	require.Contains(t, records[0].Definitions, parse.WithoutWarmup)
}

func TestTablesBehindALogsPrefixAndColours(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"aiperf-0.1-readme-table.txt", "genai-perf-0.0.16-concurrent.txt", "shape-aisbench.txt", "evalscope-1.14.1-two-points.txt"} {
		plain, _ := parse.Bytes(file, fixture(t, "tools/"+file))
		for name, f := range map[string]func(string) string{
			"prefix":  func(s string) string { return "client-1  | " + s },
			"colours": func(s string) string { return "\x1b[32m" + s + "\x1b[0m" },
			"CRLF":    func(s string) string { return s + "\r" },
			"indent":  func(s string) string { return "    " + s },
		} {
			lines := strings.Split(string(fixture(t, "tools/"+file)), "\n")
			for i, l := range lines {
				lines[i] = f(l)
			}
			records, _ := parse.Bytes(file, []byte(strings.Join(lines, "\n")))
			require.Len(t, records, len(plain), "%s with %s", file, name)
			for i := range plain {
				require.Equal(t, plain[i].Values, records[i].Values, "%s with %s", file, name)
				require.Empty(t, records[i].Problems, "%s with %s", file, name)
			}
		}
	}
}

func TestRepeatedTablesAreOneRun(t *testing.T) {
	t.Parallel()
	src := string(fixture(t, "tools/guidellm-0.8.1-concurrent.txt"))
	other := strings.ReplaceAll(src, "21:43:49", "22:43:49")
	records, _ := parse.Bytes("r", []byte(src+other))
	require.Len(t, records, 2, "two runs, each printed twice")
	require.NotEqual(t, records[0].Line, records[1].Line)
}

func TestTheEvalScopeReportIsReadWhereTheSummariesAreMissing(t *testing.T) {
	t.Parallel()
	_, report, ok := strings.Cut(string(fixture(t, "tools/evalscope-1.14.1-two-points.txt")), "Performance Test Summary Report")
	require.True(t, ok)
	records, problems := parse.Bytes("r", []byte(report))
	require.Empty(t, problems)
	require.Len(t, records, 2)
	for i, want := range []map[metric.ID]float64{
		{metric.MaxConcurrency: 2, metric.TotalRequests: 8, metric.RequestThroughput: 4.45, metric.OutputThroughput: 142.26, "mean_ttft": 60.73, "median_tpot": 11.81, "p99_e2e_latency": 509},
		{metric.MaxConcurrency: 4, metric.TotalRequests: 16, metric.RequestThroughput: 6.15, metric.OutputThroughput: 196.8, "mean_ttft": 101.63, "max_ttft": 222.07},
	} {
		for id, w := range want {
			got, _ := records[i].Number(id)
			require.InDelta(t, w, got, 1e-9, "%s", id)
		}
	}
}

func TestTheTablesOfInferencePerfAreReadWhereTheReportsAreMissing(t *testing.T) {
	t.Parallel()
	_, tables, ok := strings.Cut(string(fixture(t, "tools/inference-perf-0.7.0-some-failed.txt")), "=== END_PARTIAL_BR_V0_2_STAGE_0 ===\n")
	require.True(t, ok)
	records, problems := parse.Bytes("r", []byte(tables))
	require.Empty(t, problems)
	require.Len(t, records, 1)
	require.Empty(t, records[0].Problems)
	require.Equal(t, []string{"stage 0"}, records[0].Labels)
	for id, want := range map[metric.ID]float64{metric.OutputThroughput: 68.9, metric.TotalThroughput: 359.8, "mean_e2e_latency": 325.8, "p90_ttft": 61.7, "mean_itl": 10, "mean_tpot": 10, "p90_tpot": 10.4} {
		got, _ := records[0].Number(id)
		require.InDelta(t, want, got, 1e-9, "%s", id)
	}
}

func TestJSONInAFenceIsRead(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"guidellm-0.3.1-concurrent.json", "aiperf-0.3.0-multitoken.json", "genai-bench-0.0.5-ms-c4.json"} {
		plain, _ := parse.Bytes("f", fixture(t, "tools/"+file))
		records, problems := parse.Bytes("f", []byte("# The run\n\n```json\n"+string(fixture(t, "tools/"+file))+"\n```\nand so on\n"))
		require.Empty(t, problems, file)
		require.Len(t, records, len(plain), file)
		require.Equal(t, len(plain[0].Values), len(records[0].Values), file)
		require.Equal(t, plain[0].Line+3, records[0].Line, file)
	}
}

// Not parallel: it measures what the process allocates.
func TestHugeListsAreNotHeld(t *testing.T) {
	const requests = 200_000
	one := `{"request_id": "x", "prompt": "` + strings.Repeat("long ", 20) + `", "times": [1, 2, 3]}`
	head, tail, ok := strings.Cut(string(fixture(t, "tools/guidellm-0.8.1-concurrent.json")), `{"request_id": "trimmed"}`)
	require.True(t, ok)
	var got []parse.Record
	allocated := allocatedBy(func() {
		problems, err := parse.Stream("big", &sandwich{head: head, line: one + ",\n", n: requests, tail: one + tail}, func(r parse.Record) { got = append(got, r) })
		require.NoError(t, err)
		require.Empty(t, problems)
	})
	require.Len(t, got, 1)
	ttft, _ := got[0].Number("mean_ttft")
	require.InDelta(t, 89.84, ttft, 0.01)
	require.Less(t, allocated, uint64(8<<20))
}

// allocatedBy returns the bytes that f allocates, if nothing else runs.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// sandwich is a reader of a head, a line n times, and a tail.
type sandwich struct {
	head, line, tail string
	n                int
	rest             string
	begun            bool
}

func (s *sandwich) Read(p []byte) (int, error) {
	if s.rest == "" {
		switch {
		case !s.begun:
			s.begun, s.rest = true, s.head
		case s.n > 0:
			s.n--
			s.rest = s.line
		case s.tail != "":
			s.rest, s.tail = s.tail, ""
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
