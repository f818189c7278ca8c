package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/engine"
	"benchguide/run/server"
)

// What vLLM answers to /server_info in development mode, cut to the parts that are read;
// the names are those of its configuration classes.
const vllmInfo = `{"vllm_config": {
	"model_config": {"model": "models/Qwen3-8B", "dtype": "torch.bfloat16", "quantization": null, "max_model_len": 40960, "enforce_eager": false, "seed": 0},
	"cache_config": {"block_size": 16, "gpu_memory_utilization": 0.92, "cache_dtype": "auto", "enable_prefix_caching": true, "num_gpu_blocks": 51128},
	"parallel_config": {"pipeline_parallel_size": 1, "tensor_parallel_size": 2, "data_parallel_size": 1, "enable_expert_parallel": false},
	"scheduler_config": {"max_num_batched_tokens": 8192, "max_num_seqs": 256, "enable_chunked_prefill": true, "async_scheduling": true},
	"load_config": {"load_format": "dummy"},
	"attention_config": {"backend": "vllm.v1.attention.backends.flash_attn.FlashAttentionBackend"},
	"speculative_config": {"method": "ngram", "num_speculative_tokens": 3},
	"compilation_config": {"cudagraph_mode": "FULL_AND_PIECEWISE"}},
	"vllm_env": {"VLLM_PORT": 18001}, "system_env": {"torch_version": "2.11.0+cu130"}}`

const trtMetrics = "# HELP trtllm_request_success_total Count of successfully processed requests.\n# TYPE trtllm_request_success_total counter\ntrtllm_request_success_total{model_name=\"m\"} 3.0\n"

// engines are scripts of what each engine answers when it is well. /metrics of
// TensorRT-LLM is there to be seen if it is asked, which takes its content away.
func engines(t *testing.T) map[string]map[string]answer {
	const completion = `{"id":"cmpl-1","object":"text_completion","model":"nonce-1","choices":[{"index":0,"text":" four, five","finish_reason":"length"}],"usage":{"prompt_tokens":9,"total_tokens":13,"completion_tokens":4}}`
	return map[string]map[string]answer{
		"vllm": {
			"GET /health": ok(""), "GET /v1/models": ok(data(t, "vllm-models.json")), "GET /version": ok(`{"version":"0.26.0"}`),
			"GET /server_info": ok(vllmInfo), "GET /metrics": ok("# HELP x\nvllm:prefix_cache_hits_total 1.0\n"),
			"POST /v1/completions": ok(completion), "POST /reset_prefix_cache": ok(""),
		},
		"sglang": {
			"GET /health": ok(""), "GET /v1/models": ok(data(t, "sglang-models.json")), "GET /server_info": ok(data(t, "sglang-server-info.json")),
			"GET /metrics": ok("# HELP y\nsglang:cached_tokens_total 1.0\n"), "POST /v1/completions": ok(completion),
			"POST /flush_cache": ok("Cache flushed.\nPlease check backend logs for more details.\n"),
		},
		"tensorrt-llm": {
			"GET /health": ok(""), "GET /v1/models": ok(`{"object":"list","data":[{"id":"nonce-1","object":"model","created":1,"owned_by":"tensorrt_llm"}]}`),
			"GET /version": ok(`{"version":"1.1.0"}`), "GET /server_info": ok(`{"disaggregated_params":{}}`),
			"GET /metrics": ok(`[{"iter":1}]`), "GET /prometheus/metrics": ok(trtMetrics), "POST /v1/completions": ok(completion),
		},
		"llama.cpp": {
			"GET /health": ok(`{"status":"ok"}`), "GET /v1/models": ok(data(t, "llama-models.json")), "GET /props": ok(data(t, "llama-props.json")),
			"GET /metrics": ok("# HELP llamacpp:prompt_tokens_total\nllamacpp:prompt_tokens_total 7\n"), "POST /v1/completions": ok(data(t, "llama-completion.json")),
		},
	}
}

