package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/engine"
	"benchguide/run/server"
	"benchguide/study"
)

// script is a server that answers as an engine does: each path with one text. What is
// not in it is answered as FastAPI does.
type script struct {
	answers map[string]answer // by "GET /path"

	mu    sync.Mutex
	calls []string // in order, with the query
	sent  []string // bodies of what was posted
}

type answer struct {
	code int
	body string
}

func ok(body string) answer { return answer{http.StatusOK, body} }

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.calls = append(s.calls, r.Method+" "+r.URL.RequestURI())
	if r.Method == http.MethodPost {
		s.sent = append(s.sent, string(body))
	}
	s.mu.Unlock()
	a, known := s.answers[r.Method+" "+r.URL.Path]
	if !known {
		a = answer{http.StatusNotFound, `{"detail":"Not Found"}`}
	}
	w.WriteHeader(a.code)
	_, _ = io.WriteString(w, a.body)
}

// target starts a script and returns it as a started server.
func target(t *testing.T, s *script) server.Target {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return server.Target{HTTP: server.HTTP(), Base: h.URL, Name: "nonce-1"}
}

func driver(t testing.TB, id string) server.Driver {
	t.Helper()
	d, err := server.Of(id)
	require.NoError(t, err)
	return d
}

// data returns a file of testdata.
func data(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return string(b)
}

// configuration is what a study derives from a serving command.
func configuration(t testing.TB, id, version, command string, env map[string]string) study.Configuration {
	t.Helper()
	e, known := engine.Lookup(id)
	require.True(t, known)
	c, err := e.Parse(command)
	require.NoError(t, err)
	return study.Configuration{Engine: e, Version: version, Command: c, Env: env}
}
