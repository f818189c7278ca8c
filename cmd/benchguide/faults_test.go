package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
)

// misfortune is a fault that a fake engine shows in a run, and what the run makes of it.
type misfortune struct {
	rules  string   // of the fake engine
	third  bool     // the stage has a third candidate
	code   int      // of the program
	says   []string // patterns in what it prints
	states map[string]string
	page   string // pattern on the guide that is built then; "": none is built
	resume int    // code of going on without the fault, where the run stops
}

// TestWhatARunMakesOfFaults is the fault matrix as a person meets it: by exit code, by
// what is printed, by the folders, and by the page. states has the folders of attempts: "" of
// one that counts, "invalid", or the class of its failure.
func TestWhatARunMakesOfFaults(t *testing.T) {
	t.Parallel()
	const (
		fp8   = `"when": {"flags": ["--quantization fp8"]}`
		eager = `"when": {"flags": ["--enforce-eager"]}`
		base  = `"when": {"without": ["--quantization fp8", "--enforce-eager"]}`
	)
	good := map[string]string{}
	for _, c := range []string{"defaults", "fp8", "eager"} {
		for n := 1; n <= 3; n++ {
			good[fmt.Sprintf("%s/start-%d", c, n)] = ""
		}
	}
	with := func(gone string, more map[string]string) map[string]string {
		list := map[string]string{}
		for name, state := range good {
			if gone == "" || !strings.HasPrefix(name, gone+"/") {
				list[name] = state
			}
		}
		for name, state := range more {
			list[name] = state
		}
		return list
	}
	onlyBase := func(more map[string]string) map[string]string {
		list := map[string]string{"defaults/start-1": "", "eager/start-1": ""}
		for name, state := range more {
			list[name] = state
		}
		return list
	}
	three := map[string]string{"fp8/failed-1": "infra", "fp8/failed-2": "infra", "fp8/failed-3": "infra"}
	for name, c := range map[string]misfortune{
		"none": {states: good, says: []string{`(?m)^weights +fp8 +\+5`}, page: `FP8 weights`},
		"a candidate that does not fit": {rules: `{` + eager + `, "fault": "exit", "log": "out-of-memory", "code": 1}`,
			states: with("eager", map[string]string{"eager/start-1": "config"}),
			says:   []string{`eager, start 1 failed .*\(config\): .*CUDA out of memory`, `weights/eager is measured no more: it cannot run`},
			page:   `no CUDA graphs is infeasible: its server failed. The log says .*CUDA out of memory`},
		"the machine fails twice": {rules: `{` + fp8 + `, "fault": "port-taken", "first": 2}`,
			states: with("", map[string]string{"fp8/failed-1": "infra", "fp8/failed-2": "infra"}),
			says:   []string{`fp8, start 1 failed .*\(infra\)`, `fp8, start 1 \(try 3\)`, `(?m)^weights +fp8`}},
		"the machine fails again and again": {rules: `{` + fp8 + `, "fault": "port-taken"}`, code: exitUnfinished, states: onlyBase(three),
			says: []string{`The run ends here: 3 attempts at weights/fp8 in a row failed by the machine, the last with: .*ddress already in use.*; mend that, then go on with --resume`,
				`next: benchguide run small --resume --rehearse`}},
		"no weights": {rules: `{` + fp8 + `, "fault": "exit", "log": "no-weights", "code": 1}`, code: exitUnfinished, states: onlyBase(three),
			says: []string{`The run ends here: 3 attempts at weights/fp8 in a row failed by the machine`}},
		"a foreign server on the port": {rules: `{` + fp8 + `, "fault": "wrong-name", "name": "someone-elses"}`, code: exitUnfinished, states: onlyBase(three),
			says: []string{`a foreign server answers on the port \d+: it serves someone-elses and not`, `The run ends here: 3 attempts`}},
		"a second server on the port": {rules: `{` + fp8 + `, "fault": "twin", "name": "forgotten", "first": 1}`,
			states: with("", map[string]string{"fp8/failed-1": "infra"}), says: []string{`it serves forgotten and not`, `(?m)^weights +fp8`}},
		"an engine that dies once": {rules: `{` + fp8 + `, "fault": "die", "after": 12, "first": 1}`,
			states: with("", map[string]string{"fp8/failed-1": "flaky"}), says: []string{`fp8, start 1 failed .*\(flaky\)`, `(?m)^weights +fp8`}},
		"an engine that dies twice": {rules: `{` + fp8 + `, "fault": "die", "after": 12}`,
			states: with("fp8", map[string]string{"fp8/failed-1": "flaky", "fp8/start-1": "flaky"}),
			says:   []string{`weights/fp8 is measured no more: it cannot run: `, `(?m)^weights +nothing`},
			page:   `FP8 weights is infeasible: its server failed`},
		"an engine that dies after it was measured": {rules: `{` + fp8 + `, "fault": "die", "after": 12, "skip": 2}`,
			states: with("fp8", map[string]string{"fp8/start-1": "", "fp8/start-2": "", "fp8/failed-1": "flaky", "fp8/start-3": "flaky"}),
			says:   []string{`weights/fp8 is measured no more: it cannot run: `, `(?m)^weights +nothing`},
			page:   `FP8 weights is infeasible: its server failed`},
		"outputs that are too short once": {rules: `{` + fp8 + `, "fault": "short-outputs", "first": 1}`,
			states: with("", map[string]string{"fp8/start-1": "invalid", "fp8/start-4": ""}), says: []string{`(?m)^weights +fp8`}},
		"outputs that are always too short": {rules: `{` + fp8 + `, "fault": "short-outputs"}`,
			states: with("fp8", map[string]string{"fp8/start-1": "invalid", "fp8/start-2": "invalid", "fp8/start-3": "invalid"}),
			says:   []string{`weights/fp8 is measured no more: 3 starts in a row are invalid: .*output tokens`, `(?m)^weights +nothing`}, page: `output tokens, and \d+ were asked for`},
		"requests that fail": {rules: `{` + eager + `, "fault": "errors", "after": 12, "first": 1}`,
			states: with("", map[string]string{"eager/start-1": "invalid", "eager/start-4": ""}), says: []string{`requests failed`, `(?m)^weights +fp8`}},
		"an incumbent that cannot run": {rules: `{` + base + `, "fault": "exit", "log": "bad-flag", "code": 2}`, code: exitUnfinished,
			states: map[string]string{"defaults/start-1": "config"}, resume: exitUnfinished,
			says: []string{`The run ends here: the incumbent weights/defaults: it cannot run: .*unrecognized arguments.*; mend the study or the machine, and remove its last start to try it again`}},
		"a candidate far behind": {rules: `{` + eager + `, "fault": "speed", "factor": 1.4}`, third: true,
			states: with("eager", map[string]string{"eager/start-1": "", "eager/start-2": "", "seqs-8/start-1": "", "seqs-8/start-2": "", "seqs-8/start-3": ""}),
			says:   []string{`weights/eager is measured no more: it is \d+% behind the incumbent after 2 blocks`, `eager left after block 2 \(-\d+\.\d%\)`},
			page:   `no CUDA graphs\s*too few starts to test`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.meet(t)
		})
	}
}

