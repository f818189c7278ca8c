package analyze

import (
	"math"
	"slices"
	"strings"

	"benchguide/metric"
)

// Tolerances of the identities inside one result. Values are printed with two
// decimals, so a small rate may be off by half of the last one.
const (
	identityRelative = 0.005
	identityAbsolute = 0.005
)

// Limits below which a result cannot carry what is read from it.
const (
	busyClient     = 0.8  // of one core: a Python client that takes more is late for its own requests
	promptsPerSlot = 20   // prompts for each concurrent slot: below it ramp and drain weigh too much
	requestsForP99 = 1000 // below it P99 is the value of a handful of requests
	burstMedian    = 0.1  // median ITL below this part of the mean: tokens arrive in bursts
	// A client that counts every request which touched a second finds, in a second of
	// short answers, several times the maximum. Beyond this it counted something else.
	peakFactor    = 3
	peakOfSeconds = 4 // seconds' worth of requests that one busy second may hold
	peakSlack     = 3
)

// identityProducers are the tools whose rates are plain quotients of their counts.
var identityProducers = []string{"vllm", "sglang", "tensorrt", "trt", "inferencex"}

// plausible checks every trial against itself. What it finds is said, and nothing is
// corrected: a number that contradicts its neighbours stays on the page beside the
// finding.
func (a *analysis) plausible() {
	peaks, p99 := []*Trial{}, []*Trial{}
	for _, id := range slices.Concat(a.trialOrder, a.repeatOrder) {
		t := a.trialByID[id]
		a.identities(t)
		a.percentileOrder(t)
		a.bursts(t)
		a.fewPrompts(t)
		a.clientBound(t)
		if a.peakArtefact(t) {
			peaks = append(peaks, t)
		}
		if completed, ok := number(a.facts, t.Values, metric.CompletedRequests); ok && completed < requestsForP99 && a.printsP99(t) {
			p99 = append(p99, t)
		}
	}
	a.counted(CodePeakArtefact, "trials:peak_above_maximum", peaks)
	a.counted(CodeFewForP99, "trials:p99_of_few", p99)
}

// identities holds printed rates against the counts and the duration beside them.
func (a *analysis) identities(t *Trial) {
	producer := strings.ToLower(t.Producer)
	if !slices.ContainsFunc(identityProducers, func(p string) bool { return strings.Contains(producer, p) }) {
		return
	}
	for _, c := range []struct {
		rate metric.ID
		of   []metric.ID
	}{
		{metric.RequestThroughput, []metric.ID{metric.CompletedRequests}},
		{metric.OutputThroughput, []metric.ID{metric.OutputTokens}},
		{metric.InputThroughput, []metric.ID{metric.InputTokens}},
		{metric.TotalThroughput, []metric.ID{metric.InputTokens, metric.OutputTokens}},
	} {
		a.quotient(t, c.rate, c.of)
	}
	a.littlesLaw(t)
}

// littleTolerance is how far a printed mean concurrency may be from what Little's law
// makes of the latencies. It is the sum of the same latencies, so it is rounding.
const littleTolerance = 0.02

// littlesLaw holds a printed mean concurrency against rate times mean latency: what is
// in flight at a time is what arrives in a second times how long it stays.
func (a *analysis) littlesLaw(t *Trial) {
	printed, ok1 := number(a.facts, t.Values, metric.MeanConcurrency)
	latency, ok2 := number(a.facts, t.Values, metric.Of(metric.Mean, metric.E2E))
	completed, ok3 := number(a.facts, t.Values, metric.CompletedRequests)
	duration, ok4 := number(a.facts, t.Values, metric.Duration)
	if !ok1 || !ok2 || !ok3 || !ok4 || duration <= 0 || printed <= 0 {
		return
	}
	expected := completed / duration * latency / 1000
	if math.Abs(printed-expected) <= littleTolerance*expected+identityAbsolute {
		return
	}
	m := metric.MustLookup(metric.MeanConcurrency)
	fact := a.facts.add(Fact{ID: t.ID + ":expected." + string(m.ID), Kind: Measured, Value: expected, Unit: string(m.Unit), Metric: m.ID,
		Precision: m.Precision, Derived: true, Formula: "completed_requests / duration × mean_e2e_latency",
		Inputs: []string{t.Values[metric.CompletedRequests], t.Values[metric.Duration], t.Values[metric.Of(metric.Mean, metric.E2E)]}})
	a.trialFinding(CodeIdentityBroken, SeverityCaution, t, map[string]string{"Printed": t.Values[m.ID], "Expected": fact}, map[string]string{"Metric": string(m.ID)})
}

func (a *analysis) quotient(t *Trial, rate metric.ID, of []metric.ID) {
	printed, ok := number(a.facts, t.Values, rate)
	duration, timed := number(a.facts, t.Values, metric.Duration)
	if !ok || !timed || duration <= 0 {
		return
	}
	sum, inputs := 0.0, []string{}
	for _, id := range of {
		v, ok := number(a.facts, t.Values, id)
		if !ok {
			return
		}
		sum += v
		inputs = append(inputs, t.Values[id])
	}
	// The duration itself is rounded, so a short run allows a larger difference.
	allowed := max(identityAbsolute, identityRelative*sum/duration, sum/duration*identityAbsolute/duration)
	if math.Abs(printed-sum/duration) <= allowed {
		return
	}
	m := metric.MustLookup(rate)
	expected := a.facts.add(Fact{ID: t.ID + ":expected." + string(rate), Kind: Measured, Value: sum / duration, Unit: string(m.Unit), Metric: rate,
		Precision: m.Precision, Derived: true, Formula: "count / duration", Inputs: append(inputs, t.Values[metric.Duration])})
	a.trialFinding(CodeIdentityBroken, SeverityCaution, t, map[string]string{"Printed": t.Values[rate], "Expected": expected},
		map[string]string{"Metric": string(rate)})
}

