package fake

import (
	"fmt"
	"net/http"
)

// routeTensorRT has no counters that can be read without losing them, and nothing that
// drops the cache.
func (s *Server) routeTensorRT() {
	s.routes.HandleFunc("GET /health_generate", s.health)
	s.routes.HandleFunc("GET /version", s.version)
	s.routes.HandleFunc("GET /metrics", s.statsTensorRT)
	s.routes.HandleFunc("GET /server_info", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, map[string]any{"disaggregated_params": nil})
	})
}

func (k config) logTensorRT() []string {
	at := func(format string, args ...any) string {
		return "[01/01/2026-00:00:10] [TRT-LLM] [I] " + fmt.Sprintf(format, args...)
	}
	return []string{
		"[TensorRT-LLM] TensorRT LLM version: " + k.speed.version + ", a fake engine of benchguide",
		at("Using LLM with PyTorch backend"),
		at("Loading %s: %.2f GiB", k.model, k.shape.Parameters()*k.precision.Weights/float64(k.shards)/(1<<30)),
		at("Max KV cache blocks per sequence: %d [window size=%d], tokens per block=32", k.context/32, k.context),
		at("[MemUsageChange] Allocated for max tokens in paged KV cache (%d).", k.cacheTokens()),
		"INFO:     Started server process [1]",
		"INFO:     Waiting for application startup.",
	}
}

// readyTensorRT is uvicorn's line; the one with the address follows it.
const readyTensorRT = "INFO:     Application startup complete."

func (k config) stopTensorRT() []string {
	return []string{
		"INFO:     Shutting down",
		"INFO:     Waiting for application shutdown.",
		"INFO:     Application shutdown complete.",
		"INFO:     Finished server process [1]",
	}
}
