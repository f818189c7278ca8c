package analyze

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchguide/gpulog"
	"benchguide/study"
)

// Causes of a spell, as far as the GPUs' own log tells one.
const (
	CauseWaiting = "waiting" // the GPUs drew less and did less, at their usual clock
	CauseClock   = "clock"   // their clock fell
)

// How far something must fall in a spell to be a cause. Of the stretches of two and of five
// seconds in the H200's trials without a spell, one in 300 draws 3 % less power than the rest
// of its trial at concurrency 4. At concurrency 64 it is one in 7, since the beginning and
// the end have fewer requests in flight: so power alone says nothing. With the utilization
// it is none in 1011, and one in 37.
const (
	powerFell = 0.03
	useFell   = 0.05 // points
	clockFell = 0.01
)

const (
	spellGPUFormula = " over the seconds that are certainly in the spell, by the client's date in whole seconds"
	restGPUFormula  = " over the seconds of the trial that are certainly in none of its spells, by the client's date in whole seconds"
)

// meanwhile adds to a finding about a spell what the GPUs did in it and what in the rest of
// the trial, where that tells a cause.
func (a *analysis) meanwhile(t *Trial, n int, all []spell, f *Finding) {
	start, ok := a.startOf(t)
	if !ok {
		return
	}
	_, ended, ok := a.measuredWhen(t, start)
	file, samples := gpuSamples(start)
	if !ok || file == "" {
		return
	}
	at := func(second int) time.Time { return t.began.Add(time.Duration(second) * time.Second) }
	// The trial began in the second of its date: it was in the spell from a second after
	// where the date alone puts its beginning until where that puts its end.
	from, to := at(all[n].from).Add(dateStep), at(all[n].to)
	outside := slices.DeleteFunc(slices.Clone(samples), func(s gpulog.Sample) bool {
		return slices.ContainsFunc(all, func(one spell) bool {
			return !s.Time.Before(at(one.from)) && !s.Time.After(at(one.to).Add(dateStep))
		})
	})
	in, rest := gpulog.Window(samples, from, to), gpulog.Window(outside, at(0).Add(dateStep), ended)
	cause := causeOf(in, rest)
	if cause == "" || in.Seconds < to.Sub(from).Seconds()/2 {
		return
	}
	f.Names["Cause"] = cause
	add := func(name, unit string, kind Kind, formula string, inSpell, elsewhere float64) {
		id := t.ID + ":spell." + strconv.Itoa(n+1) + "." + strings.ToLower(name)
		fact := Fact{Kind: kind, Unit: unit, Derived: true}
		fact.ID, fact.Value, fact.Formula, fact.Source = id, inSpell, formula+spellGPUFormula, &Source{File: file, Line: rowAt(samples, from)}
		f.Facts[name] = a.facts.add(fact)
		fact.ID, fact.Value, fact.Formula, fact.Source = id+".rest", elsewhere, formula+restGPUFormula, &Source{File: file, Line: rowAt(outside, at(0).Add(dateStep))}
		f.Facts[name+"Rest"] = a.facts.add(fact)
	}
	add("Clock", "MHz", Measured, "mean of clocks.sm, idle seconds left out,", in.SMClockMHz, rest.SMClockMHz)
	if cause == CauseWaiting {
		add("Power", "W", Measured, "mean of power.draw, summed over the GPUs,", in.MeanPowerW, rest.MeanPowerW)
		add("Use", "", Fraction, "mean of utilization.gpu, of the GPU with the lowest one,", in.Utilization/100, rest.Utilization/100)
	}
}

// causeOf is why the GPUs were slower in one stretch of time than in another; "" where
// nothing tells.
func causeOf(in, rest gpulog.Summary) string {
	if in.SMClockMHz < 0 || rest.SMClockMHz < 0 {
		return ""
	}
	if in.SMClockMHz < (1-clockFell)*rest.SMClockMHz {
		return CauseClock
	}
	if in.MeanPowerW < 0 || rest.MeanPowerW < 0 || in.Utilization < 0 || rest.Utilization < 0 {
		return ""
	}
	if in.MeanPowerW < (1-powerFell)*rest.MeanPowerW && in.Utilization < rest.Utilization-100*useFell {
		return CauseWaiting
	}
	return ""
}

// gpuSamples reads what a start's GPUs did, and the name of the file; "" where there is none.
func gpuSamples(s study.Start) (string, []gpulog.Sample) {
	file, ok := side(s, gpulog.File)
	if !ok {
		return "", nil
	}
	samples, _ := gpulog.ReadSamples(bytes.NewReader(file.Bytes)) // the good lines; the others are gaps
	return file.File, samples
}

// rowAt is the line of the first sample at or after a time; the first one where there is none.
func rowAt(samples []gpulog.Sample, from time.Time) int {
	for _, s := range samples {
		if !s.Time.Before(from) {
			return s.Row
		}
	}
	return 1
}
