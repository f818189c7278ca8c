package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/analyze"
	"benchguide/gpulog"
	"benchguide/study/studytest"
)

// tempo is by how much longer a token of a request takes in a second of a start's trial.
type tempo = func(start, request int, second float64) float64

func even(int, int, float64) float64 { return 1 }

var held, paced = studytest.Held, studytest.Paced

// spells are the findings about spells.
func spells(r *analyze.Report) []analyze.Finding {
	var list []analyze.Finding
	for _, f := range r.Findings {
		if f.Code == analyze.CodeSpell {
			list = append(list, f)
		}
	}
	return list
}

func TestASpellIsFound(t *testing.T) {
	t.Parallel()
	r := judge(t, paced(3, held(8, 13, 1.2)))
	found := spells(r)
	require.Len(t, found, 1)
	f := found[0]
	require.Equal(t, "one/base/start-2/main", f.Subject)
	require.Equal(t, analyze.SeverityCaution, f.Severity)
	require.Equal(t, "runs/published/one/base/start-2/main.json", f.File)
	require.Positive(t, f.Line)
	require.Equal(t, "one/base/start-2", f.Names["Start"])
	require.NotContains(t, f.Names, "Cause", "nothing is known of the GPUs")
	require.InDelta(t, 8, value(t, r, f.Facts["From"]), 0)
	require.InDelta(t, 13, value(t, r, f.Facts["To"]), 0)
	require.InDelta(t, 0.2, value(t, r, f.Facts["Slower"]), 0.04, "requests that reach into it are slower for a part of their tokens")
	var files []string
	for _, s := range r.Facts.Sources(f.Facts["Slower"]) {
		files = append(files, s.File)
	}
	require.Len(t, files, 3, "it is seen against the other starts: %v", files)
}

// TestASpellChangesNoVerdict: the trial counts as it is.
func TestASpellChangesNoVerdict(t *testing.T) {
	t.Parallel()
	b := paced(3, held(8, 13, 1.2))
	r := judge(t, b)
	for _, f := range spells(r) {
		trial, _ := r.Trial(f.Subject)
		require.Contains(t, trial.Values, r.Objective.Metric)
	}
	sample, _ := r.Sample("one/base/main")
	require.Len(t, sample.Trials, 3)
	c, _ := r.Facts.Get(sample.Values[r.Objective.Metric])
	require.Len(t, c.Inputs, 3)
}

func TestWhatIsNoSpell(t *testing.T) {
	t.Parallel()
	all := func(by func(request int) float64) tempo {
		return func(_, request int, _ float64) float64 { return by(request) }
	}
	// change rewrites the data of the second start.
	change := func(b studytest.Blocks, from, to string) studytest.Blocks {
		for i, s := range b.Starts {
			if s.Ref == "one/base" && s.Number == 2 {
				text := strings.Replace(s.Files["main.json"], from, to, 1)
				require.NotEqual(t, s.Files["main.json"], text)
				b.Starts[i].Files = map[string]string{"main.json": text}
			}
		}
		return b
	}
	spell := held(8, 13, 1.2)
	copied := paced(3, spell)
	copied.Starts[6].Trials = copied.Starts[0].Trials
	for name, b := range map[string]studytest.Blocks{
		"an even trial":          paced(3, even),
		"slow throughout":        paced(3, held(0, 100, 1.3)),
		"fast for some seconds":  paced(3, held(8, 13, 0.8)),
		"below the least":        paced(3, held(8, 13, 1.04)),
		"two seconds":            paced(3, held(8, 10, 1.1)),
		"a hiccup":               paced(3, held(9, 9.6, 3)),
		"slow prompts":           paced(3, all(func(request int) float64 { return 1 + float64(request/20%2) })),
		"in all starts":          paced(3, func(_, _ int, second float64) float64 { return held(8, 13, 1.2)(2, 0, second) }),
		"two starts":             paced(2, spell),
		"a copy of a start":      copied,
		"other answers":          change(paced(3, spell), `"output_lens":[20,20`, `"output_lens":[21,19`),
		"other prompts":          change(paced(3, spell), `"input_lens":[200,201`, `"input_lens":[201,200`),
		"no length of an answer": change(paced(3, spell), `"output_lens"`, `"other"`),
		"no times of sending":    change(paced(3, spell), `"start_times"`, `"other"`),
		"no data":                change(paced(3, spell), `"input_lens"`, `"other"`),
		"a clock that was set":   change(studytest.PacedFrom(1e6, 3, spell), `"start_times":[1000000,`, `"start_times":[1,`),
	} {
		require.Empty(t, spells(judge(t, b)), name)
	}
}

