package run

import (
	"fmt"
	"math"
	"strings"

	"benchguide/analyze"
	"benchguide/study"
)

// Next says what comes next in a run: a function of the study, of the finished starts
// beneath it, of the failed ones, and of the machine that is held now. It does not
// remember anything, so that a run which was killed goes on where it was.
//
// Stages are gone through in order. Each is measured in blocks until it is decided (see
// trial), what it adopted is confirmed in further blocks, and the next one builds on it.
// Last comes the ablation, where the study asks for it.
//
// The folder must have been loaded without problems.
func Next(f *study.Folder, run string, failed []Failed, plan Plan, sitting string) Step {
	return Memory{}.Next(f, run, failed, plan, sitting)
}

// Memory keeps verdicts that were worked out before, by the starts that they are from:
// Next judges the same starts again with every step. It changes nothing but the time
// that it takes, holds for one loaded study, and need not be there.
type Memory map[string]*analyze.Report

// Next is the function Next.
func (m Memory) Next(f *study.Folder, run string, failed []Failed, plan Plan, sitting string) Step {
	n := &next{folder: f, study: &f.Study, run: run, failed: failed, plan: plan, sitting: sitting, memory: m,
		configurations: map[string]study.Configuration{}, badPick: map[int]bool{}}
	if r, ok := f.Run(run); ok {
		n.starts = r.Starts
	}
	n.walk()
	return n.step
}

// next is the state of one call of Next.
type next struct {
	folder  *study.Folder
	study   *study.Study
	run     string
	failed  []Failed
	plan    Plan
	sitting string

	memory         Memory
	starts         []study.Start
	configurations map[string]study.Configuration // by ref
	badPick        map[int]bool                   // stages whose pick is outside of what cannot be told apart
	changes        []change                       // of the stages that changed something, in order
	step           Step
}

// change is what a stage changed: the candidates that lead from its incumbent to what it
// adopted. They are several where one derives from another.
type change struct {
	stage string
	path  []study.Candidate
}

// walk goes through the stages until one has something to start.
func (n *next) walk() {
	incumbent, ok := n.baseline()
	for i := range n.study.Stages {
		if !ok {
			return
		}
		incumbent, ok = n.stage(i, incumbent)
	}
	if ok && n.plan.Ablation {
		n.ablation(incumbent)
	}
}

// member is a configuration that takes part in blocks.
type member struct {
	stage, candidate string // folder of its starts
	configuration    study.Configuration
	incumbent        bool
	cold             bool // nothing of this engine and version was started in this sitting before
}

func (m member) ref() string { return m.stage + "/" + m.candidate }

func (n *next) baseline() (member, bool) {
	if len(n.study.Stages) == 0 {
		return member{}, n.stuck("the study has no stages, so there is nothing to measure; add one to study.yaml")
	}
	b := n.study.Baseline
	c, err := n.study.Derive(study.Configuration{}, b)
	if err != nil {
		return member{}, n.stuck("the baseline has no serving command: %v; mend it in study.yaml", err)
	}
	ref := n.study.BaselineRef()
	n.configurations[ref] = c
	n.step.Final, n.step.FinalOf = c, ref
	return member{stage: n.study.Stages[0].ID, candidate: b.ID, configuration: c, incumbent: true}, true
}

// stage carries one stage as far as it is, and returns what the next one builds on. It
// returns false when there is something to start first, or nothing can go on.
func (n *next) stage(i int, incumbent member) (member, bool) {
	st := n.study.Stages[i]
	base := n.step.FinalOf // where the incumbent's configuration is from
	if i > 0 {
		incumbent.stage, incumbent.candidate = st.ID, study.IncumbentSide
	}
	members, ok := n.candidates(st, base, i)
	if !ok {
		return incumbent, false
	}
	n.step.Left, n.step.Cut = nil, nil
	if !n.asDerived(st, append([]member{incumbent}, members...)) {
		return incumbent, false
	}
	t := &trial{next: n, index: i, stage: st, incumbent: incumbent, live: members}
	decision, ok := t.decide()
	if after := n.passed(i); !ok && n.step.Start != nil && after != "" {
		t.unsettled(after)
	}
	if !ok {
		n.step.Left, n.step.Members, n.step.Counted = t.left, 1+len(t.live), t.least(math.MaxInt)
		n.step.Looked, n.step.Tested = t.looked, t.tested
		return incumbent, false
	}
	decision.Departed, n.step.Cut = t.left, nil
	adopted := member{configuration: n.configurations[decision.Adopted]}
	if decision.Changed {
		n.changes = append(n.changes, change{st.ID, pathTo(st, decision.Adopted)})
		n.step.Final, n.step.FinalOf = adopted.configuration, decision.Adopted
		adopted.stage, adopted.candidate = st.ID, lastOf(decision.Adopted)
		ok = n.confirm(t, &decision, adopted)
	}
	if ok {
		n.step.Cut = nil
	}
	n.step.Decided = append(n.step.Decided, decision)
	adopted.incumbent = true
	return adopted, ok
}

// candidates derives the configurations of a stage. Those that other starts judge take
// no part in its blocks.
func (n *next) candidates(st study.Stage, incumbent string, i int) ([]member, bool) {
	var members []member
	for j, c := range st.Candidates {
		base := incumbent
		if c.From != "" {
			base = st.ID + "/" + c.From
		}
		ref := st.ID + "/" + c.ID
		configuration, err := n.study.Derive(n.configurations[base], c)
		if err != nil {
			line, _ := n.folder.At("stages", i, "candidates", j)
			return nil, n.stuck("%s cannot be built on %s: %v; mend line %d of study.yaml", ref, base, err, line)
		}
		n.configurations[ref] = configuration
		if stage, _, named := strings.Cut(c.Result, "/"); named && (n.index(stage) < 0 || n.index(stage) > i) {
			line, _ := n.folder.At("stages", i, "candidates", j, "result")
			return nil, n.stuck("%s is judged by the starts of %s, which no run has made by then; mend line %d of study.yaml", ref, c.Result, line)
		}
		if c.Result == "" {
			members = append(members, member{stage: st.ID, candidate: c.ID, configuration: configuration})
		}
	}
	return members, true
}

// pathTo lists the candidates that lead to a ref, the one that changes the incumbent first.
func pathTo(st study.Stage, ref string) []study.Candidate {
	byID := map[string]study.Candidate{}
	for _, c := range st.Candidates {
		byID[c.ID] = c
	}
	var path []study.Candidate
	for c, ok := byID[lastOf(ref)]; ok; c, ok = byID[c.From] {
		path = append([]study.Candidate{c}, path...)
	}
	return path
}

// stuck ends the walk: nothing can be started before somebody has acted.
func (n *next) stuck(format string, args ...any) bool {
	n.step.Stuck = fmt.Sprintf(format, args...)
	return false
}

func (n *next) note(format string, args ...any) {
	n.step.Notes = append(n.step.Notes, fmt.Sprintf(format, args...))
}
