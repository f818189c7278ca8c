package fake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/fake"
)

// TestStreamsOfEachEngine holds every byte of a short answer against a golden file.
func TestStreamsOfEachEngine(t *testing.T) {
	t.Parallel()
	for engine, command := range commands {
		s := newFake(t, fake.Options{Words: words(command)})
		for _, kind := range []string{"completions", "chat", "completions-whole", "chat-whole"} {
			t.Run(engine+"/"+kind, func(t *testing.T) {
				t.Parallel()
				path, ask := "/v1/completions", `"prompt":"one two three"`
				if strings.HasPrefix(kind, "chat") {
					path, ask = "/v1/chat/completions", `"messages":[{"role":"user","content":"one two three"}]`
				}
				stream := `,"stream":true,"stream_options":{"include_usage":true}`
				if strings.HasSuffix(kind, "whole") {
					ask, stream = strings.Replace(ask, "three", "four", 1), ""
				}
				status, got := post(t, s.URL+path, fmt.Sprintf(`{"model":"name",%s,"max_tokens":4,"ignore_eos":true%s}`, ask, stream))
				require.Equal(t, http.StatusOK, status)
				golden(t, "stream/"+engine+"-"+kind+".txt", got)
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "write it with -update")
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

func TestEveryChunkBearsItsTime(t *testing.T) {
	t.Parallel()
	for engine, command := range commands {
		s := newFake(t, fake.Options{Words: words(command)})
		_, body := post(t, s.URL+"/v1/chat/completions", `{"model":"name","messages":[{"role":"user","content":"one"}],"max_tokens":9,"stream":true,"stream_options":{"include_usage":true}}`)
		last := 0.0
		for line := range strings.Lines(body) {
			data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
			if !ok || data == "[DONE]" {
				continue
			}
			var c struct {
				Clock *float64 `json:"benchguide_clock"`
			}
			require.NoError(t, json.Unmarshal([]byte(data), &c), "%s: %s", engine, data)
			require.NotNil(t, c.Clock, data)
			require.GreaterOrEqual(t, *c.Clock, last)
			last = *c.Clock
		}
		require.Positive(t, last)
		require.True(t, strings.HasSuffix(body, "data: [DONE]\n\n"))
	}
}

func TestEndpointsOfEachEngine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		dev     bool
		request string // GET path, or POST path body
		status  int
		says    string
	}{
		"vllm health":            {commands["vllm"], false, "GET /health", 200, ""},
		"vllm version":           {commands["vllm"], false, "GET /version", 200, `{"version":"0.`},
		"vllm models":            {commands["vllm"], false, "GET /v1/models", 200, `"id":"name","max_model_len":40960`},
		"vllm models shorter":    {commands["vllm"] + " --max-model-len 8192", false, "GET /v1/models", 200, `"max_model_len":8192`},
		"vllm metrics":           {commands["vllm"], false, "GET /metrics", 200, `vllm:prefix_cache_queries_total{engine="0",model_name="name"} 0.0`},
		"vllm info":              {commands["vllm"] + " --kv-cache-dtype fp8", true, "GET /server_info", 200, `"cache_dtype":"fp8"`},
		"vllm info without dev":  {commands["vllm"], false, "GET /server_info", 404, "Not Found"},
		"vllm reset":             {commands["vllm"], true, "POST /reset_prefix_cache", 200, ""},
		"vllm reset without dev": {commands["vllm"], false, "POST /reset_prefix_cache", 404, "Not Found"},
		"vllm tokenize":          {commands["vllm"], false, `POST /tokenize {"prompt":"one two, 12345"}`, 200, `"count":5`},
		"vllm other model":       {commands["vllm"], false, `POST /v1/completions {"model":"other","prompt":"a"}`, 404, "does not exist"},
		"vllm too long":          {commands["vllm"] + " --max-model-len 20", false, `POST /v1/completions {"prompt":"a b c","max_tokens":18}`, 400, "maximum context length is 20 tokens"},
		"sglang health":          {commands["sglang"], false, "GET /health_generate", 200, ""},
		"sglang no version":      {commands["sglang"], false, "GET /version", 404, ""},
		"sglang info":            {commands["sglang"] + " --quantization fp8", false, "GET /get_server_info", 200, `"quantization":"fp8"`},
		"sglang newer info":      {commands["sglang"], false, "GET /server_info", 200, `"max_total_num_tokens":`},
		"sglang metrics":         {commands["sglang"], false, "GET /metrics", 200, `sglang:cached_tokens_total{`},
		"sglang no metrics":      {"sglang serve --model-path m", false, "GET /metrics", 404, ""},
		"sglang flush":           {commands["sglang"], false, "POST /flush_cache", 200, "Cache flushed"},
		"sglang any model":       {commands["sglang"], false, `POST /v1/completions {"model":"other","prompt":"a"}`, 200, "text"},
		"trtllm version":         {commands["tensorrt-llm"], false, "GET /version", 200, "version"},
		"trtllm health":          {commands["tensorrt-llm"], false, "GET /health_generate", 200, ""},
		"trtllm metrics":         {commands["tensorrt-llm"], false, "GET /metrics", 200, "[]"},
		"trtllm no tokenize":     {commands["tensorrt-llm"], false, `POST /tokenize {"prompt":"a"}`, 404, ""},
		"llama health":           {commands["llama.cpp"], false, "GET /health", 200, `{"status":"ok"}`},
		"llama props":            {commands["llama.cpp"] + " -np 3", false, "GET /props", 200, `"total_slots":3`},
		"llama metrics":          {commands["llama.cpp"], false, "GET /metrics", 200, "llamacpp:tokens_predicted_total 0"},
		"llama no metrics":       {"llama-server -m m.gguf", false, "GET /metrics", 501, "--metrics"},
		"llama tokenize":         {commands["llama.cpp"], false, `POST /tokenize {"content":"one two"}`, 200, `{"tokens":[`},
		"llama model by file":    {"llama-server -m models/m.gguf", false, "GET /v1/models", 200, `"id":"m.gguf"`},
		"llama nothing else":     {commands["llama.cpp"], false, "GET /version", 404, "File Not Found"},
		"a broken body":          {commands["vllm"], false, `POST /v1/completions {`, 400, "not the JSON"},
		"no prompt":              {commands["vllm"], false, `POST /v1/completions {}`, 400, "prompt"},
		"no messages":            {commands["vllm"], false, `POST /v1/chat/completions {}`, 400, "empty"},
		"token ids":              {commands["vllm"], false, `POST /v1/completions {"prompt":[1,2,3]}`, 200, `"prompt_tokens":3`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newFake(t, fake.Options{Words: words(c.command), DevMode: c.dev})
			parts := strings.SplitN(c.request+"  ", " ", 3)
			status, body := 0, ""
			if parts[0] == "GET" {
				status, body = get(t, s.URL+parts[1])
			} else {
				status, body = post(t, s.URL+parts[1], parts[2])
			}
			require.Equal(t, c.status, status, body)
			require.Contains(t, body, c.says)
		})
	}
}

// TestRepeatedPromptsAreCountedAndFaster reads the counters that the analysis reads.
func TestRepeatedPromptsAreCountedAndFaster(t *testing.T) {
	t.Parallel()
	for engine, c := range map[string]struct {
		hits, reset string
		found       int
	}{
		"vllm":      {`vllm:prefix_cache_hits_total{engine="0",model_name="name"} `, "/reset_prefix_cache", 192},
		"sglang":    {`sglang:cached_tokens_total{engine_type="unified",model_name="name"} `, "/flush_cache", 199},
		"llama.cpp": {"llamacpp:prompt_tokens_cached_total ", "", 199},
	} {
		s := newFake(t, fake.Options{Words: words(commands[engine]), DevMode: true})
		client := clientOf(s.URL, bench.Completions)
		prompt := bench.Prompt{Text: strings.TrimSpace(strings.Repeat("word ", 200)), Output: 4}
		ask := func() bench.Outcome {
			y := client.Do(t.Context(), prompt)
			require.Empty(t, y.Err)
			require.Equal(t, 200, y.Input)
			return y
		}
		cold, hot := ask(), ask()
		require.Less(t, hot.Chunks[0], cold.Chunks[0], engine)
		_, metrics := get(t, s.URL+"/metrics")
		require.Contains(t, metrics, fmt.Sprintf("%s%d.0\n", c.hits, c.found))
		if c.reset != "" {
			status, _ := post(t, s.URL+c.reset, "")
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, cold.Chunks, ask().Chunks, "after a reset it is as at first")
		}
	}
	s := newFake(t, fake.Options{Words: words(commands["vllm"] + " --no-enable-prefix-caching")})
	client := clientOf(s.URL, bench.Completions)
	require.Equal(t, client.Do(t.Context(), aPrompt).Chunks, client.Do(t.Context(), aPrompt).Chunks)
}

