package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"benchguide/run/fake"
)

// TestBenchScripts runs the scripts that need a server: $SERVER generates what it is
// asked, a word a token, and fails each prompt with the word "fail" in it. $FAKE and
// $FAKE_AGAIN are two starts of one fake engine.
func TestBenchScripts(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(generate))
	t.Cleanup(server.Close)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/bench",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SERVER", server.URL)
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
