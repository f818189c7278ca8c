package parse

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"benchguide/metric"
)

// recomputation is how a tool's printed values may differ from its own lists.
type recomputation struct {
	otherITL bool // its printed ITL is something else than the gaps in its lists
}

// What a printed value may differ by without being a finding.
const (
	sameShare = 0.001 // of a value that is computed from the same numbers
	// A request's printed latency ends with the stream; what the lists hold ends with
	// the last token: a quarter of a millisecond before on average, some more for one.
	endShare = 0.02
	endMS    = 5
)

// recompute replaces what the tool printed by what its own per-request lists give,
// and adds what it did not print. The printed value stays beside the new one, and a
// difference that the tool's way of counting does not explain is a problem. Tools
// disagree about where a request ends and which requests count; computed from the
// lists, a metric means the same whoever wrote the file.
func recompute(r *Record, d *requestData, how recomputation) {
	if d == nil || len(d.lists) == 0 {
		return
	}
	n, ok := d.count()
	if !ok {
		r.problem(CodeTooLarge, d.line, "the lists with one item for each request are of different lengths or too long; nothing is recomputed from them",
			"save the file again")
		return
	}
	completed, printed := r.Number(metric.CompletedRequests)
	if !printed {
		completed = float64(n)
	}
	c := recomputer{r: r, d: d, ok: d.succeeded(n, completed)}
	c.counts(n)
	c.latencies()
	c.gaps(how)
	c.rates()
}

// recomputer recomputes one record.
type recomputer struct {
	r  *Record
	d  *requestData
	ok []bool // which requests succeeded
}

// counts recomputes the requests and their tokens. Failures are known only where
// the file keeps the errors.
func (c recomputer) counts(n int) {
	done := 0
	for _, ok := range c.ok {
		if ok {
			done++
		}
	}
	c.set(metric.CompletedRequests, float64(done), exactly)
	if len(c.d.errors) > 0 {
		c.set(metric.FailedRequests, float64(n-done), exactly)
		c.set(metric.TotalRequests, float64(n), exactly)
	}
	c.sum(metric.InputTokens, c.d.input)
	c.sum(metric.OutputTokens, c.d.output)
}

func (c recomputer) sum(id metric.ID, column []float64) {
	total := 0.0
	for i, v := range column {
		if c.ok[i] {
			total += v
		}
	}
	if len(column) > 0 && !math.IsNaN(total) {
		c.set(id, total, exactly)
	}
}

// latencies recomputes TTFT, E2E and TPOT.
func (c recomputer) latencies() {
	var ttft, e2e, tpot []float64
	streamed := c.streamed()
	for i, ok := range c.ok {
		if !ok {
			continue
		}
		latency := c.d.latency(i)
		e2e = append(e2e, latency*1000)
		if len(c.d.ttft) == 0 || !streamed {
			continue
		}
		ttft = append(ttft, c.d.ttft[i]*1000)
		if len(c.d.output) > 0 && c.d.output[i] > 1 {
			tpot = append(tpot, (latency-c.d.ttft[i])*1000/(c.d.output[i]-1))
		}
	}
	c.distribution(metric.TTFT, ttft, exactly)
	c.distribution(metric.E2E, e2e, toLastToken)
	c.distribution(metric.TPOT, tpot, toLastToken)
}

// streamed reports whether answers came in pieces. Where answers of several tokens
// came in one, their time to first token is the time to their last.
func (c recomputer) streamed() bool {
	tokens := 0.0
	for i, ok := range c.ok {
		if ok && len(c.d.gaps) > 0 && c.d.gaps[i].n > 0 {
			return true
		}
		if ok && len(c.d.output) > 0 {
			tokens = max(tokens, c.d.output[i])
		}
	}
	return len(c.d.gaps) == 0 || tokens <= 1
}

// distribution recomputes the statistics that the tool printed, and the mean, the
// median and P99 where it printed none. A value that is not known for one of the
// requests is known for none of the statistics.
func (c recomputer) distribution(q metric.Quantity, values []float64, within tolerance) {
	if len(values) == 0 || slices.ContainsFunc(values, math.IsNaN) || slices.Max(values) == 0 {
		return
	}
	slices.Sort(values)
	for _, stat := range c.statistics(q) {
		number := statisticOf(values, stat)
		if stat == metric.Std {
			c.set(metric.Of(stat, q), number, spread(values, within))
			continue
		}
		c.set(metric.Of(stat, q), number, within)
	}
}

// spread returns the tolerance of a deviation: what may be missing at the end of each
// request is not the same for all, so it is measured by the mean, in both directions.
func spread(values []float64, within tolerance) tolerance {
	mean := statisticOf(values, metric.Mean)
	return func(printed, recomputed float64) bool {
		return within(mean+math.Abs(printed-recomputed), mean)
	}
}

// statistics lists those of a quantity that the record has, or the usual ones.
func (c recomputer) statistics(q metric.Quantity) []metric.Stat {
	var all []metric.Stat
	for _, v := range c.r.Values {
		if stat, quantity, ok := strings.Cut(string(v.Metric), "_"); ok && quantity == string(q) {
			all = append(all, metric.Stat(stat))
		}
	}
	for _, usual := range []metric.Stat{metric.Mean, metric.Median, metric.Pct(99)} {
		if !slices.Contains(all, usual) {
			all = append(all, usual)
		}
	}
	return all
}

