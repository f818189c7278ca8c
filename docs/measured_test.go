package docs_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/parse"
	"benchguide/study"
)

// TestMeasuredTablesAreThoseOfTheData holds the tables of measured numbers against the
// files that they come from.
func TestMeasuredTablesAreThoseOfTheData(t *testing.T) {
	t.Parallel()
	for _, part := range []struct {
		document, name, text string
	}{
		{"real-gpu.md", "clients", clientTable(t)},
		{"methodology.md", "spread", spreadTable(t)},
		{"methodology.md", "spells", spellTable(t)},
	} {
		name := root + "/docs/" + part.document
		page := read(t, part.document)
		before, rest, ok := strings.Cut(page, fmt.Sprintf("<!-- begin %s: written by go test ./docs -update -->\n", part.name))
		require.Truef(t, ok, "%s has no place for %s", name, part.name)
		_, after, ok := strings.Cut(rest, "<!-- end -->\n")
		require.True(t, ok)
		want := before + fmt.Sprintf("<!-- begin %s: written by go test ./docs -update -->\n\n%s\n<!-- end -->\n", part.name, part.text) + after
		if *update {
			require.NoError(t, os.WriteFile(name, []byte(want), 0o644))
			continue
		}
		require.Empty(t, cmp.Diff(want, page), "run with -update to accept the new numbers")
	}
}

// row is a line of a Markdown table.
func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// printed is a number of a client's block.
func printed(t *testing.T, r parse.Record, id metric.ID) float64 {
	t.Helper()
	for _, v := range r.Values {
		if v.Metric == id {
			return v.Number
		}
	}
	require.Failf(t, "a number is missing", "%s has no %s", r.File, id)
	return 0
}

// turns is where the two clients took turns on one start of a server.
const turns = root + "/testdata/h200-clients/"

// clientTable compares the two clients with one another, and each with what the server
// says of the same requests.
func clientTable(t *testing.T) string {
	took := durations(t)
	out := row("Turn", "Client", "TPOT", "Output throughput", "TTFT", "TTFT by the server's count", "The client took", "measured of it") +
		row("---", "---", "---:", "---:", "---:", "---:", "---:", "---:")
	for i, turn := range []struct{ name, client string }{
		{"c4.own.1", "`benchguide bench`"}, {"c4.vllm.1", "`vllm bench serve`"}, {"c4.vllm.2", "`vllm bench serve`"}, {"c4.own.2", "`benchguide bench`"},
	} {
		records, problems, err := parse.File(turns + turn.name + ".txt")
		require.NoError(t, err)
		require.Empty(t, problems)
		require.Len(t, records, 1)
		r := records[0]
		require.Zero(t, counted(t, turn.name, "prefix_cache_hits_total"), "no prompt was answered from the prefix cache")
		server := 1000 * counted(t, turn.name, "time_to_first_token_seconds_sum") / counted(t, turn.name, "time_to_first_token_seconds_count")
		out += row(strconv.Itoa(i+1), turn.client,
			fmt.Sprintf("%.2f ms", printed(t, r, metric.Of(metric.Mean, metric.TPOT))),
			fmt.Sprintf("%.1f token/s", printed(t, r, metric.OutputThroughput)),
			fmt.Sprintf("%.1f ms", printed(t, r, metric.Of(metric.Mean, metric.TTFT))), fmt.Sprintf("%.1f ms", server),
			fmt.Sprintf("%.1f s", took[turn.name]), fmt.Sprintf("%.0f %%", 100*printed(t, r, metric.Duration)/took[turn.name]))
	}
	return out
}

// durations are how long each client ran, from its start to its end.
func durations(t *testing.T) map[string]float64 {
	source, err := os.ReadFile(turns + "times.txt")
	require.NoError(t, err)
	took := map[string]float64{}
	for _, m := range regexp.MustCompile(`(?m)^(\S+) (began|ended) (\d+\.\d+)`).FindAllStringSubmatch(string(source), -1) {
		at, err := strconv.ParseFloat(m[3], 64)
		require.NoError(t, err)
		if m[2] == "began" {
			at = -at
		}
		took[m[1]] += at
	}
	return took
}

// counted is by how much a counter of the server rose during a turn.
func counted(t *testing.T, turn, counter string) float64 {
	rise := 0.0
	for when, sign := range map[string]float64{"before": -1, "after": 1} {
		source, err := os.ReadFile(turns + turn + "." + when + ".prom")
		require.NoError(t, err)
		m := regexp.MustCompile(`(?m)^vllm:` + counter + `\{[^}]*\} (\S+)$`).FindStringSubmatch(string(source))
		require.NotNil(t, m, counter)
		value, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		rise += sign * value
	}
	return rise
}

