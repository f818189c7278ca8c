package study_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study"
	"benchguide/study/studytest"
)

const studyFile = studytest.Dir + "/study.yaml"

// plan is a study of one stage and one case; cases of the tests below damage it.
func plan() studytest.Plan {
	p := studytest.Simple(studytest.Throughput(1000), studytest.Throughput(1100), studytest.Throughput(1200))
	p.Cases = []studytest.Case{{Workload: "main", Baseline: studytest.Throughput(1001), Optimized: studytest.Throughput(1201)}}
	p.YAML = `notes:
  - id: versions
    title: {zh: 版本, en: Versions}
    text: {zh: 会变, en: They change}
published:
  title: {zh: 原文, en: The original}
  claims:
    - id: gain
      where: {zh: 表, en: a table}
      says: +20%
      fact: one/c2:gain.total_throughput
    - id: order
      where: {zh: 表, en: a table}
      says: a < b
      order: [one/c1/main:total_throughput, "<", one/c2/main:total_throughput]
literals: [FP8]
`
	return p
}

// replace changes a text of the study, which must be there.
func replace(t *testing.T, files fstest.MapFS, file string, pairs ...string) fstest.MapFS {
	t.Helper()
	text := string(files[file].Data)
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return studytest.With(files, map[string]string{file: text})
}

// problems loads a study and returns what is wrong with it, one line a problem.
func problems(files fs.FS) []string {
	_, found := study.Load(files, studytest.Dir)
	list := []string{}
	for _, p := range found {
		list = append(list, strings.TrimPrefix(p.Error(), studytest.Dir+"/"))
	}
	return list
}

func TestGoodStudyLoads(t *testing.T) {
	t.Parallel()
	f, found := study.Load(plan().FS(), studytest.Dir)
	require.Empty(t, found)
	require.Equal(t, "small", f.ID)
	require.Len(t, f.Runs, 1)
	require.Len(t, f.Runs[0].Starts, 5)
	require.Equal(t, "unknown", f.Runs[0].Info.Date)
}

func TestBadStudiesAreReportedWithPlaceAndHint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		old, new string
		want     []string
	}{
		{"unknown key of a candidate", "add: --max-num-seqs 1", "ad: --max-num-seqs 1",
			[]string{`study.yaml:28:9: unknown key "ad" in "stages[0].candidates[0]"; did you mean "add"?`}},
		{"zh missing", "title: {zh: 小实验, en: A small study}", "title: {en: A small study}",
			[]string{`study.yaml:2:8: "title" has no key "zh"; add "zh: ..." (Chinese text; {{id}} states a fact, {{cite:name}} a citation)`}},
		{"en blank", "summary: {zh: 测试用, en: For tests}", `summary: {zh: 测试用, en: " "}`,
			[]string{`study.yaml:3:24: "summary.en" is blank; write its value`}},
		{"wrong type", "prompts: 100, concurrency: 4", "prompts: 3.7, concurrency: 4",
			[]string{`study.yaml:15:76: "workloads[0].prompts" must be a whole number, found 3.7; write decimal digits only, such as 8`}},
		{"another schema", "schema: 1", "schema: 2", []string{`study.yaml:1:9: schema is 2, this program reads 1; set schema: 1`}},
		{"no GPU", "count: 1", "count: 0", []string{`study.yaml:5:54: the number of GPUs is 0; state at least 1`}},
		{"unknown kind of hardware", "count: 1", "count: 1, kind: tpu", []string{`study.yaml:5:63: "tpu" is no kind of hardware; write gpu or cpu`}},
		{"unknown goal", "goal: throughput", "goal: speed", []string{`study.yaml:7:9: goal "speed" is not known; use latency or throughput`}},
		{"workload of the objective", "workload: main\n  text", "workload: mian\n  text", []string{`study.yaml:8:13: workload "mian" is not declared; declare it under workloads`}},
		{"unknown engine", "engines: {vllm", "engines: {vlm: v1, vllm",
			[]string{`study.yaml:10:16: engine "vlm" is not known; use one of vllm, sglang, tensorrt-llm, llama.cpp`}},
		{"engine without version", "engine: vllm", "engine: llama.cpp",
			[]string{`study.yaml:20:11: engine "llama.cpp" has no version under engines; add it there with the version that is run`}},
		{"unknown dataset", "dataset: sharegpt", "dataset: shareGPT", []string{`study.yaml:15:57: dataset "shareGPT" is not declared; declare it under datasets`}},
		{"no requests", "prompts: 100, concurrency: 4", "prompts: 0, concurrency: 4", []string{`study.yaml:15:76: prompts is 0; state at least 1`}},
		{"concurrency of nothing", "concurrency: 4", "concurrency: 0", []string{`study.yaml:15:94: concurrency is 0; state at least 1, or leave it out`}},
		{"negative tokens", "concurrency: 4", "input_tokens: -1", []string{`study.yaml:15:95: input_tokens is -1; state at least 1, or leave it out`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, cmp.Diff(c.want, problems(replace(t, plan().FS(), studyFile, c.old, c.new))))
		})
	}
}

func TestReferencesToNothingAreReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		old, new string
		want     []string
	}{
		{"from", "add: --max-num-seqs 2", "from: c9", []string{`from: "c9" is no earlier candidate of stage "one"; name a candidate that stands above`}},
		{"from itself", "add: --max-num-seqs 2", "from: c2", []string{`from: "c2" is no earlier candidate of stage "one"; name a candidate that stands above`}},
		{"from the folder of the incumbent's starts", "add: --max-num-seqs 2", "from: incumbent", []string{`from: "incumbent" is no earlier candidate of stage "one"; name a candidate that stands above`}},
		{"same_as", "add: --max-num-seqs 2", "same_as: {candidate: one/c9, reason: {zh: 默认, en: The default}}", []string{`"one/c9" names no candidate; write stage/candidate, such as "one/base"`}},
		{"result", "add: --max-num-seqs 2", "result: c1", []string{`"c1" names no candidate; write stage/candidate, such as "one/base"`}},
		{"pick", "    candidates:\n", "    pick: {candidate: c9, reason: {zh: 好, en: Good}}\n    candidates:\n", []string{`the pick "c9" is no candidate of stage "one"; name one of its candidates`}},
		{"case's workload", "cases:\n  - workload: main", "cases:\n  - workload: mian", []string{`workload "mian" is not declared; declare it under workloads`}},
		{"case's sides", "cases:\n  - workload: main", "cases:\n  - workload: main\n    baseline: one/x\n    optimized: one/y",
			[]string{`"one/x" names no candidate; write stage/candidate, such as "one/base"`, `"one/y" names no candidate; write stage/candidate, such as "one/base"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(replace(t, plan().FS(), studyFile, c.old, c.new))
			for i, g := range got {
				place, message, _ := strings.Cut(g, ": ")
				require.Regexp(t, `^study\.yaml:\d+:\d+$`, place)
				got[i] = message
			}
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}

func TestValuesThatCannotBeMeantAreReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"id with a blank", "- id: c1\n", "- id: c 1\n", `"c 1" cannot be an id; use small letters, digits, dots and dashes`},
		{"id used twice", "- id: c2\n", "- id: c1\n", `id "c1" is used twice`},
		{"id of the baseline", "- id: c2\n", "- id: base\n", `id "base" is used twice`},
		{"stage named like the facts of cases", "- id: one\n", "- id: case\n", `id "case" is reserved; choose another`},
		{"stage named like the facts of stages", "- id: one\n", "- id: stage\n", `id "stage" is reserved; choose another`},
		{"stage named like the facts of workloads", "- id: one\n", "- id: workload\n", `id "workload" is reserved; choose another`},
		{"stage named like the folder of cases", "- id: one\n", "- id: cases\n", `id "cases" is reserved; choose another`},
		{"command and changes", "add: --max-num-seqs 1\n", "add: --max-num-seqs 1\n        command: vllm serve X\n", `command and add, set or remove are both given; state the whole command, or the changes`},
		{"command and model", "add: --max-num-seqs 1\n", "model: Qwen/X\n        command: vllm serve X\n", `command and model are both given; the command names the model`},
		{"environment", "add: --max-num-seqs 1\n", "env: {\"A B\": x}\n", `"A B" cannot be the name of an environment variable; use letters, digits and underscores`},
		{"baseline from something", "  engine: vllm\n", "  engine: vllm\n  from: c1\n", `the baseline cannot have from; it is where everything starts`},
		{"baseline with another's result", "  engine: vllm\n", "  engine: vllm\n  result: one/c1\n", `the baseline cannot have result; its results lie in the first stage's folder`},
		{"baseline as another's spelling", "  engine: vllm\n", "  engine: vllm\n  same_as: {candidate: one/c1, reason: {zh: 一, en: A}}\n", `the baseline cannot have same_as; let the other one say it`},
		{"claim of nothing", "      fact: one/c2:gain.total_throughput\n", "", `a claim names either a fact or an order of facts; give one of fact and order`},
		{"claim of both", "      fact: one/c2:gain.total_throughput\n", "      fact: one/c2:gain.total_throughput\n      order: [a, <, b]\n", `a claim names either a fact or an order of facts; give one of fact and order`},
		{"order without an end", `"<", one/c2/main:total_throughput]`, `"<"]`, `an order is facts with a sign between each two; write [fact, "<", fact]`},
		{"order of one", `, "<", one/c2/main:total_throughput]`, `]`, `an order is facts with a sign between each two; write [fact, "<", fact]`},
		{"sign that is none", `"<", one/c2/main:total_throughput]`, `"~", one/c2/main:total_throughput]`, `"~" is no sign of an order; use <, > or =`},
		{"bare number as a literal", "literals: [FP8]", `literals: ["42"]`, `"42" is a bare number, not a name; a literal has letters; state numbers as facts`},
		{"floor without a sign", "stages:\n", "noise_floor: 3\nstages:\n", `"3" is not a noise floor; write a percentage such as "3%"`},
		{"floor that is no number", "stages:\n", "noise_floor: nan%\nstages:\n", `"nan%" is not a noise floor; write a percentage such as "3%"`},
		{"floor below zero", "stages:\n", "noise_floor: -3%\nstages:\n", `"-3%" is not a noise floor; write a percentage such as "3%"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(replace(t, plan().FS(), studyFile, c.old, c.new))
			require.NotEmpty(t, got)
			messages := []string{}
			for _, g := range got {
				if place, message, _ := strings.Cut(g, ": "); strings.HasPrefix(place, "study.yaml:") {
					messages = append(messages, message)
				}
			}
			require.Contains(t, messages, c.want)
		})
	}
}

// Whatever is wrong in the study's own file, in its runs and between them is reported
// together, in order of place, and one fault is said once.
func TestEverythingIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	files := replace(t, plan().FS(), studyFile,
		"title: {zh: 小实验, en: A small study}", "title: {en: A small study}",
		"count: 1", "count: one",
		"add: --max-num-seqs 1", "ad: --max-num-seqs 1",
		"add: --max-num-seqs 2", "from: c9",
		"cases:\n  - workload: main", "cases:\n  - workload: main\n  - workload: other")
	files = studytest.With(files, map[string]string{
		studytest.Result("one/c1", "main"):                                        studytest.Gone,
		studytest.Result("one/c2", "main"):                                        "no result\n",
		studytest.Result("one/c3", "main"):                                        studytest.Good().Block(),
		studytest.Attempt("one/c3"):                                               `{"schema": 1, "engine": "vllm", "version": "v0.11.0"}`,
		studytest.Attempt("one/base"):                                             "{",
		studytest.Dir + "/runs/" + studytest.Run + "/run.yaml":                    "schema: 1\ndate: yesterday\nclient: x\nimported: {title: {zh: 指南, en: Guide}, note: {zh: 备注, en: Note}}\n",
		studytest.Dir + "/runs/" + studytest.Run + "/NOTES.txt":                   "notes beside the results are nobody's business\n",
		studytest.Dir + "/runs/.hidden/run.yaml":                                  "not read",
		studytest.Dir + "/runs/" + studytest.Run + "/.tmp/x/start-1/attempt.json": "{",
		studytest.Dir + "/runs/" + studytest.Run + "/.tmp/main.txt":               studytest.Good().Block(),
	})
	want := []string{
		`runs/published/one/base/start-1/attempt.json:1:2: the JSON ends in the middle; see the schema of attempt.json`,
		`runs/published/one/c2/start-1/main.txt: no benchmark result in 1 lines; give the client's output with the block that begins with '============ Serving Benchmark Result ============'`,
		`runs/published/one/c3/start-1: the study has no candidate "one/c3"; rename the folder, or add the candidate`,
		`runs/published/run.yaml:2:7: "yesterday" is not a date; write 2026-01-31, or unknown where nobody wrote it down`,
		`study.yaml:2:8: "title" has no key "zh"; add "zh: ..." (Chinese text; {{id}} states a fact, {{cite:name}} a citation)`,
		`study.yaml:5:54: "hardware.count" must be a whole number, found one; write decimal digits only, such as 8`,
		`study.yaml:26:9: the result runs/published/one/c1/start-1/main.txt is missing; add the raw output under this name, whatever its format, or take the candidate or case out of the study`,
		`study.yaml:28:9: unknown key "ad" in "stages[0].candidates[0]"; did you mean "add"?`,
		`study.yaml:31:15: from: "c9" is no earlier candidate of stage "one"; name a candidate that stands above`,
		`study.yaml:34:5: the result runs/published/cases/baseline/start-1/other.txt is missing; add the raw output under this name, whatever its format, or take the candidate or case out of the study`,
		`study.yaml:34:5: the result runs/published/cases/optimized/start-1/other.txt is missing; add the raw output under this name, whatever its format, or take the candidate or case out of the study`,
	}
	for range 5 {
		require.Empty(t, cmp.Diff(want, problems(files)))
	}
}

// A list that could not be read is no reason to call everything dangling that refers to it.
func TestOneFaultIsReportedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"workloads misspelt", "workloads:\n", "workload:\n", `unknown key "workload" in the document; did you mean "workloads"?`},
		{"a workload without id", "{id: main, name", "{ID: main, name", `unknown key "ID" in "workloads[0]"; did you mean "id"?`},
		{"datasets of the wrong type", "datasets:\n  - id: sharegpt\n    text: {zh: 对话, en: Conversations}\n", "datasets: sharegpt\n", `"datasets" must be a list, found sharegpt; write "- item" lines below it, or [a, b]`},
		{"stages misspelt", "stages:\n", "stage:\n", `unknown key "stage" in the document; did you mean "stages"?`},
		{"candidates misspelt", "    candidates:\n", "    candidats:\n", `unknown key "candidats" in "stages[0]"; did you mean "candidates"?`},
		{"engines of the wrong type", "engines: {vllm: v0.11.0, sglang: v0.5.3}", "engines: [vllm]", `"engines" must be a mapping, found a list; write "key: value" lines below it`},
		{"an objective's workload of the wrong type", "  workload: main\n", "  workload: [main]\n", `"objective.workload" must be a text, found a list; write a single value`},
		{"a candidate's id is null", "- id: c2\n", "- id:\n", `"stages[0].candidates[1].id" has no value; write its value`},
		{"broken syntax", "model: {", "model: {{", `broken YAML`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(replace(t, plan().FS(), studyFile, c.old, c.new))
			require.Len(t, got, 1, "%s", strings.Join(got, "\n"))
			require.Contains(t, got[0], c.want)
		})
	}
}