func TestAServerThatIsWell(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		name, version string
		metrics       string
		effective     map[string]string
		info          string // the answer that it is from
	}{
		"vllm": {"Qwen/Qwen3-8B", "0.26.0", "vllm:prefix_cache_hits_total", map[string]string{
			"dtype": "bfloat16", "quantization": "none", "max_model_len": "40960", "kv_cache_dtype": "auto", "prefix_caching": "true",
			"memory_fraction": "0.92", "max_num_seqs": "256", "max_batched_tokens": "8192", "chunked_prefill": "true", "async_scheduling": "true",
			"tensor_parallel": "2", "pipeline_parallel": "1", "data_parallel": "1", "expert_parallel": "false",
			"speculative": "ngram", "speculative_tokens": "3", "load_format": "dummy", "cuda_graphs": "true", "cuda_graph_mode": "FULL_AND_PIECEWISE",
		}, vllmInfo},
		"sglang": {"Qwen/Qwen3-8B", "0.5.17", "sglang:cached_tokens_total", map[string]string{
			"dtype": "auto", "quantization": "none", "kv_cache_dtype": "auto", "prefix_caching": "true",
			"memory_fraction": "0.903", "max_num_seqs": "4096", "chunked_prefill": "8192", "overlap_schedule": "true",
			"tensor_parallel": "1", "pipeline_parallel": "1", "data_parallel": "1", "expert_parallel": "1", "attention_backend": "fa3", "sampling_backend": "flashinfer",
			"speculative": "none", "speculative_tokens": "none", "load_format": "dummy", "cuda_graphs": "true", "torch_compile": "false", "schedule_policy": "fcfs",
		}, data(t, "sglang-server-info.json")},
		"tensorrt-llm": {"nonce-1", "1.1.0", "trtllm_request_success_total", nil, `{"disaggregated_params":{}}`},
		"llama.cpp": {"bg-nonce-1", "b11669-Debian", "llamacpp:prompt_tokens_total", map[string]string{
			"dtype": "all F32", "max_model_len": "256", "max_num_seqs": "2",
		}, data(t, "llama-props.json")},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: engines(t)[id]}
			at, d, ctx := target(t, s), driver(t, id), t.Context()

			require.NoError(t, d.Live(ctx, at))
			require.NoError(t, d.Generates(ctx, at))
			names, err := d.Identify(ctx, at)
			require.NoError(t, err)
			require.Equal(t, []string{want.name}, names)
			version, err := d.Version(ctx, at)
			require.NoError(t, err)
			require.Equal(t, want.version, version)
			metrics, err := d.Metrics(ctx, at)
			require.NoError(t, err)
			require.Contains(t, string(metrics), want.metrics)
			effective, raw, err := d.Effective(ctx, at)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(want.effective, effective))
			require.Equal(t, want.info, string(raw), "the whole answer comes back as it was got")

			if id == "vllm" {
				require.Contains(t, s.calls, "GET /server_info?config_format=json")
			}
			if id == "tensorrt-llm" {
				require.NotContains(t, s.calls, "GET /metrics", "reading takes away what was read")
			}
		})
	}
}

func TestGeneratesSendsAFewTokensAtTemperatureZero(t *testing.T) {
	t.Parallel()
	for _, d := range server.All() {
		s := &script{answers: engines(t)[d.ID()]}
		require.NoError(t, d.Generates(t.Context(), target(t, s)))
		require.Len(t, s.sent, 1)
		var sent map[string]any
		require.NoError(t, json.Unmarshal([]byte(s.sent[0]), &sent))
		require.NotEmpty(t, sent["prompt"])
		delete(sent, "prompt")
		require.Empty(t, cmp.Diff(map[string]any{"model": "nonce-1", "max_tokens": 4.0, "temperature": 0.0, "ignore_eos": true, "stream": false}, sent))
	}
}

