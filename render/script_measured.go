package render

import (
	"strconv"
	"strings"

	"benchguide/analyze"
	"benchguide/metric"
)

// measured lists what the guide says, to compare with what the client will print.
func (b scriptBuilder) measured() []string {
	var list []string
	for _, id := range b.workloads() {
		for _, sample := range b.samplesOf(id) {
			s, ok := b.report.Sample(sample)
			if !ok {
				continue
			}
			if figures := b.figures(s); figures != "" {
				list = append(list, id+": "+figures)
			}
			break
		}
	}
	return list
}

// figures are the numbers of a sample that decide, by the names and in the units of the
// client's output. A latency that the client does not print is worked out from two that it
// prints, and those are then what can be compared.
func (b scriptBuilder) figures(s analyze.Sample) string {
	sets := [][]metric.ID{{b.report.Objective.Metric}, {metric.TotalThroughput}}
	if _, has := s.Values[metric.RequestLatency]; has && b.report.Objective.Metric == metric.RequestLatency {
		ttft, tpot := metric.Of(metric.Mean, metric.TTFT), metric.Of(metric.Mean, metric.TPOT)
		sets = append([][]metric.ID{{metric.Of(metric.Mean, metric.E2E)}, {ttft, tpot}}, sets...)
	}
	for _, set := range sets {
		var figures []string
		for _, id := range set {
			fact, ok := b.report.Facts.Get(s.Values[id])
			label := b.label(s, id)
			if text, err := factText(fact, StyleBare); ok && label != "" && err == nil {
				figures = append(figures, label+" "+text)
			}
		}
		if len(figures) == len(set) {
			return strings.Join(figures, ", ")
		}
	}
	return ""
}

// label is how the client names a metric; empty where it does not print it, or prints it in
// another unit.
func (b scriptBuilder) label(s analyze.Sample, id metric.ID) string {
	run, _ := b.folder.Current()
	trial, ok := b.report.Trial(s.Trials[0])
	if !ok {
		return ""
	}
	for _, start := range run.Starts {
		for i := range start.Results {
			if start.Results[i].File != trial.File {
				continue
			}
			v, _ := start.Results[i].Record.Value(id)
			number := v.Number
			if v.Recomputed {
				number = v.Printed
			}
			if printed, err := strconv.ParseFloat(v.Text, 64); err == nil && printed == number && v.Label != "" {
				return oneLine(strings.TrimSuffix(v.Label, ":")) + ":"
			}
		}
	}
	return ""
}
