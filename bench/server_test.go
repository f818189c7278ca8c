package bench_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"benchguide/bench"
)

const (
	role   = `{"choices":[{"delta":{"role":"assistant","content":""}}]}`
	finish = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
)

func content(s string) string {
	return fmt.Sprintf(`{"choices":[{"delta":{"content":%q}}]}`, s)
}

func reasoning(key, s string) string {
	return fmt.Sprintf(`{"choices":[{"delta":{%q:%q,"content":null}}]}`, key, s)
}

func usage(in, out int) string {
	return fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, in, out)
}

// stream is a body of events with the data given.
func stream(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// answering returns a client of a server that answers every request in the same way.
func answering(t *testing.T, status int, body string) *bench.Client {
	t.Helper()
	return talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}

func talkingTo(t *testing.T, h http.HandlerFunc) *bench.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return &bench.Client{HTTP: bench.NewHTTP(), Base: s.URL, Endpoint: bench.Chat, Model: "m"}
}
