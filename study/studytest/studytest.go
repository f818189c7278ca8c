// Package studytest makes small studies for the tests of other packages: a plan in
// a few lines becomes a content folder in memory. It tests nothing itself.
package studytest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"
)

// Dir is where a plan's study lies in its file system.
const Dir = "studies/small"

// Run is the name of a plan's only run.
const Run = "published"

// Trial is what one result block prints. Rates follow from the counts and the
// duration, and the duration from the total throughput, so that a trial contradicts
// itself only where a test says so.
type Trial struct {
	Completed, Failed, Concurrency int
	Input, Output                  int
	Total                          float64 // tokens a second
	Duration                       float64 // tokens over Total if zero
	TTFT, TPOT                     float64
	Omit                           []string // beginnings of labels that are not printed
}

// Good returns a trial of the workload that plans declare: 100 requests, 4 at a time.
func Good() Trial {
	return Trial{Completed: 100, Concurrency: 4, Input: 20000, Output: 10000, Total: 1000, TTFT: 60, TPOT: 8}
}

// Throughput returns a good trial with another total throughput.
func Throughput(total float64) Trial {
	t := Good()
	t.Total = total
	return t
}

// seconds is how long the trial took.
func (t Trial) seconds() float64 {
	switch {
	case t.Duration > 0:
		return t.Duration
	case t.Total > 0:
		return float64(t.Input+t.Output) / t.Total
	}
	return 40
}

// Block returns the trial as the tool prints it.
func (t Trial) Block() string {
	var b strings.Builder
	b.WriteString("============ Serving Benchmark Result ============\n")
	seconds := t.seconds()
	line := func(label, format string, value any) {
		if !slices.ContainsFunc(t.Omit, func(o string) bool { return strings.HasPrefix(label, o) }) {
			fmt.Fprintf(&b, "%-40s %s\n", label, fmt.Sprintf(format, value))
		}
	}
	line("Successful requests:", "%d", t.Completed)
	if t.Failed > 0 {
		line("Failed requests:", "%d", t.Failed)
	}
	line("Maximum request concurrency:", "%d", t.Concurrency)
	line("Benchmark duration (s):", "%.2f", seconds)
	line("Total input tokens:", "%d", t.Input)
	line("Total generated tokens:", "%d", t.Output)
	line("Request throughput (req/s):", "%.2f", float64(t.Completed)/seconds)
	line("Output token throughput (tok/s):", "%.2f", float64(t.Output)/seconds)
	line("Total Token throughput (tok/s):", "%.2f", t.Total)
	b.WriteString("---------------Time to First Token----------------\n")
	line("Mean TTFT (ms):", "%.2f", t.TTFT)
	line("Median TTFT (ms):", "%.2f", t.TTFT)
	b.WriteString("-----Time per Output Token (excl. 1st token)------\n")
	line("Mean TPOT (ms):", "%.2f", t.TPOT)
	line("Median TPOT (ms):", "%.2f", t.TPOT)
	b.WriteString("==================================================\n")
	return b.String()
}

// Candidate is a candidate with the trial that judges it.
type Candidate struct {
	ID    string
	YAML  string // further keys of the candidate, one a line
	Trial Trial
	Ran   string // command of attempt.json; none if empty
}

// Stage is a list of candidates.
type Stage struct {
	ID, YAML   string // YAML: further keys of the stage, one a line
	Candidates []Candidate
}

// Case is a comparison with results of its own.
type Case struct {
	Workload            string // "main" or "other"
	YAML                string
	Baseline, Optimized Trial
}

// Plan is a study with everything that a test wants to vary.
type Plan struct {
	Goal     string // throughput if empty
	Floor    string // noise_floor; left out if empty
	Baseline Trial
	Stages   []Stage
	Cases    []Case
	YAML     string // further keys of study.yaml
}

// Simple returns a plan of one stage, "one", whose candidates are named c1, c2 ...
// and have these trials.
func Simple(baseline Trial, candidates ...Trial) Plan {
	stage := Stage{ID: "one"}
	for i, t := range candidates {
		id := fmt.Sprintf("c%d", i+1)
		stage.Candidates = append(stage.Candidates, Candidate{ID: id, YAML: "add: --max-num-seqs " + fmt.Sprint(i+1), Trial: t})
	}
	return Plan{Baseline: baseline, Stages: []Stage{stage}}
}

