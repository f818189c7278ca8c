package fake

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// scrape is Prometheus' text format. Nothing in it is a time of this machine.
type scrape struct {
	strings.Builder
	labels string
}

func (c *scrape) add(kind, name string, value float64, help string) {
	fmt.Fprintf(c, "# HELP %s %s\n# TYPE %s %s\n%s%s %s\n", name, help, name, kind, name, c.labels, python(value))
}

// python prints a number as Python's client does: whole numbers with .0 behind.
func python(f float64) string {
	s := fmt.Sprintf("%.6f", f)
	s = strings.TrimRight(s, "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}

func (c *scrape) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	fmt.Fprint(w, c.String())
}

func (s *Server) metricsVLLM(w http.ResponseWriter, r *http.Request) {
	n := s.counted()
	c := &scrape{labels: fmt.Sprintf(`{engine="0",model_name=%s}`, quote(s.served))}
	c.add("gauge", "vllm:num_requests_running", float64(n.running), "Number of requests in model execution batches.")
	c.add("gauge", "vllm:num_requests_waiting", 0, "Number of requests waiting to be processed.")
	c.add("gauge", "vllm:kv_cache_usage_perc", 0, "KV-cache usage. 1 means 100 percent usage.")
	queries := 0.0
	if s.caching {
		queries = float64(n.prompt)
	}
	c.add("counter", "vllm:prefix_cache_queries_total", queries, "Prefix cache queries, in terms of number of queried tokens.")
	c.add("counter", "vllm:prefix_cache_hits_total", float64(n.cached), "Prefix cache hits, in terms of number of cached tokens.")
	c.add("counter", "vllm:num_preemptions_total", 0, "Cumulative number of preemption from the engine.")
	c.add("counter", "vllm:prompt_tokens_total", float64(n.prompt), "Number of prefill tokens processed.")
	c.add("counter", "vllm:prompt_tokens_cached_total", float64(n.cached), "Number of cached prompt tokens.")
	c.add("counter", "vllm:generation_tokens_total", float64(n.generated), "Number of generation tokens processed.")
	if s.drafted > 0 {
		drafts := n.steps - n.succeeded
		c.add("counter", "vllm:spec_decode_num_drafts_total", float64(drafts), "Number of spec decoding drafts.")
		c.add("counter", "vllm:spec_decode_num_draft_tokens_total", float64(drafts*s.drafted), "Number of draft tokens.")
		c.add("counter", "vllm:spec_decode_num_accepted_tokens_total", float64(n.generated-n.steps), "Number of accepted tokens.")
	}
	c.add("counter", "vllm:time_to_first_token_seconds_count", float64(n.succeeded), "Count of time to first token in seconds.")
	c.add("counter", "vllm:time_to_first_token_seconds_sum", n.first.Seconds(), "Sum of time to first token in seconds.")
	c.add("counter", "vllm:e2e_request_latency_seconds_count", float64(n.succeeded), "Count of e2e request latency in seconds.")
	c.add("counter", "vllm:e2e_request_latency_seconds_sum", n.whole.Seconds(), "Sum of e2e request latency in seconds.")
	c.labels = fmt.Sprintf(`{engine="0",finished_reason="length",model_name=%s}`, quote(s.served))
	c.add("counter", "vllm:request_success_total", float64(n.succeeded), "Count of successfully processed requests.")
	c.send(w)
}

func (s *Server) metricsSGLang(w http.ResponseWriter, r *http.Request) {
	n := s.counted()
	c := &scrape{labels: fmt.Sprintf(`{engine_type="unified",model_name=%s}`, quote(s.served))}
	c.add("counter", "sglang:prompt_tokens_total", float64(n.prompt), "Number of prefill tokens processed.")
	c.add("counter", "sglang:generation_tokens_total", float64(n.generated), "Number of generation tokens processed.")
	c.add("counter", "sglang:num_requests_total", float64(n.succeeded), "Number of requests processed.")
	c.add("counter", "sglang:cached_tokens_total", float64(n.cached), "Number of cached prompt tokens.")
	c.add("gauge", "sglang:num_running_reqs", float64(n.running), "The number of running requests.")
	c.add("gauge", "sglang:num_queue_reqs", 0, "The number of requests in the waiting queue.")
	c.add("gauge", "sglang:token_usage", 0, "The token usage.")
	c.add("gauge", "sglang:gen_throughput", 0, "The generation throughput (token/s).")
	c.add("gauge", "sglang:cache_hit_rate", 0, "The prefix cache hit rate.")
	accepted := 0.0
	if s.drafted > 0 && n.steps > 0 {
		accepted = float64(n.generated) / float64(n.steps)
	}
	c.add("gauge", "sglang:spec_accept_length", accepted, "The average acceptance length of speculative decoding.")
	c.send(w)
}

func (s *Server) metricsLlama(w http.ResponseWriter, r *http.Request) {
	if !s.has("--metrics") {
		answer(w, http.StatusNotImplemented, map[string]any{"error": map[string]any{"code": 501,
			"message": "This server does not support metrics endpoint. Start it with `--metrics`", "type": "not_supported_error"}})
		return
	}
	n := s.counted()
	c := &scrape{}
	c.add("counter", "llamacpp:prompt_tokens_total", float64(n.prompt-n.cached), "Number of prompt tokens processed, excluding cached tokens")
	c.add("counter", "llamacpp:prompt_tokens_cached_total", float64(n.cached), "Number of prompt tokens reused from the cache")
	c.add("counter", "llamacpp:tokens_predicted_total", float64(n.generated), "Number of generation tokens processed")
	c.add("counter", "llamacpp:n_decode_total", float64(n.steps), "Total number of llama_decode() calls, excluding speculative decoding and multimodal decoding")
	c.add("gauge", "llamacpp:requests_processing", float64(n.running), "Number of requests processing")
	c.add("gauge", "llamacpp:requests_deferred", 0, "Number of requests deferred")
	c.send(w)
}

// iteration is what TensorRT-LLM's statistics say; here each tells of one request.
type iteration struct {
	input, output, cached int
	took                  time.Duration
}

func (n iteration) compare(m iteration) int {
	return cmp.Or(cmp.Compare(n.took, m.took), cmp.Compare(n.input, m.input), cmp.Compare(n.output, m.output), cmp.Compare(n.cached, m.cached))
}

// statsTensorRT answers with the statistics since they were last asked for, which are
// then gone.
func (s *Server) statsTensorRT(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	drawn, running := s.drawn, s.counts.running
	s.drawn = nil
	s.mu.Unlock()
	slices.SortFunc(drawn, iteration.compare) // requests at once come in any order
	const block = 32
	list := []any{}
	for i, n := range drawn {
		list = append(list, map[string]any{
			"iter": i + 1, "iterLatencyMS": n.took.Seconds() * 1e3, "numActiveRequests": running, "numQueuedRequests": 0, "maxNumActiveRequests": s.batch,
			"inflightBatchingStats": map[string]any{"numContextRequests": 1, "numCtxTokens": n.input - n.cached, "numGenRequests": 1},
			"kvCacheStats": map[string]any{"tokensPerBlock": block, "reusedBlocks": n.cached / block, "missedBlocks": (n.input - n.cached + block - 1) / block,
				"cacheHitRate": float64(n.cached) / float64(n.input)},
		})
	}
	answer(w, http.StatusOK, list)
}
