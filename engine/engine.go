// Package engine holds what is known of each inference engine without running it:
// how its serving command is written, which flags are other names for the same
// flag, and how a command is brought into one canonical form.
//
// The canonical form is what configurations are compared by: two commands that
// differ in flag order, in `--flag value` against `--flag=value` or in an alias
// are the same configuration. What a flag does, and whether stating it repeats a
// default, is not decided here: defaults change between versions, so a study says
// so itself (`same_as`).
package engine

import "strings"

// Engine describes one inference server.
type Engine struct {
	ID      string // the key used in study.yaml
	Name    string // as its makers write it
	Program []string
	// Launchers are the other ways in which the same program is started.
	Launchers [][]string
	// ModelFlag names the model on the command line; empty where the model is
	// the first argument.
	ModelFlag string
	// Port is where it listens unless it is told another.
	Port string
	// Ask is a command that prints the version that is installed.
	Ask []string
	// Aliases maps a flag to the one spelling that stands for it.
	Aliases map[string]string
}

// All returns the engines that benchguide knows, in a fixed order.
func All() []Engine {
	return []Engine{vllm(), sglang(), tensorrtLLM(), llamaCPP()}
}

// Lookup returns the engine with this id, and false when there is none.
func Lookup(id string) (Engine, bool) {
	for _, e := range All() {
		if e.ID == id {
			return e, true
		}
	}
	return Engine{}, false
}

// IDs returns the ids of all engines, for messages.
func IDs() []string {
	var ids []string
	for _, e := range All() {
		ids = append(ids, e.ID)
	}
	return ids
}

func vllm() Engine {
	return Engine{
		ID: "vllm", Name: "vLLM",
		Program: []string{"vllm", "serve"},
		Port:    "8000",
		Ask:     []string{"vllm", "--version"},
		Launchers: [][]string{
			{"python3", "-m", "vllm.entrypoints.openai.api_server"},
			{"python", "-m", "vllm.entrypoints.openai.api_server"},
		},
		Aliases: map[string]string{
			"--model": "", // the old spelling of the positional model
			"-q":      "--quantization",
			"-tp":     "--tensor-parallel-size",
			"-pp":     "--pipeline-parallel-size",
			"-dp":     "--data-parallel-size",
			"-dcp":    "--decode-context-parallel-size",
			"-asc":    "--api-server-count",
			"-sc":     "--speculative-config",
			"-cc":     "--compilation-config",
			"-ac":     "--attention-config",
			"-n":      "--nnodes",
			"-r":      "--node-rank",
		},
	}
}

func sglang() Engine {
	return Engine{
		ID: "sglang", Name: "SGLang",
		Program: []string{"python3", "-m", "sglang.launch_server"},
		Launchers: [][]string{
			{"python", "-m", "sglang.launch_server"},
			{"sglang", "serve"},
		},
		ModelFlag: "--model-path",
		Port:      "30000",
		Ask:       []string{"python3", "-c", "import sglang; print(sglang.__version__)"},
		Aliases: map[string]string{
			"--model":                        "--model-path",
			"--tp":                           "--tp-size",
			"--tensor-parallel-size":         "--tp-size",
			"--pp":                           "--pp-size",
			"--pipeline-parallel-size":       "--pp-size",
			"--dp":                           "--dp-size",
			"--data-parallel-size":           "--dp-size",
			"--ep":                           "--ep-size",
			"--expert-parallel-size":         "--ep-size",
			"--nccl-init-addr":               "--dist-init-addr",
			"--speculative-draft-model":      "--speculative-draft-model-path",
			"--decode-context-parallel-size": "--dcp-size",
		},
	}
}

func tensorrtLLM() Engine {
	return Engine{
		ID: "tensorrt-llm", Name: "TensorRT-LLM",
		Program:   []string{"trtllm-serve"},
		Port:      "8000",
		Ask:       []string{"python3", "-c", "import tensorrt_llm; print(tensorrt_llm.__version__)"},
		Launchers: [][]string{{"trtllm-serve", "serve"}},
		Aliases: map[string]string{
			"--tensor_parallel_size":   "--tp_size",
			"--pipeline_parallel_size": "--pp_size",
			"--expert_parallel_size":   "--ep_size",
		},
	}
}

func llamaCPP() Engine {
	return Engine{
		ID: "llama.cpp", Name: "llama.cpp",
		Program:   []string{"llama-server"},
		ModelFlag: "--model",
		Port:      "8080",
		Ask:       []string{"llama-server", "--version"},
		Aliases: map[string]string{
			"-m":   "--model",
			"-t":   "--threads",
			"-b":   "--batch-size",
			"-ub":  "--ubatch-size",
			"-c":   "--ctx-size",
			"-np":  "--parallel",
			"-ctk": "--cache-type-k",
			"-ctv": "--cache-type-v",
			"-fa":  "--flash-attn",
			"-ngl": "--gpu-layers",
			"-md":  "--model-draft",
		},
	}
}

// canonicalName returns the one spelling of a flag. vLLM's and SGLang's parsers
// take an underscore for a dash; TensorRT-LLM's click options do not.
func (e Engine) canonicalName(flag string) string {
	if e.ID != "tensorrt-llm" && strings.HasPrefix(flag, "--") {
		flag = strings.ReplaceAll(flag, "_", "-")
	}
	if to, ok := e.Aliases[flag]; ok {
		return to
	}
	return flag
}
