package analyze

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// spell is some seconds in a row of a trial in which tokens came later than the rest of the
// trial and the other starts of the same configuration let expect.
type spell struct {
	from, to int     // seconds of the trial; to is the first one after it
	slower   float64 // by how much longer a token took, as a fraction
}

// What a spell is. On all data of the repository, 78 trials on an H200 and 100 on a CPU, the
// same four spells are found with any 3 to 5 % and 3 to 6 deviations.
const (
	spellStarts     = 3         // of two starts nobody knows which one is the odd one
	spellSeconds    = 3         // one hiccup slows all requests in flight, which with answers of a second shows in two seconds
	spellLeast      = 0.05      // seconds of a quiet trial scatter by less than 1 % at concurrency 1 and 4
	spellDeviations = 4         // at concurrency 64 each start composes its batches in its own way, and seconds scatter by 3 to 4 %
	spellLongest    = 24 * 3600 // seconds; a trial that took longer has a clock that was set
)

// normalMAD makes the standard deviation of a normal distribution of its median deviation.
const normalMAD = 1.4826

const (
	spellPlaceFormula  = "whole seconds of the trial, in each of which the median request took longer for a token than the threshold"
	spellSlowerFormula = "mean over the seconds of the spell of: median over the requests, weighted by their time in the second, of (E2E − TTFT) / (output tokens − 1) over the same of the other starts, over the trial's own median of that, − 1"
)

// slowSpells says in which seconds a trial was disturbed. It excludes nothing: a trial that is
// left out because it looks slow makes its configuration look better than it is.
func (a *analysis) slowSpells() {
	for _, id := range a.sampleOrder {
		if s, ok := a.samples[id]; ok {
			for _, sisters := range a.sisters(s) {
				a.spellsAmong(sisters)
			}
		}
	}
}

// sisters are the trials of a sample that had the same requests in the same order, where
// there are enough of them. Starts that confirm are started like the others.
func (a *analysis) sisters(s *Sample) [][]*Trial {
	var groups [][]*Trial
	for _, id := range slices.Concat(s.Trials, s.Confirm) {
		t := a.trialByID[id]
		if t.SameBytesAs != "" || len(t.requests) == 0 {
			continue
		}
		at := slices.IndexFunc(groups, func(group []*Trial) bool { return sameLengths(group[0], t) })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], t)
	}
	return slices.DeleteFunc(groups, func(group []*Trial) bool { return len(group) < spellStarts })
}

// spellsAmong reports the spells of trials that had the same requests.
func (a *analysis) spellsAmong(trials []*Trial) {
	var data []string
	paces := make([][]float64, len(trials))
	for i, t := range trials {
		data = append(data, t.data)
		for _, r := range t.requests {
			paces[i] = append(paces[i], pace(r))
		}
	}
	seconds := make([][]float64, len(trials))
	for i, t := range trials {
		seconds[i] = bySecond(t, against(paces, i))
	}
	least := 1 + max(spellLeast, spellDeviations*deviation(slices.Concat(seconds...)))
	for i, t := range trials {
		found := spellsOf(seconds[i], least)
		for n := range found {
			a.spell(t, n, found, data)
		}
	}
}

// pace is how long a request took for a token; NaN where that cannot be said, as of an answer
// of one token.
func pace(r request) float64 {
	v := requestTPOT(r)
	if !(v > 0) || math.IsInf(v, 1) {
		return math.NaN()
	}
	return v
}

// against divides the pace of each request of one trial by its middle one in the others, and
// all of them by their own median, so that a start which is slow throughout has no spell.
//
// Its own pace is left out of what it is measured by: of three starts it would be the median
// of every third request, those ratios would be one, and their scatter would look like none.
// Of an even number of others the slower middle one is taken, so that where one of two was
// fast for some seconds, the others are not called slow.
func against(paces [][]float64, own int) []float64 {
	ratios := make([]float64, len(paces[own]))
	for i, p := range paces[own] {
		var others []float64
		for k, of := range paces {
			if k != own {
				others = append(others, of[i])
			}
		}
		slices.Sort(others)
		ratios[i] = p / others[len(others)/2]
	}
	usual := median(known(ratios))
	for i := range ratios {
		ratios[i] /= usual
	}
	return ratios
}

