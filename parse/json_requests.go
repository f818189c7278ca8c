package parse

import (
	"math"

	"benchguide/parse/internal/jsonstream"
)

// detail is how much of a file with per-request data is read.
type detail int

const (
	wantRecords  detail = iota // lists are read once and summed up, for recomputation
	wantSummary                // lists are skipped
	wantRequests               // lists are kept
)

// maxRequests bounds the lists that are read; a recomputation over more is not made.
const maxRequests = 1 << 20

// requestData is what a file says of each request: one list for each property, all
// of them in seconds. Failed requests have their place in each.
type requestData struct {
	line   int
	want   detail
	lists  []string // the keys that were read
	over   bool     // a list is longer than maxRequests
	input  []float64
	output []float64
	start  []float64
	ttft   []float64
	e2e    []float64
	gaps   []gapSum
	pool   *histogram // of all gaps
	errors []string   // "" for a request that succeeded

	kept [][]float64 // the gaps themselves, with wantRequests
}

// gapSum is what is needed of the gaps between the chunks of one request.
type gapSum struct {
	n            int
	sum, squares float64
}

func (s *gapSum) add(f float64) {
	s.n++
	s.sum += f
	s.squares += f * f
}

// isRequestList tells the keys whose lists have one item a request.
func isRequestList(key string) bool {
	switch key {
	case "input_lens", "output_lens", "start_times", "ttfts", "itls", "latencies", "e2els", "errors":
		return true
	}
	return false
}

// read takes one list.
func (d *requestData) read(key string, r *jsonstream.Reader) {
	if d.want == wantSummary {
		r.Skip()
		return
	}
	d.lists = append(d.lists, key)
	switch key {
	case "itls":
		d.readGaps(r)
	case "errors":
		d.readErrors(r)
	default:
		column := d.column(key)
		r.Floats(func(f float64) {
			if d.fits(len(*column)) {
				*column = append(*column, f)
			}
		})
	}
}

func (d *requestData) column(key string) *[]float64 {
	switch key {
	case "input_lens":
		return &d.input
	case "output_lens":
		return &d.output
	case "start_times":
		return &d.start
	case "ttfts":
		return &d.ttft
	default:
		return &d.e2e
	}
}

// fits reports whether a list may grow beyond n items.
func (d *requestData) fits(n int) bool {
	d.over = d.over || n >= maxRequests
	return !d.over
}

// readGaps sums up the gaps of each request, so that a file of any size needs the
// memory of its requests and not of its tokens. The sums are kept for each request
// because the errors, which say whose gaps count, come after the gaps in the file.
func (d *requestData) readGaps(r *jsonstream.Reader) {
	d.pool = newHistogram()
	r.Array(func() {
		if !d.fits(len(d.gaps)) {
			return
		}
		s := gapSum{}
		var kept []float64
		if r.Peek() != jsonstream.Array {
			s.n = -1 // not a list: nothing is known of this request
			r.Skip()
		} else {
			r.Floats(func(f float64) {
				s.add(f)
				d.pool.add(f)
				if d.want == wantRequests {
					kept = append(kept, f)
				}
			})
		}
		d.gaps = append(d.gaps, s)
		d.kept = append(d.kept, kept)
	})
}

// readErrors keeps the messages only where they are asked for.
func (d *requestData) readErrors(r *jsonstream.Reader) {
	r.Array(func() {
		if !d.fits(len(d.errors)) {
			return
		}
		s := r.Scalar()
		text := s.Text
		if s.Kind == jsonstream.Null {
			text = ""
		}
		if text != "" && d.want != wantRequests {
			text = "failed"
		}
		d.errors = append(d.errors, text)
	})
}

// count returns the number of requests, and false when the lists do not agree on it.
func (d *requestData) count() (int, bool) {
	n := -1
	for _, length := range []int{len(d.input), len(d.output), len(d.start), len(d.ttft), len(d.e2e), len(d.gaps), len(d.errors)} {
		if length == 0 {
			continue
		}
		if n >= 0 && n != length {
			return 0, false
		}
		n = length
	}
	return max(n, 0), !d.over
}

// succeeded says which of n requests did: those without an error. Where the tool
// counts fewer, a request without output has failed too: some failures leave no text.
func (d *requestData) succeeded(n int, completed float64) []bool {
	ok := make([]bool, n)
	count := 0
	for i := range ok {
		ok[i] = len(d.errors) == 0 || d.errors[i] == ""
		if ok[i] {
			count++
		}
	}
	if float64(count) <= completed || len(d.output) == 0 {
		return ok
	}
	for i := range ok {
		ok[i] = ok[i] && d.output[i] > 0
	}
	return ok
}

// latency returns the time from sending request i to its end: as the file states it,
// or else until its last chunk. It is NaN where neither is known.
func (d *requestData) latency(i int) float64 {
	switch {
	case len(d.e2e) > 0:
		return d.e2e[i]
	case len(d.ttft) > 0 && len(d.gaps) > 0 && d.gaps[i].n >= 0:
		return d.ttft[i] + d.gaps[i].sum
	default:
		return math.NaN()
	}
}
