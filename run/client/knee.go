package client

import (
	"benchguide/metric"
	"benchguide/parse"
	"benchguide/study"
)

// Point is what was measured at one request rate.
type Point struct {
	Rate    float64
	Goodput float64 // requests a second that kept the objective's limits
	Values  map[metric.ID]float64
}

// PointOf takes a point from a client's result. Without a goodput, because the objective
// has no limits, every completed request is a good one.
func PointOf(rate float64, r parse.Record) Point {
	p := Point{Rate: rate, Values: map[metric.ID]float64{}}
	for _, v := range r.Values {
		p.Values[v.Metric] = v.Number
	}
	good, ok := p.Values[metric.RequestGoodput]
	if !ok {
		good = p.Values[metric.RequestThroughput]
	}
	p.Goodput = good
	return p
}

// enough is how many rates in a row must lie beyond the knee before a sweep ends: one may
// be a bad minute of the machine.
const enough = 2

// Knee looks for the best rate of a sweep that goes up. A rate lies beyond the knee if
// its goodput is not above the best of those before it, or if it breaks a limit; after
// two such in a row the sweep may stop. The best is the point with the highest goodput
// of those that keep the limits, and where none does, the one with the highest goodput:
// that all break a limit is for the reader of the result to see. best is -1 without points.
func Knee(points []Point, limits []study.Limit) (best int, stop bool) {
	best = -1
	top, beyond := 0.0, 0
	for i, p := range points {
		broken := breaks(p, limits)
		if broken || i > 0 && p.Goodput <= top {
			beyond++
		} else {
			beyond = 0
		}
		top = max(top, p.Goodput)
		if best < 0 || better(p, points[best], broken, breaks(points[best], limits)) {
			best = i
		}
	}
	return best, beyond >= enough
}

// better prefers what keeps the limits, then the higher goodput, then what came first.
func better(p, than Point, broken, thanBroken bool) bool {
	if broken != thanBroken {
		return thanBroken
	}
	return p.Goodput > than.Goodput
}

// breaks reports whether a point breaks a limit. What was not measured breaks none.
func breaks(p Point, limits []study.Limit) bool {
	for _, l := range limits {
		v, ok := p.Values[metric.ID(l.Metric)]
		if ok && (l.AtMost != nil && v > *l.AtMost || l.AtLeast != nil && v < *l.AtLeast) {
			return true
		}
	}
	return false
}