// TestScatterIsNoSpell: where starts compose their batches each in its own way, a few seconds
// of a tenth are nothing, which in quiet trials are a spell.
func TestScatterIsNoSpell(t *testing.T) {
	t.Parallel()
	rough := func(by float64) tempo {
		return func(start, request int, second float64) float64 {
			wave := 1 + by*math.Sin(float64(start*(3+request/4)*(request/4+1)))
			return wave * held(8, 13, 1.1)(start, request, second)
		}
	}
	require.Len(t, spells(judge(t, paced(3, rough(0)))), 1)
	require.Empty(t, spells(judge(t, paced(3, rough(0.12)))))
}

func TestEverySpellOfATrialIsToldApart(t *testing.T) {
	t.Parallel()
	r := judge(t, paced(3, func(start, request int, second float64) float64 {
		return held(3, 7, 1.1)(start, request, second) * held(12, 16, 1.4)(start, request, second)
	}))
	found := spells(r)
	require.Len(t, found, 2)
	require.Less(t, value(t, r, found[0].Facts["To"]), value(t, r, found[1].Facts["From"]))
	require.Less(t, value(t, r, found[0].Facts["Slower"]), value(t, r, found[1].Facts["Slower"]))
}

// TestSpellsOfStartsThatConfirm: they print the gain, and of repeats, which decide nothing and
// print nothing, nothing is said.
func TestSpellsOfStartsThatConfirm(t *testing.T) {
	t.Parallel()
	b := paced(3, held(8, 13, 1.2))
	b.Each(`"phase": "confirm"`, func(s studytest.Start) bool { return s.Number == 2 })
	require.Len(t, spells(judge(t, b)), 1)

	b = paced(3, even)
	for i, s := range b.Starts {
		if s.Ref != "one/base" {
			continue
		}
		b.Starts[i].Trials["main.2"] = s.Trials["main"]
		b.Starts[i].Files["main.2.json"] = s.Trials["main"].Paced(2000, func(_ int, second float64) float64 { return held(8, 13, 1.2)(s.Number, 0, second) })
	}
	require.Empty(t, spells(judge(t, b)))
}

// TestASpellIsWhereItIs: whatever start, seconds and amount, what is found lies there, and
// there is no more than one.
func TestASpellIsWhereItIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.IntRange(3, 5).Draw(t, "blocks")
		which := rapid.IntRange(1, blocks).Draw(t, "start")
		from := rapid.IntRange(0, 12).Draw(t, "from")
		long := rapid.IntRange(5, 8).Draw(t, "seconds")
		by := rapid.Float64Range(1.1, 1.9).Draw(t, "by")
		r := judge(t, paced(blocks, func(start, request int, second float64) float64 {
			if start == which {
				start = 2
			} else {
				start = 1
			}
			return held(float64(from), float64(from+long), by)(start, request, second)
		}))
		found := spells(r)
		require.Len(t, found, 1)
		require.Equal(t, fmt.Sprintf("one/base/start-%d/main", which), found[0].Subject)
		// A request takes less than a second, and up to twice as long in the spell.
		require.InDelta(t, from, value(t, r, found[0].Facts["From"]), 2)
		require.InDelta(t, from+long, value(t, r, found[0].Facts["To"]), 2)
		require.LessOrEqual(t, value(t, r, found[0].Facts["Slower"]), by-1+1e-9)
	})
}

const (
	busy    = "400,700,50,1980,3201,98,1000"
	waiting = "360,700,50,1980,3201,80,1000"
)