func TestGeneratesWantsTokens(t *testing.T) {
	t.Parallel()
	const chat = `{"choices":[{"index":0,"message":{"role":"assistant","content":"four"}}],"usage":{"completion_tokens":4}}`
	for _, c := range []struct {
		name    string
		answers map[string]answer
		want    string // of the error; "" for none
	}{
		{"no completions, but a chat", map[string]answer{"POST /v1/chat/completions": ok(chat)}, ""},
		{"completions refused, but a chat", map[string]answer{"POST /v1/completions": {400, `{"error":{"message":"no completions"}}`}, "POST /v1/chat/completions": ok(chat)}, ""},
		{"a chat that only thinks", map[string]answer{"POST /v1/chat/completions": ok(`{"choices":[{"message":{"content":null,"reasoning_content":"Hm"}}]}`)}, ""},
		{"text and no usage", map[string]answer{"POST /v1/completions": ok(`{"choices":[{"text":" four"}]}`)}, ""},
		{"tokens without text", map[string]answer{"POST /v1/completions": ok(`{"choices":[{"text":""}],"usage":{"completion_tokens":4}}`)}, ""},
		{"neither", nil, "/v1/chat/completions answered 404 Not Found"},
		{"no choice", map[string]answer{"POST /v1/completions": ok(`{"choices":[],"usage":{"completion_tokens":4}}`)}, "the answer holds no token"},
		{"no token", map[string]answer{"POST /v1/completions": ok(`{"choices":[{"text":""}],"usage":{"completion_tokens":0}}`)}, "the answer holds no token"},
		{"nothing", map[string]answer{"POST /v1/completions": ok("")}, "the answer is no completion"},
		{"a page", map[string]answer{"POST /v1/completions": ok("<html>\n<b>hello</b>")}, "<html> <b>hello</b>"},
		{"a dead engine", map[string]answer{"POST /v1/completions": {500, `{"error":{"message":"EngineCore encountered an issue."}}`}}, "/v1/completions answered 500 Internal Server Error: {\"error\""},
		{"loading", map[string]answer{"POST /v1/completions": {503, ""}}, "answered 503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := driver(t, "vllm").Generates(t.Context(), target(t, &script{answers: c.answers}))
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.want)
			}
		})
	}
}

func TestAServerThatLoadsDoesNotLive(t *testing.T) {
	t.Parallel()
	for _, d := range server.All() {
		err := d.Live(t.Context(), target(t, &script{answers: map[string]answer{"GET /health": {503, `{"error":{"message":"Loading model"}}`}}}))
		var status *server.StatusError
		require.ErrorAs(t, err, &status, d.ID())
		require.Equal(t, 503, status.Code)
		require.Contains(t, status.Error(), "Loading model")
	}
}

// What a server does not tell is missing, and no error: versions differ in what they have.
func TestASilentServerIsNoError(t *testing.T) {
	t.Parallel()
	for _, d := range server.All() {
		at, ctx := target(t, &script{}), t.Context()
		version, err := d.Version(ctx, at)
		require.NoError(t, err, d.ID())
		require.Empty(t, version)
		effective, raw, err := d.Effective(ctx, at)
		require.NoError(t, err, d.ID())
		require.Nil(t, effective)
		require.Nil(t, raw)
		metrics, err := d.Metrics(ctx, at)
		require.NoError(t, err, d.ID())
		require.Nil(t, metrics)
		require.ErrorIs(t, d.Reset(ctx, at), server.ErrNoReset, d.ID())
		require.Error(t, d.Live(ctx, at), "health is not optional")
		_, err = d.Identify(ctx, at)
		require.Error(t, err, "nor is the name")
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	running := answer{400, "Flush cache failed. \n"}
	for _, c := range []struct {
		engine  string
		answers map[string]answer
		want    string
	}{
		{"vllm", engines(t)["vllm"], ""},
		{"sglang", engines(t)["sglang"], ""},
		{"sglang", map[string]answer{"POST /flush_cache": running}, "/flush_cache answered 400 Bad Request: Flush cache failed."},
		{"tensorrt-llm", engines(t)["tensorrt-llm"], server.ErrNoReset.Error()},
		{"llama.cpp", engines(t)["llama.cpp"], server.ErrNoReset.Error()},
	} {
		err := driver(t, c.engine).Reset(t.Context(), target(t, &script{answers: c.answers}))
		if c.want == "" {
			require.NoError(t, err, c.engine)
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
	require.True(t, server.ResetFailed([]byte("(EngineCore pid=1) WARNING 11-30 21:00:00 [block_pool.py:366] Failed to reset prefix cache because some blocks (4) are not freed yet\n")))
	require.False(t, server.ResetFailed([]byte("(EngineCore pid=1) INFO 11-30 21:00:00 [block_pool.py:378] Successfully reset prefix cache\n")))
}

// Older servers have the same under another path, or in another form.
func TestOlderAnswersAreRead(t *testing.T) {
	t.Parallel()
	at := target(t, &script{answers: map[string]answer{"GET /get_server_info": ok(`{"attention_backend": "flashinfer", "disable_radix_cache": true, "version": "0.4.6", "max_running_requests": 48}`)}})
	got, _, err := driver(t, "sglang").Effective(t.Context(), at)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(map[string]string{"attention_backend": "flashinfer", "prefix_caching": "false", "max_num_seqs": "48"}, got))
	version, err := driver(t, "sglang").Version(t.Context(), at)
	require.NoError(t, err)
	require.Equal(t, "0.4.6", version)

	at = target(t, &script{answers: map[string]answer{"GET /server_info": ok(`{"vllm_config": "model='m', speculative_config=None, dtype=torch.float16, max_seq_len=2048, tensor_parallel_size=4, enforce_eager=True, x={'a': [1, 2], 'b': ')'}, enable_prefix_caching=False"}`)}})
	got, _, err = driver(t, "vllm").Effective(t.Context(), at)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(map[string]string{"speculative": "none", "dtype": "float16", "max_model_len": "2048", "tensor_parallel": "4", "cuda_graphs": "false", "prefix_caching": "false"}, got))
}

// What was left to the engine is not known from its settings, and what is off is off.
func TestSettingsThatAreLeftOpen(t *testing.T) {
	t.Parallel()
	at := target(t, &script{answers: map[string]answer{"GET /server_info": ok(`{"vllm_config": {"model_config": {"quantization": null, "enforce_eager": true}, "attention_config": {"backend": null}, "speculative_config": {"model": "d", "n": [1, true]}}}`)}})
	got, _, err := driver(t, "vllm").Effective(t.Context(), at)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(map[string]string{"quantization": "none", "cuda_graphs": "false", "speculative": `{"model":"d","n":[1,true]}`}, got))
}

