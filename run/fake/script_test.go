package fake_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/fake"
)

func TestWhatIsWrongWithAScriptIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		says   []string
	}{
		"no JSON":       {`rules`, []string{"script.json is no script of faults"}},
		"unknown key":   {`{"rules": [{"fault": "hang", "afer": 1}]}`, []string{`unknown field "afer"`}},
		"rest":          {`{"rules": []} []`, []string{"something behind"}},
		"unknown fault": {`{"rules": [{"fault": "hangs"}]}`, []string{`rule 1: the fault "hangs" is none of [`, "hang"}},
		"no fault":      {`{"rules": [{}]}`, []string{`the fault "" is none of`}},
		"two rules": {`{"rules": [{"fault": "hang", "tokens": 3}, {"fault": "zombie"}, {"fault": "errors", "status": 200}]}`,
			[]string{`rule 1: "tokens" is nothing that hang takes`, "rule 3: status 200 is no error"}},
		"unknown log":    {`{"rules": [{"fault": "exit", "log": "oom"}]}`, []string{`the log "oom" is none of bad-flag,`}},
		"unknown engine": {`{"rules": [{"when": {"engine": "vlm"}, "fault": "hang"}]}`, []string{`the engine "vlm" is none of vllm`}},
		"pattern":        {`{"rules": [{"when": {"name": "[a"}, "fault": "hang"}]}`, []string{`the pattern "[a"`}},
		"flag":           {`{"rules": [{"when": {"flags": ["fp8"]}, "fault": "hang"}]}`, []string{`the flag "fp8" cannot be read`}},
		"two flags":      {`{"rules": [{"when": {"flags": ["--a b --c"]}, "fault": "hang"}]}`, []string{"state one option"}},
		"code":           {`{"rules": [{"fault": "exit", "code": 300}]}`, []string{"300 is no exit code"}},
		"factor":         {`{"rules": [{"fault": "speed"}]}`, []string{"needs a factor"}},
		"name":           {`{"rules": [{"fault": "wrong-name"}]}`, []string{"needs a name"}},
		"negative":       {`{"rules": [{"fault": "hang", "after": -1}]}`, []string{"below 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fake.ReadScript("script.json", strings.NewReader(c.script))
			require.Error(t, err)
			for _, says := range c.says {
				require.ErrorContains(t, err, says)
			}
		})
	}
}

// TestRulesMatchCommands shows a rule by the name under which the model is served.
func TestRulesMatchCommands(t *testing.T) {
	t.Parallel()
	const command = "vllm serve org/Model-8B-FP8 --served-model-name s-engine-fp8-2 --tensor-parallel-size 2 --quantization=fp8 --enforce_eager"
	for when, matches := range map[string]bool{
		`{}`:                             true,
		`{"engine": "vllm"}`:             true,
		`{"engine": "sglang"}`:           false,
		`{"name": "s-engine-*-2"}`:       true,
		`{"name": "*-2"}`:                true,
		`{"name": "*-1"}`:                false,
		`{"model": "*FP8"}`:              true,
		`{"model": "org/*"}`:             true,
		`{"model": "Model"}`:             false,
		`{"flags": ["-tp 2"]}`:           true,
		`{"flags": ["-tp"]}`:             true,
		`{"flags": ["-tp 4"]}`:           false,
		`{"flags": ["--enforce-eager"]}`: true,
		`{"flags": ["-q fp8", "--tensor-parallel-size=2"]}`:  true,
		`{"flags": ["-q fp8", "--max-num-seqs"]}`:            false,
		`{"without": ["--max-num-seqs"]}`:                    true,
		`{"without": ["--max-num-seqs", "--enforce-eager"]}`: false,
	} {
		s, err := fake.ReadScript("script.json", strings.NewReader(`{"rules": [{"when": `+when+`, "fault": "wrong-name", "name": "matched"}]}`))
		require.NoError(t, err, when)
		_, models := get(t, newFake(t, fake.Options{Words: words(command), Script: s}).URL+"/v1/models")
		require.Equal(t, matches, strings.Contains(models, `"matched"`), when)
	}
}

func TestStartsAreCountedPerRule(t *testing.T) {
	t.Parallel()
	s, err := fake.ReadScript("script.json", strings.NewReader(`{"rules": [{"skip": 1, "first": 2, "fault": "wrong-name", "name": "matched"}]}`))
	require.NoError(t, err)
	for before, shown := range []bool{false, true, true, false, false} {
		o := fake.Options{Words: words(commands["vllm"]), Script: s, Starts: []int{before}}
		_, models := get(t, newFake(t, o).URL+"/v1/models")
		require.Equal(t, shown, strings.Contains(models, `"matched"`), "after %d starts", before)
	}
}

// TestTheDocListsEveryFault keeps the package's doc complete.
func TestTheDocListsEveryFault(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, f := range fake.Faults() {
		require.Contains(t, string(doc), "//\t"+string(f)+" ")
	}
	excerpts, err := os.ReadFile("excerpts.go")
	require.NoError(t, err)
	for _, name := range fake.Excerpts() {
		require.Contains(t, string(excerpts), "//\t"+name+" ")
	}
}

// FuzzReadScript: what is read can be written and read again, and no rule stops a start
// from being made.
func FuzzReadScript(f *testing.F) {
	f.Add(`{"rules": [{"when": {"engine": "vllm", "flags": ["-tp 2"]}, "first": 2, "fault": "exit", "code": 1, "log": "out-of-memory"}]}`)
	f.Add(`{"rules": [{"when": {"name": "*-[a-z]?", "without": ["--a=b"]}, "fault": "hang", "after": 12}, {"fault": "speed", "factor": 1.5}]}`)
	f.Add(`{"rules": null}`)
	f.Add(`{"rules": [{"fault": "merge-chunks", "tokens": 1000000}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := fake.ReadScript("script.json", strings.NewReader(text))
		if err != nil {
			require.NotEmpty(t, err.Error())
			require.Nil(t, s)
			return
		}
		again, err := json.Marshal(s)
		require.NoError(t, err)
		twice, err := fake.ReadScript("script.json", strings.NewReader(string(again)))
		require.NoError(t, err)
		written, err := json.Marshal(twice)
		require.NoError(t, err)
		require.Equal(t, string(again), string(written))
		_, err = fake.New(fake.Options{Words: words(commands["vllm"]), Script: s})
		require.NoError(t, err)
	})
}
