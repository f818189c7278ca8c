package analyze

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"benchguide/analyze/stat"
	"benchguide/metric"
	"benchguide/study"
)

// Test is what the rule for several starts found out about a comparison.
type Test struct {
	Starts  int     `json:"starts"`                // of the candidate
	Against int     `json:"against_starts"`        // of what it is compared with
	Blocks  int     `json:"blocks"`                // in which the candidate was started
	DF      int     `json:"df"`                    // degrees of freedom of the spread
	Spread  float64 `json:"spread,omitempty"`      // between starts, as a fraction; at least the rule's least
	Alpha   float64 `json:"alpha,omitempty"`       // of the look, for the stage
	Look    int     `json:"look,omitempty"`        // from 1
	K       int     `json:"candidates"`            // of the stage
	TooFew  bool    `json:"too_few,omitempty"`     // not tested
	Need    int     `json:"need_starts,omitempty"` // starts of each side that a test needs
}

// pair says which comparison is made: how its facts are named, and among how many
// candidates it is one.
type pair struct {
	prefix, kind string
	by           metric.ID // the metric that decides, where both sides have it
	candidates   int
	pooled       bool        // across stages: through the incumbents that they share
	decided      *Comparison // of the same starts, under the workload that decides; nil where this one does
}

// said reports whether the comparison that decides has told a difference between the starts
// of both sides already.
func (p pair) said(d Difference) bool {
	return p.decided != nil && slices.Contains(p.decided.Ledger, d)
}

// fact is the id of the comparison's gain in a metric.
func (p pair) fact(id metric.ID) string { return p.prefix + ":" + p.kind + "." + string(id) }

// blockLabel is the block of a start. Blocks of different stages and sittings are
// different ones, whatever their numbers.
func blockLabel(s study.Start) string {
	block := s.Attempt.Block
	if block == 0 {
		block = s.Number
	}
	return s.Stage + " " + s.Attempt.Sitting + " " + strconv.Itoa(block)
}

// model fits configuration + block to the starts of the run, for one metric under one
// workload. In phase "" these are the starts that decide, in phase Confirm those that
// came after. It returns nil where nothing was measured.
//
// A stage is judged by its own starts, so there the incumbent that it measured is a
// configuration of its own; the stages before it add to what is known of the spread.
// Those that came after it do not: a run went on from the verdict that the starts of
// that moment gave, and a later one would leave it without its incumbent. Pooled, a
// stage's incumbent is what was adopted before: only so can results of different
// stages and sittings be compared, as cases do.
func (a *analysis) model(key modelKey) *stat.Model { return a.fitted(key).model }

// fitted is a model with the values that it was fitted to.
type fitted struct {
	model *stat.Model
	facts []string
}

func (a *analysis) fitted(key modelKey) fitted {
	if m, ok := a.models[key]; ok {
		return m
	}
	var obs []stat.Obs
	var facts []string
	left := a.leftOut()
	for _, trial := range a.trialOrder {
		t := a.trialByID[trial]
		v, ok := number(a.facts, t.Values, key.metric)
		if t.Workload != key.workload || t.Phase != key.phase || !ok || v <= 0 || left[t.Ref+"/"+t.Workload] || !a.complete(t) || a.stageIndex(t.Ref) > key.until {
			continue
		}
		if metric.MustLookup(key.metric).Better == metric.LowerIsBetter {
			v = 1 / v
		}
		obs = append(obs, stat.Obs{Config: a.label(t.Ref, key.pooled), Block: t.Block, Value: v})
		facts = append(facts, t.Values[key.metric])
	}
	m, err := stat.Fit(obs)
	if err != nil {
		m = nil // nothing was measured: values that are no positive numbers were left out above
	}
	a.models[key] = fitted{m, facts}
	return a.models[key]
}

// leftOut are the samples whose starts did not do the same work. They are ranked
// against nothing, and what their starts differ by must not pass for noise either.
func (a *analysis) leftOut() map[string]bool {
	left := map[string]bool{}
	for id, s := range a.samples {
		left[id] = a.unlike(s) != ""
	}
	return left
}

type modelKey struct {
	workload string
	metric   metric.ID
	phase    string
	pooled   bool
	until    int // index of the last stage whose starts count
}

// lastStage lets the starts of all stages count, and those of cases and ablations.
const lastStage = math.MaxInt

