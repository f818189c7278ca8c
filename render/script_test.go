package render_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// script returns the script of the small study with another engine, serving options and
// client.
func script(t *testing.T, edit ...string) string {
	t.Helper()
	b := studytest.Fleet("slow").Blocks(3, studytest.Noisy(map[string]float64{"slow": -0.06}))
	b.Edit = edit
	for id, version := range map[string]string{"sglang": "v0.5.3", "llama.cpp": "b6000"} {
		if slices.ContainsFunc(edit, func(s string) bool { return strings.Contains(s, "engine: "+id) }) {
			b.Each(`"engine": "`+id+`", "version": "`+version+`"`, studytest.All)
		}
	}
	files, _ := pages(t, renderer(t), b)
	return files["en/small/reproduce.sh"]
}

// array returns the lines of an array of the script.
func array(t *testing.T, script, name string) []string {
	t.Helper()
	_, rest, found := strings.Cut(script, name+"=(\n")
	require.True(t, found, name)
	lines, _, _ := strings.Cut(rest, ")\n")
	var list []string
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

const plainClient = "command: vllm bench serve}"

// TestScriptsRerunWhatTheReportSays: what depends on the machine is a variable, all else is
// the report's, whatever the client.
func TestScriptsRerunWhatTheReportSays(t *testing.T) {
	t.Parallel()
	baseline := "  engine: vllm\n"
	for _, c := range []struct {
		name          string
		edit          []string
		serve, client []string
		has           []string
	}{
		{"plain", nil, []string{`vllm serve "$MODEL"`, `--port "$PORT"`}, []string{"vllm bench serve", `--port "$PORT"`},
			[]string{"MODEL=${MODEL:-Qwen/Qwen3-8B}", "PORT=${PORT:-8000}", "GPUS=${GPUS:-0}", `NAME="$MODEL"`, "installed vLLM 0.11.0 vllm --version"}},
		{"a port and a served name", []string{baseline, baseline + "  add: --port 9000 --served-model-name 'q w'\n  env: {A_B: \"1 2\"}\n"},
			[]string{`env 'A_B=1 2'`, `vllm serve "$MODEL"`, `--port "$PORT"`, `--served-model-name 'q w'`},
			[]string{"vllm bench serve", `--tokenizer "$MODEL"`, `--port "$PORT"`}, []string{"PORT=${PORT:-9000}", "NAME='q w'"}},
		{"SGLang", []string{baseline, "  engine: sglang\n", plainClient,
			"command: 'python3 -m sglang.bench_serving --backend sglang --base-url=http://10.0.0.1:30000/x --model Qwen/Qwen3-8B --output-file /tmp/o.jsonl'}"},
			[]string{`python3 -m sglang.launch_server --model-path "$MODEL"`, `--port "$PORT"`},
			[]string{"python3 -m sglang.bench_serving", "--backend sglang", `--base-url "$BASE"/x`, `--model "$MODEL"`, `--output-file "$OUT"/o.jsonl`},
			[]string{"PORT=${PORT:-30000}", "installed SGLang 0.5.3 python3 -c 'import sglang"}},
		{"llama.cpp", []string{baseline, "  engine: llama.cpp\n", "sglang: v0.5.3}", "sglang: v0.5.3, llama.cpp: b6000}"},
			[]string{`llama-server --model "$MODEL"`, `--port "$PORT"`}, []string{"vllm bench serve", `--port "$PORT"`},
			[]string{"PORT=${PORT:-8080}", "installed llama.cpp 6000 llama-server --version"}},
		{"GuideLLM", []string{plainClient, "command: 'guidellm benchmark run --target http://localhost:8000 --rate-type concurrent --rate 4 --data \"prompt_tokens=256\" --processor Qwen/Qwen3-8B'}"},
			nil, []string{"guidellm benchmark run", `--target "$BASE"`, "--rate-type concurrent", "--rate 4", "--data prompt_tokens=256", `--processor "$MODEL"`},
			[]string{"installed GuideLLM 0.11.0 guidellm --version"}},
		{"another machine's program and a variable", []string{plainClient, "command: 'HF_HUB_OFFLINE=1 /opt/vllm/bin/vllm bench serve --host 10.1.1.1 --port 8000 --tokenizer /models/q --ignore-eos --goodput ttft:200 tpot:50'}"},
			nil, []string{"env HF_HUB_OFFLINE=1", "vllm bench serve", "--host 127.0.0.1", `--port "$PORT"`, `--tokenizer "$MODEL"`, "--ignore-eos", "--goodput ttft:200", "tpot:50"}, nil},
		{"a whole shell line", []string{plainClient, "command: \"cat prompts | client -\"}"}, nil, []string{"bash -c 'cat prompts | client -'"}, nil},
		{"a data set", []string{plainClient, "command: vllm bench serve --dataset-path a.json}", "text: {zh: 对话, en: Conversations}", "text: {zh: 对话, en: Conversations}\n    prepare: wget x"},
			nil, []string{"vllm bench serve", "--dataset-path a.json", `--port "$PORT"`}, []string{"needs a.json 'get it with: wget x'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := script(t, c.edit...)
			if c.serve != nil {
				require.Empty(t, cmp.Diff(c.serve, array(t, text, "serve")))
			}
			require.Empty(t, cmp.Diff(c.client, array(t, text, "client")))
			for _, has := range c.has {
				require.Contains(t, text, has)
			}
			isBash(t, text)
		})
	}
}

// isBash lets bash read a script without running it, and shellcheck where it is installed.
func isBash(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "reproduce.sh")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, err := exec.Command("bash", "-n", file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Log("shellcheck is not installed, so that only bash has read the script")
		return
	}
	out, err = exec.Command("shellcheck", file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
}

// TestNamesDoNotLeaveTheirComments: a title of two lines cannot become a command.
func TestNamesDoNotLeaveTheirComments(t *testing.T) {
	t.Parallel()
	text := script(t, "title: {zh: 小实验, en: A small study}", "title: {zh: 小实验, en: \"A small\\nrm -rf study\"}",
		"model: {id: Qwen/Qwen3-8B, name: Qwen3-8B}", "model: {id: \"a}$(rm) b\", name: Qwen3-8B}")
	require.Contains(t, text, "\n# A small rm -rf study\n")
	require.NotContains(t, text, "\nrm")
	require.Contains(t, text, `MODEL=${MODEL:-"a\}\$(rm) b"}`)
	isBash(t, text)
}
