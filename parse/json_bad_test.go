package parse_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/metric"
	"benchguide/parse"
)

// result is a small vLLM result, indented, that the tests spoil.
const result = `{
    "model_id": "m",
    "tokenizer_id": "m",
    "num_prompts": 30,
    "duration": 8.637,
    "completed": 30,
    "failed": 0,
    "total_input_tokens": 1948,
    "total_output_tokens": 638,
    "mean_ttft_ms": 64.26
}`

func TestBadJSONIsReportedWithItsPlace(t *testing.T) {
	t.Parallel()
	compact := strings.Join(strings.Fields(result), "")
	replace := func(old, with string) string {
		require.Contains(t, result, old)
		return strings.Replace(result, old, with, 1)
	}
	deep := strings.Repeat("[", 600)
	errorAt := func(code string, line int) []found { return []found{{code, parse.Error, line}} }
	warningAt := func(code string, line int) []found { return []found{{code, parse.Warning, line}} }
	for name, c := range map[string]struct {
		src     string
		records int
		want    []found
	}{
		"whole":                           {result, 1, nil},
		"the end is missing":              {strings.TrimSuffix(result, "\n}"), 1, errorAt(parse.CodeTruncated, 10)},
		"ends inside a number":            {result[:strings.Index(result, "64.26")+3], 1, errorAt(parse.CodeTruncated, 10)},
		"ends inside a key":               {result[:strings.Index(result, "mean_ttft")+4], 1, errorAt(parse.CodeTruncated, 10)},
		"ends before it can be told":      {result[:strings.Index(result, `"m",`)], 0, errorAt(parse.CodeTruncated, 2)},
		"a line of several is cut":        {compact[:len(compact)-4] + "\n" + compact + "\n", 2, errorAt(parse.CodeBadJSON, 2)},
		"cut inside a string":             {compact[:strings.Index(compact, "mean_")+3] + "\n" + compact + "\n", 2, errorAt(parse.CodeBadJSON, 1)},
		"cut inside a skipped list":       {compact[:len(compact)-1] + `,"generated_texts":["a",["b"` + "\n" + compact, 2, errorAt(parse.CodeBadJSON, 2)},
		"a comma is missing":              {replace("638,", "638"), 1, errorAt(parse.CodeBadJSON, 10)},
		"nested too deeply":               {replace("8.637", "8.637,\n    \"x\": "+deep), 1, errorAt(parse.CodeBadJSON, 6)},
		"a key twice, same value":         {replace(`"failed": 0`, `"failed": 0, "failed": 0`), 1, nil},
		"a key twice":                     {replace(`"failed": 0`, "\"failed\": 0,\n    \"failed\": 1"), 1, errorAt(parse.CodeDuplicate, 8)},
		"a text for a number":             {replace("64.26", `"fast"`), 1, errorAt(parse.CodeUnreadable, 10)},
		"NaN":                             {replace("64.26", "NaN"), 1, warningAt(parse.CodeNotFinite, 10)},
		"Infinity":                        {replace("64.26", "Infinity"), 1, warningAt(parse.CodeNotFinite, 10)},
		"out of range":                    {replace("64.26", "1e999"), 1, warningAt(parse.CodeNotFinite, 10)},
		"null":                            {replace("64.26", "null"), 1, nil},
		"zero throughout":                 {replace("64.26", "0.0"), 1, warningAt(parse.CodeNotMeasured, 10)},
		"not UTF-8":                       {replace(`"m",`, "\"\xff\","), 1, nil},
		"lists of different lengths":      {replace("64.26", `64.26, "ttfts": [0.1], "errors": ["", ""]`), 1, warningAt(parse.CodeTooLarge, 10)},
		"another object beside it":        {result + "\n{\"a\": 1}\n{\"b\": 2}", 1, warningAt(parse.CodeUnknownObject, 12)},
		"another object alone":            {`{"model_id": "m", "value": 3}`, 0, errorAt(parse.CodeNoResult, 1)},
		"an empty array":                  {"[]", 0, errorAt(parse.CodeNoResult, 0)},
		"a line of brackets":              {"[INFO] {vllm}\n" + result, 1, nil},
		"more keys than any tool has":     {replace(`"failed": 0`, `"failed": 0, "x": {`+manyKeys(30_000)+`}`), 1, warningAt(parse.CodeTooLarge, 7)},
		"a million objects of no meaning": {strings.Repeat("{\"model_id\": 1}\n", 100_000), 0, errorAt(parse.CodeNoResult, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes("in", []byte(c.src))
			require.Len(t, records, c.records, "%v", problems)
			if diff := cmp.Diff(c.want, foundIn(records, problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			for _, p := range problems {
				require.NotEmpty(t, p.Hint, p.Code)
			}
		})
	}
}

func TestANumberThatItsLineWasCutInIsAbsent(t *testing.T) {
	t.Parallel()
	compact := strings.Join(strings.Fields(result), "")
	records, _ := parse.Bytes("in", []byte(compact[:len(compact)-4]+"\n"+compact))
	require.Len(t, records, 2)
	_, ok := records[0].Number("mean_ttft")
	require.False(t, ok, "64 was 64.26")
	require.Equal(t, 64.26, must(t, records[1], "mean_ttft"))
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%q: 1, ", "k"+strconv.Itoa(i))
	}
	return strings.TrimSuffix(b.String(), ", ")
}

func TestADoubtfulJSONValueIsAbsent(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"NaN", "Infinity", "-Infinity", "1e999", "null", `"64.26"`, "[64.26]", `{"value": 64.26}`, "true"} {
		r := one(t, text, []byte(strings.Replace(result, "64.26", text, 1)))
		_, ok := r.Number("mean_ttft")
		require.False(t, ok, "%s was taken for a number", text)
	}
}

