package stat

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// maxNeed is the largest number of starts that Need tries: nobody starts a server
// more often than that for one comparison.
const maxNeed = 200

// Power is the chance that a candidate with a true gain of effect (0.03 is 3 %) is
// found better, with so many starts of it and of the incumbent, one each in as many
// blocks of k candidates and the incumbent, and a spread of s between starts (on the
// log scale: 0.01 is about 1 %). It is that of the look which so many blocks have
// reached, alone: an earlier look can only find it sooner. Where the rule would not
// test it is 0.
//
// The gain and the measured spread are independent, so it is the normal chance of
// passing the threshold, averaged over the spread that might be measured.
func (r Rule) Power(effect, s float64, k, starts int) float64 {
	k = max(1, k)
	df := Freedom(k, starts)
	_, look, ok := r.At(starts)
	if !ok || !r.Tests(starts, df) {
		return 0
	}
	gain, factor := math.Log1p(effect), 2/float64(starts)
	t := critical(look.Alpha, k, df)
	chi := distuv.ChiSquared{K: float64(df)}
	given := func(u float64) float64 {
		measured := max(r.SMin, s*math.Sqrt(chi.Quantile(u)/float64(df)))
		threshold, _ := r.threshold(t, measured, factor)
		return passes(gain-threshold, s*math.Sqrt(factor))
	}
	return min(1, quad.Fixed(given, 0, 1, 100, quad.Legendre{}, 0)) // weights sum to 1 but for rounding
}

// passes is the chance that a normal error does not eat up what a gain has above the
// threshold. Without any error there is nothing to divide by.
func passes(above, standardError float64) float64 {
	if standardError <= 0 {
		if above > 0 {
			return 1
		}
		return 0
	}
	return distuv.UnitNormal.CDF(above / standardError)
}

// Need is the least number of starts of each side with which a true gain of effect is
// found with the chance power, as Power counts it. It is false when no number up to
// 200 is enough, as for a gain below the rule's Delta.
func (r Rule) Need(effect, s float64, k int, power float64) (starts int, ok bool) {
	for n := minStarts; n <= maxNeed; n++ {
		if r.Power(effect, s, k, n) >= power {
			return n, true
		}
	}
	return 0, false
}

// PowerCell is the power of one plan.
type PowerCell struct {
	Effect, Spread float64
	Starts         int
	Power          float64
}

// PowerTable is the power at every effect, spread and number of starts, in the order
// given, the last changing fastest.
func (r Rule) PowerTable(effects, spreads []float64, starts []int, k int) []PowerCell {
	var cells []PowerCell
	for _, effect := range effects {
		for _, s := range spreads {
			for _, n := range starts {
				cells = append(cells, PowerCell{effect, s, n, r.Power(effect, s, k, n)})
			}
		}
	}
	return cells
}
