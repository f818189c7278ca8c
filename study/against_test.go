package study_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study"
)

// TestAWorkloadStatesWhatItsCommandStates: a page shows both, and only one of them was run.
func TestAWorkloadStatesWhatItsCommandStates(t *testing.T) {
	t.Parallel()
	const old = "prompts: 100, concurrency: 4, command: vllm bench serve}"
	for _, c := range []struct {
		name, workload string
		want           []string
	}{
		{"all alike", "prompts: 100, concurrency: 4, input_tokens: 200, output_tokens: 100, seed: 0, command: vllm bench serve --model Qwen/Qwen3-8B --num-prompts 100 --max_concurrency=4 --random-input-len 200 --random-output-len 100 --seed 0}", nil},
		{"prompts", "prompts: 100, concurrency: 4, command: vllm bench serve --num-prompts 99}",
			[]string{"study.yaml:15:76: prompts is 100, and the workload's command says --num-prompts 99 in line 15; state in both what was run"}},
		{"concurrency", "prompts: 100, concurrency: 4, command: vllm bench serve --max_concurrency=2}",
			[]string{"study.yaml:15:94: concurrency is 4, and the workload's command says --max-concurrency 2 in line 15; state in both what was run"}},
		{"lengths", "prompts: 100, input_tokens: 200, output_tokens: 100, command: vllm bench serve --input-len 100 --random-output 10}", []string{
			"study.yaml:15:95: input_tokens is 200, and the workload's command says --input-len 100 in line 15; state in both what was run",
			"study.yaml:15:115: output_tokens is 100, and the workload's command says --random-output 10 in line 15; state in both what was run"}},
		{"seed", "prompts: 100, seed: 0, command: vllm bench serve --seed 1}",
			[]string{"study.yaml:15:87: seed is 0, and the workload's command says --seed 1 in line 15; state in both what was run"}},
		{"on another line", "prompts: 100,\n     command: vllm bench serve --num-prompts 99}",
			[]string{"study.yaml:15:76: prompts is 100, and the workload's command says --num-prompts 99 in line 16; state in both what was run"}},
		{"the last one counts", "prompts: 100, command: vllm bench serve --num-prompts 99 --num-prompts 100}", nil},
		{"what only the command states", "prompts: 100, command: vllm bench serve --max-concurrency 4 --random-input-len 3 --seed 2}", nil},
		{"no plain number", "prompts: 100, command: vllm bench serve --num-prompts $N}", nil},
		{"no command of options", "prompts: 100, command: 'vllm bench serve --num-prompts 99 | tee out'}", nil},
		{"another model", "prompts: 100, command: vllm bench serve --model Qwen/Qwen3-14B}",
			[]string{"study.yaml:15:90: the command says --model Qwen/Qwen3-14B, and the study's model is Qwen/Qwen3-8B in line 4; no candidate has the other; name the model that is served"}},
		{"a candidate's model", "prompts: 100, command: vllm bench serve --model Qwen/Qwen3-8B-FP8}", nil},
		{"a name that a server gives", "prompts: 100, command: vllm bench serve --model our-model}", nil},
		{"in another folder", "prompts: 100, command: vllm bench serve --model models/Qwen3-8B}", nil},
		{"in a folder of the machine's", "prompts: 100, command: vllm bench serve --model /data/snapshots/0123ab}", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := plan()
			p.Stages[0].Candidates[0].YAML = "model: Qwen/Qwen3-8B-FP8"
			p.Stages[0].Candidates[1].YAML = "add: --served-model-name=our-model"
			got := problems(replace(t, p.FS(), studyFile, old, c.workload))
			if c.want == nil {
				c.want = []string{}
			}
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}

// TestOptionsOfAClient: what is no command line of options states nothing.
func TestOptionsOfAClient(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"vllm bench serve --num_prompts=3":                         "3",
		"python3 -m sglang.bench_serving --num-prompts 4 --seed 1": "4",
		"vllm bench serve":                                         "",
		"for n in 1 2; do vllm bench serve --num-prompts $n; done": "",
		"": "",
	} {
		f, ok := study.Workload{Command: command}.Options().Stated("--num-prompts")
		require.Equal(t, want, f.Value, command)
		require.Equal(t, want != "", ok, command)
	}
}
