package render

import (
	"slices"
	"strings"

	"benchguide/metric"
	"benchguide/render/markup"
)

// within shows what single starts were like inside: their steady part, the rate of
// requests that keep the limits, their repeats, and how far the requests alone move a
// gain. None of it decides anything, and the section says so.
func (g *guide) within() []string {
	var list []string
	for _, part := range []string{g.steady(), g.goodput(), g.repeats(), g.intervals()} {
		if part != "" {
			list = append(list, part)
		}
	}
	return list
}

// shownSamples are the samples of the page's conclusions, each once: what was adopted
// on the way, and both sides of every case.
func (g *guide) shownSamples() []string {
	list := g.pathSamples()
	for _, c := range g.report.Cases {
		list = append(list, c.Baseline, c.Optimized)
	}
	var once []string
	for _, id := range list {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}

func (g *guide) steady() string {
	var rows [][]markup.Cell
	for _, id := range g.shownSamples() {
		for _, s := range g.report.Steady {
			if s.Sample == id {
				rows = append(rows, []markup.Cell{cell(g.measured(id)), cell(g.fact(s.Printed)), cell(g.fact(s.Output)), cell(g.fact(s.Share)), cell(g.fact(s.TTFT))})
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return g.t("within.steady") + "\n\n" + markup.Table(g.head(g.t("table.candidate"), g.t("table.printed-output"), g.t("table.steady-output"),
		g.t("table.steady-share"), g.t("table.steady-ttft")), rows, leftThenRight(5))
}

func (g *guide) goodput() string {
	var rows [][]markup.Cell
	for _, id := range g.shownSamples() {
		s, ok := g.report.Sample(id)
		if fact, measured := value(s, metric.RequestGoodput); ok && measured {
			rows = append(rows, []markup.Cell{cell(g.measured(id)), cell(g.valueText(s, metric.RequestThroughput, "")), cell(g.fact(fact))})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return g.t("within.goodput") + "\n\n" + markup.Table(g.head(g.t("table.candidate"), g.metric(metric.RequestThroughput), g.metric(metric.RequestGoodput)), rows, leftThenRight(3))
}

func (g *guide) repeats() string {
	var rows [][]markup.Cell
	for _, r := range g.report.Repeats {
		first, _ := g.report.Trial(r.Trial)
		cached := g.t("cell.none")
		if r.Share != "" {
			cached = g.fact(r.Share)
		}
		rows = append(rows, []markup.Cell{cell(g.measured(first.Ref + "/" + first.Workload)), cell(g.fact(r.Trials)), cell(g.fact(r.Least)), cell(g.fact(r.Most)),
			cell(g.fact(r.Range)), cell(cached)})
	}
	if len(rows) == 0 {
		return ""
	}
	return g.t("within.repeats", Args{"Metric": g.metric(g.report.Objective.Metric)}) + "\n\n" + markup.Table(g.head(g.t("table.candidate"), g.t("table.trials"),
		g.t("table.least"), g.t("table.most"), g.t("table.range"), g.t("table.cached")), rows, leftThenRight(6))
}

// intervals are how far the requests alone move a gain, of which starts, and what was drawn
// again for that.
func (g *guide) intervals() string {
	paired, unpaired := g.intervalList(true), g.intervalList(false)
	lists := captioned(g.t("within.paired"), paired)
	if unpaired != "" {
		lists = strings.TrimPrefix(lists+"\n\n"+captioned(g.t("within.unpaired"), unpaired), "\n\n")
	}
	return captioned(g.t("within.intervals"), lists)
}

// intervalList lists the intervals of one kind. Their ends are printed in one style, since a
// percentage and a multiple cannot be compared at sight.
func (g *guide) intervalList(paired bool) string {
	var list []string
	for _, i := range g.report.Intervals {
		if i.Paired != paired {
			continue
		}
		baseline, _ := g.report.Trial(i.Baseline)
		optimized, _ := g.report.Trial(i.Optimized)
		list = append(list, "- "+g.t("within.interval", Args{"Workload": text(g.workload(optimized.Workload)),
			"Baseline": markup.Inline(markup.Code(startOf(baseline))), "Optimized": markup.Inline(markup.Code(startOf(optimized))),
			"Ratio": g.fact(i.Ratio, StylePercent), "Low": g.fact(i.Low, StylePercent), "High": g.fact(i.High, StylePercent), "Level": g.fact(i.Level)}))
	}
	return strings.Join(list, "\n")
}
