package fake

import (
	"fmt"
	"slices"
	"strings"
)

// Excerpts returns the names of the log excerpts that a rule's "log" may state.
//
//	out-of-memory     the weights do not fit
//	no-cache-memory   nothing is left for the KV cache
//	gpu-in-use        less memory is free than wanted: somebody else has it
//	bad-flag          an option that the engine does not know
//	bad-value         a value that an option does not take
//	not-supported     what is asked for is not supported
//	no-weights        the model cannot be found
//	engine-core       the engine process failed; the cause is further up in the log
func Excerpts() []string {
	var names []string
	for name := range excerptLines("vllm") {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// excerptLines are the lines by which each engine says what is wrong, as far as a
// diagnosis reads them; what stands around them is ours.
func excerptLines(engine string) map[string][]string {
	oom := "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.06 GiB is free."
	lines := map[string][]string{
		"out-of-memory":   {"Traceback (most recent call last):", `  File "fake/loader.py", line 1, in load_model`, oom},
		"no-cache-memory": {"ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine."},
		"gpu-in-use":      {"ValueError: Free memory on device (3.81/79.11 GiB) on startup is less than desired GPU memory utilization (0.9, 71.2 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes."},
		"bad-flag":        {"usage: vllm serve [model_tag] [options]", "vllm: error: unrecognized arguments: --no-such-option"},
		"bad-value":       {"usage: vllm serve [model_tag] [options]", "vllm serve: error: argument --kv-cache-dtype: invalid choice: 'fp7' (choose from auto, bfloat16, fp8)"},
		"not-supported":   {"NotImplementedError: this combination of options is not supported"},
		"no-weights":      {"OSError: models/none is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'"},
		"engine-core": {
			"(EngineCore pid=2) ERROR 01-01 00:00:09 [core.py:1] EngineCore failed to start.",
			"(EngineCore pid=2) ERROR 01-01 00:00:09 [core.py:1] Traceback (most recent call last):",
			"(EngineCore pid=2) ERROR 01-01 00:00:09 [core.py:1] " + oom,
			"(APIServer pid=1) Traceback (most recent call last):",
			"(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}",
		},
	}
	switch engine {
	case "sglang":
		lines["no-cache-memory"] = []string{"RuntimeError: Not enough memory. Please try to increase --mem-fraction-static."}
		lines["bad-flag"] = []string{"usage: launch_server.py [options]", "launch_server.py: error: unrecognized arguments: --no-such-option"}
		lines["bad-value"] = []string{"usage: launch_server.py [options]", "launch_server.py: error: argument --kv-cache-dtype: invalid choice: 'fp7' (choose from 'auto', 'fp8_e5m2')"}
		lines["engine-core"] = []string{"Scheduler hit an exception: Traceback (most recent call last):", oom, "Rank 0 scheduler is dead. Please check if there are relevant logs."}
	case "tensorrt-llm":
		lines["bad-flag"] = []string{"Usage: trtllm-serve serve [OPTIONS] MODEL", "Error: No such option: --no-such-option"}
		lines["bad-value"] = []string{"Usage: trtllm-serve serve [OPTIONS] MODEL", "Error: Invalid value for '--backend': 'none' is not one of 'pytorch', 'tensorrt'."}
		lines["engine-core"] = []string{"Traceback (most recent call last):", oom, "RuntimeError: Executor worker returned error"}
	case "llama.cpp":
		lines["out-of-memory"] = []string{"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 16384.00 MiB on device 0: cudaMalloc failed: out of memory", "llama_model_load: error loading model: unable to allocate CUDA0 buffer", "srv  llama_server: exiting due to model loading error"}
		lines["bad-flag"] = []string{"error: invalid argument: --no-such-option"}
		lines["bad-value"] = []string{`error while handling argument "-ctk": Unsupported cache type: fp7`}
		lines["no-weights"] = []string{"llama_model_load_from_file_impl: failed to load model", "srv    load_model: failed to load model, 'models/none'", "srv  llama_server: exiting due to model loading error"}
	}
	return lines
}

// excerpt returns what a rule says that the log shows.
func (r Rule) excerpt(engine string) string {
	text := r.Text
	if r.Log != "" {
		text = strings.Join(excerptLines(engine)[r.Log], "\n") + "\n" + text
	}
	return strings.TrimSuffix(text, "\n")
}

// portTaken is how an engine says that its port is in use, and the code that it ends with.
func portTaken(k config) (string, int) {
	switch k.engine.ID {
	case "llama.cpp":
		return fmt.Sprintf("srv  llama_server: couldn't bind HTTP server socket, hostname: %s, port: %d\nsrv  llama_server: exiting due to HTTP server error", k.host, k.port), 1
	case "sglang":
		return fmt.Sprintf("ERROR:    [Errno 98] error while attempting to bind on address ('%s', %d): address already in use", k.host, k.port), 1
	default:
		return "OSError: [Errno 98] Address already in use", 1
	}
}