func TestUnusableResultsAreReportedAtTheirLine(t *testing.T) {
	t.Parallel()
	good := studytest.Throughput(1100).Block()
	cut := func(before string) string { return good[:strings.Index(good, before)] }
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{":"}},
		{"a log", strings.Repeat("INFO nothing happened\n", 10), []string{": no benchmark result in"}},
		{"truncated", cut("Median TPOT"), []string{"truncated-block"}},
		{"cut in a value", strings.TrimRight(cut("0\nMedian TPOT"), "\n"), []string{"cut-value", "truncated-block"}},
		{"two results", good + good, []string{":17:"}},
		{"two results run together", strings.Replace(good, "==================================================\n", "", 1) + good, []string{"blocks-run-together"}},
		{"label without number", strings.Replace(good, "60.00", "", 1), []string{"label-without-value"}},
		{"nan", strings.Replace(good, "60.00", "nan", 1), []string{"not-finite"}},
		{"beyond all reason", strings.Replace(good, "60.00", strings.Repeat("9", 30)+".00", 1), []string{"is no plausible number"}},
		{"invalid UTF-8", strings.Replace(good, "Mean TTFT", "Mean \xff TTFT", 1), []string{"invalid-utf8"}},
		{"twice with another value", strings.Replace(good, "Mean TTFT (ms):", "Mean TTFT (ms):   61.00\nMean TTFT (ms):", 1), []string{"duplicate-label"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := studytest.Result("one/c1", "main")
			_, found := study.Load(studytest.With(plan().FS(), map[string]string{file: c.text}), studytest.Dir)
			require.NotEmpty(t, found)
			for _, p := range found {
				require.Equal(t, file, p.File, "the only fault is in this file")
				require.NotEmpty(t, p.Hint)
			}
			got := ""
			for _, p := range found {
				got += p.Error() + " " + p.Code + "\n"
			}
			for _, want := range c.want {
				require.Contains(t, got, want)
			}
		})
	}
}

