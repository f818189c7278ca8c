package bench

import (
	"fmt"
	"math"
	"time"
)

// Ramp is a request rate that rises from one request to the next.
type Ramp struct {
	Strategy   string  // "linear" or "exponential"
	Start, End float64 // requests a second
}

// Arrivals returns when each of n requests is due. The gap before each is drawn for the
// rate that holds then; nothing is scaled afterwards, since no total is asked for.
func (r Ramp) Arrivals(n int, burstiness float64, seed uint64) ([]time.Duration, error) {
	if err := r.check(burstiness); err != nil {
		return nil, err
	}
	draw := source(seed, "arrivals")
	due := make([]time.Duration, n)
	at := 0.0
	for i := range due {
		scale := 1.0 // of a gap whose mean is the shape
		if !math.IsInf(burstiness, 1) {
			scale = burstiness
		}
		at += gap(draw, burstiness) / scale / r.at(i, n)
		due[i] = time.Duration(at * float64(time.Second))
	}
	return due, nil
}

func (r Ramp) check(burstiness float64) error {
	switch {
	case r.Strategy != "linear" && r.Strategy != "exponential":
		return fmt.Errorf("a ramp-up %q is not known; use linear or exponential", r.Strategy)
	case !(r.Start > 0) || !(r.End > r.Start) || math.IsInf(r.End, 1):
		return fmt.Errorf("a ramp-up from %v to %v requests per second is not possible; both must be above 0, and the end above the start", r.Start, r.End)
	case !(burstiness > 0):
		return fmt.Errorf("a burstiness of %v is not possible; 1 is a Poisson process, inf a constant gap", burstiness)
	}
	return nil
}

// at is the rate that holds for request i of n.
func (r Ramp) at(i, n int) float64 {
	progress := float64(i) / float64(max(n-1, 1))
	if r.Strategy == "exponential" {
		return r.Start * math.Pow(r.End/r.Start, progress)
	}
	return r.Start + (r.End-r.Start)*progress
}
