package analyze

import (
	"slices"

	"benchguide/study"
)

// decide gives every candidate its verdict, by the rule for one start a side:
//
//   - a candidate beats the incumbent if its gain exceeds the noise floor;
//   - the best of those is the leader; the leader and whatever the floor cannot
//     tell from it are the tie group. The author's pick does not move the group;
//   - adopted is the author's pick inside the group, or the leader; the others of
//     the group are tied; what beats the incumbent and is beaten by the leader is
//     outperformed;
//   - where nothing beats the incumbent nothing is adopted. The author may still go
//     on with a candidate that cannot be told from the incumbent: it keeps its
//     verdict, and the page says that it was picked.
func (a *analysis) decide(out *Stage, st study.Stage, i int) {
	leader := leaderOf(out.Candidates)
	if leader == nil {
		out.TieGroup = []string{out.Incumbent}
	}
	for k := range out.Candidates {
		c := &out.Candidates[k]
		if c.VersusIncumbent == nil {
			continue // the baseline itself, or what was never measured
		}
		c.Verdict = a.verdict(c, leader, len(st.Candidates))
		if c.Verdict == Tied || (leader == nil && c.Verdict == NotDistinguishable) {
			out.TieGroup = append(out.TieGroup, c.Ref)
		}
	}
	a.adopt(out, st, leader, i)
	a.versusAdopted(out, leader, len(st.Candidates))
	a.stageGains(out)
	a.confirm(out)
}

// leaderOf returns the best of the candidates that beat the incumbent; the first in
// study order among equals.
func leaderOf(candidates []Candidate) *Candidate {
	var leader *Candidate
	for k := range candidates {
		c := &candidates[k]
		if c.VersusIncumbent == nil || len(c.Broken) > 0 || !c.VersusIncumbent.better() {
			continue
		}
		if leader == nil || c.VersusIncumbent.Ratio > leader.VersusIncumbent.Ratio {
			leader = c
		}
	}
	return leader
}

// verdict is a candidate's verdict before anything is adopted: the whole tie group,
// its leader included, is tied.
func (a *analysis) verdict(c, leader *Candidate, k int) Verdict {
	v := c.VersusIncumbent
	switch {
	case v.Refused != "":
		return Invalid
	case len(c.Broken) > 0:
		return Infeasible
	case v.worse():
		return NoGain
	case !v.better():
		return NotDistinguishable
	case c == leader:
		return Tied
	}
	versus := a.compare(pair{prefix: c.Ref, kind: "vs_leader", by: v.Metric, candidates: k}, a.samples[leader.Sample], a.samples[c.Sample])
	if versus.worse() || versus.Refused != "" && leader.VersusIncumbent.Ratio/v.Ratio > 1+v.Floor {
		return Outperformed // two that differ too much in tokens are told by the incumbent that both measured
	}
	return Tied
}

// adopt settles what the study goes on with.
func (a *analysis) adopt(out *Stage, st study.Stage, leader *Candidate, i int) {
	if leader != nil {
		out.Adopted = leader.Ref
	}
	if st.Pick != nil {
		pick := st.ID + "/" + st.Pick.Candidate
		if !slices.Contains(out.TieGroup, pick) {
			line, column := a.folder.At("stages", i, "pick", "candidate")
			a.find(Finding{Code: CodeBadPick, Severity: SeverityError, Subject: pick, File: "study.yaml", Line: line, Column: column,
				Names: map[string]string{"Pick": pick}})
			return
		}
		out.Picked = leader == nil || pick != leader.Ref || len(out.TieGroup) > 1
		out.Adopted = pick
	}
	out.Changed = out.Adopted != out.Incumbent
	for k := range out.Candidates {
		c := &out.Candidates[k]
		if c.Ref != out.Adopted || c.Verdict == BaselineVerdict {
			continue
		}
		c.Picked = out.Picked
		if c.Verdict == Tied {
			c.Verdict = Adopted
		}
	}
}

// versusAdopted adds the second comparison of every candidate: with what the study
// goes on with, and with the leader where that is another one.
func (a *analysis) versusAdopted(out *Stage, leader *Candidate, k int) {
	adopted := a.incumbentSample(*out)
	for _, c := range out.Candidates {
		if c.Ref == out.Adopted {
			adopted = a.samples[c.Sample]
		}
	}
	for i := range out.Candidates {
		c := &out.Candidates[i]
		if c.Sample == "" {
			continue
		}
		if c.Ref != out.Adopted {
			c.VersusAdopted = a.compare(pair{prefix: c.Ref, kind: "vs_adopted", by: out.Metric, candidates: k}, adopted, a.samples[c.Sample])
		}
		if leader != nil && leader.Ref != out.Adopted && c != leader {
			c.VersusLeader = a.compare(pair{prefix: c.Ref, kind: "vs_leader", by: out.Metric, candidates: k}, a.samples[leader.Sample], a.samples[c.Sample])
		}
	}
}