// huge is a file system in which one file claims to be far too large, and fails the
// test when somebody reads it all the same.
type huge struct {
	fstest.MapFS
	t    *testing.T
	name string
	size int64
}

type hugeInfo struct {
	name string
	size int64
}

func (i hugeInfo) Name() string       { return i.name }
func (i hugeInfo) Size() int64        { return i.size }
func (i hugeInfo) Mode() fs.FileMode  { return 0o644 }
func (i hugeInfo) ModTime() time.Time { return time.Time{} }
func (i hugeInfo) IsDir() bool        { return false }
func (i hugeInfo) Sys() any           { return nil }

func (h huge) Stat(name string) (fs.FileInfo, error) {
	if name == h.name {
		return hugeInfo{name, h.size}, nil
	}
	return h.MapFS.Stat(name)
}

func (h huge) ReadFile(name string) ([]byte, error) {
	if name == h.name {
		h.t.Errorf("%s is read though it has %d bytes", name, h.size)
	}
	return h.MapFS.ReadFile(name)
}

func (h huge) Open(name string) (fs.File, error) {
	if name == h.name {
		h.t.Errorf("%s is opened though it has %d bytes", name, h.size)
	}
	return h.MapFS.Open(name)
}

func TestFilesFarTooLargeAreNotRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		studytest.Result("one/c1", "main"), studytest.Attempt("one/c1"),
		studyFile, studytest.Dir + "/runs/" + studytest.Run + "/run.yaml",
	} {
		got := problems(huge{plan().FS(), t, name, 200 << 20})
		require.Len(t, got, 1, "%v", got)
		require.Contains(t, got[0], fmt.Sprintf("%s: the file has 200 MB", strings.TrimPrefix(name, studytest.Dir+"/")))
		require.Contains(t, got[0], "; ")
	}
}

