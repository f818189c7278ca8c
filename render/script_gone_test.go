package render_test

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render"
	"benchguide/study/studytest"
)

// ranBy is the run of our own whose clients were kept as a command, and whose study prints
// another one.
func ranBy(ran, printed string) studytest.Blocks {
	b := studytest.Made()
	b.Each(`"clients": {"main": "`+ran+`"}`, studytest.All)
	b.Edit = []string{plainClient, "command: '" + printed + "'}"}
	return b
}

// promptsOf is the file of a list of prompts of the run.
func promptsOf(list string) string {
	return path.Join(studytest.Dir, "runs", studytest.Run, "prompts", list+".jsonl")
}

// TestWhatWasReplacedIsTakenFromTheStudy: a program and a value have the study's own, what
// only said where things lay is left out, and what depends on the machine is a variable.
func TestWhatWasReplacedIsTakenFromTheStudy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ran, printed string
		client       []string
	}{
		"a program and a variable": {
			"CUDA_HOME=[path] HF_HUB_OFFLINE=1 [path] bench serve --model [path]/Qwen3-8B --tokenizer [path]/Qwen3-8B --host [host] --port 18000 --dataset-path runs/x/main.jsonl --custom-output-len=-1 --result-dir [path]",
			"vllm bench serve",
			[]string{"env HF_HUB_OFFLINE=1", "vllm bench serve", `--model "$MODEL"`, `--tokenizer "$MODEL"`, "--host 127.0.0.1", `--port "$PORT"`,
				`--dataset-path "$PROMPTS"/main.jsonl`, "--custom-output-len=-1", `--result-dir "$OUT"`},
		},
		"no other variable": {
			"CUDA_HOME=[path] vllm bench serve --port 1", "vllm bench serve", []string{"vllm bench serve", `--port "$PORT"`},
		},
		"a module": {
			"[path] -m sglang.bench_serving --base-url http://[host]:1", "A=1 python3 -m sglang.bench_serving --seed 1",
			[]string{"python3 -m sglang.bench_serving", `--base-url "$BASE"`},
		},
		"a form of the prompts that the client reads": {
			"[path] -m sglang.bench_serving --port 1 --dataset-name openai --dataset-path prompts/main.sglang.jsonl", "python3 -m sglang.bench_serving",
			[]string{"python3 -m sglang.bench_serving", `--port "$PORT"`, "--dataset-name openai", `--dataset-path "$PROMPTS"/main.sglang.jsonl`},
		},
		"an option": {
			"vllm bench serve --port 1 --lora-modules [path] --header X=[key]", "vllm bench serve --lora-modules a/b --header X=public",
			[]string{"vllm bench serve", `--port "$PORT"`, "--lora-modules a/b", "--header X=public"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := studytest.With(ranBy(c.ran, c.printed).FS(), map[string]string{promptsOf("main.sglang"): "{}\n"})
			text := string(site(t, renderer(t), files)["en/small/reproduce.sh"])
			require.Empty(t, cmp.Diff(c.client, array(t, text, "client")))
			isBash(t, text)
		})
	}
}

// TestWhatWasReplacedIsNotPublished: where the study does not know either, there is no site.
func TestWhatWasReplacedIsNotPublished(t *testing.T) {
	t.Parallel()
	serving := studytest.Made()
	serving.Edit = []string{"  engine: vllm\n", "  engine: vllm\n  add: --chat-template '[path]/chat.jinja'\n"}
	for stands, b := range map[string]studytest.Blocks{
		"--lora-modules '[path]'":             ranBy("vllm bench serve --port 1 --lora-modules [path]", "vllm bench serve"),
		"--dataset-path '[path]'":             ranBy("vllm bench serve --port 1 --dataset-path [path]", "vllm bench serve --dataset-path a.json"),
		"--header 'X=[key]'":                  ranBy("vllm bench serve --port 1 --header X=[key]", "vllm bench serve --header X=[key]"),
		"--chat-template '[path]/chat.jinja'": serving,
	} {
		site, problems, err := build(t, renderer(t), b.FS())
		require.NoError(t, err)
		require.Len(t, problems, 2, stands)
		for i, file := range []string{"zh/small/reproduce.sh", "en/small/reproduce.sh"} {
			p := problems[i]
			require.Equal(t, []string{render.CodeReplacedText, "error", file, stands}, []string{p.Code, p.Severity, p.File, p.Text})
			for _, f := range site.Files {
				if f.Path == file {
					require.Equal(t, stands, strings.TrimSpace(strings.Split(string(f.Data), "\n")[p.Line-1]), "the line is right")
				}
			}
		}
	}
}

// TestTheWarmUpIsThatOfTheRun: its prompts, as many at a time, and with its settings; where
// they cannot be read by a shell, prompts that are made up.
func TestTheWarmUpIsThatOfTheRun(t *testing.T) {
	t.Parallel()
	const prompt = `{"prompt":"a \"b\": {c}","output_tokens":144}` + "\n"
	made := studytest.Made()
	own := studytest.Made()
	own.Plan.YAML += "run: {temperature: 0.7, stop_at_eos: true}\n"
	for name, c := range map[string]struct {
		b        studytest.Blocks
		warmup   string
		has, not []string
	}{
		"all of it": {made, strings.Repeat(prompt, 24), []string{"\twarmup=24\n", `done <"$PROMPTS"/warmup.jsonl`, "sent % 4", `\"temperature\": 0, \"ignore_eos\": true}" &`, `|| needs "$PROMPTS"/warmup.jsonl`},
			[]string{"Tell a story"}},
		"two places":             {made, strings.Repeat(prompt, 5), []string{"\twarmup=5\n", "sent % 2"}, nil},
		"its own settings":       {own, prompt, []string{`\"temperature\": 0.7}" &`}, []string{"ignore_eos\\"}},
		"another shape":          {made, `{"output_tokens": 1, "prompt": "a"}` + "\n", []string{"Tell a story", "\twarmup=8\n"}, []string{"warmup.jsonl"}},
		"an end that is missing": {made, strings.TrimSpace(prompt), []string{"Tell a story"}, []string{"warmup.jsonl"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := studytest.With(c.b.FS(), map[string]string{promptsOf("warmup"): c.warmup})
			text := string(site(t, renderer(t), files)["en/small/reproduce.sh"])
			for _, has := range c.has {
				require.Contains(t, text, has)
			}
			for _, not := range c.not {
				require.NotContains(t, text, not)
			}
			isBash(t, text)
		})
	}
}
