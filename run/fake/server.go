package fake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Server is a fake engine's HTTP side. Its methods may be called from many goroutines.
type Server struct {
	config
	simulator simulator
	faults    faults
	options   Options
	routes    *http.ServeMux
	log       io.Writer
	died      chan int // the exit code, once, when the engine dies under load

	mu     sync.Mutex
	phase  phase
	seen   map[string]bool // prompts in the prefix cache
	counts counts
	drawn  []iteration // of TensorRT-LLM, since they were read
}

// phase is how far the engine is.
type phase int

const (
	loading phase = iota
	ready
	stopping
	dead
)

// counts is what the engine counts since its start. All of it grows by amounts that do not
// depend on the order of requests, so that it is the same after every rehearsal.
type counts struct {
	asked             int // requests for tokens, failed ones too
	running           int
	succeeded         int
	prompt, generated int // tokens
	cached            int // tokens of prompts found in the cache
	steps             int
	first, whole      time.Duration // sums of times to the first token and to the end
}

var _ http.Handler = (*Server)(nil)

// New returns a fake engine that is ready: a handler with the endpoints of the engine
// that the command starts.
func New(o Options) (*Server, error) {
	s, err := newServer(o, io.Discard)
	if err != nil {
		return nil, err
	}
	s.setPhase(ready)
	return s, nil
}

func newServer(o Options, log io.Writer) (*Server, error) {
	k, err := understand(o)
	if err != nil {
		return nil, err
	}
	f := faultsOf(o.Script, k, o.Starts)
	if r, ok := f.find(WrongName); ok {
		k.served = r.Name
	}
	factor := 1.0
	if r, ok := f.find(Speed); ok {
		factor = r.Factor
	}
	s := &Server{config: k, simulator: newSimulator(k, o.Seed, factor), faults: f, options: o,
		log: log, died: make(chan int, 1), seen: map[string]bool{}, routes: http.NewServeMux()}
	s.route()
	return s, nil
}

// as returns the same engine under another name: what answers when a forgotten server
// has the port, too.
func (s *Server) as(name string) http.Handler {
	twin := &Server{config: s.config, simulator: s.simulator, options: s.options, log: io.Discard,
		died: make(chan int, 1), seen: map[string]bool{}, routes: http.NewServeMux(), phase: ready}
	twin.served = name
	twin.route()
	return twin
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// route sets up the endpoints that the engine has, and those that its options add.
func (s *Server) route() {
	s.routes.HandleFunc("GET /health", s.health)
	s.routes.HandleFunc("GET /v1/models", s.models)
	s.routes.HandleFunc("POST /v1/completions", s.completions)
	s.routes.HandleFunc("POST /v1/chat/completions", s.chat)
	s.routes.HandleFunc("/", s.notFound)
	switch s.engine.ID {
	case "vllm":
		s.routeVLLM()
	case "sglang":
		s.routeSGLang()
	case "tensorrt-llm":
		s.routeTensorRT()
	case "llama.cpp":
		s.routeLlama()
	}
}

func (s *Server) setPhase(p phase) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = p
}

func (s *Server) at() phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase
}

func (s *Server) counted() counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.at() != ready && s.engine.ID == "llama.cpp":
		answer(w, http.StatusServiceUnavailable, map[string]any{"error": map[string]any{"message": "Loading model", "type": "unavailable_error", "code": 503}})
	case s.at() != ready:
		w.WriteHeader(http.StatusServiceUnavailable)
	case s.engine.ID == "llama.cpp":
		answer(w, http.StatusOK, map[string]any{"status": "ok"})
	}
}

// models answers with the one name. The time of creation is a fixed one.
func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	if s.at() == loading {
		s.health(w, r)
		return
	}
	m := map[string]any{"id": s.served, "object": "model", "created": created, "owned_by": s.engine.ID, "root": s.model, "parent": nil, "max_model_len": s.context}
	switch s.engine.ID {
	case "tensorrt-llm":
		m = map[string]any{"id": s.served, "object": "model", "created": created, "owned_by": "tensorrt_llm"}
	case "llama.cpp":
		m = map[string]any{"id": s.served, "aliases": []string{s.served}, "object": "model", "created": created, "owned_by": "llamacpp",
			"meta": map[string]any{"n_ctx": s.context, "n_ctx_train": defaultContext, "n_embd": s.shape.Hidden, "n_params": int64(s.shape.Parameters())}}
	}
	answer(w, http.StatusOK, map[string]any{"object": "list", "data": []any{m}})
}

// created is the time that all answers bear.
const created = 1767225600 // 2026-01-01

// tokenize takes a text in vLLM's and SGLang's field, or in llama.cpp's.
func (s *Server) tokenize(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Prompt  *string `json:"prompt"`
		Content *string `json:"content"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		s.refuse(w, http.StatusBadRequest, "BadRequestError", "the body is no JSON object with a text: "+err.Error())
		return
	}
	text := asked.Prompt
	if text == nil || s.engine.ID == "llama.cpp" {
		text = asked.Content
	}
	if text == nil {
		s.refuse(w, http.StatusBadRequest, "BadRequestError", "no text to tokenize")
		return
	}
	ids := []uint64{}
	for _, t := range tokens(*text) {
		ids = append(ids, hash(t)%150000)
	}
	if s.engine.ID == "llama.cpp" {
		answer(w, http.StatusOK, map[string]any{"tokens": ids})
		return
	}
	answer(w, http.StatusOK, map[string]any{"count": len(ids), "max_model_len": s.context, "tokens": ids, "token_strs": nil})
}

// dropCache empties the prefix cache.
func (s *Server) dropCache() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.seen)
}

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	if s.engine.ID == "llama.cpp" {
		answer(w, http.StatusNotFound, map[string]any{"error": map[string]any{"message": "File Not Found", "type": "not_found_error", "code": 404}})
		return
	}
	answer(w, http.StatusNotFound, map[string]any{"detail": "Not Found"})
}

// refuse answers with an error in the shape of the engine.
func (s *Server) refuse(w http.ResponseWriter, status int, kind, message string) {
	e := map[string]any{"message": message, "type": kind, "param": nil, "code": status}
	if s.engine.ID == "sglang" {
		e["object"] = "error"
		answer(w, status, e)
		return
	}
	answer(w, status, map[string]any{"error": e})
}

func answer(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text) // who has gone away does not miss it
}

// say writes a line to the log. Lines of several requests do not mix: one write each.
func (s *Server) say(format string, args ...any) { fmt.Fprintf(s.log, format+"\n", args...) }
