package stat_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"benchguide/analyze/stat"
)

// The simulated studies: one stage of four candidates beside the incumbent.
const (
	candidates = 4
	studies    = 20_000 // of each world
	chunk      = 500    // studies that share a seed, so that cores do not change results
	mostBlocks = 10
	fresh      = 3 // starts a side that confirm a gain; they did not choose the winner
	within     = 0.005
	tailRate   = 0.07
	tailLoss   = 0.04
)

// world is a truth to draw studies from: how much starts differ, and what the first
// candidate is worth. The others are worth nothing.
type world struct {
	spread float64
	tail   bool // 7 % of all starts are 4 % slow
	effect float64
	uneven float64 // the first candidate scatters so many times as much; 0 for as much as all
}

// worlds are all the truths of the proofs, those without any effect first.
func worlds() []world {
	var all []world
	for _, effect := range []float64{0, 0.03, 0.05, 0.10} {
		for _, tail := range []bool{false, true} {
			for _, spread := range []float64{0.005, 0.01, 0.02} {
				all = append(all, world{spread: spread, tail: tail, effect: effect})
			}
		}
	}
	return all
}

// total is the standard deviation of a start's log in a world without a tail: between
// starts and within one.
func (w world) total() float64 { return math.Hypot(w.spread, within) }

// start draws the log of a start's value. Block effects are left out: they change
// nothing, which a property test shows.
func (w world) start(rng *rand.Rand, candidate int) float64 {
	y := w.total() * rng.NormFloat64()
	if candidate == 1 {
		y = y*max(1, w.uneven) + math.Log1p(w.effect)
	}
	if w.tail && rng.Float64() < tailRate {
		y += math.Log1p(-tailLoss)
	}
	return y
}

// block is one start each: of the incumbent, then of the candidates.
type block [candidates + 1]float64

// draw makes the blocks of a study.
func (w world) draw(rng *rand.Rand, blocks []block) {
	for j := range blocks {
		for i := range blocks[j] {
			blocks[j][i] = w.start(rng, i)
		}
	}
}

// balanced fits blocks without gaps: the same as stat.Fit, in sums. It returns each
// candidate's log ratio to the incumbent and the residual standard deviation.
func balanced(blocks []block) (ratios [candidates + 1]float64, s float64) {
	n := float64(len(blocks))
	var mean block
	grand := 0.0
	for _, b := range blocks {
		for i, y := range b {
			mean[i] += y / n
			grand += y / n / (candidates + 1)
		}
	}
	rss := 0.0
	for _, b := range blocks {
		level := -grand
		for _, y := range b {
			level += y / (candidates + 1)
		}
		for i, y := range b {
			r := y - mean[i] - level
			rss += r * r
		}
	}
	for i := range ratios {
		ratios[i] = mean[i] - mean[0]
	}
	return ratios, math.Sqrt(rss / (candidates * (n - 1)))
}

// outcome is the decision of a stage: the winner (0: the incumbent stays), after how
// many blocks, and the log ratio that it won by.
type outcome struct {
	winner, blocks int
	logRatio       float64
}

// strategy is a rule with the critical values of its looks.
type strategy struct {
	rule     stat.Rule
	critical []float64
}

func newStrategy(looks ...stat.Look) strategy {
	s := strategy{rule: stat.DefaultRule()}
	s.rule.Looks = looks
	for _, l := range looks {
		t := distuv.StudentsT{Sigma: 1, Nu: float64(candidates * (l.Blocks - 1))}
		s.critical = append(s.critical, t.Quantile(1-l.Alpha/candidates))
	}
	return s
}

// decide adopts, at the first look that finds any, the best of the candidates that
// exceed the threshold.
func (s strategy) decide(blocks []block) outcome {
	for l, look := range s.rule.Looks {
		ratios, measured := balanced(blocks[:look.Blocks])
		margin := s.critical[l] * max(measured, s.rule.SMin) * math.Sqrt(2/float64(look.Blocks))
		best := outcome{blocks: look.Blocks, logRatio: max(math.Log1p(s.rule.Delta), margin)}
		for i, r := range ratios {
			if r > best.logRatio {
				best.winner, best.logRatio = i, r
			}
		}
		if best.winner > 0 {
			return best
		}
	}
	return outcome{}
}

