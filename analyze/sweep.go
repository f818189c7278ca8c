package analyze

import (
	"cmp"
	"slices"
	"strconv"

	"benchguide/metric"
	"benchguide/study"
)

// SweepPoint is one rate at which a configuration was tried.
type SweepPoint struct {
	Ref      string               `json:"ref"`
	Workload string               `json:"workload"`
	Rate     string               `json:"rate"`   // fact
	Values   map[metric.ID]string `json:"values"` // metric to fact
}

// SweepMetrics are the metrics that a point of a sweep is shown by, in order.
func SweepMetrics() []metric.ID {
	return []metric.ID{metric.RequestThroughput, metric.RequestGoodput, metric.OutputThroughput,
		metric.Of(metric.Pct(99), metric.TTFT), metric.Of(metric.Pct(99), metric.TPOT), metric.Of(metric.Pct(99), metric.E2E)}
}

// sweeps lists the rates that the baseline and the final configuration were tried at. The
// first start that has a sweep stands for its configuration: a curve is shown, and decides
// nothing, since the workload's own result is that of the best rate.
func (a *analysis) sweeps() []SweepPoint {
	var list []SweepPoint
	refs := addOnce([]string{a.report.Baseline.Ref}, a.report.Final.Ref)
	for _, ref := range refs {
		for _, s := range a.usable() {
			if s.Ref() != ref || len(s.Sweeps) == 0 {
				continue
			}
			points := slices.Clone(s.Sweeps)
			slices.SortFunc(points, func(x, y study.Sweep) int {
				return cmp.Or(cmp.Compare(x.Workload, y.Workload), cmp.Compare(x.Rate, y.Rate))
			})
			for _, p := range points {
				list = append(list, a.sweepPoint(s, p))
			}
			break
		}
	}
	return list
}

func (a *analysis) sweepPoint(s study.Start, p study.Sweep) SweepPoint {
	// No colon before the metric's: it is where ids are taken apart.
	id := startID(s) + "/sweep/" + p.Workload + "-" + strconv.FormatFloat(p.Rate, 'f', -1, 64)
	rate := metric.MustLookup(metric.RequestRate)
	point := SweepPoint{Ref: s.Ref(), Workload: p.Workload, Values: map[metric.ID]string{}}
	point.Rate = a.facts.add(Fact{ID: id + ":rate", Kind: Declared, Value: p.Rate, Unit: string(rate.Unit), Metric: rate.ID, Precision: rate.Precision,
		Source: &Source{File: p.File, Line: p.Record.Line}})
	values := p.Values()
	for _, m := range SweepMetrics() {
		if v, ok := values[m]; ok {
			known := metric.MustLookup(m)
			point.Values[m] = a.facts.add(Fact{ID: id + ":" + string(m), Kind: Measured, Value: v.Number, Unit: string(known.Unit), Metric: m, Precision: known.Precision,
				Source: &Source{File: p.File, Line: v.Line, Text: v.Text}})
		}
	}
	return point
}
