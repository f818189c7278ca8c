package analyze_test

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/study"
	"benchguide/study/studytest"
)

// detailed is a run of three blocks whose client saved every request.
func detailed() studytest.Blocks {
	b := studytest.Fleet("fast", "flat").Blocks(3, studytest.Noisy(studytest.Gains()))
	b.Plan.Goal = "latency"
	for i, s := range b.Starts {
		t := s.Trials["main"]
		t.TTFT, t.TPOT = t.TTFT*1000/t.Total, t.TPOT*1000/t.Total
		b.Starts[i].Trials = map[string]studytest.Trial{"main": t}
		b.Starts[i].Files = map[string]string{"main.json": t.Data(1000)}
	}
	return b
}

func TestLatencyIsThatOfTheRequestsWhereTheyWereSaved(t *testing.T) {
	t.Parallel()
	r := judge(t, detailed())
	trial, _ := r.Trial("one/base/start-1/main")
	fact, _ := r.Facts.Get(trial.Values[metric.RequestLatency])
	require.Equal(t, analyze.LatencyOfRequests, fact.Formula)
	sources := r.Facts.Sources(fact.ID)
	require.Len(t, sources, 1)
	require.Equal(t, "runs/published/one/base/start-1/main.json", sources[0].File)
	require.Equal(t, analyze.Adopted, candidate(t, r, "one/fast").Verdict)
}

// TestSteadyPartOfUniformRequests: four slots without a ramp to speak of run at their
// full rate all the time.
func TestSteadyPartOfUniformRequests(t *testing.T) {
	t.Parallel()
	b := detailed()
	r := judge(t, b)
	require.Len(t, r.Steady, 3)
	first := b.Starts[0].Trials["main"]
	each := first.TTFT/1000 + 99*first.TPOT/1000
	require.InEpsilon(t, 4*100/each, value(t, r, "one/base/start-1/main:steady.output_throughput"), 0.01)
	require.Equal(t, r.Steady[0].Output, "one/base/main:steady.output_throughput")
}

// TestSteadyPartNeedsItsData: nothing is said of a trial whose client saved no times, or
// that had no maximum in flight.
func TestSteadyPartNeedsItsData(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(string) string{
		"no times of sending": func(s string) string { return strings.Replace(s, `"start_times"`, `"other"`, 1) },
		"no gaps":             func(s string) string { return strings.Replace(s, `"itls"`, `"other"`, 1) },
		"no lists":            func(string) string { return `{"backend": "openai", "completed": 100}` + "\n" },
	} {
		b := detailed()
		for i := range b.Starts {
			b.Starts[i].Files = map[string]string{"main.json": change(b.Starts[i].Files["main.json"])}
		}
		require.Empty(t, judge(t, b).Steady, name)
	}
}

func TestRequestsOfAnotherTrialAreNotUsed(t *testing.T) {
	t.Parallel()
	other := studytest.Good()
	other.Completed, other.Output = 50, 5000
	b := detailed()
	b.Starts[0].Files = map[string]string{"main.json": other.Data(1000)}
	r := judge(t, b)
	f := finding(t, r, analyze.CodeRequestsDiffer)
	require.Equal(t, "one/base/start-1/main", f.Subject)
	trial, _ := r.Trial(f.Subject)
	fact, _ := r.Facts.Get(trial.Values[metric.RequestLatency])
	require.NotEqual(t, analyze.LatencyOfRequests, fact.Formula)
}

func TestUnusableRequestsAreReportedAtTheirPlace(t *testing.T) {
	t.Parallel()
	whole := studytest.Good().Data(1000)
	for name, text := range map[string]string{"cut off": whole[:len(whole)/2], "of several trials": whole + whole} {
		b := detailed()
		b.Starts[0].Files = map[string]string{"main.json": text}
		_, problems := study.Load(b.FS(), studytest.Dir)
		require.NotEmpty(t, problems, name)
		require.Contains(t, problems[0].File, "one/base/start-1/main.json", name)
	}
}

func TestGoodputCountsTheRequestsThatKeepEveryLimit(t *testing.T) {
	t.Parallel()
	for limit, good := range map[string]float64{"{metric: p90_ttft, at_most: 1000}": 100, "{metric: mean_tpot, at_most: 0.1}": 0} {
		b := detailed()
		b.Edit = studytest.Limits(limit)
		r := judge(t, b)
		trial, _ := r.Trial("one/base/start-1/main")
		require.InDelta(t, good/value(t, r, trial.Values[metric.Duration]), value(t, r, trial.Values[metric.RequestGoodput]), 1e-9, limit)
	}
	r := judge(t, detailed())
	trial, _ := r.Trial("one/base/start-1/main")
	require.NotContains(t, trial.Values, metric.RequestGoodput, "without limits there is no goodput")
}

