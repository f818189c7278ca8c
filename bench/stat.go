package bench

import (
	"math"
	"slices"
	"time"
)

// Distribution is a sample of times, of which statistics can be had. Its zero value
// is empty, and all statistics of that are 0: vLLM's client prints those.
type Distribution struct{ sorted []float64 } // in milliseconds

func distributionOf(sample []time.Duration) Distribution {
	d := Distribution{make([]float64, len(sample))}
	for i, s := range sample {
		d.sorted[i] = milliseconds(s)
	}
	slices.Sort(d.sorted)
	return d
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// N returns the size of the sample.
func (d Distribution) N() int { return len(d.sorted) }

// Mean returns the mean in milliseconds.
func (d Distribution) Mean() float64 {
	if len(d.sorted) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range d.sorted {
		sum += v
	}
	return sum / float64(len(d.sorted))
}

// Std returns the standard deviation in milliseconds, that of a population: it
// divides by n, as vLLM's client does.
func (d Distribution) Std() float64 {
	if len(d.sorted) == 0 {
		return 0
	}
	mean, sum := d.Mean(), 0.0
	for _, v := range d.sorted {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(d.sorted)))
}

// Percentile returns the p-th percentile in milliseconds, on the line between the two
// nearest ranks.
func (d Distribution) Percentile(p float64) float64 {
	if len(d.sorted) == 0 {
		return 0
	}
	at := p / 100 * float64(len(d.sorted)-1)
	low := int(at)
	if low >= len(d.sorted)-1 {
		return d.sorted[len(d.sorted)-1]
	}
	return d.sorted[low] + (at-float64(low))*(d.sorted[low+1]-d.sorted[low])
}