func TestMetricsOfAnotherFormatAreNone(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`[{"iter": 1}]`, `{"a": 1}`, "<html>", "", " \n", `"x"`} {
		got, err := driver(t, "vllm").Metrics(t.Context(), target(t, &script{answers: map[string]answer{"GET /metrics": ok(body)}}))
		require.NoError(t, err)
		require.Nil(t, got, body)
	}
}

// Garbage is an error that shows its beginning, and never a panic.
func TestGarbageIsSaidToBeGarbage(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "\x00\xff", "null", "[]", "42", `"x"`, strings.Repeat("[", 20000), `{"data": 3}`, `{"data": [{"id": 3}]}`, `{"vllm_config": 3}`, `{"version": []}`, `{"internal_states": [3]}`} {
		for _, d := range server.All() {
			answers := map[string]answer{}
			for _, path := range []string{"/v1/models", "/server_info", "/get_server_info", "/props", "/version", "/metrics", "/prometheus/metrics"} {
				answers["GET "+path] = ok(body)
			}
			at, ctx := target(t, &script{answers: answers}), t.Context()
			names, _ := d.Identify(ctx, at)
			require.Empty(t, names, "%s %q", d.ID(), body)
			version, _ := d.Version(ctx, at)
			require.Empty(t, version)
			_, _, _ = d.Effective(ctx, at)
			_, _ = d.Metrics(ctx, at)
		}
	}
	_, err := driver(t, "vllm").Identify(t.Context(), target(t, &script{answers: map[string]answer{"GET /v1/models": ok("hello")}}))
	require.ErrorContains(t, err, "/v1/models: the answer is not the JSON that was expected")
	require.ErrorContains(t, err, "hello")
}

func TestAnAnswerHasALimit(t *testing.T) {
	t.Parallel()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte("x 1\n" + strings.Repeat("y 1\n", 1<<18))
		for { // until the client has had enough
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	t.Cleanup(h.Close)
	_, err := driver(t, "vllm").Metrics(t.Context(), server.Target{HTTP: server.HTTP(), Base: h.URL})
	require.ErrorContains(t, err, "longer than 32 MiB")
}

func TestAnAnswerThatBreaksOffIsAnError(t *testing.T) {
	t.Parallel()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = fmt.Fprint(w, "half")
	}))
	t.Cleanup(h.Close)
	_, err := driver(t, "vllm").Metrics(t.Context(), server.Target{HTTP: server.HTTP(), Base: h.URL})
	require.ErrorContains(t, err, "broke off after 4 bytes")
}

