package parse

import "math"

// histogram counts positive numbers in buckets 0.1 % wide. It gives the percentiles
// of any number of values within 0.05 % in constant memory: enough to check what a
// tool printed, and never printed itself.
type histogram struct {
	counts []uint32
	n      int
}

const (
	bucketBits  = 10                        // of the mantissa: 1024 buckets for each power of two
	bucketShift = 52 - bucketBits           // of the other bits
	lowest      = (1023 - 36) << bucketBits // 2^-36, 15 picoseconds; all below counts as that
	buckets     = (36 + 24) << bucketBits   // to 2^24, half a year
)

func newHistogram() *histogram { return &histogram{counts: make([]uint32, buckets)} }

// add counts a number; NaN and negative numbers are none.
func (h *histogram) add(f float64) {
	if !(f >= 0) {
		return
	}
	b := int(math.Float64bits(f)>>bucketShift) - lowest
	h.counts[min(max(b, 0), buckets-1)]++
	h.n++
}

// percentile interpolates between the two nearest values, as numpy does.
func (h *histogram) percentile(p float64) float64 {
	rank := p / 100 * float64(h.n-1)
	below := math.Floor(rank)
	low := h.value(int(below))
	return low + (rank-below)*(h.value(int(math.Ceil(rank)))-low)
}

// value returns the middle of the bucket of the i-th smallest number.
func (h *histogram) value(i int) float64 {
	seen := 0
	for b, n := range h.counts {
		if seen += int(n); seen > i {
			return bucketMiddle(b)
		}
	}
	return math.NaN()
}

func bucketMiddle(b int) float64 {
	if b == 0 {
		return 0
	}
	low := uint64(b+lowest) << bucketShift
	return math.Float64frombits(low | 1<<(bucketShift-1))
}
