package server

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// sglang runs sglang.launch_server.
type sglang struct{ openAI }

var _ Driver = sglang{}

// ID returns the engine's id in study.yaml.
func (sglang) ID() string { return "sglang" }

// Launch serves under the name of this start. The port between processes is given, too:
// SGLang would choose one at random from those of outgoing connections, where it may be
// taken.
func (sglang) Launch(c study.Configuration, m machine.Profile, at Place) (Launch, error) {
	l := newLauncher(c, m, at)
	l.option("--served-model-name", at.Name)
	l.option("--host", at.Host)
	l.option("--port", strconv.Itoa(at.Port))
	l.option("--nccl-port", strconv.Itoa(at.Port+machine.PortStep/2))
	l.toggle("--enable-metrics")
	l.offline()
	return l.launch()
}

// Version is among the settings; there is no /version.
func (sglang) Version(ctx context.Context, t Target) (string, error) {
	raw, err := sglangInfo(ctx, t)
	if err != nil || raw == nil {
		return "", err
	}
	var v struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(raw, &v) // an object it is; a version of another type is none
	return v.Version, nil
}

// Metrics asks /metrics, which Launch has switched on.
func (sglang) Metrics(ctx context.Context, t Target) ([]byte, error) {
	return t.prometheus(ctx, "/metrics")
}

// Reset fails while requests are running, and says so.
func (sglang) Reset(ctx context.Context, t Target) error { return t.reset(ctx, "/flush_cache") }

// Grace allows for draining: SGLang finishes running requests after SIGTERM, and then
// sleeps five seconds more.
func (sglang) Grace() time.Duration { return 60 * time.Second }

// Dummy looks at --load-format.
func (sglang) Dummy(c study.Configuration) bool { return lastValue(c, "--load-format") == "dummy" }

// Effective returns the settings after defaults.
func (sglang) Effective(ctx context.Context, t Target) (map[string]string, []byte, error) {
	raw, err := sglangInfo(ctx, t)
	if err != nil || raw == nil {
		return nil, nil, err
	}
	return sglangEffective(settingsOf(raw)), raw, nil
}

// sglangInfo asks for the settings at their new path, then at the old one.
func sglangInfo(ctx context.Context, t Target) ([]byte, error) {
	var object map[string]json.RawMessage
	for _, path := range []string{"/server_info", "/get_server_info"} {
		raw, err := t.getJSON(ctx, path, infoWait, &object)
		if !absent(err) {
			return raw, err
		}
	}
	return nil, nil
}

// sglangEffective reads settings of SGLang, whose switches say what is off. The number
// of running requests is worked out by the scheduler where it was not given.
func sglangEffective(s settings) map[string]string {
	s.take("dtype", "dtype")
	s.take("quantization", "quantization")
	s.known("max_model_len", "context_length") // null: as long as the model's own
	s.take("kv_cache_dtype", "kv_cache_dtype")
	s.negate("prefix_caching", "disable_radix_cache")
	s.take("memory_fraction", "mem_fraction_static")
	s.known("max_num_seqs", "max_running_requests", "internal_states.0.effective_max_running_requests_per_dp")
	s.take("chunked_prefill", "chunked_prefill_size")
	s.negate("overlap_schedule", "disable_overlap_schedule")
	s.take("tensor_parallel", "tp_size")
	s.take("pipeline_parallel", "pp_size")
	s.take("data_parallel", "dp_size")
	s.take("expert_parallel", "ep_size")
	s.known("attention_backend", "attention_backend")
	s.take("sampling_backend", "sampling_backend")
	s.take("speculative", "speculative_algorithm")
	s.take("speculative_tokens", "speculative_num_draft_tokens")
	s.take("load_format", "load_format")
	s.negate("cuda_graphs", "disable_cuda_graph")
	s.take("torch_compile", "enable_torch_compile")
	s.take("schedule_policy", "schedule_policy")
	return s.out
}