func jsonSeeds(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(fixtures, jsonFixtures, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	all := map[string][]byte{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		if len(src) < 20_000 {
			all[filepath.Base(name)] = src
		}
	}
	return all
}

func TestCuttingJSONNeverInventsAValue(t *testing.T) {
	t.Parallel()
	sources := jsonSeeds(t, "*.json*")
	for name, src := range otherResults() {
		sources[name] = []byte(src)
	}
	for name, src := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, _ := parse.Bytes("in", src)
			require.NotEmpty(t, valuesByPlace(records))
			step := max(1, len(src)/250) // in long lists one place is as good as the next
			for n := 0; n < len(src); n += step {
				checkCut(t, src, n, records)
			}
		})
	}
}

func TestStreamingJSONReadsWhatBytesReads(t *testing.T) {
	t.Parallel()
	var src []byte
	for _, name := range []string{"vllm-0.26.0-append-two-runs.json", "sglang-0.5.17-some-failed-details.jsonl", "h200-vllm-0.26.0-c1.1.json", "vllm-0.26.0-sweep-c1-summary.json"} {
		for range 3 {
			src = append(append(src, fixture(t, jsonFixtures+name)...), "\n# c=4\n"...)
		}
	}
	want, wantProblems := parse.Bytes("in", src)
	require.Len(t, want, 18)
	for name, r := range map[string]io.Reader{
		"at once": bytes.NewReader(src), "halves": iotest.HalfReader(bytes.NewReader(src)), "byte by byte": iotest.OneByteReader(bytes.NewReader(src)),
	} {
		var got []parse.Record
		problems, err := parse.Stream("in", r, func(r parse.Record) { got = append(got, r) })
		require.NoError(t, err, name)
		require.Equal(t, wantProblems, problems, name)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-bytes +stream):\n%s", name, diff)
		}
	}
}

// What a client would write from per-request data is read back: every statistic by
// numpy's rules, and nothing to complain about.
func TestReadsBackWhatAClientWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "requests")
		seconds := rapid.Float64Range(0.001, 5)
		ttfts, itls := make([]float64, n), make([][]float64, n)
		outs, errors := make([]int, n), make([]string, n)
		var ttftMS, gapsMS []float64
		tokens, failed := 0, 0
		for i := range n {
			itls[i] = []float64{}
			if rapid.IntRange(0, 4).Draw(t, "fate") == 0 {
				errors[i] = "Internal Server Error"
				failed++
				continue
			}
			ttfts[i] = seconds.Draw(t, "ttft")
			itls[i] = rapid.SliceOfN(seconds, 0, 8).Draw(t, "gaps")
			outs[i] = len(itls[i]) + 1
			tokens += outs[i]
			ttftMS = append(ttftMS, 1000*ttfts[i])
			for _, g := range itls[i] {
				gapsMS = append(gapsMS, 1000*g)
			}
		}
		fields := map[string]any{
			"model_id": "m", "tokenizer_id": "m", "num_prompts": n, "duration": 10.0, "completed": n - failed, "failed": failed, "total_input_tokens": 0,
			"total_output_tokens": tokens, "output_throughput": float64(tokens) / 10, "ttfts": ttfts, "itls": itls, "output_lens": outs, "errors": errors,
		}
		want := map[metric.ID]float64{metric.CompletedRequests: float64(n - failed), metric.FailedRequests: float64(failed), metric.OutputTokens: float64(tokens)}
		for name, values := range map[string][]float64{"ttft": ttftMS, "itl": gapsMS} {
			if len(values) == 0 {
				continue
			}
			for stat, f := range map[string]float64{"mean": -1, "median": 50, "p99": 99, "p12.5": 12.5} {
				fields[stat+"_"+name+"_ms"] = numpy(values, f)
				want[metric.ID(stat+"_"+name)] = numpy(values, f)
			}
		}
		src, err := json.MarshalIndent(fields, "", rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		records, problems := parse.Bytes("in", src)
		if len(records) != 1 || len(foundIn(records, problems)) > 0 {
			t.Fatalf("%d records, problems %v of\n%s", len(records), records[0].Problems, src)
		}
		for id, n := range want {
			got, ok := records[0].Number(id)
			if diff := got - n; !ok || diff > 1e-9*n || diff < -1e-9*n {
				t.Fatalf("%s is %v, want %v", id, got, n)
			}
		}
	})
}

// numpy computes a mean (-1) or a percentile of values in any order.
func numpy(values []float64, p float64) float64 {
	sum := 0.0
	sorted := append([]float64(nil), values...)
	for i := range sorted {
		sum += sorted[i]
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	if p < 0 {
		return sum / float64(len(values))
	}
	rank := p / 100 * float64(len(sorted)-1)
	low := int(rank)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (rank-float64(low))*(sorted[high]-sorted[low])
}

// Two hundred megabytes of per-request data. Not parallel: it measures what the
// process allocates.
func TestMemoryDoesNotGrowWithTheListsOfAFile(t *testing.T) {
	const requests, gaps = 1000, 10_000
	list := "[" + strings.TrimSuffix(strings.Repeat("0.00519976500061602, ", gaps), ", ") + "], "
	src := io.MultiReader(
		strings.NewReader(`{"model_id": "m", "tokenizer_id": "m", "num_prompts": 1001, "duration": 10.0, "completed": 1001, "total_input_tokens": 1, "itls": [`),
		&repeated{line: []byte(list), n: requests},
		strings.NewReader(`[0.1]], "mean_itl_ms": 5.2}`),
	)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var records []parse.Record
	problems, err := parse.Stream("in", src, func(r parse.Record) { records = append(records, r) })
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Len(t, records, 1)
	require.InDelta(t, 5.1997650, must(t, records[0], "mean_itl"), 1e-4)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
}
