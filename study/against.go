package study

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"benchguide/engine"
)

// The spellings of what a workload states beside its command, too.
var (
	concurrencyOptions = []string{"--max-concurrency"}
	promptsOptions     = []string{"--num-prompts"}
	inputOptions       = []string{"--random-input-len", "--random-input", "--input-len"}
	outputOptions      = []string{"--random-output-len", "--random-output", "--output-len"}
	seedOptions        = []string{"--seed"}
)

// againstCommand holds what a workload states against its own command, as far as the command
// states it, too: a page shows both, and only one of them was run.
func (v *validator) againstCommand(i int, w Workload) {
	o := w.Options()
	seed := 0
	if w.Seed != nil {
		seed = *w.Seed
	}
	for _, c := range []struct {
		key     string
		value   int
		options []string
	}{
		{"prompts", w.Prompts, promptsOptions},
		{"concurrency", w.Concurrency, concurrencyOptions},
		{"input_tokens", w.InputTokens, inputOptions},
		{"output_tokens", w.OutputTokens, outputOptions},
		{"seed", seed, seedOptions},
	} {
		f, ok := o.Stated(c.options...)
		number, err := strconv.Atoi(f.Value)
		if !ok || err != nil || number == c.value || !v.f.positions.Has("workloads", i, c.key) {
			continue
		}
		v.add(fmt.Sprintf("%s is %d, and the workload's command says %s%s", c.key, c.value, f, v.inLine(i)),
			"state in both what was run", "workloads", i, c.key)
	}
	v.servedModel(i, o)
}

// inLine says where the command stands.
func (v *validator) inLine(i int) string {
	line, _ := v.f.positions.At("workloads", i, "command")
	return fmt.Sprintf(" in line %d", line)
}

// servedModel reports a command that asks for a model which no configuration serves. Folders
// before a model's name say where it lies, and not which it is; nor does the name that a
// folder of the machine's own has.
func (v *validator) servedModel(i int, o Options) {
	f, ok := o.Stated("--model")
	if !ok || !f.HasValue || strings.ContainsAny(f.Value[:min(1, len(f.Value))], "/.~") || strings.ContainsAny(f.Value, "$<{") {
		return
	}
	if !v.allRefs || !v.clean("model") || !v.clean("baseline") || !v.clean("stages") {
		return // the model may be named in what could not be read
	}
	known := v.f.Study.models()
	same := func(name string) bool { return strings.EqualFold(path.Base(name), path.Base(f.Value)) }
	if slices.ContainsFunc(known, same) {
		return
	}
	line, _ := v.f.positions.At("model", "id")
	v.add(fmt.Sprintf("the command says %s, and the study's model is %s in line %d; no candidate has the other", f, v.f.Study.Model.ID, line),
		"name the model that is served", "workloads", i, "command")
}

// models are all names by which the study's configurations may be asked for: models, and
// the names that servers give them.
func (s *Study) models() []string {
	list := []string{s.Model.ID, s.Model.Name}
	candidates := []Candidate{s.Baseline}
	for _, st := range s.Stages {
		candidates = append(candidates, st.Candidates...)
	}
	for _, c := range candidates {
		list = append(list, c.Model)
		command, err := engine.Words(c.Command)
		if err != nil {
			command = nil // a problem of its own, if it is one
		}
		for _, word := range slices.Concat(c.Add, c.Set, command) {
			if strings.HasPrefix(word, "-") {
				_, word, _ = strings.Cut(word, "=")
			}
			list = append(list, word)
		}
	}
	return slices.DeleteFunc(list, func(name string) bool { return name == "" })
}