// bySecond is the median, in each whole second of a trial, of what its requests have, weighted
// by how long each received tokens in that second; NaN where none did. A request that waits
// for its first token says nothing of the second in which it waits.
func bySecond(t *Trial, of []float64) []float64 {
	starts, ok1 := column(t.requests, func(r request) float64 { return r.start })
	latencies, ok2 := column(t.requests, latencyOf)
	if !ok1 || !ok2 {
		return nil
	}
	began, ended := slices.Min(starts), 0.0
	if !t.began.IsZero() {
		began = 0 // our own client's times are since it began
	}
	for i, start := range starts {
		ended = max(ended, start-began+latencies[i])
	}
	if ended >= spellLongest {
		return nil
	}
	received := make([][]weighted, int(ended))
	for i, r := range t.requests {
		first, last := r.start-began+r.ttft, r.start-began+r.e2e
		if math.IsNaN(of[i]) || !(first >= 0) {
			continue
		}
		for s := int(first); s < len(received) && float64(s) < last; s++ {
			received[s] = append(received[s], weighted{of[i], min(last, float64(s+1)) - max(first, float64(s))})
		}
	}
	seconds := make([]float64, len(received))
	for s, list := range received {
		seconds[s] = middle(list)
	}
	return seconds
}

// weighted is a value that counts for as much as its weight.
type weighted struct{ value, weight float64 }

// middle is the value at which half of the weight is reached; NaN where there is none.
func middle(list []weighted) float64 {
	slices.SortFunc(list, func(x, y weighted) int { return cmp.Compare(x.value, y.value) })
	half, sum := 0.0, 0.0
	for _, w := range list {
		half += w.weight / 2
	}
	for _, w := range list {
		if sum += w.weight; sum >= half {
			return w.value
		}
	}
	return math.NaN()
}

// spellsOf finds seconds in a row that lie beyond a threshold.
func spellsOf(seconds []float64, least float64) []spell {
	var list []spell
	from := 0
	for s := 0; s <= len(seconds); s++ {
		if s < len(seconds) && seconds[s] > least {
			continue
		}
		if s-from >= spellSeconds {
			list = append(list, spell{from, s, mean(seconds[from:s]) - 1})
		}
		from = s + 1
	}
	return list
}

// spell reports one of the spells of a trial.
func (a *analysis) spell(t *Trial, n int, all []spell, data []string) {
	s, id := all[n], t.ID+":spell."+strconv.Itoa(n+1)
	second := func(name string, value int) string {
		return a.facts.add(Fact{ID: id + name, Kind: Measured, Value: float64(value), Unit: "s", Derived: true, Formula: spellPlaceFormula, Inputs: data})
	}
	f := Finding{Code: CodeSpell, Severity: SeverityCaution, Subject: t.ID, File: t.File, Line: t.Line,
		Names: map[string]string{"Trial": t.ID, "Start": t.Ref + "/start-" + strconv.Itoa(t.Start)},
		Facts: map[string]string{"From": second(".from", s.from), "To": second(".to", s.to),
			"Slower": a.facts.add(Fact{ID: id + ".slower", Kind: Fraction, Value: s.slower, Precision: 1, Derived: true, Formula: spellSlowerFormula, Inputs: data})}}
	if requests, ok := a.facts.Get(t.data); ok && requests.Source != nil {
		f.File, f.Line = requests.Source.File, requests.Source.Line
	}
	a.meanwhile(t, n, all, &f)
	a.find(f)
}

// deviation is the scatter of values, which a few of them do not move.
func deviation(values []float64) float64 {
	values = known(values)
	if len(values) == 0 {
		return 0
	}
	centre := median(values)
	apart := make([]float64, len(values))
	for i, v := range values {
		apart[i] = math.Abs(v - centre)
	}
	return normalMAD * median(apart)
}

// median is the middle of values; NaN if there are none.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// known are the values that are numbers.
func known(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}
