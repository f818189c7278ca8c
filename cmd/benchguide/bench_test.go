package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"benchguide/run/client"
	"benchguide/run/fake"
	"benchguide/run/machine"
	"benchguide/study"
)

// TestBenchScripts runs the scripts that need a server: $SERVER generates what it is
// asked, a word a token, and fails each prompt with the word "fail" in it; $DRAFTS does
// the same, and counts drafts as a server with speculative decoding does. $FAKE and
// $FAKE_AGAIN are two starts of one fake engine.
func TestBenchScripts(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(generate))
	t.Cleanup(server.Close)
	drafts := httptest.NewServer(drafting())
	t.Cleanup(drafts.Close)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/bench",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SERVER", server.URL)
			e.Setenv("DRAFTS", drafts.URL)
			for _, name := range []string{"FAKE", "FAKE_AGAIN"} {
				engine, err := fake.New(fake.Options{Words: []string{"vllm", "serve", "Qwen/Qwen3-8B", "--served-model-name", "nonce"}, Seed: 1, TimeScale: 0.001})
				if err != nil {
					return err
				}
				start := httptest.NewServer(engine)
				e.Defer(start.Close)
				e.Setenv(name, start.URL)
			}
			return nil
		},
	})
}

// TestARunsCommandIsUnderstood holds the command that a run makes for this client against
// the client: every flag is known, and what it leaves is a whole result.
func TestARunsCommandIsUnderstood(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(generate))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	port, err := strconv.Atoi(address.Port())
	require.NoError(t, err)
	dir, limit := t.TempDir(), 60000.0
	prompts := filepath.Join(dir, "c2.jsonl")
	require.NoError(t, os.WriteFile(prompts, []byte("{\"prompt\":\"a b\",\"output_tokens\":3}\n{\"prompt\":\"c\",\"output_tokens\":4}\n{\"prompt\":\"d\",\"output_tokens\":5}\n"), 0o644))
	for _, command := range []string{
		"vllm bench serve --backend openai-chat --endpoint /v1/chat/completions --dataset-name sharegpt --num-prompts 9",
		"python3 -m sglang.bench_serving --backend sglang", "guidellm benchmark --rate 3", "benchguide bench --tokenizer M",
	} {
		trial := client.Trial{
			Workload: study.Workload{ID: "c2", Concurrency: 2, Command: command}, Prompts: prompts, Count: 3, Output: 12,
			Model: "M", Served: "words", Tokenizer: "M", Host: address.Hostname(), Port: port, IgnoreEOS: true,
			Limits: []study.Limit{{Metric: "p99_ttft", AtMost: &limit}, {Metric: "p99_tpot", AtMost: &limit}}, Folder: dir, Result: "c2",
		}
		l, err := client.Own().Launch(trial, machine.Profile{})
		require.NoError(t, err)
		var out, errs bytes.Buffer
		require.Equal(t, exitOK, run(t.Context(), l.Words[1:], strings.NewReader(""), &out, &errs), "%s: %s", command, errs.String())
		result, err := os.ReadFile(l.Result)
		require.NoError(t, err)
		counts, problems := client.Check(trial, out.Bytes(), result)
		// The client may have been slowed down by the tests beside it, which is not what is asked here.
		problems = slices.DeleteFunc(problems, func(p string) bool { return strings.Contains(p, "may have bounded") })
		require.Empty(t, problems, command)
		require.Equal(t, 12, counts.Output)
		require.NotEqual(t, client.Unknown, counts.Goodput)
	}
	var out bytes.Buffer
	words := client.Own().VersionWords(machine.Profile{})
	require.Equal(t, exitOK, run(t.Context(), words[1:], strings.NewReader(""), &out, &out))
	require.Regexp(t, `^benchguide \S+\n$`, out.String())
}

// drafting counts four drafted tokens, of which three are accepted, for each request.
func drafting() http.HandlerFunc {
	var served atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			n := served.Load()
			fmt.Fprintf(w, "vllm:spec_decode_num_drafts_total{engine=\"0\"} %d\nvllm:spec_decode_num_draft_tokens_total{engine=\"0\"} %d\n"+
				"vllm:spec_decode_num_accepted_tokens_total{engine=\"0\"} %d\n", n, 4*n, 3*n)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/completions") {
			served.Add(1)
		}
		generate(w, r)
	}
}

func generate(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Prompt    string
		Messages  []struct{ Content string }
		MaxTokens int `json:"max_tokens"`
	}
	json.NewDecoder(r.Body).Decode(&asked)
	for _, m := range asked.Messages {
		asked.Prompt += m.Content
	}
	words := strings.Fields(asked.Prompt)
	switch {
	case r.URL.Path == "/v1/models":
		io.WriteString(w, `{"data":[{"id":"words"}]}`)
	case r.URL.Path == "/tokenize":
		json.NewEncoder(w).Encode(map[string]any{"tokens": words})
	case strings.Contains(asked.Prompt, "fail"):
		http.Error(w, "told to fail", http.StatusInternalServerError)
	default:
		for range asked.MaxTokens {
			io.WriteString(w, "data: {\"choices\":[{\"text\":\"a\",\"delta\":{\"content\":\"a\"}}]}\n\n")
			w.(http.Flusher).Flush()
		}
		fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", len(words), asked.MaxTokens)
	}
}
