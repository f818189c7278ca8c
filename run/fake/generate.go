package fake

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// asked is the body of a request for tokens, as far as it matters here.
type asked struct {
	Model         string          `json:"model"`
	Prompt        json.RawMessage `json:"prompt"`
	Messages      []message       `json:"messages"`
	MaxTokens     int             `json:"max_tokens"`
	MaxCompletion int             `json:"max_completion_tokens"`
	IgnoreEOS     bool            `json:"ignore_eos"`
	Stream        bool            `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

const (
	// defaultOutput is how long an answer is if nobody says so.
	defaultOutput = 16
	// templateTokens are what a chat template adds to a prompt.
	templateTokens = 8
)

// The two APIs differ in how the prompt is stated and in the shape of the answer.

func (s *Server) completions(w http.ResponseWriter, r *http.Request) { s.generate(w, r, false) }

func (s *Server) chat(w http.ResponseWriter, r *http.Request) { s.generate(w, r, true) }

// generate answers a request for tokens, or shows what goes wrong with it.
func (s *Server) generate(w http.ResponseWriter, r *http.Request, chat bool) {
	number, admitted, end := s.begin()
	defer end()
	var a asked
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		s.refuse(w, http.StatusBadRequest, "BadRequestError", "the body is not the JSON of this API: "+err.Error())
		return
	}
	if !admitted {
		s.refuse(w, http.StatusServiceUnavailable, "unavailable_error", "Loading model")
		return
	}
	if s.fails(w, r, number) {
		return
	}
	q, problem := s.request(r, a, chat)
	if problem != "" {
		s.refuse(w, http.StatusBadRequest, "BadRequestError", problem)
		return
	}
	// vLLM alone proves by this that it is the server that was meant.
	if a.Model != s.served && a.Model != "" && s.engine.ID == "vllm" { // the others take any name
		s.refuse(w, http.StatusNotFound, "NotFoundError", fmt.Sprintf("The model `%s` does not exist.", a.Model))
		return
	}
	reply := s.reply(q, a, chat)
	// Counted before the last byte: whoever has read the answer finds it in the counters.
	counted := func() {
		s.count(q, reply)
		end()
	}
	if a.Stream {
		s.stream(w, r, reply, counted)
	} else {
		s.whole(w, r, reply, counted)
	}
}

// begin counts a request, and returns how many there were before, whether it is admitted, and
// what ends it. Both are decided at once: a request that the counters show as running is one
// that an engine answers even if it is told to stop before it has read the whole of it.
func (s *Server) begin() (number int, admitted bool, end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.asked++
	s.counts.running++
	return s.counts.asked - 1, s.phase == ready, sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.counts.running--
	})
}

// count adds an answer that was given to what the engine counts.
func (s *Server) count(q request, a reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := a.pieces[len(a.pieces)-1].at
	s.counts.succeeded++
	s.counts.prompt += q.input
	s.counts.generated += q.output
	s.counts.cached += a.cached
	s.counts.steps += len(a.pieces)
	s.counts.first += a.pieces[0].at
	s.counts.whole += last
	s.drawn = append(s.drawn, iteration{q.input, q.output, a.cached, last})
}

// request works out what is asked for, and marks the prompt as seen.
func (s *Server) request(r *http.Request, a asked, chat bool) (request, string) {
	q := request{load: statedLoad(r.Header)}
	if chat {
		for _, m := range a.Messages {
			q.prompt += m.Role + "\n" + m.Content + "\n"
			q.input += len(tokens(m.Content))
		}
		q.input += templateTokens
	} else {
		var err string
		if q.prompt, q.input, err = promptOf(a.Prompt); err != "" {
			return q, err
		}
	}
	// Clients send the old name, the new one, or both.
	q.output = max(a.MaxTokens, a.MaxCompletion)
	if q.output <= 0 {
		q.output = defaultOutput
	}
	switch {
	case q.input == 0 || chat && len(a.Messages) == 0:
		return q, "the prompt is empty"
	case q.input+q.output > s.context:
		return q, fmt.Sprintf("This model's maximum context length is %d tokens. However, you requested %d output tokens and your prompt contains %d input tokens.", s.context, q.output, q.input)
	}
	q.output = s.length(q, a.IgnoreEOS)
	q.cached = s.remember(q.prompt)
	return q, ""
}

// promptOf takes a text, or a list of token ids as some clients send it.
func promptOf(raw json.RawMessage) (prompt string, input int, problem string) {
	// Ids make a prompt of their own, so that the cache knows them again.
	if json.Unmarshal(raw, &prompt) == nil {
		return prompt, len(tokens(prompt)), ""
	}
	var ids []int
	if json.Unmarshal(raw, &ids) == nil {
		return string(raw), len(ids), ""
	}
	return "", 0, "prompt must be a text or a list of token ids"
}

// length is how long the answer gets.
func (s *Server) length(q request, ignoreEOS bool) int {
	if r, ok := s.faults.find(ShortOutputs); ok {
		return min(q.output, orDefault(r.Tokens, 8))
	}
	if chance := hash(q.prompt); !ignoreEOS && chance%eosOdds == 0 {
		return max(1, q.output*3/4)
	}
	return q.output
}

// remember reports whether a prompt was sent before. Only whole prompts are known
// again: what a common beginning saves would depend on which request was first.
func (s *Server) remember(prompt string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[prompt] || s.faults.has(CachedPrompts)
	s.seen[prompt] = true
	return seen && s.caching
}

// cachedTokens are the tokens of a repeated prompt that are found: whole blocks of it, and
// never the last token, which must be computed.
func (s *Server) cachedTokens(q request) int {
	block := map[string]int{"vllm": 16, "tensorrt-llm": 32}[s.engine.ID]
	if !q.cached {
		return 0
	}
	return (q.input - 1) / max(block, 1) * max(block, 1)
}

// statedLoad reads what the client says of its load; one request at a time if it says
// nothing.
func statedLoad(h http.Header) load {
	number := func(name string) float64 {
		f, err := strconv.ParseFloat(h.Get(name), 64)
		if err != nil || !(f > 0 && f < 1e9) {
			return 0
		}
		return f
	}
	return load{inFlight: max(number(LoadHeader), 1), rate: number(RateHeader)}
}

// The headers by which our client states its load.
const (
	LoadHeader = "X-Benchguide-Load"
	RateHeader = "X-Benchguide-Rate"
)

// fails shows the faults that a request meets.
func (s *Server) fails(w http.ResponseWriter, r *http.Request, number int) bool {
	if s.faults.has(NoTokens) {
		s.hang(w, r)
		return true
	}
	// From here on the first requests are answered well: a fault after them finds a run that
	// has trusted the server.
	if f, ok := s.faults.find(Hang); ok && number >= f.After {
		s.hang(w, r)
		return true
	}
	if f, ok := s.faults.find(Errors); ok && number >= f.After {
		s.refuse(w, orDefault(f.Status, http.StatusInternalServerError), "InternalServerError", "told to fail by the script of faults")
		return true
	}
	if f, ok := s.faults.find(Die); ok && number >= f.After {
		s.die(w, f)
		return true
	}
	return false
}

// orDefault takes what a rule leaves out for its default.
func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// hang accepts a request and never answers it: headers are sent, as engines do it.
func (s *Server) hang(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush(w)
	for s.sleep(r.Context(), 10*time.Second, leastSleep) {
		if s.engine.ID == "vllm" {
			s.say("(APIServer pid=1) INFO 01-01 00:10:00 [loggers.py:310] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.0 tokens/s, "+
				"Running: %d reqs, Waiting: 0 reqs, GPU KV cache usage: 0.1%%, Prefix cache hit rate: 0.0%%", s.counted().running)
		}
	}
}

// leastSleep keeps a hang from filling the log where time is not waited for.
const leastSleep = 200 * time.Millisecond

// sleep waits for a simulated time, but at least so long really, and reports whether
// nobody ended it.
func (s *Server) sleep(ctx context.Context, d, least time.Duration) bool {
	timer := time.NewTimer(max(time.Duration(float64(d)*s.options.TimeScale), least))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// flush sends what was written so far, where the connection can.
func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// die ends the engine under load: what is under way gets an error or nothing.
func (s *Server) die(w http.ResponseWriter, f Rule) {
	s.mu.Lock()
	first := s.phase != dead
	s.phase = dead
	s.mu.Unlock()
	if first {
		s.say("%s", strings.Join(deathLines(s.engine.ID), "\n"))
	}
	s.refuse(w, http.StatusInternalServerError, "InternalServerError", "EngineCore encountered an issue. See stack trace (above) for the root cause.")
	// The answer is sent before the process ends: some clients see it, some only the end.
	if first && !f.Stay {
		flush(w)
		s.died <- f.Code
	}
}

// deathLines are what the engines log when they die under load.
func deathLines(engine string) []string {
	switch engine {
	case "sglang":
		return []string{"[2026-01-01 00:10:00] Scheduler hit an exception: Traceback (most recent call last):",
			"torch.AcceleratorError: CUDA error: an illegal memory access was encountered",
			"[2026-01-01 00:10:00] SIGQUIT received. signum=None, frame=None. It usually means one child failed."}
	case "tensorrt-llm":
		return []string{"[TRT-LLM] [E] Executor loop crashed on this rank", "RuntimeError: CUDA error: an illegal memory access was encountered"}
	case "llama.cpp":
		return []string{"CUDA error: an illegal memory access was encountered", "ggml-cuda.cu:1: CUDA error"}
	default:
		return []string{"(EngineCore pid=2) ERROR 01-01 00:10:00 [core.py:1] EngineCore encountered a fatal error.",
			"(EngineCore pid=2) ERROR 01-01 00:10:00 [core.py:1] torch.AcceleratorError: CUDA error: an illegal memory access was encountered",
			"(APIServer pid=1) ERROR 01-01 00:10:00 [async_llm.py:1] AsyncLLM output_handler failed.",
			"(APIServer pid=1) vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause."}
	}
}