func TestAttemptsAreReadStrictly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, json, want string }{
		{"missing", studytest.Gone, `: the file does not exist; every start has one, such as {"schema": 1, "imported": true, "engine": "vllm", "version": "v0.11.0"}`},
		{"unknown key", "{\"schema\": 1, \"engine\": \"vllm\", \"version\": \"v1\",\n  \"modle\": \"x\"}", `:2:3: unknown key "modle"; see the schema of attempt.json`},
		{"wrong type", "{\"schema\": 1,\n \"engine\": 5, \"version\": \"v1\"}", `:2:13: "engine" must be a string, found number`},
		{"cut off", "{\"schema\": 1,\n", `:2:1: the JSON ends in the middle`},
		{"empty", "", `:1:1: the file is empty`},
		{"not JSON", "schema: 1\n", `:1:1: invalid character 's'`},
		{"trailing", `{"schema": 1, "engine": "vllm", "version": "v1"}` + "\n{}", `:2:1: there is something after the JSON object`},
		{"another schema", `{"schema": 7, "engine": "vllm", "version": "v1"}`, `:1:1: schema is 7, this program reads 1; set schema to 1`},
		{"no engine", `{"schema": 1, "version": "v1"}`, `:1:1: the attempt names no engine`},
		{"no version", `{"schema": 1, "engine": "vllm"}`, `:1:1: the attempt names no version`},
		{"not UTF-8", "{\"schema\": 1, \"engine\": \"vllm\",\n \"version\": \"v\xff\"}", `:2:15: a byte that is not UTF-8`},
		{"null", "null", `:1:1: schema is 0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(studytest.With(plan().FS(), map[string]string{studytest.Attempt("one/c1"): c.json}))
			require.Len(t, got, 1, "%v", got)
			require.Contains(t, got[0], "runs/published/one/c1/start-1/attempt.json"+c.want)
		})
	}
}

func TestRunsAreReadStrictly(t *testing.T) {
	t.Parallel()
	file := studytest.Dir + "/runs/" + studytest.Run + "/run.yaml"
	for _, c := range []struct{ name, yaml, want string }{
		{"missing", studytest.Gone, `: the file does not exist; a run's folder holds a run.yaml; remove the folder if it is none`},
		{"no date", "schema: 1\nclient: x\n", `the document has no key "date"`},
		{"no such day", "schema: 1\ndate: 2026-02-30\nclient: x\n", `:2:7: "2026-02-30" is not a date`},
		{"another schema", "schema: 3\ndate: unknown\nclient: x\n", `:1:9: schema is 3`},
		{"unknown mark", "schema: 1\ndate: unknown\nclient: x\nmark: simulatd\n", `:4:7: mark "simulatd" is not known`},
		{"two documents", "schema: 1\ndate: unknown\nclient: x\n---\nschema: 1\n", `second document`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(studytest.With(plan().FS(), map[string]string{file: c.yaml}))
			require.Len(t, got, 1, "%v", got)
			require.True(t, strings.HasPrefix(got[0], "runs/published/run.yaml:"), got[0])
			require.Contains(t, got[0], c.want)
		})
	}
}