// percentileOrder reports percentiles that fall where they must rise.
func (a *analysis) percentileOrder(t *Trial) {
	for _, q := range metric.Quantities() {
		last, lastFact := math.Inf(-1), ""
		for _, s := range []metric.Stat{metric.Min, metric.Median, metric.Pct(75), metric.Pct(90), metric.Pct(95), metric.Pct(99), metric.Max} {
			id := metric.Of(s, q)
			v, ok := number(a.facts, t.Values, id)
			if !ok {
				continue
			}
			if v < last {
				a.trialFinding(CodePercentileOrder, SeverityCaution, t, map[string]string{"Lower": lastFact, "Higher": t.Values[id]},
					map[string]string{"Quantity": strings.ToUpper(string(q))})
			}
			last, lastFact = v, t.Values[id]
		}
	}
}

// bursts notes streams whose tokens arrive together: then ITL says how the server
// flushes, and not how it decodes.
func (a *analysis) bursts(t *Trial) {
	median, ok1 := number(a.facts, t.Values, metric.Of(metric.Median, metric.ITL))
	mean, ok2 := number(a.facts, t.Values, metric.Of(metric.Mean, metric.ITL))
	if ok1 && ok2 && median < burstMedian*mean {
		a.once(CodeBursts, SeverityNote, t, map[string]string{
			"Median": t.Values[metric.Of(metric.Median, metric.ITL)],
			"Mean":   t.Values[metric.Of(metric.Mean, metric.ITL)],
		}, nil)
	}
}

// fewPrompts warns of trials that are mostly ramp and drain. One request after another has
// neither.
func (a *analysis) fewPrompts(t *Trial) {
	concurrency, ok1 := number(a.facts, t.Values, metric.MaxConcurrency)
	completed, ok2 := number(a.facts, t.Values, metric.CompletedRequests)
	if ok1 && ok2 && concurrency > 1 && completed/concurrency < promptsPerSlot && completed > 0 {
		a.once(CodeFewPrompts, SeverityCaution, t, map[string]string{
			"Requests": t.Values[metric.CompletedRequests], "Concurrency": t.Values[metric.MaxConcurrency],
		}, nil)
	}
}

// peakArtefact reports whether a peak above the maximum is the usual artefact of
// counting every request that touched a second; a peak beyond that is a finding of
// its own.
func (a *analysis) peakArtefact(t *Trial) bool {
	peak, ok1 := number(a.facts, t.Values, metric.PeakConcurrency)
	most, ok2 := number(a.facts, t.Values, metric.MaxConcurrency)
	rate, ok3 := number(a.facts, t.Values, metric.RequestThroughput)
	if !ok1 || !ok2 || !ok3 || peak <= most {
		return false
	}
	if peak > peakFactor*most+peakOfSeconds*rate+peakSlack {
		a.trialFinding(CodePeakImpossible, SeverityCaution, t, map[string]string{
			"Peak": t.Values[metric.PeakConcurrency], "Max": t.Values[metric.MaxConcurrency],
		}, nil)
		return false
	}
	return true
}

// clientBound warns of a client that had no more of a core to take: what it prints may
// then be its own speed. Only a run that watched its client can tell.
func (a *analysis) clientBound(t *Trial) {
	share, ok := a.made[t.ID].ClientCPU[t.Workload]
	if !ok || share < busyClient {
		return
	}
	fact := a.facts.add(Fact{ID: t.ID + ":client_cpu", Kind: Fraction, Value: share, Source: &Source{File: attemptFile(t), Line: 1}})
	a.trialFinding(CodeClientBound, SeverityCaution, t, map[string]string{"Share": fact}, nil)
}

func (a *analysis) printsP99(t *Trial) bool {
	for _, q := range metric.Quantities() {
		if _, ok := t.Values[metric.Of(metric.Pct(99), q)]; ok {
			return true
		}
	}
	return false
}

// counted says once what holds for many trials alike.
func (a *analysis) counted(code, fact string, trials []*Trial) {
	if len(trials) == 0 {
		return
	}
	inputs := make([]string, len(trials))
	for i, t := range trials {
		inputs[i] = t.Values[metric.CompletedRequests]
	}
	id := a.facts.add(Fact{ID: fact, Kind: Count, Value: float64(len(trials)), Derived: true, Formula: "count", Inputs: inputs})
	a.find(Finding{Code: code, Severity: SeverityNote, Subject: a.report.ID, File: trials[0].File, Line: trials[0].Line, Facts: map[string]string{"Trials": id}})
}

// once reports the first trial of a sample only: what its starts have in common would
// otherwise be said for each of them.
func (a *analysis) once(code string, severity Severity, t *Trial, facts, names map[string]string) {
	for _, f := range a.report.Findings {
		if other, ok := a.trialByID[f.Subject]; ok && f.Code == code && other.Ref == t.Ref && other.Workload == t.Workload {
			return
		}
	}
	a.trialFinding(code, severity, t, facts, names)
}

func (a *analysis) trialFinding(code string, severity Severity, t *Trial, facts, names map[string]string) {
	all := map[string]string{"Trial": t.ID}
	for k, v := range names {
		all[k] = v
	}
	line := t.Line
	if printed, ok := a.facts.Get(facts["Printed"]); ok && printed.Source != nil {
		line = printed.Source.Line // where the number stands that is in doubt
	}
	a.find(Finding{Code: code, Severity: severity, Subject: t.ID, File: t.File, Line: line, Facts: facts, Names: all})
}
