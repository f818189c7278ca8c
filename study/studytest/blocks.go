package studytest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing/fstest"
)

// Start is one start of a run that benchguide made itself.
type Start struct {
	Ref     string // stage/candidate
	Number  int
	Attempt string            // further members of attempt.json, such as `"block": 2`
	Trials  map[string]Trial  // by workload, or by WORKLOAD.2 for a repeat; none where it failed
	Files   map[string]string // further files of its folder
}

// Blocks is a study whose run has several starts a side.
type Blocks struct {
	Plan   Plan // the trials of its candidates are not used
	Edit   []string
	Mark   string
	Own    bool // the run has everything that benchguide leaves: see own.go
	Starts []Start
}

// Blocks returns a run of n blocks over the plan's only stage: the baseline and every
// candidate were started once in each. Value gives the total throughput of a candidate
// in a block, counted from 1.
func (p Plan) Blocks(n int, value func(id string, block int) float64) Blocks {
	b := Blocks{Plan: p}
	for block := 1; block <= n; block++ {
		b.Add("one/base", block, Throughput(value("base", block)))
		for _, c := range p.Stages[0].Candidates {
			b.Add("one/"+c.ID, block, Throughput(value(c.ID, block)))
		}
	}
	return b
}

// Add appends a start of one trial on the main workload. Further members of
// attempt.json may follow.
func (b *Blocks) Add(ref string, number int, t Trial, attempt ...string) {
	b.Starts = append(b.Starts, Start{Ref: ref, Number: number, Attempt: strings.Join(attempt, ", "), Trials: map[string]Trial{"main": t}})
}

// Fail appends a start that gave no results.
func (b *Blocks) Fail(ref string, number int, reason string) {
	b.Starts = append(b.Starts, Start{Ref: ref, Number: number, Attempt: fmt.Sprintf(`"failure": {"class": "config", "reason": %q}`, reason)})
}

// Each gives every start that a function chooses further members of attempt.json.
func (b *Blocks) Each(attempt string, chosen func(Start) bool) {
	for i := range b.Starts {
		if chosen(b.Starts[i]) {
			b.Starts[i].Attempt = strings.Join(slices.DeleteFunc([]string{b.Starts[i].Attempt, attempt}, func(s string) bool { return s == "" }), ", ")
		}
	}
}

// Also gives every start a trial on another workload. A trial that completed nothing is left
// out.
func (b *Blocks) Also(workload string, trial func(Start) Trial) {
	for _, s := range b.Starts {
		if t := trial(s); t.Completed > 0 {
			s.Trials[workload] = t
		}
	}
}

// Of chooses the starts of a configuration.
func Of(ref string) func(Start) bool { return func(s Start) bool { return s.Ref == ref } }

// All chooses every start.
func All(Start) bool { return true }

// FS returns the content folder of the study.
func (b Blocks) FS() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text)} }
	put("site.yaml", "title: {zh: 指南, en: Guides}\ndescription: {zh: 实验, en: Studies}\n")
	put(Dir+"/study.yaml", strings.NewReplacer(b.Edit...).Replace(b.Plan.study()))
	run := "schema: 1\ndate: 2026-11-30\nclient: vLLM bench CLI v0.11.0\n"
	if b.Mark != "" {
		run += "mark: " + b.Mark + "\n"
	}
	if b.Own {
		run += "seed: 7\nplan: " + digest("the plan") + "\n"
		b.own(put)
	}
	put(path.Join(Dir, "runs", Run, "run.yaml"), run)
	for _, s := range b.Starts {
		dir := path.Join(Dir, "runs", Run, s.Ref, fmt.Sprintf("start-%d", s.Number))
		if b.Own {
			s = b.made(s)
		}
		attempt := s.Attempt
		if b.Mark == "rehearsed" && !strings.Contains(attempt, `"rehearsed"`) {
			attempt = strings.TrimPrefix(attempt+`, "rehearsed": true`, ", ")
		}
		if !strings.Contains(attempt, `"engine"`) {
			attempt = strings.Join([]string{`"engine": "vllm"`, `"version": "v0.11.0"`, attempt}, ", ")
		}
		put(path.Join(dir, "attempt.json"), `{"schema": 1, "imported": false, `+strings.TrimSuffix(attempt, ", ")+"}\n")
		for workload, t := range s.Trials {
			put(path.Join(dir, workload+".txt"), t.Block())
		}
		for name, text := range s.Files {
			put(path.Join(dir, name), text)
		}
		if b.Own {
			Seal(files, dir)
		}
	}
	return files
}

// Limits puts limits into the objective of a plan's study.
func Limits(yaml string) []string {
	const text = "  text: {zh: 越快越好, en: As fast as possible}\n"
	return []string{text, text + "  limits:\n    - " + yaml + "\n"}
}

// Price puts a price into the hardware of a plan's study.
func Price(perHour string) []string {
	return []string{"count: 1}", "count: 1, price: {per_hour: " + perHour + ", currency: USD, source: {zh: 报价, en: A quote}}}"}
}

// noise is what starts differ by: a fixed pattern of at most half a per cent, unlike
// for every candidate.
func noise(id string, block int) float64 {
	pattern := []float64{0.2, -0.5, 0.3, 0.1, -0.2, 0.4, -0.3}
	sum := 3 * block
	for i, letter := range id {
		sum += (i + 1) * int(letter)
	}
	return 1 + pattern[sum%len(pattern)]/100
}

// Noisy returns values for Plan.Blocks: each candidate is so much faster than the
// baseline's 1000 tokens a second, give or take some noise, and every second block is
// 10 % slow as a whole.
func Noisy(gains map[string]float64) func(id string, block int) float64 {
	return func(id string, block int) float64 {
		v := 1000 * (1 + gains[id]) * noise(id, block)
		if block%2 == 0 {
			v *= 0.9
		}
		return v
	}
}
