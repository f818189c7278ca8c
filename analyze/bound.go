package analyze

import (
	"slices"
	"strings"

	"benchguide/metric"
	"benchguide/roofline"
	"benchguide/study"
)

// Bound is how far a sample is from what the GPU's memory allows.
type Bound struct {
	Candidate string `json:"candidate"` // ref; the first one that the sample judges
	Sample    string `json:"sample"`
	GPU       string `json:"gpu"`       // the row of the table that was used
	Model     string `json:"model"`     // likewise
	Bandwidth string `json:"bandwidth"` // fact: of one GPU's memory
	Weights   string `json:"weights"`   // fact: what each step reads of them, at least
	KV        string `json:"kv"`        // fact: likewise of the KV cache
	TPOT      string `json:"tpot"`      // fact: the least possible time per output token
	Share     string `json:"share"`     // fact: bound over measured
}

// bounds works out the bandwidth bound of every sample on the objective's workload
// whose mean TPOT is known. Speculation yields several tokens a step, so it has no
// such bound. What the tables do not know is said once and disables the check.
func (a *analysis) bounds() {
	if a.study.Hardware.CPU() {
		// What memory a CPU has is a matter of the board, and small models live in its caches.
		return
	}
	gpu, ok := roofline.FindGPU(a.study.Hardware.GPU)
	if !ok {
		a.boundUnknown(a.study.Hardware.GPU, "hardware", "gpu")
		return
	}
	model, ok := a.shape()
	if !ok {
		a.boundUnknown(a.study.Model.ID, "model", "id")
		return
	}
	for _, st := range a.report.Stages {
		for _, c := range st.Candidates {
			a.bound(c, gpu, model)
		}
	}
}

// shape is the model's shape.
func (a *analysis) shape() (roofline.Model, bool) { return shapeOf(a.study) }

// shapeOf is the shape of a study's model: as it declares it, or as the table has it.
func shapeOf(s *study.Study) (roofline.Model, bool) {
	if s.Model.Shape != nil {
		return *s.Model.Shape, true
	}
	return roofline.FindModel(s.Model.ID)
}

// TooLarge reports whether the weights of a configuration are known not to fit into the
// GPUs of its study. Where a table lacks one of them, nothing is known.
func TooLarge(s *study.Study, c study.Configuration) bool {
	if s.Hardware.CPU() {
		return false
	}
	gpu, ok1 := roofline.FindGPU(s.Hardware.GPU)
	model, ok2 := shapeOf(s)
	precision, ok3 := precisionOf(c)
	return ok1 && ok2 && ok3 && !roofline.Fits(gpu, s.Hardware.Count, model, precision, roofline.Load{})
}

func (a *analysis) boundUnknown(name string, at ...any) {
	line, _ := a.folder.At(at...)
	a.find(Finding{Code: CodeBoundUnknown, Severity: SeverityNote, Subject: name, File: "study.yaml", Line: line, Names: map[string]string{"Name": name}})
}

func (a *analysis) bound(c Candidate, gpu roofline.GPU, model roofline.Model) {
	configuration := a.configurations[c.Ref]
	precision, ok := precisionOf(configuration)
	sample := a.samples[c.Sample]
	tpotID := metric.Of(metric.Mean, metric.TPOT)
	if sample == nil || !ok || speculates(configuration) {
		return
	}
	if slices.ContainsFunc(a.report.Bounds, func(b Bound) bool { return b.Sample == sample.ID }) {
		return // an earlier stage has been judged by the same starts
	}
	if _, limited := a.number(sample, metric.MaxConcurrency); !limited {
		return // all requests at once: TPOT is then mostly waiting for the prefill of others
	}
	tpot, ok := a.number(sample, tpotID)
	load, known := a.load(sample)
	if !ok || !known || tpot <= 0 {
		return
	}
	if !roofline.Fits(gpu, a.study.Hardware.Count, model, precision, roofline.Load{}) {
		a.find(Finding{Code: CodeDoesNotFit, Severity: SeverityError, Subject: sample.ID, File: a.file(sample), Line: a.line(sample),
			Names: map[string]string{"Trial": sample.ID}})
		return
	}
	a.cacheFull(sample, gpu, model, precision)
	out := Bound{Candidate: c.Ref, Sample: sample.ID, GPU: gpu.Name, Model: model.Name}
	a.leastTPOT(&out, sample, gpu, model, precision, load)
	least := a.facts.value(out.TPOT)
	out.Share = a.facts.add(Fact{ID: sample.ID + ":bound.share", Kind: Fraction, Value: least / tpot, Metric: tpotID,
		Derived: true, Formula: "bound / measured", Inputs: []string{out.TPOT, sample.Values[tpotID]}})
	a.report.Bounds = append(a.report.Bounds, out)
	if least > tpot {
		a.find(Finding{Code: CodeFasterThanPossible, Severity: SeverityError, Subject: sample.ID, File: a.file(sample), Line: a.line(sample),
			Facts: map[string]string{"Measured": sample.Values[tpotID], "Bound": out.TPOT}, Names: map[string]string{"Trial": sample.ID}})
	}
}

