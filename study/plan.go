package study

// CasesStage is the folder of results that belong to cases and to no stage.
const CasesStage = "cases"

// The sides of a case that has its own results, and the folder of the starts of the
// incumbent that a stage measured beside its candidates.
const (
	BaselineSide  = "baseline"
	OptimizedSide = "optimized"
	IncumbentSide = "incumbent"
)

// AblationStage is the folder of results of the final configuration with the gain of
// one stage left out; they lie under ablation/STAGE, and under ablation/incumbent starts
// of the final configuration itself that were made beside them.
const AblationStage = "ablation"

// Refs lists every "stage/candidate" that results can belong to, in study order.
func (s *Study) Refs() []string {
	var refs []string
	for i, st := range s.Stages {
		if i == 0 {
			refs = append(refs, st.ID+"/"+s.Baseline.ID)
		}
		for _, c := range st.Candidates {
			refs = append(refs, st.ID+"/"+c.ID)
		}
	}
	for _, st := range s.Stages {
		refs = append(refs, st.ID+"/"+IncumbentSide, AblationStage+"/"+st.ID)
	}
	return append(refs, AblationStage+"/"+IncumbentSide, CasesStage+"/"+BaselineSide, CasesStage+"/"+OptimizedSide)
}

// Workload returns the workload with this id, and false when there is none.
func (s *Study) Workload(id string) (Workload, bool) {
	for _, w := range s.Workloads {
		if w.ID == id {
			return w, true
		}
	}
	return Workload{}, false
}

// BaselineRef is where the baseline's results on the objective's workload lie.
func (s *Study) BaselineRef() string { return s.Stages[0].ID + "/" + s.Baseline.ID }

// Sides returns where a case's two results lie. In a run of our own, sides that the case
// does not name are those of the stages, if nothing lies under cases.
func (c Case) Sides() (baseline, optimized string) {
	baseline, optimized = c.Baseline, c.Optimized
	if baseline == "" {
		baseline = CasesStage + "/" + BaselineSide
	}
	if optimized == "" {
		optimized = CasesStage + "/" + OptimizedSide
	}
	return baseline, optimized
}
