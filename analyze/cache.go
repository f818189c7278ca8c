package analyze

import (
	"cmp"
	"slices"

	"benchguide/metric"
)

// What makes prompts known to a prefix cache.
const (
	// samePrompts is how many prompts in a row must have the lengths of an earlier
	// trial's before they are taken for the same ones.
	samePrompts = 10
	// hotShare is the part of a trial's input tokens from which on the trial shows the
	// cache and not the engine.
	hotShare = 0.5
)

// startKey names one start of the run.
type startKey struct {
	ref    string
	number int
}

// cacheStates works out for every trial how much of its prompts the prefix cache of
// its start could answer: from what was recorded, from the engine's counters, or from
// the prompts that the same start had been sent before.
func (a *analysis) cacheStates() {
	groups := map[startKey][]*Trial{}
	var order []startKey
	for _, id := range slices.Concat(a.trialOrder, a.repeatOrder) {
		t := a.trialByID[id]
		key := startKey{t.Ref, t.Start}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], t)
	}
	for _, key := range order {
		list, known := inTime(groups[key])
		a.sentBefore(list, known)
		a.countedHits(list, known)
		a.hotTrials(list)
	}
}

// inTime orders the trials of a start by the client's clock, which is the machine's
// and so the same for all of them. Without it, only the repeats of a workload are
// known to come after its first trial.
func inTime(list []*Trial) (sorted []*Trial, known bool) {
	sorted = slices.Clone(list)
	began, seen := map[*Trial]moment{}, map[moment]bool{}
	for _, t := range list {
		m, ok := t.beganAt()
		if !ok || m.ours != began[list[0]].ours && t != list[0] || seen[m] {
			slices.SortStableFunc(sorted, func(x, y *Trial) int {
				return cmp.Or(cmp.Compare(x.Workload, y.Workload), cmp.Compare(x.Repeat, y.Repeat))
			})
			return sorted, len(list) == 1
		}
		began[t], seen[m] = m, true
	}
	slices.SortStableFunc(sorted, func(x, y *Trial) int { return cmp.Compare(began[x].seconds, began[y].seconds) })
	return sorted, true
}

// moment is when a trial began, by one of two clocks.
type moment struct {
	seconds float64
	ours    bool
}

// beganAt is when a trial's client began to measure. Ours writes the date, and the times of
// its requests since then; others have those times since the machine was booted.
func (t *Trial) beganAt() (moment, bool) {
	if !t.began.IsZero() {
		return moment{float64(t.began.Unix()), true}, true
	}
	starts, ok := column(t.requests, func(r request) float64 { return r.start })
	if !ok {
		return moment{}, false
	}
	return moment{slices.Min(starts), false}, true
}

// sentBefore states the part of each trial's input tokens that an earlier trial of
// the start had sent already.
func (a *analysis) sentBefore(list []*Trial, known bool) {
	for i, t := range list {
		best, from := 0.0, (*Trial)(nil)
		for _, earlier := range list[:i] {
			if !known && earlier.Workload != t.Workload {
				continue
			}
			if share := a.shared(t, earlier); share > best {
				best, from = share, earlier
			}
		}
		if from == nil {
			continue
		}
		t.SentBy, t.SentBefore = from.ID, a.sent(t, best, from)
	}
}

// sent states the part of a trial's prompts that its start was sent before.
func (a *analysis) sent(t *Trial, share float64, by *Trial) string {
	fact := Fact{ID: t.ID + ":sent_before", Kind: Fraction, Value: share, Derived: true,
		Formula: "input tokens of the prompts that this start was sent before / input_tokens"}
	for _, in := range []*Trial{t, by} {
		switch {
		case in == nil:
		case in.data != "":
			fact.Inputs = append(fact.Inputs, in.data)
		default:
			fact.Inputs = append(fact.Inputs, in.Values[metric.InputTokens])
		}
	}
	return a.facts.add(fact)
}

// shared is the part of a trial's input tokens that stands at the beginning of an
// earlier trial too. Clients draw prompts from one seed in one order, so a shorter
// trial sends the first prompts of a longer one. Without the lengths of single
// prompts, a repeat of the same number of input tokens is the same prompts.
func (a *analysis) shared(t, earlier *Trial) float64 {
	x, ok1 := column(t.requests, func(r request) float64 { return r.input })
	y, ok2 := column(earlier.requests, func(r request) float64 { return r.input })
	if !ok1 || !ok2 {
		in, ok3 := number(a.facts, t.Values, metric.InputTokens)
		before, ok4 := number(a.facts, earlier.Values, metric.InputTokens)
		if t.Workload == earlier.Workload && ok3 && ok4 && in == before && in > 0 {
			return 1
		}
		return 0
	}
	n, same, total := 0, 0.0, 0.0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		same += x[n]
		n++
	}
	for _, v := range x {
		total += v
	}
	if n < samePrompts {
		return 0
	}
	return same / total
}

// hotTrials reports trials whose prompts the cache of their start knew, once for each
// configuration and workload.
func (a *analysis) hotTrials(list []*Trial) {
	for _, t := range list {
		if !a.hot(t) {
			continue
		}
		code, severity := CodeHotPrompts, SeverityCaution
		if t.Repeat > 0 {
			code, severity = CodeHotRepeat, SeverityNote
		}
		a.once(code, severity, t, map[string]string{"Share": a.cacheShare(t)}, map[string]string{"First": t.SentBy})
	}
}

// hot reports whether a trial shows the prefix cache: its prompts were sent to the same
// start before. What the engine counted is believed before what was sent.
func (a *analysis) hot(t *Trial) bool {
	return t.SentBy != "" && a.facts.value(a.cacheShare(t)) > hotShare
}

// cacheShare is the fact of how much of a trial's prompts the cache answered, or could
// have; empty where nothing is known.
func (a *analysis) cacheShare(t *Trial) string {
	if t.CacheHits != "" {
		return t.CacheHits
	}
	return t.SentBefore
}