// stageIndex is the place of the stage that a ref belongs to. What belongs to none was
// measured after all of them.
func (a *analysis) stageIndex(ref string) int {
	id, _, _ := strings.Cut(ref, "/")
	if i := slices.IndexFunc(a.study.Stages, func(st study.Stage) bool { return st.ID == id }); i >= 0 {
		return i
	}
	return lastStage
}

// until is the last stage whose starts count in a comparison.
func (a *analysis) until(p pair, against, t *Sample) int {
	if p.pooled {
		return lastStage
	}
	return max(a.stageIndex(p.prefix), a.stageIndex(against.Ref), a.stageIndex(t.Ref))
}

// label is the configuration that a ref stands for in a model.
func (a *analysis) label(ref string, pooled bool) string {
	if other, ok := a.incumbentOf[ref]; ok && pooled {
		return other
	}
	return ref
}

// blocksOf counts the blocks in which a sample has a start that decides.
func (a *analysis) blocksOf(s *Sample) int {
	seen := map[string]bool{}
	for _, id := range s.Trials {
		seen[a.trialByID[id].Block] = true
	}
	return len(seen)
}

// unpaired are the trials of a stage's samples that were alone in their block, as where a run
// ended in the middle of it. The values of the samples are means over them, too; but the
// model takes all that they say for what their block was like, so that no gain is from them.
func (a *analysis) unpaired(st Stage) []string {
	if a.report.Rule != Blocks {
		return nil
	}
	in := map[string]string{} // block to the ref of its starts; "" where they are of several
	for _, id := range a.trialOrder {
		t := a.trialByID[id]
		if t.Workload != a.report.Objective.Workload || t.Phase != "" {
			continue
		}
		if ref, ok := in[t.Block]; ok && ref != t.Ref {
			in[t.Block] = ""
		} else if !ok {
			in[t.Block] = t.Ref
		}
	}
	var list []string
	samples := []*Sample{a.incumbentSample(st)}
	for _, c := range st.Candidates {
		if s, ok := a.samples[c.Sample]; ok && !slices.Contains(samples, s) {
			samples = append(samples, s)
		}
	}
	for _, s := range samples {
		for _, id := range s.Trials {
			if in[a.trialByID[id].Block] != "" {
				list = append(list, id)
			}
		}
	}
	return list
}

// keyOf names the model by which two sides are compared.
func (a *analysis) keyOf(p pair, id metric.ID, against, t *Sample) modelKey {
	return modelKey{t.Workload, id, "", p.pooled, a.until(p, against, t)}
}

// test judges one metric of a comparison by the rule for several starts.
func (a *analysis) test(p pair, id metric.ID, against, t *Sample) stat.Result {
	m := a.model(a.keyOf(p, id, against, t))
	if m == nil {
		return stat.Result{Verdict: stat.NotComparable}
	}
	return stat.DefaultRule().Test(m, a.label(t.Ref, p.pooled), a.label(against.Ref, p.pooled), p.candidates, a.blocksOf(t))
}

// blockGain adds the gain in one metric, as the additive model has it, and returns
// false where the starts share no block by any way.
func (a *analysis) blockGain(p pair, id metric.ID, against, t *Sample) (Gain, stat.Result, bool) {
	r := a.test(p, id, against, t)
	if r.Verdict == stat.NotComparable || math.IsInf(r.Ratio, 0) || math.IsNaN(r.Ratio) {
		return Gain{}, r, false
	}
	fact := a.facts.add(Fact{ID: p.fact(id), Kind: Ratio, Value: r.Ratio, Metric: id, Precision: 1, Derived: true,
		Formula: "exp(contrast of configuration + block)", Inputs: []string{t.Values[id], against.Values[id]}})
	g := Gain{Metric: id, Fact: fact, Within: r.Verdict != stat.Better && r.Verdict != stat.Worse}
	if r.Tested() {
		g.Floor = math.Expm1(r.Threshold)
		g.Bar = a.facts.add(Fact{ID: p.fact(id) + ":threshold", Kind: Fraction, Value: g.Floor, Metric: id, Precision: 1, Derived: true,
			Formula: "max(delta, t × s × √(variance factor))", Inputs: a.fitted(a.keyOf(p, id, against, t)).facts})
	}
	return g, r, true
}