func (c misfortune) meet(t *testing.T) {
	dir := t.TempDir()
	c.write(t, dir)
	code, said := called(t, dir, "run", "small", "--rehearse", "--script", "script.json")
	require.Equal(t, c.code, code, said)
	for _, pattern := range c.says {
		require.Regexp(t, pattern, said)
	}
	folders := filepath.Join(dir, "small", "runs", "rehearsal", "weights")
	require.Equal(t, c.states, statesOf(t, folders), said)
	if c.code == exitUnfinished {
		code, said = called(t, dir, "run", "small", "--rehearse", "--resume")
		require.Equal(t, c.resume, code, said)
		return
	}
	if c.page == "" {
		return
	}
	code, said = called(t, dir, "build", "content", "--include-rehearsed")
	require.Equal(t, exitOK, code, said)
	page, err := os.ReadFile(filepath.Join(dir, "public", "en", "small", "index.html"))
	require.NoError(t, err)
	require.Regexp(t, c.page, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(page), ""))
}

// write makes a content folder of the small study's first stage, with a light load, and the script.
func (c misfortune) write(t *testing.T, dir string) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/small/study.yaml")
	require.NoError(t, err)
	text, _, _ := strings.Cut(string(data), "\n  - id: scheduling")
	text = strings.NewReplacer("prompts: 80", "prompts: 12", "--num-prompts 80", "--num-prompts 12", "confirm: 2", "confirm: 0").Replace(text)
	if c.third {
		text += "\n      - id: seqs-8\n        name: {zh: 批大小上限 8, en: at most 8 in a batch}\n        add: --max-num-seqs 8\n"
	}
	small := filepath.Join(dir, "content", "studies", "small")
	require.NoError(t, os.MkdirAll(small, 0o755))
	require.NoError(t, os.Symlink(filepath.Join("content", "studies", "small"), filepath.Join(dir, "small")))
	for name, text := range map[string]string{
		filepath.Join(small, "study.yaml"):         text,
		filepath.Join(dir, "content", "site.yaml"): "title: {zh: 指南, en: Guides}\ndescription: {zh: 实验, en: Studies}\n",
		filepath.Join(dir, "script.json"):          `{"rules": [` + c.rules + `]}`,
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

// called runs the program and returns its exit code and all that it printed.
func called(t *testing.T, dir string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command("benchguide", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), said.String()
}

// statesOf lists the attempts of a stage: what each came to.
func statesOf(t *testing.T, stage string) map[string]string {
	t.Helper()
	list := map[string]string{}
	folders, err := filepath.Glob(filepath.Join(stage, "*", "*"))
	require.NoError(t, err)
	for _, folder := range folders {
		r, sealed, err := attempt.Sealed(folder)
		require.NoError(t, err)
		require.True(t, sealed, folder)
		state := r.Class
		if r.Invalid != "" {
			state = "invalid"
		}
		list[filepath.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))] = state
	}
	return list
}