func TestStraysAreReported(t *testing.T) {
	t.Parallel()
	good := studytest.Good().Block()
	attempt := `{"schema": 1, "engine": "vllm", "version": "v0.11.0"}`
	run := studytest.Dir + "/runs/" + studytest.Run
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"stage", map[string]string{studytest.Result("on/c1", "main"): good, studytest.Attempt("on/c1"): attempt}, `runs/published/on/c1/start-1: the study has no candidate "on/c1"; rename the folder, or add the candidate`},
		{"workload", map[string]string{studytest.Result("one/c1", "mian"): good}, `runs/published/one/c1/start-1/mian.txt: the study has no workload "mian"; rename the file, or declare the workload`},
		{"start without a number", map[string]string{run + "/one/c1/start-a/attempt.json": attempt}, `runs/published/one/c1/start-a: "start-a" does not end in a start's number; name it start-1`},
		{"start with a zero", map[string]string{run + "/one/c1/start-01/attempt.json": attempt}, `runs/published/one/c1/start-01: "start-01" does not end in a start's number; name it start-1`},
		{"result beside the candidates", map[string]string{run + "/one/main.txt": good}, `runs/published/one/main.txt: a result lies outside of a start; move it into the start that it is of: runs/RUN/STAGE/CANDIDATE/start-1`},
		{"result beside the stages", map[string]string{run + "/main.txt": good}, `runs/published/main.txt: a result lies outside of a start; move it into the start that it is of: runs/RUN/STAGE/CANDIDATE/start-1`},
		{"result beside the runs", map[string]string{studytest.Dir + "/runs/main.txt": good}, `runs/main.txt: a result lies outside of a start; move it into the start that it is of: runs/RUN/STAGE/CANDIDATE/start-1`},
		{"result beside the start", map[string]string{run + "/one/c1/main.txt": good}, `runs/published/one/c1/main.txt: a result lies outside of a start; move it into start-1`},
		{"result in a folder of another name", map[string]string{run + "/one/c1/start/main.txt": good}, `runs/published/one/c1/start: the folder "start" holds a result and is no start; name it start-1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []string{c.want}, problems(studytest.With(plan().FS(), c.files)))
		})
	}
}

func TestStudyWithoutResultsSaysWhereTheyGo(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{studyFile: plan().FS()[studyFile]}
	require.Equal(t, []string{`study.yaml:21:1: the study has no results; make them with benchguide run, or put raw output under runs/RUN/STAGE/CANDIDATE/start-1/WORKLOAD.txt`}, problems(files))
}

func TestFolderNamesBecomeAddresses(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"My Study", "a[b]", "Qwen", "über"} {
		files := fstest.MapFS{}
		for file, data := range plan().FS() {
			files[strings.Replace(file, "studies/small", "studies/"+name, 1)] = data
		}
		_, found := study.Load(files, "studies/"+name)
		require.Len(t, found, 1, "%v", found)
		require.Contains(t, found[0].Error(), fmt.Sprintf("the folder's name %q cannot be a study's id; use small letters, digits, dots and dashes", name))
	}
}

func TestCollectionReportsAllStudiesTogether(t *testing.T) {
	t.Parallel()
	files := replace(t, plan().FS(), studyFile, "schema: 1", "schema: 2")
	for file, data := range replace(t, plan().FS(), studyFile, "count: 1", "count: 0") {
		files[strings.Replace(file, "studies/small", "studies/tall", 1)] = data
	}
	files["site.yaml"] = &fstest.MapFile{Data: []byte("title: {zh: 指南, en: Guides}\n")}
	files["studies/README.md"] = &fstest.MapFile{Data: []byte("a file is no study\n")}
	_, found := study.LoadCollection(files)
	var got []string
	for _, p := range found {
		got = append(got, p.Error())
	}
	require.Empty(t, cmp.Diff([]string{
		`site.yaml:1:1: the document has no key "description"; add "description: ..."`,
		`studies/small/study.yaml:1:9: schema is 2, this program reads 1; set schema: 1`,
		`studies/tall/study.yaml:5:54: the number of GPUs is 0; state at least 1`,
	}, got))
}

func TestCollectionWithoutAnything(t *testing.T) {
	t.Parallel()
	_, found := study.LoadCollection(fstest.MapFS{})
	require.Len(t, found, 1)
	require.Equal(t, "site.yaml: the file does not exist; name a content folder, which holds site.yaml and studies/, or the folder of a single study", found[0].Error())
	_, found = study.LoadCollection(fstest.MapFS{"site.yaml": plan().FS()["site.yaml"]})
	require.Len(t, found, 1)
	require.Equal(t, "studies: the file does not exist; studies lie under studies/ID/study.yaml", found[0].Error())
}
