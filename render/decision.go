package render

import (
	"slices"

	"benchguide/analyze"
	"benchguide/metric"
	"benchguide/render/markup"
	"benchguide/study"
)

// stageFindings says what the stage decided and on what evidence.
func (g *guide) stageFindings(st analyze.Stage, declared study.Stage) []string {
	list := []string{g.decision(st, declared)}
	if t := st.Threshold; t != nil {
		list = append(list, g.noiseFloor(st, *t))
	}
	if len(st.Unpaired) > 0 {
		list = append(list, g.t("stage.unpaired"))
	}
	var tied, worse []string
	for _, c := range st.Candidates {
		switch c.Verdict {
		case analyze.Tied:
			tied = append(tied, text(g.candidate(c.Ref)))
		case analyze.Infeasible:
			list = append(list, g.infeasible(c))
		case analyze.Invalid:
			if c.Excluded != "" {
				list = append(list, g.t("stage.excluded", Args{"Name": text(g.candidate(c.Ref)), "Reason": markup.Inline(markup.Code(c.Excluded))}))
			}
		case analyze.NoGain:
			worse = append(worse, g.t("list.item", Args{"Name": text(g.candidate(c.Ref)), "Gain": g.gainText(c.VersusIncumbent)}))
		}
	}
	if len(tied) > 0 {
		list = append(list, g.t("stage.tied", Args{"Names": g.list(tied)}))
	}
	if len(worse) > 0 {
		list = append(list, g.t("stage.no-gain", Args{"Names": g.list(worse)}))
	}
	for _, c := range g.declaredRows(declared) {
		if c.SameAs != nil {
			list = append(list, g.t("stage.same-as", Args{"Name": text(c.Name.In(string(g.lang))),
				"Other": text(g.candidate(c.SameAs.Candidate)), "Reason": prose(c.SameAs.Reason.In(string(g.lang)))}))
		}
		if c.Note != nil {
			list = append(list, prose(c.Note.In(string(g.lang))))
		}
	}
	if declared.Note != nil {
		list = append(list, prose(declared.Note.In(string(g.lang))))
	}
	return list
}

// declaredRows are what the author declared of a stage's rows: the baseline stands in
// the first stage.
func (g *guide) declaredRows(declared study.Stage) []study.Candidate {
	s := &g.folder.Study
	if declared.ID == s.Stages[0].ID {
		return slices.Concat([]study.Candidate{s.Baseline}, declared.Candidates)
	}
	return declared.Candidates
}

// infeasible says why a candidate cannot be adopted: it would not run, or it breaks a
// limit of the objective.
func (g *guide) infeasible(c analyze.Candidate) string {
	name := text(g.candidate(c.Ref))
	if c.Failure != "" {
		return g.t("stage.failed", Args{"Name": name, "Reason": markup.Inline(markup.Code(c.Failure))})
	}
	var broken []string
	for _, b := range c.Broken {
		args := Args{"Metric": g.metric(b.Metric), "Limit": g.fact(b.Limit), "Value": g.t("setup.not-measured")}
		if b.Value != "" {
			args["Value"] = g.fact(b.Value)
		}
		broken = append(broken, g.t("stage.limit", args))
	}
	return g.t("stage.infeasible", Args{"Name": name, "Limits": g.list(broken)})
}

// decision is the sentence of what a stage goes on with, and why.
func (g *guide) decision(st analyze.Stage, declared study.Stage) string {
	if st.Open {
		return g.t("stage.open", Args{"State": g.openState(*g.report.Open)})
	}
	for _, c := range st.Candidates {
		if c.Ref != st.Adopted || !st.Changed {
			continue
		}
		reason := ""
		if declared.Pick != nil {
			reason = prose(declared.Pick.Reason.In(string(g.lang)))
		}
		name := text(g.candidate(c.Ref))
		if c.Verdict != analyze.Adopted {
			return g.t("stage.picked.flat", Args{"Name": name, "Gain": g.gainFact(c), "Floor": g.bar(c), "Reason": reason})
		}
		return g.adopted(st, c, name, reason)
	}
	return g.nothing(st)
}

// openState says how far the run has come with a stage that it has not decided, and when it
// looks at it again.
func (g *guide) openState(o analyze.OpenStage) string {
	last := g.sameText(o.Next, o.Most)
	switch {
	case o.Looked != "" && last && o.Tested:
		return g.t("stage.open.tested", Args{"Looked": g.fact(o.Looked), "Next": g.fact(o.Next)})
	case o.Looked != "" && last:
		return g.t("stage.open.idle", Args{"Looked": g.fact(o.Looked), "Next": g.fact(o.Next)})
	case last:
		return g.t("stage.open.last", Args{"Blocks": g.fact(o.Blocks), "Next": g.fact(o.Next)})
	}
	return g.t("stage.open.before", Args{"Blocks": g.fact(o.Blocks), "Next": g.fact(o.Next), "Most": g.fact(o.Most)})
}

