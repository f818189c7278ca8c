package stat

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// ShownSpread says how far the repeats within one start lie apart. It is for display:
// repeats of a warm server are no replicates and decide nothing.
type ShownSpread struct {
	N           int
	Least, Most float64
	Median      float64
	Range       float64 // Most / Least - 1
}

// ShowSpread describes the repeats within one start; at least two positive numbers.
func ShowSpread(repeats []float64) (ShownSpread, error) {
	if len(repeats) < 2 {
		return ShownSpread{}, fmt.Errorf("%d values have no spread: at least two are needed", len(repeats))
	}
	sorted, err := sortedPositive(repeats)
	if err != nil {
		return ShownSpread{}, err
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	return ShownSpread{len(sorted), least, most, median(sorted), most/least - 1}, nil
}

// ShownInterval is a bootstrap interval of the ratio of two means, over the requests of two trials.
// It is for display: it knows nothing of how much two starts differ, is far too narrow
// for a verdict, and decides nothing.
type ShownInterval struct {
	Ratio     float64 // of first / second, as measured
	Low, High float64
	Level     float64
	Resamples int
}

// How a shown interval is made. The seed is fixed, so that a page built twice
// shows the same interval.
const (
	shownLevel     = 0.95
	shownResamples = 2000
	shownSeed      = 20261130
)

// ShowInterval resamples the requests of two trials, each on its own, and returns the
// 95 % interval of the ratio of their means. It holds what the two differ by
// when their prompts are other ones, so of trials with the same prompts it says far too
// little: ShowPaired is for those. All values are positive numbers, at least two of each;
// their order does not matter.
func ShowInterval(a, b []float64) (ShownInterval, error) {
	a, errA := sortedPositive(a)
	b, errB := sortedPositive(b)
	if err := errors.Join(errA, errB, enough(a), enough(b)); err != nil {
		return ShownInterval{}, err
	}
	return resampled(min(len(a), len(b)), mean(a)/mean(b), func(rng *rand.Rand) float64 { return drawn(rng, a) / drawn(rng, b) }), nil
}

// ShowPaired is ShowInterval for two trials that were sent the same prompts, of which a
// and b have the values in one order. It resamples prompts, each with what it took on
// both sides: how long an answer is moves both sides alike and drops out.
func ShowPaired(a, b []float64) (ShownInterval, error) {
	_, errA := sortedPositive(a)
	_, errB := sortedPositive(b)
	if len(a) != len(b) {
		return ShownInterval{}, fmt.Errorf("%d values cannot be paired with %d", len(a), len(b))
	}
	if err := errors.Join(errA, errB, enough(a)); err != nil {
		return ShownInterval{}, err
	}
	pairs := make([][2]float64, len(a))
	for i := range a {
		pairs[i] = [2]float64{a[i], b[i]}
	}
	slices.SortFunc(pairs, func(x, y [2]float64) int { return slices.Compare(x[:], y[:]) }) // nor does the order of pairs matter
	return resampled(len(a), mean(a)/mean(b), func(rng *rand.Rand) float64 {
		sumA, sumB := 0.0, 0.0
		for range pairs {
			pair := pairs[rng.IntN(len(pairs))]
			sumA, sumB = sumA+pair[0], sumB+pair[1]
		}
		return sumA / sumB
	}), nil
}

// resampled is the percentile interval of what is drawn from n values. Values that are
// drawn from a few lie closer together than the few do to all that there are, so that the
// tails are cut off where Student's distribution says, and by n/(n-1) further out.
func resampled(n int, ratio float64, draw func(*rand.Rand) float64) ShownInterval {
	rng := rand.New(rand.NewPCG(shownSeed, 0))
	ratios := make([]float64, shownResamples)
	for i := range ratios {
		ratios[i] = draw(rng)
	}
	slices.Sort(ratios)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + shownLevel) / 2)
	tail := distuv.UnitNormal.CDF(-t * math.Sqrt(float64(n)/float64(n-1)))
	return ShownInterval{
		Ratio: ratio,
		Low:   stat.Quantile(tail, stat.LinInterp, ratios, nil),
		High:  stat.Quantile(1-tail, stat.LinInterp, ratios, nil),
		Level: shownLevel, Resamples: shownResamples,
	}
}

// drawn is the mean of as many values as there are, drawn from them.
func drawn(rng *rand.Rand, from []float64) float64 {
	sum := 0.0
	for range from {
		sum += from[rng.IntN(len(from))]
	}
	return sum / float64(len(from))
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// enough refuses a single value: drawn again, it is always itself, which would look like
// a number without any doubt.
func enough(values []float64) error {
	if len(values) < 2 {
		return errors.New("one value cannot be drawn again: at least two are needed")
	}
	return nil
}

func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// sortedPositive returns the values sorted; none, or one that is no positive number,
// is an error.
func sortedPositive(values []float64) ([]float64, error) {
	if len(values) == 0 {
		return nil, errors.New("no values to show")
	}
	for i, v := range values {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("value %d of %d is %v, not a positive number: leave it out", i+1, len(values), v)
		}
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted, nil
}
