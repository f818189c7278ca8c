package stat_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze/stat"
)

// load is what two trials of simulated studies were sent.
type load struct {
	requests int
	grows    bool // a prompt gains the more, the longer its answer
}

func loads() []load { return []load{{20, false}, {100, false}, {20, true}, {100, true}} }

// How the requests of a simulation come about.
const (
	answerSpread = 0.8  // of their lengths, on the log scale: a standard deviation of about the mean, as ShareGPT's have
	trialPairs   = 600  // simulated for each load
	requestGain  = 0.4  // of the time that an answer takes
	requestNoise = 0.02 // of one request, on the log scale
	firstToken   = 1.0  // of a prompt, of which nothing is gained where gains grow; a middling answer takes as long
)

// draw sends prompts to two sides: the same ones, or other ones to each.
func (l load) draw(rng *rand.Rand, same bool) (a, b []float64) {
	fixed := 0.0
	if l.grows {
		fixed = firstToken
	}
	for range l.requests {
		x := math.Exp(answerSpread * rng.NormFloat64())
		y := x
		if !same {
			y = math.Exp(answerSpread * rng.NormFloat64())
		}
		a = append(a, (fixed+(1+requestGain)*x)*math.Exp(requestNoise*rng.NormFloat64()))
		b = append(b, (fixed+y)*math.Exp(requestNoise*rng.NormFloat64()))
	}
	return a, b
}

// ratio is that of the means of all prompts that there are.
func (l load) ratio() float64 {
	answer := math.Exp(answerSpread * answerSpread / 2) // the mean of them
	if l.grows {
		return (firstToken + (1+requestGain)*answer) / (firstToken + answer)
	}
	return 1 + requestGain
}

// coverage is how often an interval holds the true ratio, and how wide it is in the middle.
type coverage struct {
	held  float64
	width float64 // of the high over the low end, less one: the median
}

func (l load) coverage(rng *rand.Rand, same bool, show func(a, b []float64) (stat.ShownInterval, error)) coverage {
	held := 0
	widths := make([]float64, trialPairs)
	for i := range widths {
		shown, err := show(l.draw(rng, same))
		if err != nil {
			panic(err) // positive numbers only
		}
		if shown.Low <= l.ratio() && l.ratio() <= shown.High {
			held++
		}
		widths[i] = shown.High/shown.Low - 1
	}
	slices.Sort(widths)
	return coverage{float64(held) / trialPairs, widths[trialPairs/2]}
}

// covered are the three uses of an interval for one load: prompts drawn in pairs, and the
// requests of each side on their own, of the same prompts and of others.
type covered struct{ pairs, apart, others coverage }

var intervals = sync.OnceValue(func() []covered {
	list := make([]covered, len(loads()))
	spread(len(list), func(i int) {
		rng := rand.New(rand.NewPCG(20261201, uint64(i)))
		l := loads()[i]
		list[i] = covered{l.coverage(rng, true, stat.ShowPaired), l.coverage(rng, true, stat.ShowInterval), l.coverage(rng, false, stat.ShowInterval)}
	})
	return list
})

// TestIntervalsHoldTheTrueRatioAsOftenAsTheySay: by pairs where the prompts are the same,
// apart where they are others. Apart with the same prompts holds it nearly always, since it
// is wider by what prompts differ.
func TestIntervalsHoldTheTrueRatioAsOftenAsTheySay(t *testing.T) {
	t.Parallel()
	for i, c := range intervals() {
		least := 0.92
		if loads()[i].requests < 100 {
			least = 0.88 // a few draws of a skewed distribution know little of its tail
		}
		for name, held := range map[string]float64{"pairs": c.pairs.held, "others": c.others.held} {
			require.Greater(t, held, least, "%s of %+v", name, loads()[i])
			require.Less(t, held, 0.98, "%s of %+v", name, loads()[i])
		}
		require.Greater(t, c.apart.held, 0.99, "%+v", loads()[i])
		require.Less(t, 3*c.pairs.width, c.apart.width, "%+v", loads()[i])
	}
}

func intervalTable() string {
	var rows [][]string
	for i, c := range intervals() {
		gains := "all alike"
		if loads()[i].grows {
			gains = "more, the longer the answer"
		}
		text := func(c coverage) string { return fmt.Sprintf("%.1f %%, %.1f %% wide", 100*c.held, 100*c.width) }
		rows = append(rows, []string{fmt.Sprint(loads()[i].requests), gains, text(c.pairs), text(c.apart), text(c.others)})
	}
	return table([]string{"Requests", "Prompts gain", "The same prompts, in pairs", "The same prompts, each side on its own", "Other prompts, each side on its own"}, rows)
}
