package parse

import (
	"math"
	"slices"
	"strings"

	"benchguide/metric"
)

// dropUnmeasured removes what is printed as zero because it was not measured. A
// tool that has no sample prints 0.00; only what the zero would mean tells.
func dropUnmeasured(r *Record) {
	streamed := hasQuantity(r, metric.TTFT) && !zeroThroughout(r, metric.TTFT)
	for _, q := range metric.Quantities() {
		if zeroThroughout(r, q) {
			dropValues(r, strings.ToUpper(string(q))+" is printed as zero throughout", isOf(q))
		} else if q != metric.ITL {
			// No first token, no request and no step takes no time. A gap between two
			// chunks that arrive together does, and so may a standard deviation.
			dropValues(r, strings.ToUpper(string(q))+" is printed as zero in some statistics", func(v Value) bool {
				return isOf(q)(v) && v.Number <= 0 && v.Metric != metric.Of(metric.Std, q)
			})
		}
	}
	if streamed {
		dropUnstreamed(r)
	} else {
		markInflated(r)
	}
}

func zeroThroughout(r *Record, q metric.Quantity) bool {
	measured := func(v Value) bool { return isOf(q)(v) && v.Number != 0 }
	return hasQuantity(r, q) && !slices.ContainsFunc(r.Values, measured)
}

// dropUnstreamed removes a time to first token that is the time to the whole
// answer: answers of several tokens came in one piece, so that no time per token
// was measured either.
func dropUnstreamed(r *Record) {
	ttft, hasTTFT := r.Number(metric.Of(metric.Mean, metric.TTFT))
	e2e, hasE2E := r.Number(metric.Of(metric.Mean, metric.E2E))
	completed, hasCompleted := r.Number(metric.CompletedRequests)
	output, hasOutput := r.Number(metric.OutputTokens)
	if !hasTTFT || !hasE2E || !hasCompleted || !hasOutput || hasQuantity(r, metric.TPOT) || hasQuantity(r, metric.ITL) {
		return
	}
	if output > completed && ttft > 0.99*e2e {
		dropValues(r, "TTFT equals the end-to-end latency of answers of several tokens: nothing was streamed", isOf(metric.TTFT))
	}
}

// markInflated marks the time per output token of a run whose first tokens were not
// seen (the text went into another field of the stream): it is E2E / (n - 1) then.
func markInflated(r *Record) {
	if !dropped(r, "TTFT") {
		return
	}
	if i := slices.IndexFunc(r.Values, isOf(metric.TPOT)); i >= 0 {
		r.Problems = append(r.Problems, newProblem(CodeInflated, r.File, r.Values[i].Line,
			"TPOT holds the time to first token, which was not measured; it is E2E / (n - 1)",
			"do not compare it with a TPOT; measure again with a client that sees all tokens"))
	}
}

func dropped(r *Record, quantity string) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool {
		return p.Code == CodeNotMeasured && strings.HasPrefix(p.Message, quantity+" ")
	})
}

// dropValues removes values that measure nothing, and says so once.
func dropValues(r *Record, why string, drop func(Value) bool) {
	first := slices.IndexFunc(r.Values, drop)
	if first < 0 {
		return
	}
	r.Problems = append(r.Problems, newProblem(CodeNotMeasured, r.File, r.Values[first].Line,
		why+", so it was not measured; it is left out", "see whether requests succeeded, streamed, and had more than one token"))
	r.Values = slices.DeleteFunc(r.Values, drop)
}

// derive fills what an identity gives exactly: total throughput, which vLLM printed
// from v0.6.0 on and other tools do not, is the sum of input and output throughput.
func derive(r *Record) {
	in, hasIn := r.Value(metric.InputThroughput)
	out, hasOut := r.Value(metric.OutputThroughput)
	_, hasTotal := r.Value(metric.TotalThroughput)
	if !hasIn || !hasOut || hasTotal {
		return
	}
	r.derived(metric.TotalThroughput, round2(in.Number+out.Number), metric.InputThroughput, metric.OutputThroughput)
}

// refineRate computes a request rate that was printed with two decimals and has not
// two digits, as 0.01 or 0.00, from the counts that it was made of.
func refineRate(r *Record) {
	i := slices.IndexFunc(r.Values, func(v Value) bool { return v.Metric == metric.RequestThroughput })
	completed, ok1 := r.Number(metric.CompletedRequests)
	duration, ok2 := r.Number(metric.Duration)
	if i < 0 || !ok1 || !ok2 || r.Values[i].Number >= 0.1 || duration <= 0 || completed == 0 {
		return
	}
	v := &r.Values[i]
	if math.Abs(completed/duration-v.Number) > 0.0051 {
		return // it is no rounding of that
	}
	v.Number, v.Derived, v.From = completed/duration, true, []metric.ID{metric.CompletedRequests, metric.Duration}
}

// derived adds a value that was computed from others of the record.
func (r *Record) derived(id metric.ID, n float64, from ...metric.ID) {
	last, _ := r.Value(from[len(from)-1])
	r.Values = append(r.Values, Value{Metric: id, Number: n, Line: last.Line, Derived: true, From: from})
}

// round2 rounds to the decimals that the tools print, which hides a binary sum's tail.
func round2(x float64) float64 { return math.Round(x*100) / 100 }