// FS returns the content folder of a plan: site.yaml and one study in Dir.
func (p Plan) FS() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text)} }
	put("site.yaml", "title: {zh: 指南, en: Guides}\ndescription: {zh: 实验, en: Studies}\n")
	put(Dir+"/study.yaml", p.study())
	put(path.Join(Dir, "runs", Run, "run.yaml"), "schema: 1\ndate: unknown\nclient: vLLM bench CLI v0.11.0\nimported: {title: {zh: 原文, en: The original}, note: {zh: 逐字节保留, en: Kept byte for byte}}\n")
	start := func(stage, candidate, engine, command, workload string, t Trial) {
		dir := path.Join(Dir, "runs", Run, stage, candidate, "start-1")
		put(path.Join(dir, "attempt.json"), fmt.Sprintf("{\"schema\": 1, \"imported\": true, \"engine\": %q, \"version\": \"v0.11.0\", \"command\": %q}\n", engine, command))
		put(path.Join(dir, workload+".txt"), t.Block())
	}
	if len(p.Stages) > 0 {
		start(p.Stages[0].ID, "base", "vllm", "", "main", p.Baseline)
	}
	for _, s := range p.Stages {
		for _, c := range s.Candidates {
			start(s.ID, c.ID, "vllm", c.Ran, "main", c.Trial)
		}
	}
	for _, c := range p.Cases {
		if !strings.Contains(c.YAML, "baseline:") {
			start("cases", "baseline", "vllm", "", c.Workload, c.Baseline)
		}
		if !strings.Contains(c.YAML, "optimized:") {
			start("cases", "optimized", "vllm", "", c.Workload, c.Optimized)
		}
	}
	return files
}

func (p Plan) study() string {
	var b strings.Builder
	goal := p.Goal
	if goal == "" {
		goal = "throughput"
	}
	fmt.Fprintf(&b, head, goal)
	if p.Floor != "" {
		fmt.Fprintf(&b, "noise_floor: %s\n", p.Floor)
	}
	b.WriteString("stages:\n")
	for _, s := range p.Stages {
		fmt.Fprintf(&b, "  - id: %[1]s\n    title: {zh: 阶段, en: Stage %[1]s}\n    question: {zh: 哪个更快, en: Which is faster}\n", s.ID)
		indent(&b, "    ", s.YAML)
		b.WriteString("    candidates:\n")
		for _, c := range s.Candidates {
			fmt.Fprintf(&b, "      - id: %[1]s\n        name: {zh: %[1]s, en: %[1]s}\n", c.ID)
			indent(&b, "        ", c.YAML)
		}
	}
	if len(p.Cases) > 0 {
		b.WriteString("cases:\n")
	}
	for _, c := range p.Cases {
		fmt.Fprintf(&b, "  - workload: %s\n", c.Workload)
		indent(&b, "    ", c.YAML)
	}
	b.WriteString(p.YAML)
	return b.String()
}

func indent(b *strings.Builder, by, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(by + strings.TrimRight(line, "\n") + "\n")
	}
}

const head = `schema: 1
title: {zh: 小实验, en: A small study}
summary: {zh: 测试用, en: For tests}
model: {id: Qwen/Qwen3-8B, name: Qwen3-8B}
hardware: {gpu: NVIDIA H100 SXM, short: H100, count: 1}
objective:
  goal: %s
  workload: main
  text: {zh: 越快越好, en: As fast as possible}
engines: {vllm: v0.11.0, sglang: v0.5.3}
datasets:
  - id: sharegpt
    text: {zh: 对话, en: Conversations}
workloads:
  - {id: main, name: {zh: 主负载, en: main load}, dataset: sharegpt, prompts: 100, concurrency: 4, command: vllm bench serve}
  - {id: other, name: {zh: 另一负载, en: other load}, dataset: sharegpt, prompts: 100, command: vllm bench serve}
baseline:
  id: base
  name: {zh: 基准, en: base}
  engine: vllm
`

// With returns a copy of files in which some have another text; a file of the text
// Gone is taken away.
func With(files fstest.MapFS, changes map[string]string) fstest.MapFS {
	out := maps.Clone(files)
	for name, text := range changes {
		if text == Gone {
			delete(out, name)
			continue
		}
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// Gone, as a file's text, takes the file away.
const Gone = "\x00gone"

// Result is the name of a raw output of the plan's run.
func Result(ref, workload string) string {
	return path.Join(Dir, "runs", Run, ref, "start-1", workload+".txt")
}

// Attempt is the name of an attempt.json of the plan's run.
func Attempt(ref string) string {
	return path.Join(Dir, "runs", Run, ref, "start-1", "attempt.json")
}