// bias sums how far printed gains lie from the truth.
type bias struct{ n, sum, squares float64 }

func (b *bias) add(x float64) { b.n++; b.sum += x; b.squares += x * x }

func (b *bias) merge(o bias) { b.n += o.n; b.sum += o.sum; b.squares += o.squares }

func (b bias) mean() float64 { return b.sum / b.n }

func (b bias) standardError() float64 {
	return math.Sqrt(max(0, b.squares/b.n-b.mean()*b.mean()) / b.n)
}

// plans is how a stage may be run: to the first look only, to both, or with the second
// look only after 10 blocks.
const (
	after3 = iota
	after6
	after10
	plans
)

// tally counts what became of the studies of one world.
type tally struct {
	world     world
	studies   int
	adopted   [plans]int // a candidate without effect
	found     [plans]int // the candidate with an effect
	beyond    int        // it exceeded the threshold after 3 blocks, the best or not
	printed   bias       // plan after6: gain from the starts that chose the winner
	confirmed bias       // plan after6: gain from fresh starts
}

func (t *tally) merge(o tally) {
	t.studies += o.studies
	t.beyond += o.beyond
	for p := range plans {
		t.adopted[p] += o.adopted[p]
		t.found[p] += o.found[p]
	}
	t.printed.merge(o.printed)
	t.confirmed.merge(o.confirmed)
}

// study carries one out under every plan.
func (t *tally) study(rng *rand.Rand, strategies [plans]strategy) {
	var blocks [mostBlocks]block
	var again [fresh]block
	t.world.draw(rng, blocks[:])
	t.world.draw(rng, again[:])
	t.studies++
	for p, s := range strategies {
		out := s.decide(blocks[:])
		truth := 0.0
		switch {
		case out.winner == 0:
			continue
		case out.winner == 1 && t.world.effect > 0:
			t.found[p]++
			truth = t.world.effect
		default:
			t.adopted[p]++
		}
		if p == after6 {
			ratios, _ := balanced(again[:])
			t.printed.add(math.Expm1(out.logRatio) - truth)
			t.confirmed.add(math.Expm1(ratios[out.winner]) - truth)
		}
	}
	s := strategies[after3]
	ratios, measured := balanced(blocks[:3])
	margin := s.critical[0] * max(measured, s.rule.SMin) * math.Sqrt(2.0/3)
	if ratios[1] > max(math.Log1p(s.rule.Delta), margin) {
		t.beyond++
	}
}

// simulated are the studies of the proofs, carried out once for all tests.
var simulated = sync.OnceValue(func() []tally { return simulate(worlds()) })

// simulate carries out the studies of some worlds. Work is spread over the cores in
// chunks that have a seed of their own and are summed in order.
func simulate(all []world) []tally {
	first, second := stat.Look{Blocks: 3, Alpha: 0.01}, stat.Look{Blocks: 6, Alpha: 0.04}
	strategies := [plans]strategy{
		after3: newStrategy(first), after6: newStrategy(first, second), after10: newStrategy(first, stat.Look{Blocks: 10, Alpha: 0.04}),
	}
	const chunks = studies / chunk
	parts := make([]tally, len(all)*chunks)
	spread(len(parts), func(i int) {
		part := tally{world: all[i/chunks]}
		rng := rand.New(rand.NewPCG(uint64(i/chunks), uint64(i%chunks)))
		for range chunk {
			part.study(rng, strategies)
		}
		parts[i] = part
	})
	tallies := make([]tally, len(all))
	for i, part := range parts {
		tallies[i/chunks].world = part.world
		tallies[i/chunks].merge(part)
	}
	return tallies
}

// spread does n pieces of work on all cores.
func spread(n int, work func(i int)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}
