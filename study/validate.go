package study

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchguide/engine"
	"benchguide/metric"
	"benchguide/study/strict"
)

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
// one stage left out; they lie under ablation/STAGE.
const AblationStage = "ablation"

// idPattern keeps ids usable as folder names, fact ids and anchors.
var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// validator collects problems with their places in study.yaml.
type validator struct {
	f        *Folder
	problems []Problem
}

func (v *validator) add(message, hint string, at ...any) {
	line, column := v.f.At(at...)
	v.problems = append(v.problems, Problem{File: v.f.File(), Line: line, Column: column, Message: message, Hint: hint})
}

// validate checks what the types cannot: ids, references, closed lists of words.
func (f *Folder) validate() []Problem {
	v := &validator{f: f}
	s := &f.Study
	if s.Schema != Schema {
		v.add(fmt.Sprintf("schema is %d, this program reads %d", s.Schema, Schema), "set schema: "+strconv.Itoa(Schema), "schema")
	}
	if s.Hardware.Count < 1 {
		v.add("the number of GPUs is "+strconv.Itoa(s.Hardware.Count), "state at least 1", "hardware", "count")
	}
	if _, err := s.Floor(); err != nil {
		v.add(err.Error(), `write a percentage such as "3%"`, "noise_floor")
	}
	v.objective()
	v.engines()
	v.workloads()
	v.stages()
	v.cases()
	v.notes()
	v.literals()
	return v.problems
}

// Floor returns the declared noise floor as a fraction; 3 % where the study is silent.
func (s *Study) Floor() (float64, error) {
	if s.NoiseFloor == "" {
		return 0.03, nil
	}
	digits, ok := strings.CutSuffix(s.NoiseFloor, "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if !ok || err != nil || !(percent >= 0 && percent < 100) {
		return 0, fmt.Errorf("%q is not a noise floor", s.NoiseFloor)
	}
	return percent / 100, nil
}

func (v *validator) objective() {
	o := v.f.Study.Objective
	if o.Goal != Latency && o.Goal != Throughput {
		v.add(fmt.Sprintf("goal %q is not known", o.Goal), "use latency or throughput", "objective", "goal")
	}
	v.workloadRef(o.Workload, "objective", "workload")
	for i, l := range o.Limits {
		v.limit(l, "objective", "limits", i)
	}
}

// limit checks that a limit can be kept or broken, and that its percentile has data.
func (v *validator) limit(l Limit, at ...any) {
	m, ok := metric.Lookup(metric.ID(l.Metric))
	if !ok {
		v.add(fmt.Sprintf("metric %q is not known", l.Metric), "write it as in the report, such as p90_tpot", append(at, "metric")...)
		return
	}
	if (l.AtMost == nil) == (l.AtLeast == nil) {
		v.add("a limit needs one of at_most and at_least", "", at...)
	}
	w, known := v.f.Study.Workload(v.f.Study.Objective.Workload)
	if need := m.NeedsRequests(); known && need > w.Prompts {
		v.add(fmt.Sprintf("%s of %d requests is the value of a handful of them", l.Metric, w.Prompts),
			fmt.Sprintf("it needs %d requests; use a lower percentile, such as p90", need), append(at, "metric")...)
	}
}

func (v *validator) engines() {
	for _, id := range v.f.positions.Keys("engines") {
		if _, ok := engine.Lookup(id); !ok {
			v.add(unknownEngine(id).Error(), "", "engines", id)
		}
	}
}

func (v *validator) workloads() {
	datasets := map[string]bool{}
	for i, d := range v.f.Study.Datasets {
		v.id(d.ID, datasets, "datasets", i, "id")
	}
	seen := map[string]bool{}
	for i, w := range v.f.Study.Workloads {
		v.id(w.ID, seen, "workloads", i, "id")
		if !datasets[w.Dataset] {
			v.add(fmt.Sprintf("dataset %q is not declared", w.Dataset), "declare it under datasets", "workloads", i, "dataset")
		}
		for key, n := range map[string]int{"prompts": w.Prompts - 1, "concurrency": w.Concurrency, "input_tokens": w.InputTokens, "output_tokens": w.OutputTokens} {
			if n < 0 {
				v.add(key+" must be positive", "", "workloads", i, key)
			}
		}
	}
}

func (v *validator) stages() {
	s := &v.f.Study
	v.id(s.Baseline.ID, map[string]bool{}, "baseline", "id")
	v.engineRef(s.Baseline.Engine, "baseline", "engine")
	if s.Baseline.Engine == "" {
		v.add("the baseline names no engine", "add engine: "+engine.IDs()[0], "baseline")
	}
	if len(s.Stages) == 0 {
		v.add("the study has no stages", "add at least one stage with its candidates", "stages")
	}
	seen := map[string]bool{CasesStage: true, AblationStage: true}
	for i, st := range s.Stages {
		v.id(st.ID, seen, "stages", i, "id")
		ids := map[string]bool{IncumbentSide: true}
		if i == 0 {
			ids[s.Baseline.ID] = true
		}
		for j, c := range st.Candidates {
			v.candidate(st, c, ids, "stages", i, "candidates", j)
		}
		if st.Pick != nil && !ids[st.Pick.Candidate] {
			v.add(fmt.Sprintf("the pick %q is no candidate of stage %q", st.Pick.Candidate, st.ID), "name one of its candidates", "stages", i, "pick", "candidate")
		}
	}
}

