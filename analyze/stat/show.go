package stat

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
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

// ShownStatistic is what a shown interval compares.
type ShownStatistic int

// The statistics that a shown interval may compare.
const (
	ShownMean ShownStatistic = iota
	ShownMedian
)

// ShownInterval is a bootstrap interval of a ratio, over the requests of two trials.
// It is for display: it knows nothing of how much two starts differ, is far too narrow
// for a verdict, and decides nothing.
type ShownInterval struct {
	Ratio     float64 // of first / second, as measured
	Low, High float64 // percentile interval
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
// 95 % percentile interval of the ratio of their means or medians. All values are
// positive numbers; their order does not matter.
func ShowInterval(a, b []float64, of ShownStatistic) (ShownInterval, error) {
	a, errA := sortedPositive(a)
	b, errB := sortedPositive(b)
	if err := errors.Join(errA, errB); err != nil {
		return ShownInterval{}, err
	}
	rng := rand.New(rand.NewPCG(shownSeed, 0))
	ratios := make([]float64, shownResamples)
	drawA, drawB := make([]float64, len(a)), make([]float64, len(b))
	for i := range ratios {
		resample(rng, drawA, a)
		resample(rng, drawB, b)
		ratios[i] = of.value(drawA) / of.value(drawB)
	}
	slices.Sort(ratios)
	tail := (1 - shownLevel) / 2
	return ShownInterval{
		Ratio: of.value(a) / of.value(b),
		Low:   stat.Quantile(tail, stat.LinInterp, ratios, nil),
		High:  stat.Quantile(1-tail, stat.LinInterp, ratios, nil),
		Level: shownLevel, Resamples: shownResamples,
	}, nil
}

// value is the statistic of sorted values.
func (s ShownStatistic) value(sorted []float64) float64 {
	if s == ShownMedian {
		return median(sorted)
	}
	return stat.Mean(sorted, nil)
}

// resample fills into with values drawn from sorted ones, sorted again.
func resample(rng *rand.Rand, into, from []float64) {
	for i := range into {
		into[i] = from[rng.IntN(len(from))]
	}
	slices.Sort(into)
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