// newTest keeps what decided a comparison.
func (a *analysis) newTest(p pair, id metric.ID, r stat.Result, against, t *Sample) *Test {
	if r.Verdict == stat.TooFew {
		a.facts.add(Fact{ID: p.fact(id) + ":need", Kind: Count, Value: float64(r.NeedStarts), Derived: true,
			Formula: "starts of each side that a test needs", Inputs: a.fitted(a.keyOf(p, id, against, t)).facts})
	}
	return &Test{Starts: r.StartsA, Against: r.StartsB, Blocks: a.blocksOf(t), DF: r.DF, Spread: r.S, Alpha: r.Alpha, Look: r.Look,
		K: p.candidates, TooFew: r.Verdict == stat.TooFew, Need: r.NeedStarts}
}

// confirm adds the gain of what a stage adopted over its incumbent from starts that
// did not choose it. Where there are none the printed gain may flatter.
func (a *analysis) confirm(out *Stage) {
	if out.Changed {
		out.Confirmed = a.confirmed("stage/"+out.ID, a.report.Objective.Workload, out.Adopted, out.Incumbent)
	}
}

// confirmed states the gain of one configuration over another in the starts that came
// after all decisions, in every metric in which both were measured: those of the objective,
// and more.
func (a *analysis) confirmed(prefix, workload, ref, over string, more ...metric.ID) []Gain {
	if a.report.Rule != Blocks {
		return nil
	}
	var list []Gain
	x, y := a.label(ref, true), a.label(over, true)
	for _, id := range append(a.metrics(), more...) {
		m := a.model(modelKey{workload, id, study.Confirm, true, lastStage})
		if m == nil {
			continue
		}
		c, ok := m.Contrast(x, y)
		if !ok || math.IsInf(math.Exp(c.LogRatio), 0) {
			continue
		}
		fact := a.facts.add(Fact{ID: prefix + ":confirmed." + string(id), Kind: Ratio, Value: math.Exp(c.LogRatio), Metric: id, Precision: 1,
			Derived: true, Formula: "exp(contrast of configuration + block)", Inputs: a.confirmInputs(workload, id, x, y)})
		list = append(list, Gain{Metric: id, Fact: fact})
	}
	return list
}

// confirmInputs are the facts of the starts that confirm the gain of one of these.
func (a *analysis) confirmInputs(workload string, id metric.ID, labels ...string) []string {
	var inputs []string
	for _, trial := range a.trialOrder {
		t := a.trialByID[trial]
		if fact, ok := t.Values[id]; ok && t.Phase == study.Confirm && t.Workload == workload && slices.Contains(labels, a.label(t.Ref, true)) {
			inputs = append(inputs, fact)
		}
	}
	return inputs
}

// errorLevel states the rule's own least gain, and the chance that at least one stage
// adopts a candidate without any.
func (a *analysis) errorLevel() {
	if a.report.Rule != Blocks {
		return
	}
	rule := stat.DefaultRule()
	a.facts.add(Fact{ID: "rule:delta", Kind: Fraction, Value: rule.Delta, Derived: true, Formula: "least gain that counts, by the rule"})
	a.facts.add(Fact{ID: "rule:spread", Kind: Fraction, Value: rule.SMin, Precision: 2, Derived: true, Formula: "least spread between starts that is believed, by the rule"})
	a.report.ErrorRate = a.facts.add(Fact{ID: "rule:error", Kind: Fraction, Value: rule.StudyError(len(a.study.Stages)), Derived: true,
		Formula: "stages × sum of the looks' alphas"})
}

// spreads states the residual spread between starts in every metric.
func (a *analysis) spreads() {
	if a.report.Rule != Blocks {
		return
	}
	for _, id := range a.metrics() {
		m := a.fitted(modelKey{a.report.Objective.Workload, id, "", false, lastStage})
		if m.model == nil {
			continue
		}
		if _, ok := m.model.Spread(); ok {
			fact, df := a.spreadFacts(m, id, "spread:starts:"+string(id), "spread:df:"+string(id))
			a.report.Spreads = append(a.report.Spreads, Spread{Metric: id, Fact: fact, DF: df})
		}
	}
}

// spreadFacts states the residual spread between the starts of a model, and its degrees of
// freedom, by these ids.
func (a *analysis) spreadFacts(m fitted, id metric.ID, spreadID, dfID string) (spread, df string) {
	value, _ := m.model.Spread()
	spread = a.facts.add(Fact{ID: spreadID, Kind: Fraction, Value: value, Metric: id, Precision: 2,
		Derived: true, Formula: "residual standard deviation of configuration + block", Inputs: m.facts})
	df = a.facts.add(Fact{ID: dfID, Kind: Count, Value: float64(m.model.DF()), Metric: id,
		Derived: true, Formula: "starts − configurations − blocks + components", Inputs: m.facts})
	return spread, df
}
