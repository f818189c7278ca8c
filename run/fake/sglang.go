package fake

import (
	"fmt"
	"net/http"
	"strings"
)

func (s *Server) routeSGLang() {
	s.routes.HandleFunc("GET /health_generate", s.health)
	s.routes.HandleFunc("POST /tokenize", s.tokenize)
	s.routes.HandleFunc("GET /server_info", s.infoSGLang)
	s.routes.HandleFunc("GET /get_server_info", s.infoSGLang)
	s.routes.HandleFunc("GET /model_info", s.modelSGLang)
	s.routes.HandleFunc("GET /get_model_info", s.modelSGLang)
	s.routes.HandleFunc("POST /flush_cache", s.flushSGLang)
	s.routes.HandleFunc("GET /flush_cache", s.flushSGLang)
	if s.has("--enable-metrics") {
		s.routes.HandleFunc("GET /metrics", s.metricsSGLang)
	}
}

func (s *Server) modelSGLang(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{"model_path": s.model, "tokenizer_path": s.model, "is_generation": true})
}

// infoSGLang is the server's arguments, flat, and what its scheduler adds.
func (s *Server) infoSGLang(w http.ResponseWriter, r *http.Request) {
	info := map[string]any{
		"model_path": s.model, "tokenizer_path": s.model, "served_model_name": s.served, "host": s.host, "port": s.port,
		"tp_size": s.shards, "dp_size": s.replicas, "disable_cuda_graph": s.eager, "disable_radix_cache": !s.caching,
		"quantization": nil, "kv_cache_dtype": "auto", "context_length": nil, "chunked_prefill_size": 8192, "schedule_policy": "fcfs",
		"speculative_algorithm": nil, "attention_backend": "fa3", "mem_fraction_static": 0.88,
	}
	for _, f := range s.engine.Canonical(s.command) {
		name := strings.ReplaceAll(strings.TrimLeft(f.Name, "-"), "-", "_")
		if f.HasValue && info[name] == nil || name == "kv_cache_dtype" || name == "attention_backend" || name == "schedule_policy" {
			info[name] = f.Value
		} else if !f.HasValue {
			info[name] = true
		}
	}
	info["version"] = s.speed.version
	info["max_total_num_tokens"] = s.cacheTokens()
	info["internal_states"] = []any{map[string]any{"effective_max_running_requests_per_dp": s.batch, "last_gen_throughput": 0.0}}
	answer(w, http.StatusOK, info)
}

// flushSGLang refuses while requests are running.
func (s *Server) flushSGLang(w http.ResponseWriter, r *http.Request) {
	if s.counted().running > 0 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintln(w, "Flush cache failed. Please check backend logs for more details.")
		return
	}
	s.dropCache()
	fmt.Fprintln(w, "Cache flushed.\nPlease check backend logs for more details. (When there are running or waiting requests, the operation will not be performed.)")
}

func (k config) logSGLang() []string {
	at := func(format string, args ...any) string {
		return "[2026-01-01 00:00:10] " + fmt.Sprintf(format, args...)
	}
	weights := k.shape.Parameters() * k.precision.Weights / float64(k.shards) / 1e9
	return []string{
		at("server_args=ServerArgs(model_path=%s, a fake engine of benchguide, %s)", pythonText(k.model), k.pythonArguments()),
		at("Init torch distributed begin."),
		at("Init torch distributed ends. elapsed=0.05 s, mem usage=0.09 GB"),
		at("Load weight begin. avail mem=%.2f GB", k.gpu.Memory),
		at("Load weight end. elapsed=4.00 s, avail mem=%.2f GB, mem usage=%.2f GB.", k.gpu.Memory-weights, weights),
		at("KV Cache is allocated. #tokens: %d", k.cacheTokens()),
		at("Capture target decode CUDA graph begin."),
		at("Capture target decode CUDA graph end. elapsed=4.00 s, mem usage=0.25 GB"),
		at("max_total_num_tokens=%d, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=%d, context_len=%d", k.cacheTokens(), k.batch, k.context),
		at("INFO:     Started server process [1]"),
		at("INFO:     Waiting for application startup."),
		at("INFO:     Application startup complete."),
		at("INFO:     Uvicorn running on http://%s:%d (Press CTRL+C to quit)", k.host, k.port),
	}
}

const readySGLang = "[2026-01-01 00:00:20] The server is fired up and ready to roll!"

func (k config) stopSGLang() []string {
	return []string{
		"[2026-01-01 01:00:00] SIGTERM received. signum=None frame=None. Draining requests and shutting down...",
		"[2026-01-01 01:00:01] Subprocess scheduler_0 (pid=2) crashed with exit code -15. Triggering SIGQUIT for cleanup...",
		"[2026-01-01 01:00:01] SIGQUIT received. signum=None, frame=None. It usually means one child failed.",
		"[2026-01-01 01:00:01] kill_process_tree called: parent_pid=1, include_parent=True, pid=1",
	}
}