// statisticOf computes a statistic of sorted values the way numpy does.
func statisticOf(sorted []float64, stat metric.Stat) float64 {
	n := float64(len(sorted))
	switch stat {
	case metric.Mean:
		return sumOf(sorted) / n
	case metric.Std:
		mean, squares := sumOf(sorted)/n, 0.0
		for _, v := range sorted {
			squares += (v - mean) * (v - mean)
		}
		return math.Sqrt(squares / n)
	case metric.Min:
		return sorted[0]
	case metric.Max:
		return sorted[len(sorted)-1]
	}
	p := percentOf(stat)
	rank := p / 100 * (n - 1)
	low, high := sorted[int(math.Floor(rank))], sorted[int(math.Ceil(rank))]
	return low + (rank-math.Floor(rank))*(high-low)
}

func sumOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// percentOf returns 99.9 for "p99.9", and 50 for the median.
func percentOf(stat metric.Stat) float64 {
	if stat == metric.Median {
		return 50
	}
	p, _ := strconv.ParseFloat(string(stat[1:]), 64) // stat is declared, so it has this form
	return p
}

// gaps recomputes ITL: its mean and deviation from the sums of each request. Its
// percentiles are only checked, since the gaps themselves are not held.
func (c recomputer) gaps(how recomputation) {
	var all gapSum
	whole := true // every gap belongs to a request that succeeded
	for i, g := range c.d.gaps {
		if !c.ok[i] {
			whole = whole && g.n <= 0
			continue
		}
		if g.n < 0 {
			return
		}
		all.n += g.n
		all.sum += g.sum
		all.squares += g.squares
	}
	if all.n == 0 || all.sum == 0 {
		return
	}
	within := exactly
	if how.otherITL {
		within = anyhow
	}
	mean := all.sum / float64(all.n)
	c.set(metric.Of(metric.Mean, metric.ITL), mean*1000, within)
	for _, stat := range c.statistics(metric.ITL) {
		v, printed := c.r.Value(metric.Of(stat, metric.ITL))
		switch {
		case stat == metric.Mean || !printed:
		case how.otherITL:
			c.r.drop(v.Metric) // it is a statistic of other numbers than the mean is
		case stat == metric.Std:
			c.set(v.Metric, 1000*math.Sqrt(max(0, all.squares/float64(all.n)-mean*mean)), exactly)
		case whole && stat != metric.Max && stat != metric.Min:
			c.check(v, c.d.pool.percentile(percentOf(stat))*1000, byBuckets)
		}
	}
}

// rates recomputes what is a count over the duration.
func (c recomputer) rates() {
	duration, ok := c.r.Number(metric.Duration)
	if !ok || duration <= 0 {
		return
	}
	rate := func(id metric.ID, counts ...metric.ID) {
		total := 0.0
		for _, count := range counts {
			v, ok := c.r.Value(count)
			if !ok || !v.Recomputed {
				return
			}
			total += v.Number
		}
		c.set(id, total/duration, exactly)
	}
	rate(metric.RequestThroughput, metric.CompletedRequests)
	rate(metric.OutputThroughput, metric.OutputTokens)
	rate(metric.TotalThroughput, metric.InputTokens, metric.OutputTokens)
}

// tolerance reports whether a printed value is as far from the recomputed one as the
// tool's way of counting explains.
type tolerance func(printed, recomputed float64) bool

func exactly(printed, recomputed float64) bool {
	return math.Abs(printed-recomputed) <= max(sameShare*math.Abs(recomputed), 1e-6)
}

func byBuckets(printed, recomputed float64) bool {
	return math.Abs(printed-recomputed) <= max(2*sameShare*math.Abs(recomputed), 1e-3)
}

func toLastToken(printed, recomputed float64) bool {
	return exactly(printed, recomputed) || printed > recomputed && printed-recomputed <= max(endShare*recomputed, endMS)
}

func anyhow(float64, float64) bool { return true }

// set gives a metric its recomputed value.
func (c recomputer) set(id metric.ID, number float64, within tolerance) {
	i := slices.IndexFunc(c.r.Values, func(v Value) bool { return v.Metric == id })
	switch {
	case i < 0:
		c.r.Values = append(c.r.Values, Value{Metric: id, Number: number, Line: c.d.line, Derived: true, Recomputed: true})
		return
	case c.r.Values[i].Derived:
		c.r.Values[i].Number, c.r.Values[i].Recomputed, c.r.Values[i].From = number, true, nil
		return
	}
	v := &c.r.Values[i]
	c.check(*v, number, within)
	v.Recomputed, v.Printed = true, v.Number
	if math.Abs(v.Number-number) > 1e-9*math.Abs(number) { // the rest is the order of the sum
		v.Number = number
	}
}

// check reports a printed value that the lists contradict.
func (c recomputer) check(v Value, recomputed float64, within tolerance) {
	if within(v.Number, recomputed) {
		return
	}
	c.r.problem(CodeRecomputed, v.Line,
		fmt.Sprintf("%q is %s; the file's per-request data give %s", v.Label, v.Text, trimmed(recomputed/v.scale())),
		"the file was changed after the run, or the tool counts in a way that is not known; take the recomputed value")
}

// scale returns what leads from the printed number to the metric's unit.
func (v Value) scale() float64 {
	printed, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || printed == 0 || v.Number == 0 {
		return 1
	}
	return v.Number / printed
}

func trimmed(f float64) string { return strconv.FormatFloat(f, 'g', 7, 64) }

// problem adds a problem with the record.
func (r *Record) problem(code string, line int, message, hint string) {
	r.Problems = append(r.Problems, newProblem(code, r.File, line, message, hint))
}

// drop removes the value of a metric.
func (r *Record) drop(id metric.ID) {
	r.Values = slices.DeleteFunc(r.Values, func(v Value) bool { return v.Metric == id })
}
