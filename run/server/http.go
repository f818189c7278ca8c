package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of one call, where the caller's context does not end it sooner.
const (
	probeWait    = 10 * time.Second // for endpoints that only look something up
	infoWait     = 60 * time.Second // vLLM collects its environment by starting programs
	generateWait = 2 * time.Minute  // the first request of a start may compile kernels
	bodyLimit    = 32 << 20         // vLLM's metrics are 50 kB, SGLang's settings 30 kB
)

// HTTP returns a client for talking to a server that is being measured. It keeps no
// connection: Go does not send a POST again when the server has just closed the one that
// it took, and one request in five was lost that way. It uses no proxy, since a proxy of
// the environment would be asked for 127.0.0.1 too, and follows no redirect to elsewhere.
func HTTP() *http.Client {
	return &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if len(via) > 3 || next.URL.Host != via[0].URL.Host {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}

// A StatusError is an answer of a server other than 200: something answers, and does not
// do what was asked.
type StatusError struct {
	Path string
	Code int
	Text string // the beginning of the answer
}

// Error returns the path, the status, and what the server said.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("%s answered %d %s", e.Path, e.Code, http.StatusText(e.Code))
	if e.Text != "" {
		s += ": " + e.Text
	}
	return s
}

// absent reports whether an error says that the server has no such endpoint. It is how
// versions are told apart: paths move between them, so the endpoint is asked for and the
// version is not.
func absent(err error) bool {
	var status *StatusError
	if !errors.As(err, &status) {
		return false
	}
	switch status.Code {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return true
	}
	return false
}

// get asks for a path, which may hold a query.
func (t Target) get(ctx context.Context, path string, wait time.Duration) ([]byte, error) {
	return t.call(ctx, http.MethodGet, path, nil, wait)
}

// post sends a value as JSON; nil sends nothing.
func (t Target) post(ctx context.Context, path string, value any, wait time.Duration) ([]byte, error) {
	if value == nil {
		return t.call(ctx, http.MethodPost, path, nil, wait)
	}
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t.call(ctx, http.MethodPost, path, body, wait)
}

// call sends one request and reads its whole answer, within wait and the size limit.
func (t Target) call(ctx context.Context, method, path string, body []byte, wait time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(t.Base, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	client := t.HTTP // a caller may have its own; without one there is still no proxy
	if client == nil {
		client = HTTP()
	}
	answer, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("no answer: %w", err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, bodyLimit+1))
	switch {
	case answer.StatusCode != http.StatusOK: // whatever became of its body
		return nil, &StatusError{Path: path, Code: answer.StatusCode, Text: shorten(oneLine(data), 200)}
	case err != nil:
		return nil, fmt.Errorf("%s: the answer broke off after %d bytes: %w", path, len(data), err)
	case len(data) > bodyLimit:
		return nil, fmt.Errorf("%s: the answer is longer than %d MiB; is this the right server?", path, bodyLimit>>20)
	}
	return data, nil
}

// getJSON fills a value from an answer, and returns the answer as it was got.
func (t Target) getJSON(ctx context.Context, path string, wait time.Duration, into any) ([]byte, error) {
	data, err := t.get(ctx, path, wait)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, fmt.Errorf("%s: the answer is not the JSON that was expected (%w): %s", path, err, shorten(oneLine(data), 80))
	}
	return data, nil
}

// oneLine makes a line of any bytes.
func oneLine(data []byte) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(data[:min(len(data), 4096)]), "\uFFFD")), " ")
}

// shorten cuts a text to n characters, the last of which then says so.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