func (v *validator) candidate(st Stage, c Candidate, ids map[string]bool, at ...any) {
	v.id(c.ID, ids, append(at, "id")...)
	v.engineRef(c.Engine, append(at, "engine")...)
	if c.From != "" && !ids[c.From] {
		v.add(fmt.Sprintf("from: %q is no earlier candidate of stage %q", c.From, st.ID), "name a candidate that stands above", append(at, "from")...)
	}
	if c.Command != "" && len(c.Add)+len(c.Set)+len(c.Remove) > 0 {
		v.add("command and add, set or remove are both given", "state the whole command, or the changes", append(at, "command")...)
	}
	if c.SameAs != nil {
		v.resultRef(c.SameAs.Candidate, append(at, "same_as", "candidate")...)
	}
	if c.Result != "" {
		v.resultRef(c.Result, append(at, "result")...)
	}
}

func (v *validator) cases() {
	for i, c := range v.f.Study.Cases {
		v.workloadRef(c.Workload, "cases", i, "workload")
		for side, ref := range map[string]string{"baseline": c.Baseline, "optimized": c.Optimized} {
			if ref != "" {
				v.resultRef(ref, "cases", i, side)
			}
		}
	}
}

func (v *validator) notes() {
	seen := map[string]bool{}
	for i, n := range v.f.Study.Notes {
		v.id(n.ID, seen, "notes", i, "id")
	}
	if v.f.Study.Published == nil {
		return
	}
	claims := map[string]bool{}
	for i, c := range v.f.Study.Published.Claims {
		v.id(c.ID, claims, "published", "claims", i, "id")
		if (c.Fact == "") == (len(c.Order) == 0) {
			v.add("a claim names either a fact or an order of facts", "give one of fact and order", "published", "claims", i)
		}
	}
}

// literals must have a letter: a bare number as a literal would open the gate to
// every statement of that number.
func (v *validator) literals() {
	for i, l := range v.f.Study.Literals {
		if !strings.ContainsFunc(l, isLetter) {
			v.add(fmt.Sprintf("%q is a bare number, not a name", l), "a literal has letters; state numbers as facts", "literals", i)
		}
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x2e7f }

func (v *validator) id(id string, seen map[string]bool, at ...any) {
	switch {
	case !idPattern.MatchString(id):
		v.add(fmt.Sprintf("%q cannot be an id", id), "use small letters, digits, dots and dashes", at...)
	case seen[id]:
		v.add(fmt.Sprintf("id %q is used twice", id), "", at...)
	}
	seen[id] = true
}

func (v *validator) engineRef(id string, at ...any) {
	if id == "" {
		return
	}
	if _, ok := v.f.Study.Engines[id]; !ok {
		v.add(fmt.Sprintf("engine %q has no version under engines", id), "add it there with the version that is run", at...)
	}
}

func (v *validator) workloadRef(id string, at ...any) {
	if !slices.ContainsFunc(v.f.Study.Workloads, func(w Workload) bool { return w.ID == id }) {
		v.add(fmt.Sprintf("workload %q is not declared", id), "declare it under workloads", at...)
	}
}

// resultRef checks that "stage/candidate" names something that has results.
func (v *validator) resultRef(ref string, at ...any) {
	if !slices.Contains(v.f.Study.Refs(), ref) {
		v.add(fmt.Sprintf("%q names no candidate", ref), `write stage/candidate, such as "`+v.f.Study.Refs()[0]+`"`, at...)
	}
}

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
	return append(refs, CasesStage+"/"+BaselineSide, CasesStage+"/"+OptimizedSide)
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

// Sides returns where a case's two results lie.
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

func (i RunInfo) validate(file string, positions *strict.Positions) []Problem {
	var problems []Problem
	add := func(message, hint, key string) {
		line, column := positions.At(key)
		problems = append(problems, Problem{File: file, Line: line, Column: column, Message: message, Hint: hint})
	}
	if i.Schema != RunSchema {
		add(fmt.Sprintf("schema is %d, this program reads %d", i.Schema, RunSchema), "set schema: "+strconv.Itoa(RunSchema), "schema")
	}
	if i.Mark != "" && !slices.Contains([]string{MarkSimulated, MarkRehearsed, MarkDummyWeights}, i.Mark) {
		add(fmt.Sprintf("mark %q is not known", i.Mark), "use simulated, rehearsed or dummy-weights; leave it out for real results", "mark")
	}
	if _, err := time.Parse(time.DateOnly, i.Date); err != nil && i.Date != UnknownDate {
		add(fmt.Sprintf("%q is not a date", i.Date), "write 2026-01-31, or unknown where nobody wrote it down", "date")
	}
	return problems
}