// spreadTable is what starts of one configuration differed by in one sitting.
func spreadTable(t *testing.T) string {
	f, problems := study.Load(os.DirFS(root+"/content/studies"), "qwen3-8b-h200-latency")
	require.Empty(t, problems)
	run, ok := f.Current()
	require.True(t, ok)
	workloads := []string{"c1", "c4", "c64"}
	out := row("Configuration", "Sitting", "Starts", "Mean E2E latency, concurrency 1", "4", "64", "Spread, concurrency 1", "4", "64") +
		row("---", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:")
	for _, of := range []struct {
		name string
		refs []string
	}{
		{"vLLM as it comes", []string{"quantization/vllm"}},
		{"vLLM with FP8", []string{"quantization/fp8", "engine/incumbent", "version/incumbent"}},
		{"vLLM 0.20.2 with FP8", []string{"version/v0.20.2"}},
		{"SGLang with FP8", []string{"engine/sglang"}},
	} {
		for k, sitting := range sittingsOf(run) {
			cells := []string{of.name, strconv.Itoa(k + 1), ""}
			var spreads []string
			for _, w := range workloads {
				values := latencies(t, run, of.refs, sitting, w)
				cells[2] = strconv.Itoa(len(values))
				m, s := meanAndSpread(values)
				cells, spreads = append(cells, fmt.Sprintf("%.3f s", m)), append(spreads, percent(s))
			}
			if cells[2] != "0" {
				out += row(append(cells, spreads...)...)
			}
		}
	}
	return out
}

// percent is a spread as the table has it; one start has none.
func percent(spread float64) string {
	if math.IsNaN(spread) {
		return "—"
	}
	return fmt.Sprintf("%.2f %%", 100*spread)
}

// spellTable lists the trials of the H200 that were disturbed for some seconds.
func spellTable(t *testing.T) string {
	f, problems := study.Load(os.DirFS(root+"/content/studies"), "qwen3-8b-h200-latency")
	require.Empty(t, problems)
	r := analyze.Study(f)
	out := row("Trial", "Seconds", "A token took longer by", "GPU power in them, else", "Utilization", "SM clock") + row("---", "---:", "---:", "---:", "---:", "---:")
	for _, found := range r.Findings {
		if found.Code != analyze.CodeSpell {
			continue
		}
		number := func(name string) float64 {
			fact, ok := r.Facts.Get(found.Facts[name])
			require.True(t, ok, "%s has no %s", found.Subject, name)
			return fact.Value
		}
		out += row("`"+found.Subject+"`", fmt.Sprintf("%.0f to %.0f", number("From"), number("To")), fmt.Sprintf("%.1f %%", 100*number("Slower")),
			fmt.Sprintf("%.0f, %.0f W", number("Power"), number("PowerRest")), fmt.Sprintf("%.0f, %.0f %%", 100*number("Use"), 100*number("UseRest")),
			fmt.Sprintf("%.0f, %.0f MHz", number("Clock"), number("ClockRest")))
	}
	return out
}

// sittingsOf lists the sittings of a run in the order of their starts' times.
func sittingsOf(run study.Run) []string {
	starts := slices.Clone(run.Starts)
	slices.SortFunc(starts, func(x, y study.Start) int { return strings.Compare(x.Attempt.Times.Began, y.Attempt.Times.Began) })
	var list []string
	for _, s := range starts {
		list = append(list, s.Attempt.Sitting)
	}
	return slices.Compact(list)
}

// latencies are the mean E2E latencies of a configuration's valid starts in a sitting, in
// seconds.
func latencies(t *testing.T, run study.Run, refs []string, sitting, workload string) []float64 {
	var list []float64
	for _, ref := range refs {
		for _, r := range run.Results(ref, workload) {
			if r.Start.Attempt.Sitting == sitting {
				list = append(list, printed(t, r.Result.Record, metric.Of(metric.Mean, metric.E2E))/1000)
			}
		}
	}
	return list
}

// meanAndSpread are the mean of values and the standard deviation of their logarithms,
// which is a part of the value.
func meanAndSpread(values []float64) (mean, spread float64) {
	n, sum, logs := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		sum, logs = sum+v, logs+math.Log(v)
	}
	squares := 0.0
	for _, v := range values {
		squares += math.Pow(math.Log(v)-logs/n, 2)
	}
	return sum / n, math.Sqrt(squares / (n - 1))
}