// TestWhatTheGPUsDidInASpell: power and utilization that fall at the usual clock are a GPU
// that waits; a clock that falls is told; anything else says nothing.
func TestWhatTheGPUsDidInASpell(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		b    studytest.Blocks
		want map[string]float64 // fact's name in the message
		of   string
	}{
		"waiting":               {studytest.Disturbed(0, waiting, busy), map[string]float64{"Power": 720, "PowerRest": 800, "Use": 0.80, "UseRest": 0.98, "Clock": 1980, "ClockRest": 1980}, analyze.CauseWaiting},
		"at a higher clock":     {studytest.Disturbed(0, waiting, strings.Replace(busy, "1980", "1900", 1)), map[string]float64{"Clock": 1980, "ClockRest": 1900}, analyze.CauseWaiting},
		"a lower clock":         {studytest.Disturbed(0, strings.Replace(waiting, "1980", "1700", 1), busy), map[string]float64{"Clock": 1700, "ClockRest": 1980}, analyze.CauseClock},
		"nothing else":          {studytest.Disturbed(0, busy, busy), nil, ""},
		"less power alone":      {studytest.Disturbed(0, "360,700,50,1980,3201,98,1000", busy), nil, ""},
		"less to do alone":      {studytest.Disturbed(0, "400,700,50,1980,3201,80,1000", busy), nil, ""},
		"power not told":        {studytest.Disturbed(0, ",700,50,1980,3201,80,1000", busy), nil, ""},
		"utilization not told":  {studytest.Disturbed(0, "360,700,50,1980,3201,,1000", busy), nil, ""},
		"clock not told":        {studytest.Disturbed(0, "360,700,50,,3201,80,1000", busy), nil, ""},
		"nobody knows when":     {edit(studytest.Disturbed(0, waiting, busy), "main.json", `"20261130-210100"`, `null`), nil, ""},
		"nobody knows of it":    {edit(studytest.Disturbed(0, waiting, busy), gpulog.File, "T21:01:1", "T20:01:1"), nil, ""},
		"nobody wrote anything": {edit(studytest.Disturbed(0, waiting, busy), gpulog.File, gpulog.Header(), ""), nil, ""},
	} {
		r := judge(t, c.b)
		found := spells(r)
		require.Len(t, found, 1, name)
		require.Equal(t, c.of, found[0].Names["Cause"], name)
		require.Equal(t, c.of != "", found[0].Facts["Clock"] != "", name)
		require.Equal(t, c.of == analyze.CauseWaiting, found[0].Facts["Power"] != "", name)
		for fact, v := range c.want {
			require.InDelta(t, v, value(t, r, found[0].Facts[fact]), 1e-9, "%s: %s", name, fact)
		}
	}
	late := judge(t, studytest.Disturbed(3, waiting, busy))
	require.Equal(t, analyze.CauseWaiting, spells(late)[0].Names["Cause"], "the seconds are those since the client began")
	require.InDelta(t, 11, value(t, late, spells(late)[0].Facts["From"]), 0)

	b := studytest.Disturbed(0, waiting, busy)
	r := judge(t, b)
	f, _ := r.Facts.Get(spells(r)[0].Facts["Power"])
	require.Equal(t, "runs/published/one/base/start-2/gpu.csv", f.Source.File)
	require.Contains(t, strings.Split(b.Starts[0].Files[gpulog.File], "\n")[f.Source.Line-1], "T21:01:09.000Z,0,360,", "the first second that is certainly in it")
}

// TestSpellsOfTheRealRun: four trials of the third sitting were disturbed, three of them under
// the load that decides. The chaos at concurrency 64 and the unquiet CPU are no spells.
func TestSpellsOfTheRealRun(t *testing.T) {
	t.Parallel()
	var got []string
	for _, id := range []string{"qwen3-8b-h200-latency", "smollm2-135m-cpu-latency"} {
		r := content(t, id)
		for _, f := range spells(r) {
			got = append(got, fmt.Sprintf("%s %g-%g s +%.0f %% %s %.0f/%.0f W", f.Subject, value(t, r, f.Facts["From"]), value(t, r, f.Facts["To"]),
				100*value(t, r, f.Facts["Slower"]), f.Names["Cause"], value(t, r, f.Facts["Power"]), value(t, r, f.Facts["PowerRest"])))
		}
	}
	require.Empty(t, cmp.Diff([]string{
		"version/v0.20.2/start-1/c4 9-13 s +8 % waiting 383/405 W",
		"version/v0.20.2/start-2/c4 0-3 s +8 % waiting 380/413 W",
		"version/v0.20.2/start-4/c64 9-14 s +29 % waiting 441/506 W",
		"version/incumbent/start-2/c4 15-21 s +13 % waiting 372/411 W",
	}, got))
}
