package bench_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"benchguide/bench"
)

// BenchmarkMeasurementError sends many streams at once to a server in this process that
// writes down when it sent each chunk, and reports by how much the recorded times
// differ from that: the columns are the error of TTFT, ITL and TPOT in nanoseconds. The
// server takes the time before and after it writes a chunk, which left it in between: what
// the two cores do to the server is not the client's error.
func BenchmarkMeasurementError(b *testing.B) {
	for _, streams := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) {
			for b.Loop() {
				measureError(b, streams)
			}
		})
	}
}

const (
	chunksEach = 20
	chunkGap   = 50 * time.Millisecond
)

func measureError(b *testing.B, streams int) {
	var mu sync.Mutex
	truth := map[string][]span{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Prompt string }
		json.NewDecoder(r.Body).Decode(&asked)
		times := make([]span, 0, chunksEach)
		for range chunksEach {
			time.Sleep(chunkGap)
			before := time.Now()
			io.WriteString(w, stream(`{"choices":[{"text":"a"}]}`))
			w.(http.Flusher).Flush()
			times = append(times, span{before, time.Now()})
		}
		mu.Lock()
		truth[asked.Prompt] = times
		mu.Unlock()
		io.WriteString(w, stream(usage(1, chunksEach), "[DONE]"))
	}))
	defer server.Close()
	client := &bench.Client{HTTP: bench.NewHTTP(), Base: server.URL, Endpoint: bench.Completions}
	due, _ := bench.Arrivals(streams, float64(streams)*2, 1, 1) // all within half a second
	r, err := bench.Run(b.Context(), client, bench.Load{Prompts: prompts("p", streams), Due: due})
	if err != nil {
		b.Fatal(err)
	}
	var ttft, itl, tpot []time.Duration
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		sent := truth[o.Prompt.Text]
		if !o.OK() || len(o.Chunks) != len(sent) {
			b.Fatalf("%d chunks for %d: %s", len(o.Chunks), len(sent), o.Err)
		}
		ttft = append(ttft, outside(o.Sent+o.Chunks[0], sent[0].before.Sub(r.Began), sent[0].after.Sub(r.Began)))
		for j, gap := range o.Gaps() {
			itl = append(itl, gapError(gap, sent[j], sent[j+1]))
		}
		last := len(sent) - 1
		tpot = append(tpot, gapError(o.Chunks[last]-o.Chunks[0], sent[0], sent[last])/time.Duration(last))
	}
	report(b, "ttft", ttft)
	report(b, "itl", itl)
	report(b, "tpot", tpot)
	b.ReportMetric(r.Self.CPU*100, "%cpu")
}

// span is when a chunk left the server, as well as it knows.
type span struct{ before, after time.Time }

// gapError is by how much a gap is none that two chunks can have had.
func gapError(gap time.Duration, from, to span) time.Duration {
	return outside(gap, to.before.Sub(from.after), to.after.Sub(from.before))
}

// outside is how far d lies outside of least to most.
func outside(d, least, most time.Duration) time.Duration {
	return max(least-d, d-most, 0)
}

func report(b *testing.B, name string, errors []time.Duration) {
	slices.Sort(errors)
	b.ReportMetric(float64(errors[len(errors)/2]), name+"-p50-ns")
	b.ReportMetric(float64(errors[len(errors)*99/100]), name+"-p99-ns")
}
