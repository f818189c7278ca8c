package fake

import (
	"fmt"
	"net/http"
	"strings"
)

func (s *Server) routeVLLM() {
	s.routes.HandleFunc("GET /ping", s.health)
	s.routes.HandleFunc("GET /version", s.version)
	s.routes.HandleFunc("GET /metrics", s.metricsVLLM)
	s.routes.HandleFunc("POST /tokenize", s.tokenize)
	if s.options.DevMode {
		s.routes.HandleFunc("GET /server_info", s.infoVLLM)
		s.routes.HandleFunc("POST /reset_prefix_cache", s.resetVLLM)
	}
}

func (s *Server) version(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{"version": s.speed.version})
}

// resetVLLM answers 200 in any case, as vLLM does; with requests running nothing is
// reset, and only the log says so.
func (s *Server) resetVLLM(w http.ResponseWriter, r *http.Request) {
	if n := s.counted().running; n > 0 {
		s.say("(EngineCore pid=2) WARNING 01-01 00:10:00 [block_pool.py:1] Failed to reset prefix cache because some blocks (%d) are not freed yet", n)
		return
	}
	s.dropCache()
}

func (s *Server) infoVLLM(w http.ResponseWriter, r *http.Request) {
	option := func(name string) any {
		if v, ok := s.value(name); ok {
			return v
		}
		return nil
	}
	kv := option("--kv-cache-dtype")
	if kv == nil {
		kv = "auto"
	}
	answer(w, http.StatusOK, map[string]any{
		"vllm_config": map[string]any{
			"model_config":       map[string]any{"model": s.model, "served_model_name": s.served, "max_model_len": s.context, "quantization": option("--quantization"), "enforce_eager": s.eager},
			"cache_config":       map[string]any{"cache_dtype": kv, "block_size": 16, "enable_prefix_caching": s.caching},
			"parallel_config":    map[string]any{"tensor_parallel_size": s.shards, "data_parallel_size": s.replicas},
			"scheduler_config":   map[string]any{"max_num_seqs": s.batch},
			"speculative_config": option("--speculative-config"),
		},
		"vllm_env":   map[string]any{"VLLM_SERVER_DEV_MODE": true},
		"system_env": map[string]any{"benchguide": "fake engine: a rehearsal"},
	})
}

// logVLLM is what vLLM logs while it starts, as far as somebody reads it.
func (k config) logVLLM() []string {
	api := func(format string, args ...any) string {
		return "(APIServer pid=1) INFO 01-01 00:00:00 " + fmt.Sprintf(format, args...)
	}
	core := func(format string, args ...any) string {
		return "(EngineCore pid=2) INFO 01-01 00:00:10 " + fmt.Sprintf(format, args...)
	}
	cache := k.cacheTokens()
	return []string{
		api("[api_utils.py:345] version %s, a fake engine of benchguide", k.speed.version),
		api("[api_utils.py:273] non-default args: {%s}", k.pythonArguments()),
		api("[model.py:1788] Using max model len %d", k.context),
		core("[core.py:116] Initializing a V1 LLM engine (v%s) with config: model=%s", k.speed.version, pythonText(k.model)),
		core("[gpu_model_runner.py:1] Loading model from scratch..."),
		core("[gpu_model_runner.py:1] Model loading took %.2f GiB and 4.000000 seconds", k.shape.Parameters()*k.precision.Weights/float64(k.shards)/(1<<30)),
		core("[kv_cache_utils.py:2177] GPU KV cache size: %s tokens", grouped(cache)),
		core("[kv_cache_utils.py:2178] Maximum concurrency for %s tokens per request: %.2fx", grouped(k.context), float64(cache)/float64(k.context)),
		core("[core.py:340] init engine (profile, create kv cache, warmup model) took 20.00 s (compilation: 6.00 s)"),
		api("[api_server.py:677] Starting vLLM server on http://%s:%d", k.host, k.port),
		"(APIServer pid=1) INFO:     Started server process [1]",
		"(APIServer pid=1) INFO:     Waiting for application startup.",
	}
}

const readyVLLM = "(APIServer pid=1) INFO:     Application startup complete."

func (k config) stopVLLM() []string {
	shutdown, _ := k.value("--shutdown-timeout")
	if shutdown == "" {
		shutdown = "0"
	}
	return []string{
		"(APIServer pid=1) INFO 01-01 01:00:00 [launcher.py:100] [shutdown] API server: shutdown triggered",
		"(APIServer pid=1) INFO 01-01 01:00:00 [launcher.py:116] [shutdown] API server: stopping engine client mode=abort timeout=" + shutdown + "s",
		"(EngineCore pid=2) INFO 01-01 01:00:00 [core.py:1326] [shutdown] EngineCore: exiting busy loop",
		"(APIServer pid=1) INFO:     Shutting down",
		"(APIServer pid=1) INFO:     Waiting for application shutdown.",
		"(APIServer pid=1) INFO:     Application shutdown complete.",
	}
}

// cacheTokens is how much the KV cache holds beside the weights. A configuration that
// does not fit holds a little: what does not fit is told by a script, not by this.
func (k config) cacheTokens() int {
	const share = 0.9 // of the memory that is used
	free := k.gpu.Memory*1e9*float64(k.shards)*share - k.shape.Parameters()*k.precision.Weights
	return max(int(free/k.shape.KVBytesPerToken(k.precision.KV)), 2*k.context)
}

// pythonArguments prints the options as vLLM's log does.
func (k config) pythonArguments() string {
	args := []string{"'model_tag': " + pythonText(k.model), "'model': " + pythonText(k.model)}
	for _, f := range k.engine.Canonical(k.command) {
		name := strings.ReplaceAll(strings.TrimLeft(f.Name, "-"), "-", "_")
		value := "True"
		if f.HasValue {
			value = pythonValue(f.Value)
		}
		if name == "served_model_name" {
			value = "[" + value + "]"
		}
		args = append(args, pythonText(name)+": "+value)
	}
	return strings.Join(args, ", ")
}

func pythonText(s string) string { return "'" + strings.ReplaceAll(s, "'", `\'`) + "'" }

// pythonValue leaves numbers and objects as they are.
func pythonValue(s string) string {
	if s != "" && strings.Trim(s, "0123456789.") == "" || strings.HasPrefix(s, "{") {
		return s
	}
	return pythonText(s)
}

// grouped prints a number with commas.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