func TestUsageTellsCachedTokensWhereTheEngineDoes(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{
		commands["vllm"]: `"prompt_tokens_details":null`,
		commands["vllm"] + " --enable-prompt-tokens-details": `"cached_tokens":16`,
		commands["sglang"]: `"prompt_tokens_details":null`,
		commands["sglang"] + " --enable-cache-report": `"cached_tokens":19`,
		commands["llama.cpp"]:                         `"cached_tokens":19`,
	} {
		s := newFake(t, fake.Options{Words: words(command)})
		body := fmt.Sprintf(`{"prompt":%q,"max_tokens":1}`, strings.TrimSpace(strings.Repeat("word ", 20)))
		post(t, s.URL+"/v1/completions", body)
		_, got := post(t, s.URL+"/v1/completions", body)
		require.Contains(t, got, says, command)
	}
}

func TestTensorRTsStatisticsAreGoneWhenRead(t *testing.T) {
	t.Parallel()
	s := newFake(t, fake.Options{Words: words(commands["tensorrt-llm"])})
	post(t, s.URL+"/v1/completions", `{"prompt":"a b c","max_tokens":2}`)
	_, first := get(t, s.URL+"/metrics")
	_, second := get(t, s.URL+"/metrics")
	require.Contains(t, first, `"iterLatencyMS"`)
	require.Equal(t, "[]", second)
}