// cacheFull notes a load whose whole KV cache cannot be in memory at once: the engine
// must then queue or evict sequences, which is no error, and explains much.
func (a *analysis) cacheFull(s *Sample, gpu roofline.GPU, model roofline.Model, p roofline.Precision) {
	concurrency, ok1 := a.number(s, metric.MaxConcurrency)
	in, ok2 := a.number(s, metric.InputTokens)
	out, ok3 := a.number(s, metric.OutputTokens)
	completed, ok4 := a.number(s, metric.CompletedRequests)
	if !ok1 || !ok2 || !ok3 || !ok4 || completed <= 0 {
		return
	}
	full := roofline.Load{Batch: min(concurrency, completed), Context: (in + out) / completed}
	if roofline.Fits(gpu, a.study.Hardware.Count, model, p, full) {
		return
	}
	a.find(Finding{Code: CodeCacheFull, Severity: SeverityNote, Subject: s.ID, File: a.file(s), Line: a.line(s),
		Facts: map[string]string{"Concurrency": s.Values[metric.MaxConcurrency]}, Names: map[string]string{"Trial": s.ID}})
}

// load is what a step of a sample had to serve, and how that was worked out.
type load struct {
	roofline.Load
	formula string   // of the sequences
	inputs  []string // facts that it is over
	context []string // facts that the context is over
}

// load is the least that a step of the sample had to serve. Ramp and drain have fewer
// sequences in flight than the maximum, so the mean over the run is taken: latency of
// all requests over the duration, where that can be had, and one sequence otherwise.
func (a *analysis) load(s *Sample) (load, bool) {
	in, ok1 := a.number(s, metric.InputTokens)
	out, ok2 := a.number(s, metric.OutputTokens)
	completed, ok3 := a.number(s, metric.CompletedRequests)
	if !ok1 || !ok2 || !ok3 || completed <= 0 {
		return load{}, false
	}
	l := load{Load: roofline.Load{Batch: 1, Context: in/completed + out/completed/2}, formula: "one sequence, since no more is known",
		context: []string{s.Values[metric.InputTokens], s.Values[metric.OutputTokens], s.Values[metric.CompletedRequests]}}
	tpotID := metric.Of(metric.Mean, metric.TPOT)
	duration, ok4 := a.number(s, metric.Duration)
	tpot, ok5 := a.number(s, tpotID)
	if ok4 && ok5 && duration > 0 {
		// Sequences that decode at once, by Little's law over the decoding time alone.
		l.Batch = max(1, tpot/1000*(out-completed)/duration)
		l.formula = "max(1, mean TPOT × (output tokens − requests) / duration): sequences that decode at once, on average"
		l.inputs = []string{s.Values[tpotID], s.Values[metric.OutputTokens], s.Values[metric.CompletedRequests], s.Values[metric.Duration]}
	}
	return l, true
}

// precisionOf tells how wide a configuration keeps its numbers, from its model's name
// and its options. It returns false where an option says something that this does
// not know, since a wrong width would make a wrong bound.
func precisionOf(c study.Configuration) (roofline.Precision, bool) {
	p := roofline.BF16()
	name := strings.ToLower(c.Command.Model)
	switch {
	case strings.HasSuffix(name, ".gguf"):
		return p, false // its tensors are of several widths, and its name tells one at best
	case strings.Contains(name, "fp8"), strings.Contains(name, "int8"), strings.Contains(name, "w8a8"):
		p.Weights = 1
	case strings.Contains(name, "awq"), strings.Contains(name, "gptq"), strings.Contains(name, "int4"), strings.Contains(name, "fp4"):
		p.Weights = 0.5
	}
	for _, f := range c.Engine.Canonical(c.Command) {
		switch f.Name {
		case "--quantization":
			if f.Value != "fp8" {
				return p, false
			}
			p.Weights = 1
		case "--kv-cache-dtype":
			if strings.HasPrefix(f.Value, "fp8") {
				p.KV = 1
			} else if f.Value != "auto" {
				return p, false
			}
		case "--cache-type-k", "--cache-type-v":
			return p, false
		}
	}
	return p, true
}

// speculates reports whether a configuration decodes speculatively.
func speculates(c study.Configuration) bool {
	for _, f := range c.Command.Flags {
		if strings.HasPrefix(f.Name, "--spec") || f.Name == "-sc" || strings.HasPrefix(f.Name, "--model-draft") || f.Name == "-md" {
			return true
		}
	}
	return false
}
