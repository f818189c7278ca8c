package bench

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Arrivals returns when each of n requests is due. A rate of +Inf makes all due at
// once. Gaps are drawn from a gamma distribution of the shape burstiness: 1 is a
// Poisson process, less is burstier, +Inf is a constant gap. The times are scaled so
// that the last one is n / rate, as in vLLM's client: the rate is then what was asked,
// and does not differ between seeds by what chance made of the sum.
func Arrivals(n int, rate, burstiness float64, seed uint64) ([]time.Duration, error) {
	switch {
	case !(rate > 0):
		return nil, fmt.Errorf("a request rate of %v is not possible; give requests per second, or inf", rate)
	case !(burstiness > 0):
		return nil, fmt.Errorf("a burstiness of %v is not possible; 1 is a Poisson process, inf a constant gap", burstiness)
	case math.IsInf(rate, 1) || n == 0:
		return make([]time.Duration, n), nil
	}
	r := source(seed, "arrivals")
	at := make([]float64, n)
	sum := 0.0
	for i := range at {
		sum += gap(r, burstiness)
		at[i] = sum
	}
	due := make([]time.Duration, n)
	for i := range at {
		share := float64(i+1) / float64(n)
		if sum > 0 { // all gaps of a very bursty process may be too small for a float64
			share = at[i] / sum
		}
		due[i] = time.Duration(share * float64(n) / rate * float64(time.Second))
	}
	return due, nil
}

func gap(r *rand.Rand, shape float64) float64 {
	switch {
	case math.IsInf(shape, 1):
		return 1
	case shape == 1:
		return r.ExpFloat64()
	default:
		return gamma(r, shape)
	}
}

// gamma draws from a gamma distribution by the method of Marsaglia and Tsang (2000).
// A shape below 1 is drawn one higher and scaled by a power of a uniform variable.
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(1-r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// ReadArrivals reads a trace: one time in seconds a line, none before the one above.
// Times are since the run began. Empty lines and lines that begin with # are passed over.
func ReadArrivals(file string, r io.Reader) ([]time.Duration, error) {
	var due []time.Duration
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil || !(seconds >= 0 && seconds < 1e6) {
			return nil, fmt.Errorf("%s:%d: %q is no time in seconds since the run began", file, n, text)
		}
		at := time.Duration(seconds * float64(time.Second))
		if len(due) > 0 && at < due[len(due)-1] {
			return nil, fmt.Errorf("%s:%d: %s is before the time above it; sort the trace", file, n, text)
		}
		due = append(due, at)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return due, nil
}

// source returns random numbers of one purpose, so that what is drawn for one does not
// depend on how much is drawn for another.
func source(seed uint64, purpose string) *rand.Rand {
	stream := uint64(14695981039346656037) // FNV-1a
	for _, b := range []byte(purpose) {
		stream = (stream ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, stream))
}
