package analyze

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/parse"
	"benchguide/study"
)

// What a study declares of a workload, in findings.
const (
	DeclaredConcurrency = "concurrency"
	DeclaredPrompts     = "prompts"
	DeclaredCompleted   = "completed" // prompts, where the client does not print how many failed
	DeclaredInput       = "input_tokens"
	DeclaredOutput      = "output_tokens"
	DeclaredGPU         = "gpu"
	DeclaredGPUs        = "gpus"
)

// Tolerances of mean tokens for each completed request, against the length that a workload
// asks for. Clients make a prompt from random tokens, and decoding and encoding it again
// changes its length: in the published studies by 0.3 % at most. Other tokenizers change
// more, and a server counts the chat template, too, which has up to some dozens of tokens.
// An error here stops a build and cannot be accepted, so the room is several times of that:
// a length that was mistyped is mostly further off.
const (
	lengthRoom   = 0.10
	templateRoom = 100 // tokens, of prompts alone
	// Where lengths are drawn from a range, SGLang's begin at one token by default, so that
	// their mean is half of what was asked for; and without --ignore-eos an answer may end
	// anywhere. Beyond this factor, chance is no longer likely, and never impossible.
	unlikelyFactor = 3
)

// declarations holds what the study declares against what was printed and recorded. They
// come before all other findings: what else is found may follow from them.
func (a *analysis) declarations() {
	others := a.report.Findings
	a.report.Findings = nil
	a.declaredHardware()
	for i, w := range a.study.Workloads {
		a.declaredLoad(i, w, a.trialsOf(w))
	}
	a.report.Findings = append(a.report.Findings, a.besideDeclarations(others)...)
}

func (a *analysis) trialsOf(w study.Workload) []*Trial {
	var list []*Trial
	for _, id := range slices.Concat(a.trialOrder, a.repeatOrder) {
		if t := a.trialByID[id]; t.Workload == w.ID {
			list = append(list, t)
		}
	}
	return list
}

// declaredLoad holds one workload against its trials. What several of them contradict alike
// is said once, of the first one.
func (a *analysis) declaredLoad(i int, w study.Workload, trials []*Trial) {
	asked := askedLengths(w)
	if a.run.Info.Imported == nil { // a run makes the prompts itself, and may have no tokenizer but a guess
		asked.exact = false
	}
	unlike := a.allCompletedLess(w, trials)
	for _, t := range trials {
		if printed, ok := number(a.facts, t.Values, metric.MaxConcurrency); ok && w.Concurrency > 0 && printed != float64(w.Concurrency) {
			a.differs(i, w, DeclaredConcurrency, SeverityError, t, t.Values[metric.MaxConcurrency])
		}
		sent, known := a.sentRequests(t)
		completed, counted := number(a.facts, t.Values, metric.CompletedRequests)
		switch {
		case known && sent.Value != float64(w.Prompts):
			a.differs(i, w, DeclaredPrompts, SeverityError, t, a.facts.add(sent))
		case !known && counted && completed > float64(w.Prompts):
			a.differs(i, w, DeclaredCompleted, SeverityError, t, t.Values[metric.CompletedRequests])
		case !known && unlike:
			a.differs(i, w, DeclaredCompleted, SeverityCaution, t, t.Values[metric.CompletedRequests])
		}
		for _, l := range []struct {
			what     string
			id       metric.ID
			declared int
			judge    func(declared, mean float64) Severity
		}{
			{DeclaredInput, metric.InputTokens, w.InputTokens, asked.input},
			{DeclaredOutput, metric.OutputTokens, w.OutputTokens, asked.output},
		} {
			mean, ok := a.meanTokens(t, l.what, l.id)
			if !ok || l.declared <= 0 {
				continue
			}
			if severity := l.judge(float64(l.declared), mean.Value); severity != "" {
				a.differs(i, w, l.what, severity, t, a.facts.add(mean))
			}
		}
	}
}

// sentRequests is how many requests a client sent; false where it does not print that. A
// client that stops in the middle counts requests that are neither done nor failed.
func (a *analysis) sentRequests(t *Trial) (Fact, bool) {
	if id, ok := t.Values[metric.TotalRequests]; ok {
		return a.facts.Get(id)
	}
	completed, ok1 := number(a.facts, t.Values, metric.CompletedRequests)
	failed, ok2 := number(a.facts, t.Values, metric.FailedRequests)
	return Fact{ID: t.ID + ":sent_requests", Kind: Count, Value: completed + failed, Derived: true, Formula: "completed_requests + failed_requests",
		Inputs: []string{t.Values[metric.CompletedRequests], t.Values[metric.FailedRequests]}}, ok1 && ok2 && !t.cutShort
}

// cutShort reports whether a client says that it left requests unfinished when it ended.
func cutShort(r parse.Record) bool {
	return slices.ContainsFunc(r.Settings, func(s parse.Setting) bool { return s.Name == "incomplete_requests" && s.Text != "0" })
}

