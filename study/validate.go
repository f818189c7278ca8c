package study

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchguide/engine"
	"benchguide/metric"
	"benchguide/study/strict"
)

// study checks what the types cannot: ids, references, closed lists of words.
func (v *validator) study() {
	s := &v.f.Study
	if s.Schema != Schema {
		v.add(fmt.Sprintf("schema is %d, this program reads %d", s.Schema, Schema), "set schema: "+strconv.Itoa(Schema), "schema")
	}
	if s.Hardware.Count < 1 {
		v.add("the number of GPUs is "+strconv.Itoa(s.Hardware.Count), "state at least 1", "hardware", "count")
	}
	if k := s.Hardware.Kind; k != "" && k != KindGPU && k != KindCPU {
		v.add(fmt.Sprintf("%q is no kind of hardware", k), "write gpu or cpu", "hardware", "kind")
	}
	if _, err := s.Floor(); err != nil {
		v.add(err.Error(), `write a percentage such as "3%"`, "noise_floor")
	}
	v.objective()
	v.engines()
	v.workloads()
	v.baseline()
	v.stages()
	v.cases()
	v.notes()
	v.claims()
	v.literals()
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
		if v.allDatasets && !datasets[w.Dataset] {
			v.add(fmt.Sprintf("dataset %q is not declared", w.Dataset), "declare it under datasets", "workloads", i, "dataset")
		}
		v.positive(w.Prompts, "state at least 1", "workloads", i, "prompts")
		v.positive(w.Concurrency, "state at least 1, or leave it out", "workloads", i, "concurrency")
		v.positive(w.InputTokens, "state at least 1, or leave it out", "workloads", i, "input_tokens")
		v.positive(w.OutputTokens, "state at least 1, or leave it out", "workloads", i, "output_tokens")
		v.againstCommand(i, w)
	}
}

// positive checks a number where it is written; one that is left out is another matter.
func (v *validator) positive(n int, hint string, at ...any) {
	if n < 1 {
		v.add(fmt.Sprintf("%s is %d", at[len(at)-1], n), hint, at...)
	}
}

// baseline refuses what has no meaning for a configuration that nothing stands before.
func (v *validator) baseline() {
	b := v.f.Study.Baseline
	v.id(b.ID, map[string]bool{}, "baseline", "id")
	v.engineRef(b.Engine, "baseline", "engine")
	if b.Engine == "" && v.clean("baseline") && v.f.positions.Has("baseline") {
		v.list("the baseline names no engine", "add engine: "+engine.IDs()[0], "baseline")
	}
	if b.From != "" {
		v.add("the baseline cannot have from", "it is where everything starts", "baseline", "from")
	}
	if b.Result != "" {
		v.add("the baseline cannot have result", "its results lie in the first stage's folder", "baseline", "result")
	}
	if b.SameAs != nil {
		v.add("the baseline cannot have same_as", "let the other one say it", "baseline", "same_as")
	}
	v.changes(b, "baseline")
}

// reservedStages are the names of folders of results that belong to no stage, and the
// words that the ids of a study's own facts begin with.
func reservedStages() []string {
	return []string{CasesStage, AblationStage, PromptsFolder, "run", "case", "stage", "workload"}
}

func (v *validator) stages() {
	s := &v.f.Study
	seen := map[string]bool{}
	for i, st := range s.Stages {
		v.id(st.ID, seen, "stages", i, "id")
		v.reserved(st.ID, reservedStages(), "stages", i, "id")
		ids := map[string]bool{}
		if i == 0 {
			ids[s.Baseline.ID] = true
		}
		for j, c := range st.Candidates {
			v.candidate(st, c, ids, "stages", i, "candidates", j)
		}
		if st.Pick != nil && v.allRefs && !ids[st.Pick.Candidate] {
			v.add(fmt.Sprintf("the pick %q is no candidate of stage %q", st.Pick.Candidate, st.ID), "name one of its candidates", "stages", i, "pick", "candidate")
		}
	}
}

func (v *validator) candidate(st Stage, c Candidate, ids map[string]bool, at ...any) {
	if c.From != "" && v.allRefs && !ids[c.From] {
		v.add(fmt.Sprintf("from: %q is no earlier candidate of stage %q", c.From, st.ID), "name a candidate that stands above", append(at, "from")...)
	}
	v.id(c.ID, ids, append(at, "id")...)
	v.reserved(c.ID, []string{IncumbentSide}, append(at, "id")...)
	v.engineRef(c.Engine, append(at, "engine")...)
	if c.SameAs != nil {
		v.resultRef(c.SameAs.Candidate, append(at, "same_as", "candidate")...)
	}
	if c.Result != "" {
		v.resultRef(c.Result, append(at, "result")...)
	}
	v.changes(c, at...)
}

// envPattern is what a shell takes for the name of a variable.
var envPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// changes checks what a candidate changes, as far as that does not depend on what it
// changes it in.
func (v *validator) changes(c Candidate, at ...any) {
	if c.Command != "" && len(c.Add)+len(c.Set)+len(c.Remove) > 0 {
		v.add("command and add, set or remove are both given", "state the whole command, or the changes", append(at, "command")...)
	}
	if c.Command != "" && c.Model != "" {
		v.add("command and model are both given", "the command names the model", append(at, "model")...)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		if !envPattern.MatchString(name) {
			v.add(fmt.Sprintf("%q cannot be the name of an environment variable", name), "use letters, digits and underscores", append(at, "env", name)...)
		}
	}
}

func (v *validator) cases() {
	for i, c := range v.f.Study.Cases {
		v.workloadRef(c.Workload, "cases", i, "workload")
		if c.Baseline != "" {
			v.resultRef(c.Baseline, "cases", i, "baseline")
		}
		if c.Optimized != "" {
			v.resultRef(c.Optimized, "cases", i, "optimized")
		}
	}
}

func (v *validator) notes() {
	seen := map[string]bool{}
	for i, n := range v.f.Study.Notes {
		v.id(n.ID, seen, "notes", i, "id")
	}
}

func (v *validator) claims() {
	if v.f.Study.Published == nil {
		return
	}
	seen := map[string]bool{}
	for i, c := range v.f.Study.Published.Claims {
		v.id(c.ID, seen, "published", "claims", i, "id")
		if (c.Fact == "") == (len(c.Order) == 0) {
			v.list("a claim names either a fact or an order of facts", "give one of fact and order", "published", "claims", i)
		}
		v.order(c.Order, "published", "claims", i, "order")
	}
}

// order checks that facts and signs alternate.
func (v *validator) order(order []string, at ...any) {
	if len(order) == 0 {
		return
	}
	if len(order) < 3 || len(order)%2 == 0 {
		v.add("an order is facts with a sign between each two", `write [fact, "<", fact]`, at...)
		return
	}
	for k := 1; k < len(order); k += 2 {
		if !slices.Contains([]string{"<", ">", "="}, order[k]) {
			v.add(fmt.Sprintf("%q is no sign of an order", order[k]), "use <, > or =", append(at, k)...)
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
