package analyze

import (
	"benchguide/engine"
	"benchguide/study"
)

// ablations measures what each option is worth in the final configuration: the final
// configuration against itself with the gain of one stage left out. In its own stage
// an option was measured without those that came later, so the two need not agree.
func (a *analysis) ablations() {
	final := a.objectiveSample(a.report.Final.Ref)
	a.incumbentOf[study.AblationStage+"/"+study.IncumbentSide] = a.label(a.report.Final.Ref, true)
	for i := range a.report.Stages {
		st := &a.report.Stages[i]
		ref := study.AblationStage + "/" + st.ID
		without, ok := a.samples[ref+"/"+a.report.Objective.Workload]
		if !ok || final == nil || !st.Changed {
			continue
		}
		a.configurations[ref] = a.asRun(without)
		st.Ablation = a.compare(pair{prefix: ref, kind: "gain", candidates: 1, pooled: true}, without, final)
	}
}

// asRun is the configuration that a sample's starts wrote down; nothing derives it.
func (a *analysis) asRun(s *Sample) study.Configuration {
	attempt := a.made[s.Trials[0]]
	e, ok := engine.Lookup(attempt.Engine)
	if !ok {
		return study.Configuration{}
	}
	command, err := e.Parse(attempt.Command)
	if err != nil {
		return study.Configuration{Engine: e} // reported when the attempt was read
	}
	return study.Configuration{Engine: e, Version: attempt.Version, Command: command, Env: attempt.Env}
}