// nothing says that a stage adopts nothing: no gain is beyond the noise, or there are
// too few starts to tell.
func (g *guide) nothing(st analyze.Stage) string {
	highest := ""
	value := -1.0
	for _, c := range st.Candidates {
		v := c.VersusIncumbent
		if v == nil || v.Refused != "" {
			continue
		}
		if v.Test != nil && v.Test.TooFew {
			return g.t("stage.too-few", Args{"Need": g.fact(c.Ref + ":gain." + string(v.Metric) + ":need")})
		}
		if v.Gains[0].Floor > value {
			highest, value = v.Gains[0].Bar, v.Gains[0].Floor
		}
	}
	if highest == "" {
		return g.t("stage.not-comparable")
	}
	return g.t("stage.none", Args{"Floor": g.fact(highest)})
}

// noiseFloor says what a gain of the stage has to exceed, and what that follows from: each
// stage has a spread of its own, since later ones know more of it.
func (g *guide) noiseFloor(st analyze.Stage, t analyze.Threshold) string {
	what := "stage.floor.what"
	if st.Open {
		what = "stage.floor.what.open"
	}
	floor := g.fact(t.High)
	if !g.sameText(t.Low, t.High) {
		floor = g.t("stage.floor.range", Args{"Low": g.fact(t.Low), "High": g.fact(t.High)})
	}
	args := Args{"What": g.t(what), "Floor": floor, "Spread": g.fact(t.Spread), "DF": g.fact(t.DF)}
	if t.Basis == analyze.LeastSpread {
		args["Least"] = g.fact("rule:spread")
	}
	return g.t("stage.floor."+string(t.Basis), args)
}

// sameText reports whether two facts read alike.
func (g *guide) sameText(a, b string) bool {
	x, _ := g.report.Facts.Get(a)
	y, _ := g.report.Facts.Get(b)
	s, err1 := factText(x, StyleDefault)
	t, err2 := factText(y, StyleDefault)
	return err1 == nil && err2 == nil && s == t
}

// bar is the marker of what a candidate's gain over the incumbent had to exceed.
func (g *guide) bar(c analyze.Candidate) string {
	if bar := c.VersusIncumbent.Gains[0].Bar; bar != "" {
		return g.fact(bar)
	}
	return g.t("cell.none")
}

// gainFact is the marker of a candidate's gain over the incumbent.
func (g *guide) gainFact(c analyze.Candidate) string {
	fact, _ := gain(c.VersusIncumbent, c.VersusIncumbent.Metric)
	return g.fact(fact)
}

func (g *guide) adopted(st analyze.Stage, c analyze.Candidate, name, reason string) string {
	id := c.VersusIncumbent.Metric
	before, now := g.incumbentSample(st), g.sampleOf(c.Sample)
	message := "stage.adopted.higher"
	if g.falls(before, now, id) {
		message = "stage.adopted.lower"
	}
	sentence := g.t(message, Args{
		"Name": name, "Metric": g.metric(id), "Gain": g.gainFact(c), "Floor": g.bar(c),
		"Before": g.valueText(before, id, ""), "Value": g.valueText(now, id, ""),
	})
	if st.Picked {
		sentence += g.lang.Gap() + g.t("stage.picked", Args{"Name": name, "Reason": reason})
	}
	if confirmed, ok := confirmedIn(st.Confirmed, id); ok {
		sentence += g.lang.Gap() + g.t("stage.confirmed", Args{"Gain": g.fact(confirmed)})
	}
	return sentence
}

// falls reports whether a value goes down. The metric alone does not say it of means: they
// hold starts that are part of no gain.
func (g *guide) falls(before, now analyze.Sample, id metric.ID) bool {
	was, _ := g.report.Facts.Get(before.Values[id])
	is, _ := g.report.Facts.Get(now.Values[id])
	return is.Value < was.Value
}

// confirmedIn is the gain in a metric from starts that did not choose the winner.
func confirmedIn(gains []analyze.Gain, id metric.ID) (string, bool) {
	for _, c := range gains {
		if c.Metric == id {
			return c.Fact, true
		}
	}
	return "", false
}
