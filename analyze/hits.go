package analyze

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/study"
)

// countedHits states the prefix cache hits of trials, by the first of these that the start
// has: its own record; the engine's counters around each trial; the rates that vLLM
// logged; the counters at the end of a start that made one trial.
func (a *analysis) countedHits(list []*Trial, known bool) {
	for _, t := range list {
		hits, ok := a.made[t.ID].CacheHits[t.Workload]
		if ok && t.Repeat == 0 {
			t.CacheHits = a.facts.add(Fact{ID: t.ID + ":cache_hits", Kind: Fraction, Value: hits, Source: &Source{File: attemptFile(t), Line: 1}})
		}
	}
	if slices.ContainsFunc(list, func(t *Trial) bool { return t.CacheHits != "" }) {
		return // one source for all trials of a start
	}
	start, ok := a.startOf(list[0])
	if !ok || a.scrapedAround(list, start) || known && a.loggedHits(list, start) || len(list) > 1 {
		return
	}
	if scrape, ok := side(start, study.MetricsFile); ok {
		a.scrapedHits(list[0], study.Side{}, scrape)
	}
}

// scrapedAround reads the counters before and after each trial, if that was kept for
// all of a start.
func (a *analysis) scrapedAround(list []*Trial, s study.Start) bool {
	var around [][2]study.Side
	for _, t := range list {
		name := strings.TrimSuffix(path.Base(t.File), path.Ext(t.File))
		before, ok1 := side(s, study.ScrapeFile("before", name))
		after, ok2 := side(s, study.ScrapeFile("after", name))
		if !ok1 || !ok2 {
			return false
		}
		around = append(around, [2]study.Side{before, after})
	}
	for i, t := range list {
		a.scrapedHits(t, around[i][0], around[i][1])
	}
	return true
}

// cacheHits states hits that were worked out. Rates are rounded, so that the result may
// lie a little outside of what is possible.
func (a *analysis) cacheHits(t *Trial, share float64, formula string, inputs ...string) {
	t.CacheHits = a.facts.add(Fact{ID: t.ID + ":cache_hits", Kind: Fraction, Value: min(1, max(0, share)),
		Derived: true, Formula: formula, Inputs: inputs})
}

func (a *analysis) startOf(t *Trial) (study.Start, bool) {
	for _, s := range a.run.Starts {
		if s.Ref() == t.Ref && s.Number == t.Start {
			return s, true
		}
	}
	return study.Start{}, false
}

// side returns a file of a start, and false if it was not kept.
func side(s study.Start, name string) (study.Side, bool) {
	for _, f := range s.Sides {
		if path.Base(f.File) == name {
			return f, true
		}
	}
	return study.Side{}, false
}

// prefixCounters lists the names of the engines' counters of prompt tokens: found in the
// prefix cache, and looked for in it.
func prefixCounters() [][2]string {
	return [][2]string{
		{"vllm:prefix_cache_hits_total", "vllm:prefix_cache_queries_total"},
		{"vllm:gpu_prefix_cache_hits_total", "vllm:gpu_prefix_cache_queries_total"},
		{"sglang:cached_tokens_total", "sglang:prompt_tokens_total"},
	}
}

// scrapedHits states what the counters say that a trial found in the cache. Before a
// server's only trial they stand at zero, and there is no scrape.
func (a *analysis) scrapedHits(t *Trial, before, after study.Side) {
	for _, names := range prefixCounters() {
		var from []string
		var grown [2]float64
		known := true
		for i, name := range names {
			v, line, ok := counter(after.Bytes, name)
			known = known && ok
			grown[i] = v
			from = append(from, t.ID+":"+name)
			if ok {
				a.facts.add(Fact{ID: t.ID + ":" + name, Kind: Count, Value: v, Source: &Source{File: after.File, Line: line}})
			}
			if v, line, ok := counter(before.Bytes, name); ok {
				grown[i] -= v
				from = append(from, a.facts.add(Fact{ID: t.ID + ":before:" + name, Kind: Count, Value: v, Source: &Source{File: before.File, Line: line}}))
			}
		}
		if known && grown[1] > 0 && grown[0] >= 0 {
			a.cacheHits(t, grown[0]/grown[1], "increase of hits / increase of queries", from...)
			return
		}
	}
}