// allCompletedLess reports whether all trials of a workload completed one and the same
// number of requests, below the declared one. Requests fail now and then, and hardly as
// many each time.
func (a *analysis) allCompletedLess(w study.Workload, trials []*Trial) bool {
	var all []float64
	for _, t := range trials {
		if completed, ok := number(a.facts, t.Values, metric.CompletedRequests); ok && t.SameBytesAs == "" {
			all = append(all, completed)
		}
	}
	return len(all) > 1 && all[0] > 0 && all[0] < float64(w.Prompts) && len(slices.Compact(all)) == 1
}

// meanTokens is the mean number of tokens of a completed request.
func (a *analysis) meanTokens(t *Trial, what string, id metric.ID) (Fact, bool) {
	tokens, ok1 := number(a.facts, t.Values, id)
	completed, ok2 := number(a.facts, t.Values, metric.CompletedRequests)
	if !ok1 || !ok2 || completed <= 0 {
		return Fact{}, false
	}
	return Fact{ID: t.ID + ":mean_" + what, Kind: Measured, Value: tokens / completed, Precision: 1, Derived: true,
		Formula: string(id) + " / completed_requests", Inputs: []string{t.Values[id], t.Values[metric.CompletedRequests]}}, true
}

// lengths is what a client's command makes certain of its prompts and answers.
type lengths struct {
	fixed bool // random prompts of one length each, or of a range around it
	exact bool // the prompts' tokens were counted by the model's tokenizer
	whole bool // no answer ends early
}

// askedLengths reads a workload's command. What it does not know is not certain.
func askedLengths(w study.Workload) lengths {
	o := w.Options()
	dataset, _ := o.Stated("--dataset-name")
	sglang := strings.Contains(w.Command, "sglang.bench")
	l := lengths{fixed: strings.HasPrefix(dataset.Value, "random"), exact: true}
	for _, f := range o {
		switch f.Name {
		case "--random-input-len", "--random-input", "--random-output-len", "--random-output":
		case "--random-range-ratio":
			ratio, err := strconv.ParseFloat(f.Value, 64)
			l.fixed = l.fixed && err == nil && (ratio == 1 || ratio == 0)
		default:
			l.fixed = l.fixed && !strings.HasPrefix(f.Name, "--random-") // prefixes, images and others are tokens, too
		}
	}
	if ratio, ok := o.Stated("--random-range-ratio"); sglang && (!ok || ratio.Value != "1" && ratio.Value != "1.0") {
		l.fixed = false // its default, 0, is a range that begins at one token
	}
	_, ignores := o.Stated("--ignore-eos")
	_, minds := o.Stated("--disable-ignore-eos")
	l.whole = ignores || sglang && !minds
	return l
}

// input judges the mean length of prompts.
func (l lengths) input(declared, mean float64) Severity {
	if l.fixed && l.exact && (mean > declared*(1+lengthRoom)+templateRoom || mean < declared*(1-lengthRoom)) {
		return SeverityError
	}
	return unlikely(declared, mean, templateRoom)
}

// output judges the mean length of answers: none is longer than was asked for, and without
// --ignore-eos many are shorter.
func (l lengths) output(declared, mean float64) Severity {
	// A client that counts tokens in the text of an answer may find one or two more.
	const recounted = 2
	if l.fixed && (mean > declared*(1+lengthRoom)+recounted || l.whole && mean < declared*(1-lengthRoom)) {
		return SeverityError
	}
	return unlikely(declared, mean, recounted)
}

func unlikely(declared, mean, room float64) Severity {
	if mean > declared*unlikelyFactor+room || mean < declared/unlikelyFactor {
		return SeverityCaution
	}
	return ""
}

// differs reports one thing that a trial contradicts, unless another trial of the workload
// has been reported with the same number, or with lengths of the same doubt.
func (a *analysis) differs(i int, w study.Workload, what string, severity Severity, t *Trial, data string) {
	for _, f := range a.report.Findings {
		lengths := what == DeclaredInput || what == DeclaredOutput
		if f.Code == CodeDeclaredDiffers && f.Subject == w.ID && f.Names["What"] == what && f.Severity == severity &&
			(lengths || a.facts.value(f.Facts["Data"]) == a.facts.value(data)) {
			return
		}
	}
	key := what
	if what == DeclaredCompleted {
		key = DeclaredPrompts
	}
	line, column := a.folder.At("workloads", i, key)
	at := a.facts.Sources(data)
	a.find(Finding{Code: CodeDeclaredDiffers, Severity: severity, Subject: w.ID, File: "study.yaml", Line: line, Column: column,
		Facts: map[string]string{"Declared": "workload/" + w.ID + ":" + key, "Data": data},
		Names: map[string]string{"What": what, "Workload": w.ID, "Place": fmt.Sprintf("%s:%d", at[0].File, at[0].Line)}})
}