func TestWithoutUsageAskedForThereIsNone(t *testing.T) {
	t.Parallel()
	s := newFake(t, fake.Options{Words: words(commands["vllm"])})
	_, body := post(t, s.URL+"/v1/completions", `{"prompt":"a","max_tokens":2,"stream":true}`)
	require.NotContains(t, body, "usage")
}

func TestAReaderThatLeavesIsNotCounted(t *testing.T) {
	t.Parallel()
	h, err := fake.New(fake.Options{Words: words(commands["vllm"]), TimeScale: 1})
	require.NoError(t, err)
	s := httptest.NewServer(h)
	defer s.Close()
	client := clientOf(s.URL, bench.Completions)
	client.Timeout = 1 // nanosecond
	require.NotEmpty(t, client.Do(t.Context(), aPrompt).Err)
	_, metrics := get(t, s.URL+"/metrics")
	require.Contains(t, metrics, `vllm:generation_tokens_total{engine="0",model_name="name"} 0.0`)
}

// TestBothSidesNameTheHeadersAlike: neither package imports the other.
func TestBothSidesNameTheHeadersAlike(t *testing.T) {
	t.Parallel()
	require.Equal(t, bench.LoadHeader, fake.LoadHeader)
	require.Equal(t, bench.RateHeader, fake.RateHeader)
}