// counter sums a counter over its labels, and returns the line of the first.
func counter(scrape []byte, name string) (sum float64, line int, ok bool) {
	n := 0
	for text := range bytes.Lines(scrape) {
		n++
		rest, found := bytes.CutPrefix(text, []byte(name))
		if !found || len(rest) == 0 || rest[0] != '{' && rest[0] != ' ' {
			continue
		}
		value, err := strconv.ParseFloat(lastField(string(rest)), 64)
		if err != nil || !(value >= 0) {
			return 0, 0, false
		}
		if sum += value; !ok {
			line, ok = n, true
		}
	}
	return sum, line, ok
}

func lastField(s string) string {
	fields := strings.Fields(s)
	return fields[len(fields)-1]
}

// statsLine is what vLLM logs every ten seconds. The rate is over the latest thousand
// requests.
var statsLine = regexp.MustCompile(`Avg prompt throughput: ([\d.]+) tokens/s, Avg generation throughput: ([\d.]+) tokens/s, Running: (\d+) reqs, Waiting: (\d+) reqs,.*?[, ]Prefix cache hit rate: ([\d.]+)%`)

// statsWindow is how many requests the logged rate looks back on: as long as a start
// has served fewer, it is the rate since the beginning.
const statsWindow = 1000

// busy is a time in which a server had something to do, with the rate at its end.
type busy struct {
	rate float64
	line int
}

// busyTimes reads a vLLM log. Times are told apart by a line with nothing to do.
func busyTimes(log []byte) []busy {
	var list []busy
	idle, n := true, 0
	for text := range bytes.Lines(log) {
		n++
		m := statsLine.FindSubmatch(text)
		if m == nil {
			continue
		}
		if string(m[1]) == "0.0" && string(m[2]) == "0.0" && string(m[3]) == "0" && string(m[4]) == "0" {
			idle = true
			continue
		}
		rate, err := strconv.ParseFloat(string(m[5]), 64)
		if err != nil {
			continue
		}
		if idle {
			list = append(list, busy{})
		}
		idle, list[len(list)-1] = false, busy{rate / 100, n}
	}
	return list
}

// loggedHits tells a start's trials apart in its log and takes the difference of the
// rates around each. It does nothing where the log has another number of busy times
// than the start has trials: then it cannot be known which is which.
func (a *analysis) loggedHits(list []*Trial, s study.Start) bool {
	log, ok := side(s, study.ServerLog)
	if !ok {
		return false
	}
	times := busyTimes(log.Bytes)
	requests, inputs := 0.0, make([]float64, len(list))
	for i, t := range list {
		completed, ok1 := number(a.facts, t.Values, metric.CompletedRequests)
		input, ok2 := number(a.facts, t.Values, metric.InputTokens)
		if !ok1 || !ok2 || input <= 0 {
			return false
		}
		requests, inputs[i] = requests+completed, input
	}
	if len(times) != len(list) || requests > statsWindow {
		return false
	}
	tokens, found := 0.0, 0.0
	var from []string
	for i, t := range list {
		tokens += inputs[i]
		hits := times[i].rate*tokens - found
		found += hits
		from = append(from, t.Values[metric.InputTokens], a.facts.add(Fact{ID: t.ID + ":logged_hit_rate", Kind: Fraction, Value: times[i].rate, Precision: 1,
			Source: &Source{File: log.File, Line: times[i].line}}))
		a.cacheHits(t, hits/inputs[i], "(hit rate after × input tokens until then − the same before) / input_tokens", slices.Clone(from)...)
	}
	return true
}
