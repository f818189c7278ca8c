package analyze

import (
	"slices"

	"benchguide/study"
)

// Study analyses the current run of a study. The folder must have been loaded
// without problems; what is wrong beyond that is in the report's findings, and a
// report with a finding of severity error must not be published. All stages of which there
// are results are taken to be decided.
func Study(f *study.Folder) *Report { return Unfinished(f, Open{}) }

// Unfinished is Study of a run that has not decided one of its stages yet.
func Unfinished(f *study.Folder, open Open) *Report {
	a := current(f)
	a.open = open
	a.judge()
	a.describe()
	return a.report
}

// Judged is Study as far as the verdicts go: the stages, with the facts and the findings
// that were made on the way to them. What a page says beside them is much of the work, and a
// run asks for the verdicts of a stage at every look at it.
func Judged(f *study.Folder) *Report {
	a := current(f)
	a.judge()
	return a.report
}

// current is an analysis of a folder's current run.
func current(f *study.Folder) *analysis {
	run, ok := f.Current()
	if !ok {
		panic("analyze.Study needs a folder with a complete run")
	}
	plan := f.Study
	plan.Stages = plan.Stages[:f.Measured(run)]
	return begin(f, &plan, run)
}

// OfStart is what one start of a run measured of the metric that its study is decided by,
// before there is enough to analyse the study; false where that is not known. It is for
// whoever watches a run, and decides nothing.
func OfStart(f *study.Folder, run study.Run, s study.Start) (Fact, bool) {
	plan := f.Study
	a := begin(f, &plan, run)
	w, _ := plan.Workload(plan.Objective.Workload)
	for _, r := range s.Results {
		if r.Workload != w.ID || r.Repeat > 0 {
			continue
		}
		t := a.newTrial(study.StartResult{Start: s, Result: r}, w, s.Dir)
		return a.facts.Get(t.Values[a.report.Objective.Metric])
	}
	return Fact{}, false
}

// begin is an analysis in which nothing has been done yet.
func begin(f *study.Folder, plan *study.Study, run study.Run) *analysis {
	floor, err := f.Study.Floor()
	if err != nil {
		panic("analyze.Study needs a validated study: " + err.Error())
	}
	a := &analysis{
		folder: f, study: plan, run: run, declaredFloor: floor,
		facts:          &Facts{},
		trialByID:      map[string]*Trial{},
		samples:        map[string]*Sample{},
		models:         map[modelKey]fitted{},
		made:           map[string]study.Attempt{},
		incumbentOf:    map[string]string{},
		configurations: map[string]study.Configuration{},
		sameAs:         sameAs(plan),
	}
	a.report = &Report{Schema: ReportSchema, ID: f.ID, Run: run.ID, Date: run.Info.Date, Mark: run.Info.Mark,
		Objective: objective(plan), Rule: ruleOf(run), Facts: a.facts, Findings: []Finding{}}
	return a
}

// analysis is the working state of one call of Study. It is passed by no one else.
type analysis struct {
	folder         *study.Folder
	study          *study.Study
	run            study.Run
	open           Open
	declaredFloor  float64
	facts          *Facts
	trialByID      map[string]*Trial
	trialOrder     []string
	repeatOrder    []string // trials that only show how steady a start was
	samples        map[string]*Sample
	sampleOrder    []string
	models         map[modelKey]fitted
	made           map[string]study.Attempt       // how a trial's start was made, by trial
	incumbentOf    map[string]string              // ref of a stage's own incumbent to the ref that it is a start of
	configurations map[string]study.Configuration // by ref, as derived
	sameAs         map[string]string              // ref to the ref that it only spells differently
	report         *Report
}

// judge goes from the results to the verdicts of all stages.
func (a *analysis) judge() {
	a.declare()
	a.unmeasured()
	a.rehearsals()
	a.trials()
	a.cacheStates()
	a.summarize()
	a.plausible()
	a.throttled()
	a.floors()
	a.openStage()
	a.stages()
}

// describe adds what is said beside the verdicts, and changes none of them.
func (a *analysis) describe() {
	a.declarations()
	a.spreads()
	a.errorLevel()
	if !a.report.Failed() {
		a.ablations()
		a.bounds()
		a.costs()
		a.cases()
		a.beside()
		a.lengths()
		a.summary()
		a.claims()
		a.steady()
		a.repeats()
		a.slowSpells()
		a.intervals()
		a.madeHere()
	}
	a.accept()
	a.gather()
	for _, id := range slices.Concat(a.trialOrder, a.repeatOrder) {
		a.report.Trials = append(a.report.Trials, *a.trialByID[id])
	}
	for _, id := range a.sampleOrder {
		if s, ok := a.samples[id]; ok {
			a.report.Samples = append(a.report.Samples, *s)
		}
	}
	a.report.FactList = a.facts.All()
}

// ruleOf chooses the rule: results that benchguide ran are judged by their starts,
// however few. Of imported ones nothing but the values is known, unless something was
// started more than once.
func ruleOf(r study.Run) Rule {
	if r.Info.Imported == nil {
		return Blocks
	}
	seen := map[string]bool{}
	for _, s := range r.Starts {
		if s.Attempt.Invalid != "" || len(s.Results) == 0 {
			continue
		}
		if seen[s.Ref()] {
			return Blocks
		}
		seen[s.Ref()] = true
	}
	return OneStart
}

// Failed reports whether a finding forbids publishing.
func (r *Report) Failed() bool {
	for _, f := range r.Findings {
		if f.Severity == SeverityError {
			return true
		}
	}
	return false
}

// Trial returns the trial with this id, and false when there is none.
func (r *Report) Trial(id string) (Trial, bool) {
	for _, t := range r.Trials {
		if t.ID == id {
			return t, true
		}
	}
	return Trial{}, false
}

// Sample returns the sample with this id, and false when there is none.
func (r *Report) Sample(id string) (Sample, bool) {
	for _, s := range r.Samples {
		if s.ID == id {
			return s, true
		}
	}
	return Sample{}, false
}

func (a *analysis) find(f Finding) { a.report.Findings = append(a.report.Findings, f) }

// at is the place of a path in study.yaml, as a fact's source.
func (a *analysis) at(path ...any) *Source {
	line, _ := a.folder.At(path...)
	return &Source{File: "study.yaml", Line: line}
}

func sameAs(s *study.Study) map[string]string {
	m := map[string]string{}
	for _, st := range s.Stages {
		for _, c := range st.Candidates {
			if c.SameAs != nil {
				m[st.ID+"/"+c.ID] = c.SameAs.Candidate
			}
		}
	}
	return m
}
