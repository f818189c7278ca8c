package fake

import (
	"fmt"
	"net/http"
)

func (s *Server) routeLlama() {
	s.routes.HandleFunc("GET /props", s.props)
	s.routes.HandleFunc("GET /slots", s.slots)
	s.routes.HandleFunc("GET /metrics", s.metricsLlama)
	s.routes.HandleFunc("POST /tokenize", s.tokenize)
	s.routes.HandleFunc("GET /models", s.models)
}

func (s *Server) props(w http.ResponseWriter, r *http.Request) {
	if s.at() == loading {
		s.health(w, r)
		return
	}
	answer(w, http.StatusOK, map[string]any{
		"default_generation_settings": map[string]any{"params": map[string]any{"n_predict": -1, "temperature": 0.8}, "n_ctx": s.context},
		"total_slots":                 s.batch, "model_alias": s.served, "model_path": s.model,
		"endpoint_slots": true, "endpoint_props": false, "endpoint_metrics": s.has("--metrics"),
		"chat_template": "", "build_info": s.speed.version + "-fake", "is_sleeping": false,
	})
}

func (s *Server) slots(w http.ResponseWriter, r *http.Request) {
	list := []any{}
	for i := range min(s.batch, 1024) {
		list = append(list, map[string]any{"id": i, "n_ctx": s.context, "speculative": s.drafted > 0, "is_processing": i < s.counted().running})
	}
	answer(w, http.StatusOK, list)
}

func (k config) logLlama() []string {
	return []string{
		"0.00.001.000 I srv  llama_server: initializing ... (a fake engine of benchguide, build " + k.speed.version + ")",
		fmt.Sprintf("0.00.007.000 I srv    load_model: loading model '%s'", k.model),
		fmt.Sprintf("0.00.061.000 I srv    load_model: initializing, n_slots = %d, n_ctx_slot = %d, kv_unified = 'false'", k.batch, k.context),
		"0.00.064.000 I srv  llama_server: model loaded",
	}
}

func (k config) readyLlama() string {
	return fmt.Sprintf("0.00.064.100 I srv  llama_server: listening on http://%s:%d", k.host, k.port)
}

func (k config) stopLlama() []string {
	return []string{"0.00.299.000 I srv    operator(): operator(): cleaning up before exit..."}
}
