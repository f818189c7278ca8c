package server

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// vllm runs `vllm serve`.
type vllm struct{ openAI }

var _ Driver = vllm{}

// ID returns the engine's id in study.yaml.
func (vllm) ID() string { return "vllm" }

// Launch serves under the name of this start. VLLM_PORT is where the search for internal
// ports begins, not the port of the API.
//
// VLLM_SERVER_DEV_MODE adds endpoints, among them /server_info and /reset_prefix_cache,
// and changes nothing that is measured: no request passes through them. They are meant
// for no stranger, so it is set only where the server listens on the loopback.
func (vllm) Launch(c study.Configuration, m machine.Profile, at Place) (Launch, error) {
	l := newLauncher(c, m, at)
	l.option("--served-model-name", at.Name)
	l.option("--host", at.Host)
	l.option("--port", strconv.Itoa(at.Port))
	l.refuse("--uds")
	l.offline()
	l.env["VLLM_NO_USAGE_STATS"] = "1"
	l.env["VLLM_LOGGING_LEVEL"] = "INFO" // the log is read
	l.env["VLLM_PORT"] = strconv.Itoa(at.Port + 1)
	if loopback(at.Host) {
		l.env["VLLM_SERVER_DEV_MODE"] = "1"
	}
	return l.launch()
}

// Version asks /version, which answers while the engine hangs, too.
func (vllm) Version(ctx context.Context, t Target) (string, error) { return t.version(ctx, "/version") }

// Metrics asks /metrics, which is always on.
func (vllm) Metrics(ctx context.Context, t Target) ([]byte, error) {
	return t.prometheus(ctx, "/metrics")
}

// Reset sends the request. Its 200 proves nothing: with requests running the log says
// that nothing was reset; see [ResetFailed].
func (vllm) Reset(ctx context.Context, t Target) error { return t.reset(ctx, "/reset_prefix_cache") }

// Grace allows for tidying up; requests in flight are aborted at once.
func (vllm) Grace() time.Duration { return 30 * time.Second }

// Dummy looks at --load-format.
func (vllm) Dummy(c study.Configuration) bool { return lastValue(c, "--load-format") == "dummy" }

// Effective needs the development endpoints; EffectiveFromLog does without, and alone knows
// the attention backend: the endpoint has null where none was asked for, and where one was,
// the path of its class.
func (vllm) Effective(ctx context.Context, t Target) (map[string]string, []byte, error) {
	var info struct {
		Config json.RawMessage `json:"vllm_config"`
	}
	raw, err := t.getJSON(ctx, "/server_info?config_format=json", infoWait, &info)
	if absent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return vllmEffective(info.Config), raw, nil
}

// vllmEffective reads vllm_config. Versions before the JSON form answer with the text
// that they log.
func vllmEffective(config []byte) map[string]string {
	var text string
	if json.Unmarshal(config, &text) == nil {
		return vllmLogged(pythonFields(text))
	}
	s := settingsOf(config)
	s.take("dtype", "model_config.dtype")
	s.take("quantization", "model_config.quantization")
	s.known("max_model_len", "model_config.max_model_len")
	s.take("kv_cache_dtype", "cache_config.cache_dtype")
	s.take("prefix_caching", "cache_config.enable_prefix_caching")
	s.take("memory_fraction", "cache_config.gpu_memory_utilization")
	s.take("max_num_seqs", "scheduler_config.max_num_seqs")
	s.take("max_batched_tokens", "scheduler_config.max_num_batched_tokens")
	s.take("chunked_prefill", "scheduler_config.enable_chunked_prefill", "scheduler_config.chunked_prefill_enabled")
	s.take("async_scheduling", "scheduler_config.async_scheduling")
	s.take("tensor_parallel", "parallel_config.tensor_parallel_size")
	s.take("pipeline_parallel", "parallel_config.pipeline_parallel_size")
	s.take("data_parallel", "parallel_config.data_parallel_size")
	s.take("expert_parallel", "parallel_config.enable_expert_parallel")
	s.take("speculative", "speculative_config.method", "speculative_config")
	s.take("speculative_tokens", "speculative_config.num_speculative_tokens")
	s.take("load_format", "load_config.load_format")
	s.negate("cuda_graphs", "model_config.enforce_eager")
	s.take("cuda_graph_mode", "compilation_config.cudagraph_mode")
	return s.out
}

// vllmLogged reads the fields of the log's line on the configuration of the engine.
func vllmLogged(fields map[string]string) map[string]string {
	s := settings{fields: fields, out: map[string]string{}}
	s.take("dtype", "dtype")
	s.take("quantization", "quantization")
	s.take("max_model_len", "max_seq_len")
	s.take("kv_cache_dtype", "kv_cache_dtype")
	s.take("prefix_caching", "enable_prefix_caching")
	s.take("memory_fraction", "gpu_memory_utilization")
	s.take("max_num_seqs", "max_num_seqs")
	s.take("chunked_prefill", "enable_chunked_prefill", "chunked_prefill_enabled")
	s.take("tensor_parallel", "tensor_parallel_size")
	s.take("pipeline_parallel", "pipeline_parallel_size")
	s.take("data_parallel", "data_parallel_size")
	s.take("speculative", "speculative_config")
	s.take("load_format", "load_format")
	s.negate("cuda_graphs", "enforce_eager")
	return s.out
}

// What the log says of the configuration in force.
var (
	vllmConfigLine    = regexp.MustCompile(`Initializing an? (?:V1 )?LLM engine .*?with config: (.*)`)
	vllmArgsLine      = regexp.MustCompile(`non-default args: (\{.*)`)
	vllmBackendLine   = regexp.MustCompile(`Using (?:AttentionBackendEnum\.)?([A-Za-z0-9_]+)(?: attention)? backend(?: out of| on V1 engine|\.)`)
	vllmAttentionLine = regexp.MustCompile(`Using ([A-Z0-9_]+) attention backend`)
	vllmBatchedLine   = regexp.MustCompile(`Chunked prefill is enabled with max_num_batched_tokens=(\d+)`)
)

// vllmFromLog reads the configuration of the engine after defaults, and of the options
// that were given those which that line leaves out.
func vllmFromLog(log []byte) map[string]string {
	out := map[string]string{}
	given := vllmLogged(pythonFields(find(log, vllmArgsLine)))
	for _, name := range []string{"max_num_seqs", "memory_fraction"} {
		if v, ok := given[name]; ok {
			out[name] = v
		}
	}
	for name, v := range vllmLogged(pythonFields(find(log, vllmConfigLine))) {
		out[name] = v
	}
	if v := first(find(log, vllmAttentionLine), find(log, vllmBackendLine)); v != "" {
		out["attention_backend"] = v
	}
	if v := find(log, vllmBatchedLine); v != "" {
		out["max_batched_tokens"] = v
	}
	return out
}
