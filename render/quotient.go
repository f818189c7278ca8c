package render

import (
	"benchguide/analyze"
	"benchguide/metric"
)

// unlikeQuotient reports whether some gain of the page is not what a reader gets who divides
// the two values beside it. Gains are worked out within blocks; the values are means over
// all starts of a configuration, of which one side may have more on a slower machine.
func (g *guide) unlikeQuotient() bool {
	for _, st := range g.report.Stages {
		for _, c := range st.Candidates {
			if c.VersusIncumbent != nil && g.unlike(*c.VersusIncumbent, g.incumbentSample(st), g.sampleOf(c.Sample)) {
				return true
			}
		}
	}
	for _, b := range g.report.Beside {
		c := b.Comparison
		c.Gains = c.Gains[:min(1, len(c.Gains))] // the one that is printed beside its values
		if g.unlike(c, g.sampleOf(b.Incumbent), g.sampleOf(b.Sample)) {
			return true
		}
	}
	for _, c := range g.report.Cases {
		if len(c.Confirmed) == 0 && g.unlike(c.Comparison, g.sampleOf(c.Baseline), g.sampleOf(c.Optimized)) {
			return true
		}
	}
	return false
}

// unlike compares a gain, as it is printed, with the quotient of both sides' values.
func (g *guide) unlike(c analyze.Comparison, before, now analyze.Sample) bool {
	for _, k := range c.Gains {
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