func TestIntervalOverRequestsIsShownForCases(t *testing.T) {
	t.Parallel()
	b := detailed().WithCase("one/base", "one/fast")
	r, again := judge(t, b), judge(t, b)
	require.Len(t, r.Intervals, 1)
	i := r.Intervals[0]
	require.LessOrEqual(t, value(t, r, i.Low), value(t, r, i.Ratio)+1e-9)
	require.GreaterOrEqual(t, value(t, r, i.High), value(t, r, i.Ratio)-1e-9)
	require.Equal(t, value(t, r, i.Low), value(t, again, again.Intervals[0].Low), "the seed is fixed")
}

// TestRequestsArePairedOnlyWhereTheyHadTheSamePrompts: the digest says which prompts, the
// tokens of each request in which order. Sides of unlike digests are not compared at all.
func TestRequestsArePairedOnlyWhereTheyHadTheSamePrompts(t *testing.T) {
	t.Parallel()
	sent := func(digest string) string { return `"prompts": {"main": "` + digest + `"}` }
	// change rewrites the first two numbers of a list that the candidate's client saved.
	change := func(list string, how func(first, second int) (int, int)) func(*studytest.Blocks) {
		lengths := regexp.MustCompile(`"` + list + `":\[(\d+),(\d+)`)
		return func(b *studytest.Blocks) {
			for i := range b.Starts {
				text := b.Starts[i].Files["main.json"]
				if b.Starts[i].Ref != "one/fast" {
					continue
				}
				found := lengths.FindStringSubmatch(text)
				require.NotNil(t, found)
				first, err1 := strconv.Atoi(found[1])
				second, err2 := strconv.Atoi(found[2])
				require.NoError(t, errors.Join(err1, err2))
				first, second = how(first, second)
				changed := strings.Replace(text, found[0], fmt.Sprintf(`"%s":[%d,%d`, list, first, second), 1)
				require.NotEqual(t, text, changed)
				b.Starts[i].Files = map[string]string{"main.json": changed}
			}
		}
	}
	same := func(b *studytest.Blocks) { b.Each(sent("a"), studytest.All) }
	for name, c := range map[string]struct {
		prompts, order func(*studytest.Blocks)
		paired         bool
	}{
		"one digest":    {same, nil, true},
		"none recorded": {func(*studytest.Blocks) {}, nil, false},
		"another order": {same, change("input_lens", func(x, y int) (int, int) { return y, x }), false},
		"other answers": {same, change("output_lens", func(x, y int) (int, int) { return x + 1, y - 1 }), false},
	} {
		b := detailed().WithCase("one/base", "one/fast")
		c.prompts(&b)
		if c.order != nil {
			c.order(&b)
		}
		r := judge(t, b)
		require.Len(t, r.Intervals, 1, name)
		require.Equal(t, c.paired, r.Intervals[0].Paired, name)
	}
}

// TestCountersAroundTrials: what an engine counted before and after a trial is that
// trial's, also where the start made several.
func TestCountersAroundTrials(t *testing.T) {
	t.Parallel()
	scrape := func(hits, queries int) string {
		return fmt.Sprintf("# TYPE vllm:prefix_cache_hits_total counter\nvllm:prefix_cache_hits_total{engine=\"0\"} %d\nvllm:prefix_cache_queries_total{engine=\"0\"} %d\n"+
			"vllm:external_prefix_cache_hits_total{engine=\"0\"} 7\n", hits, queries)
	}
	b := studytest.Fleet("fast", "flat").Blocks(3, studytest.Noisy(studytest.Gains()))
	for i, s := range b.Starts {
		b.Starts[i].Trials = map[string]studytest.Trial{"main": s.Trials["main"], "main.2": s.Trials["main"]}
		b.Starts[i].Files = map[string]string{
			"metrics-before-main.prom": scrape(0, 1000), "metrics-after-main.prom": scrape(4000, 21000),
			"metrics-before-main.2.prom": scrape(4000, 21000), "metrics-after-main.2.prom": scrape(23000, 41000)}
	}
	r := judge(t, b)
	first, _ := r.Trial("one/base/start-1/main")
	repeat, _ := r.Trial("one/base/start-1/main.2")
	require.InDelta(t, 0.2, value(t, r, first.CacheHits), 1e-12)
	require.InDelta(t, 0.95, value(t, r, repeat.CacheHits), 1e-12)
	finding(t, r, analyze.CodeHotRepeat)
	require.True(t, r.Repeats[0].Hot)
}

