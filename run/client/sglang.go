package client

import (
	"fmt"
	"path/filepath"
	"strconv"

	"benchguide/bench"
	"benchguide/run/machine"
)

// sglang is sglang.bench_serving, as its 0.5.17 is.
//
// Its dataset "custom" draws conversations in an order of its own and takes the length of
// an answer from a text. Its dataset "openai" sends the requests of a file in their order
// with the lengths that they state, and is what a run uses. It sends messages, so that
// the API is always the chat API, whatever the workload's command says.
type sglang struct{ kind }

func newSGLang() sglang {
	return sglang{kind{"sglang", [][]string{
		{"python3", "-m", "sglang.bench_serving"},
		{"python", "-m", "sglang.bench_serving"},
		{"python3", "-m", "sglang.benchmark.serving"}, // where it has moved to
		{"python", "-m", "sglang.benchmark.serving"},
	}}}
}

// chatBackend returns the chat API's name for a backend.
func chatBackend(backend string) (string, error) {
	switch backend {
	case "", "sglang", "sglang-native", "sglang-oai", "sglang-oai-chat":
		return "sglang-oai-chat", nil
	case "vllm", "vllm-chat":
		return "vllm-chat", nil
	case "lmdeploy", "lmdeploy-chat":
		return "lmdeploy-chat", nil
	}
	return "", fmt.Errorf("backend %q has no chat API in sglang.bench_serving, which a prompt file needs; use sglang-oai-chat or vllm-chat, or another client", backend)
}

// request is a line of the dataset "openai". What it states goes before the options of
// the command: in the chat API, the client does not send the value of --temperature.
type request struct {
	Messages    []message `json:"messages"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature float64   `json:"temperature"`
	IgnoreEOS   bool      `json:"ignore_eos"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Launch puts the command together, and writes the requests' file.
func (c sglang) Launch(t Trial, m machine.Profile) (Launch, error) {
	program, o, err := c.command(t, m)
	if err != nil {
		return Launch{}, err
	}
	backend, err := chatBackend(o.value("--backend"))
	if err != nil {
		return Launch{}, fmt.Errorf("workload %s: %w", t.Workload.ID, err)
	}
	file, err := convert(t.Prompts, "sglang", func(p bench.Prompt) any {
		return request{[]message{{"user", p.Text}}, p.Output, t.Temperature, t.IgnoreEOS}
	})
	if err != nil {
		return Launch{}, err
	}
	result := filepath.Join(t.Folder, t.Result+".jsonl")
	o.drop("--base-url", "--random-*", "--sharegpt-*", "--gsp-*", "--mooncake-*", "--image-*", "--agentic-*", "--speed-bench-*",
		"--dataset-offset", "--tokenize-prompt", "--prompt-suffix", "--apply-chat-template", "--use-trace-timestamps", "--fake-prefill", "--disable-stream")
	o.set("--backend", backend)
	o.set("--host", t.Host)
	o.set("--port", strconv.Itoa(t.Port))
	o.set("--model", t.Model)
	o.set("--served-model-name", t.Served)
	o.set("--tokenizer", t.Tokenizer)
	o.set("--dataset-name", "openai")
	o.set("--dataset-path", file)
	o.set("--num-prompts", strconv.Itoa(t.Count))
	o.set("--warmup-requests", "0") // they send the first prompt, which would be cached then
	o.set("--ready-check-timeout-sec", "0")
	t.load(&o)
	o.set("--temperature", number(t.Temperature))
	o.toggle("--disable-ignore-eos", !t.IgnoreEOS)
	o.set("--seed", t.seed(o.value("--seed")))
	o.set("--output-file", result)
	o.set("--output-details")
	return c.launch(t, m, program, o, result), nil
}

// fieldsForTokens says that the client took the number of a tokenizer's answers for that of
// tokens: as its 0.5.17 does with transformers 5, which answers an object of two or three
// fields where it once answered a list. Throughput in all tokens is wrong by as much.
func fieldsForTokens(producer string, c Counts) string {
	const fields = 3 // a chat's template alone has more tokens
	if producer != "sglang bench_serving" || c.Completed <= 0 || c.Input <= 0 || c.Input > fields*c.Completed {
		return ""
	}
	return fmt.Sprintf("the client counts %d input tokens in %d prompts, since it takes transformers 5 for an older one; use vllm bench serve or benchguide bench", c.Input, c.Completed)
}

// VersionWords is a command that prints the client's version.
func (c sglang) VersionWords(m machine.Profile) []string {
	python := without(without(c.program(m), "-m", "sglang.bench_serving"), "-m", "sglang.benchmark.serving")
	return append(python, "-c", "import sglang; print(sglang.__version__)")
}
