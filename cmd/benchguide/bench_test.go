package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestBenchScripts runs the scripts that need a server: $SERVER generates what it is
// asked, a word a token, and fails each prompt with the word "fail" in it; $DRAFTS does
// the same, and counts drafts as a server with speculative decoding does.
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
			return nil
		},
	})
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