// TestRepeatOfFreshPromptsIsNotHot: a repeat whose prompts the cache did not know is a
// repeat, and nothing more is said of it.
func TestRepeatOfFreshPromptsIsNotHot(t *testing.T) {
	t.Parallel()
	b := studytest.Fleet("fast", "flat").Blocks(3, studytest.Noisy(studytest.Gains()))
	for i, s := range b.Starts {
		fresh := s.Trials["main"]
		fresh.Input += 100
		b.Starts[i].Trials = map[string]studytest.Trial{"main": s.Trials["main"], "main.2": fresh}
	}
	r := judge(t, b)
	require.NotContains(t, codes(r), analyze.CodeHotRepeat)
	require.False(t, r.Repeats[0].Hot)
}

// TestTrialsOfOurOwnClientAreInTheOrderOfTheirDates: the times of its requests are since its
// beginning, and say nothing of which trial was first.
func TestTrialsOfOurOwnClientAreInTheOrderOfTheirDates(t *testing.T) {
	t.Parallel()
	b := detailed()
	for i, s := range b.Starts {
		data := func(date string, first float64) string {
			return strings.Replace(s.Trials["main"].Data(first), `"20261130-210250"`, `"`+date+`", "tokenizer_id": "m", "client": {"name": "benchguide bench"}`, 1)
		}
		b.Starts[i].Trials = map[string]studytest.Trial{"main": s.Trials["main"], "main.2": s.Trials["main"]}
		b.Starts[i].Files = map[string]string{"main.json": data("20261130-210100", 2e-5), "main.2.json": data("20261130-210200", 1e-5)}
	}
	r := judge(t, b)
	first, _ := r.Trial("one/base/start-1/main")
	repeat, _ := r.Trial("one/base/start-1/main.2")
	require.Empty(t, first.SentBy)
	require.Equal(t, first.ID, repeat.SentBy)
}

// TestLogOfAnotherNumberOfTrialsTellsNothing: which busy time is which trial cannot be
// known then.
func TestLogOfAnotherNumberOfTrialsTellsNothing(t *testing.T) {
	t.Parallel()
	line := func(running int, rate string) string {
		return fmt.Sprintf("INFO 11-30 21:02:01 Engine 000: Avg prompt throughput: %d.0 tokens/s, Avg generation throughput: %d.0 tokens/s, Running: %d reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%%, Prefix cache hit rate: %s%%\n", running, running, running, rate)
	}
	for log, known := range map[string]bool{
		line(4, "10.0") + line(4, "20.0") + line(0, "20.0"):                   true,
		line(4, "20.0") + line(0, "20.0") + line(4, "30.0") + line(0, "30.0"): false,
		"nothing of the kind\n": false,
	} {
		b := studytest.Winner()
		b.Starts[0].Files = map[string]string{"server.log": log}
		trial, _ := judge(t, b).Trial("one/base/start-1/main")
		require.Equal(t, known, trial.CacheHits != "")
		if known {
			require.InDelta(t, 0.2, value(t, judge(t, b), trial.CacheHits), 1e-12)
		}
	}
}

func TestRepeatWithoutAFirstTrialIsRefused(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Starts = append(b.Starts, studytest.Start{Ref: "one/fast", Number: 9, Trials: map[string]studytest.Trial{"main.2": studytest.Good()}})
	_, problems := study.Load(b.FS(), studytest.Dir)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "repeats main")
}

// TestWorkloadNamedLikeARepeatIsNone: a declared workload wins over the reading of its
// name as a repeat.
func TestWorkloadNamedLikeARepeatIsNone(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Edit = []string{"id: other,", "id: main.2,"}
	b.Starts[0].Trials = map[string]studytest.Trial{"main": b.Starts[0].Trials["main"], "main.2": studytest.Throughput(500)}
	r := judge(t, b)
	require.Empty(t, r.Repeats)
	_, ok := r.Sample("one/base/main.2")
	require.True(t, ok)
}