// A server that hangs is given up when the caller says so.
func TestTheCallersDeadlineHolds(t *testing.T) {
	t.Parallel()
	for _, d := range server.All() {
		l, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and never answers
		require.NoError(t, err)
		t.Cleanup(func() { _ = l.Close() })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		err = d.Generates(ctx, server.Target{HTTP: server.HTTP(), Base: "http://" + l.Addr().String(), Name: "n"})
		require.ErrorIs(t, err, context.DeadlineExceeded, d.ID())
	}
}

func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := server.Target{Base: "http://" + l.Addr().String()} // without a client there is one
	require.NoError(t, l.Close())
	err = driver(t, "sglang").Live(t.Context(), at)
	require.ErrorContains(t, err, "no answer")
	var status *server.StatusError
	require.False(t, errors.As(err, &status))
}

// A proxy of the environment is not asked, connections are not kept, and a redirect
// within the server is followed while one to elsewhere is not. Not parallel: it changes
// the environment.
func TestHTTPKeepsToTheServer(t *testing.T) {
	elsewhere := &script{answers: map[string]answer{"GET /health": ok("")}}
	other := target(t, elsewhere)
	t.Setenv("HTTP_PROXY", other.Base)
	t.Setenv("NO_PROXY", "")
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/health":
			http.Redirect(w, r, other.Base+"/health", http.StatusTemporaryRedirect)
		case "/prometheus/metrics":
			http.Redirect(w, r, "/prometheus/metrics/", http.StatusTemporaryRedirect)
		case "/prometheus/metrics/":
			if !r.Close {
				w.WriteHeader(http.StatusTeapot)
			}
			_, _ = fmt.Fprint(w, trtMetrics)
		}
	}))
	t.Cleanup(h.Close)
	at := server.Target{HTTP: server.HTTP(), Base: h.URL + "/"}
	require.ErrorContains(t, driver(t, "tensorrt-llm").Live(t.Context(), at), "/health answered 307")
	require.Empty(t, elsewhere.calls)
	got, err := driver(t, "tensorrt-llm").Metrics(t.Context(), at)
	require.NoError(t, err)
	require.Equal(t, trtMetrics, string(got))
}

// FuzzEffective: no answer makes a driver panic, and what is read is short and named.
func FuzzEffective(f *testing.F) {
	f.Add([]byte(vllmInfo))
	f.Add([]byte(data(f, "sglang-server-info.json")))
	f.Add([]byte(data(f, "llama-props.json")))
	f.Add([]byte(`{"vllm_config": "a='b\\'c', d={'e': [1, (2,)]}, dtype=torch.x"}`))
	f.Add([]byte(data(f, "vllm-0.26.0-base.log")))
	f.Add([]byte("server_args=ServerArgs(dtype='auto', x=(]), tp_size=1"))
	f.Fuzz(func(t *testing.T, body []byte) {
		client := &http.Client{Transport: fixed(body)}
		for _, d := range server.All() {
			got, _, err := d.Effective(t.Context(), server.Target{HTTP: client, Base: "http://x"})
			if err != nil {
				require.Nil(t, got)
			}
			short(t, got)
		}
		for _, id := range engine.IDs() {
			short(t, server.EffectiveFromLog(id, body))
			_ = server.VersionFromLog(id, body)
			require.Contains(t, []string{server.CachesCold, server.CachesWarm, server.CachesUnknown}, server.CachesFromLog(id, body))
		}
	})
}

func short(t *testing.T, settings map[string]string) {
	for name, v := range settings {
		require.NotEmpty(t, name)
		require.LessOrEqual(t, len([]rune(v)), 200)
		require.NotContains(t, v, "\n")
	}
}

// fixed answers every request with one body.
type fixed []byte

func (b fixed) RoundTrip(*http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	_, _ = w.Write(b)
	return w.Result(), nil
}
