package render

import (
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
)

// unlikeQuotient reports whether some gain of the page is not what a reader gets who divides
// the two values beside it. Gains are worked out within blocks, confirmed ones from starts
// of their own; the values are means over the starts that decided, of which one side may
// have more on a slower machine.
func (g *guide) unlikeQuotient() bool {
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.VersusIncumbent != nil && g.unlike(c.VersusIncumbent.Gains, g.incumbentSample(st), g.sampleOf(c.Sample)) {
				return true
			}
		}
	}
	for _, b := range g.report.Beside {
		printed := b.Comparison.Gains[:min(1, len(b.Comparison.Gains))] // beside its values
		if g.unlike(printed, g.sampleOf(b.Incumbent), g.sampleOf(b.Sample)) {
			return true
		}
	}
	for _, c := range g.report.Cases {
		shown := slices.Clone(c.Comparison.Gains)
		for i, k := range shown {
			shown[i].Fact, _ = shownGain(c, k)
		}
		if g.unlike(shown, g.sampleOf(c.Baseline), g.sampleOf(c.Optimized)) {
			return true
		}
	}
	return false
}

// unlike compares gains, as they are printed, with the quotients of both sides' values.
func (g *guide) unlike(gains []analyze.Gain, before, now analyze.Sample) bool {
	for _, k := range gains {
		b, ok1 := value(before, k.Metric)
		n, ok2 := value(now, k.Metric)
		if !ok1 || !ok2 {
			continue
		}
		old, _ := g.report.Facts.Get(b)
		is, _ := g.report.Facts.Get(n)
		printed, _ := g.report.Facts.Get(k.Fact)
		quotient := printed
		if quotient.Value = is.Value / old.Value; metric.MustLookup(k.Metric).Better == metric.LowerIsBetter {
			quotient.Value = old.Value / is.Value
		}
		x, err1 := factText(printed, StyleDefault)
		y, err2 := factText(quotient, StyleDefault)
		if err1 == nil && err2 == nil && x != y {
			return true
		}
	}
	return false
}
