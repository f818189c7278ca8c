package parse

import (
	"math"
	"slices"

	"benchguide/metric"
)

// aiperfRecords reads profile_export.jsonl, in which AIPerf writes one object a
// request. It holds no summary, so every value is computed here. Rates are not: AIPerf
// divides by the time of the whole phase, which the requests do not tell.
func aiperfRecords() Format {
	return Format{
		Name:  "aiperf-records",
		Sniff: func(head []byte) bool { return jsonHas(head, "metadata", "metrics", "request_start_ns") },
		Read:  readAIPerfRecords,
	}
}

// requestSums is what is kept of the requests.
type requestSums struct {
	completed, failed int
	input, output     float64
	first, last       float64 // ns
	times             map[metric.Quantity][]float64
}

// readAIPerfRecords reads the requests one by one and keeps only what statistics need:
// eight bytes for each time.
func readAIPerfRecords(in *Input, out *Output) {
	sums := requestSums{first: math.Inf(1), times: map[metric.Quantity][]float64{}}
	line := in.line
	cut := false
	skip := func(key string) bool { return isOneOf(key, "payload", "responses", "request", "raw") }
	readJSON(in, out, skip, func(d document) {
		if !d.root.closed {
			cut = true
			return
		}
		sums.add(d.root)
	})
	if cut || sums.completed+sums.failed == 0 {
		return // what is missing of the requests would be missing of every value
	}
	out.Record(sums.record(in, line))
}

// add counts one request. Those of the warm-up are in the file too, and in no summary.
func (s *requestSums) add(request *node) {
	if request.get("metadata", "benchmark_phase").scalar() == "warmup" {
		return
	}
	metrics := request.get("metrics")
	if failed := request.get("error"); failed != nil && failed.kind != nodeNull || metrics.get("request_latency") == nil {
		s.failed++
		return
	}
	s.completed++
	start, _ := request.get("metadata", "request_start_ns").number()
	end, _ := request.get("metadata", "request_end_ns").number()
	s.first, s.last = min(s.first, start), max(s.last, end)
	input, _ := metrics.get("input_sequence_length", "value").number()
	output, _ := metrics.get("output_sequence_length", "value").number()
	s.input, s.output = s.input+input, s.output+output
	for key, q := range map[string]metric.Quantity{"time_to_first_token": metric.TTFT, "inter_token_latency": metric.TPOT, "inter_chunk_latency": metric.ITL, "request_latency": metric.E2E} {
		value := metrics.get(key, "value")
		scale, ok := unitScale(metrics.get(key, "unit").scalar(), metric.Milliseconds)
		for _, n := range append(value.elements(), value) {
			if v, isNumber := n.number(); isNumber && ok {
				s.times[q] = append(s.times[q], v*scale)
			}
		}
	}
}

// record turns the sums into values. They stand in no single line, so they are given the
// first one.
func (s *requestSums) record(in *Input, line int) Record {
	r := Record{Format: "aiperf-records", Producer: "aiperf", File: in.File, Line: line, EndLine: in.line}
	r.define(FromRequestData, TPOTDecodeOnly, ITLAsTPOT, ITLPerChunk, E2EToText, OutputByClient, DurationOfSuccesses)
	add := func(id metric.ID, v float64) {
		r.Values = append(r.Values, Value{Metric: id, Number: v, Line: line, Derived: true, Recomputed: true})
	}
	add(metric.CompletedRequests, float64(s.completed))
	add(metric.FailedRequests, float64(s.failed))
	add(metric.TotalRequests, float64(s.completed+s.failed))
	if s.last > s.first {
		add(metric.Duration, (s.last-s.first)/1e9)
	}
	if s.input > 0 {
		add(metric.InputTokens, s.input)
	}
	if s.output > 0 {
		add(metric.OutputTokens, s.output)
	}
	for _, q := range metric.Quantities() {
		if times := s.times[q]; len(times) > 0 {
			slices.Sort(times)
			for _, stat := range []metric.Stat{metric.Mean, metric.Median, metric.Min, metric.Max, "p90", "p95", "p99"} {
				add(metric.Of(stat, q), requestStatistic(times, stat))
			}
		}
	}
	dropUnmeasured(&r)
	return r
}

// requestStatistic returns a statistic of sorted values. Percentiles lie between two
// values as numpy's do, which is how AIPerf computes them.
func requestStatistic(sorted []float64, stat metric.Stat) float64 {
	at := map[metric.Stat]float64{metric.Min: 0, metric.Median: 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, metric.Max: 1}
	if stat == metric.Mean {
		sum := 0.0
		for _, v := range sorted {
			sum += v
		}
		return sum / float64(len(sorted))
	}
	position := at[stat] * float64(len(sorted)-1)
	low := int(position)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(position-float64(low))
}
