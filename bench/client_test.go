package bench_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
)

var anyPrompt = bench.Prompt{Text: "hello", Output: 3}

func TestStreamIsCounted(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		body   string
		chunks int
		text   string
		output int
	}{
		"an empty chunk with the role and one at the end are chunks": {
			stream(role, content("a"), content("b"), finish, usage(9, 2), "[DONE]"), 4, "ab", 2},
		"a completion": {
			stream(`{"choices":[{"text":"a"}]}`, `{"choices":[{"text":"b"}]}`, usage(9, 2), "[DONE]"), 2, "ab", 2},
		"reasoning is output": {
			stream(role, reasoning("reasoning_content", "hm "), content("a"), usage(9, 5), "[DONE]"), 3, "hm a", 5},
		"reasoning under its other name": {
			stream(role, reasoning("reasoning", "hm "), content("a"), usage(9, 5), "[DONE]"), 3, "hm a", 5},
		"the same reasoning under both names counts once": {
			stream(`{"choices":[{"delta":{"reasoning":"hm","reasoning_content":"hm"}}]}`, usage(9, 1), "[DONE]"), 1, "hm", 1},
		"several tokens in one chunk": {
			stream(content("a b c d"), usage(9, 4), "[DONE]"), 1, "a b c d", 4},
		"usage with every chunk: the last counts": {
			stream(`{"choices":[{"text":"a"}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`,
				`{"choices":[{"text":"b"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`, "[DONE]"), 2, "ab", 2},
		"comments, CRLF and no empty line at the end": {
			": ping\r\n\r\ndata: " + content("a") + "\r\n\r\ndata:" + usage(9, 1) + "\r\n\r\ndata: [DONE]", 1, "a", 1},
		"an event of two data lines": {
			"data: {\"choices\":\ndata: [{\"text\":\"a\"}]}\n\n" + stream(usage(9, 1), "[DONE]"), 1, "a", 1},
		"a chunk longer than the buffer": {
			stream(content(strings.Repeat("x", 100_000)), usage(9, 1), "[DONE]"), 1, strings.Repeat("x", 100_000), 1},
		"a null error": {
			stream(`{"choices":[{"text":"a"}],"error":null}`, usage(9, 1), "[DONE]"), 1, "a", 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := answering(t, http.StatusOK, c.body).Do(t.Context(), anyPrompt)
			require.Empty(t, o.Err)
			require.Len(t, o.Chunks, c.chunks)
			require.Equal(t, []int{9, c.output}, []int{o.Input, o.Output})
			require.Equal(t, c.text, o.Text)
			require.GreaterOrEqual(t, o.End, o.Chunks[len(o.Chunks)-1])
			require.GreaterOrEqual(t, o.FirstText, o.Chunks[0])
		})
	}
}

func TestWhatGoesWrongIsKept(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		status int
		body   string
		want   string
	}{
		"an error status with its text":  {500, "{\"error\":\n \"CUDA out of memory\"}", `500 Internal Server Error: {"error": "CUDA out of memory"}`},
		"too many requests":              {429, "", "429 Too Many Requests"},
		"a stream that is cut":           {200, stream(role, content("a")), "ended before [DONE], after 2 chunks"},
		"a stream cut after the usage":   {200, stream(content("a"), usage(9, 1)), "ended before [DONE]"},
		"an empty answer":                {200, "", "ended before [DONE], after 0 chunks"},
		"no usage":                       {200, stream(content("a"), "[DONE]"), "no usage"},
		"no chunk":                       {200, stream(usage(9, 0), "[DONE]"), "no chunk with choices"},
		"no token":                       {200, stream(role, finish, usage(9, 0), "[DONE]"), "counts no output token"},
		"an error within the stream":     {200, stream(content("a"), `{"error":{"message":"EngineDeadError"}}`, "[DONE]"), "EngineDeadError"},
		"an error in place of a stream":  {200, `{"error":"model not found"}`, "ended before [DONE]"},
		"something that is not JSON":     {200, stream("<html>"), "not the JSON of this API"},
		"JSON of another shape":          {200, stream(`{"choices":5}`), "not the JSON of this API"},
		"an answer without end or lines": {200, strings.Repeat("x", 17<<20), "longer than"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := answering(t, c.status, c.body).Do(t.Context(), anyPrompt)
			require.False(t, o.OK())
			require.Contains(t, o.Err, c.want)
			require.NotContains(t, o.Err, "\n")
			require.Less(t, len(o.Err), 1000)
		})
	}
}

func TestBrokenConnectionIsAFailure(t *testing.T) {
	t.Parallel()
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, stream(content("a")))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	require.Contains(t, c.Do(t.Context(), anyPrompt).Err, "the stream broke after 1 chunks")
}

func TestServerThatIsNotThereIsAFailure(t *testing.T) {
	t.Parallel()
	c := &bench.Client{HTTP: bench.NewHTTP(), Base: "http://127.0.0.1:1", Endpoint: bench.Chat}
	require.Contains(t, c.Do(t.Context(), anyPrompt).Err, "refused")
}

func TestServerThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, stream(content("a")))
		w.(http.Flusher).Flush()
		io.Copy(io.Discard, r.Body) // only then the server notices that the client has gone
		<-r.Context().Done()
	})
	c.Timeout = 50 * time.Millisecond
	require.Equal(t, "no end of the answer within 50ms", c.Do(t.Context(), anyPrompt).Err)
}

func TestRequestSaysWhatWasAsked(t *testing.T) {
	t.Parallel()
	zero := 0.0
	cases := map[string]struct {
		change func(c *bench.Client)
		path   string
		want   map[string]any
	}{
		"chat": {func(c *bench.Client) {}, "/v1/chat/completions", map[string]any{
			"model": "m", "max_tokens": 3.0, "max_completion_tokens": 3.0, "stream": true,
			"stream_options": map[string]any{"include_usage": true},
			"messages":       []any{map[string]any{"role": "user", "content": "hello"}},
		}},
		"completions with all settings": {func(c *bench.Client) {
			c.Endpoint, c.Temperature, c.IgnoreEOS = bench.Completions, &zero, true
			c.Extra = map[string]any{"cache_prompt": false}
		}, "/v1/completions", map[string]any{
			"model": "m", "max_tokens": 3.0, "stream": true, "stream_options": map[string]any{"include_usage": true},
			"prompt": "hello", "temperature": 0.0, "ignore_eos": true, "cache_prompt": false,
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var path, key string
			var got map[string]any
			c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
				path, key = r.URL.Path, r.Header.Get("Authorization")
				json.NewDecoder(r.Body).Decode(&got)
				io.WriteString(w, stream(content("a"), usage(1, 1), "[DONE]"))
			})
			c.Headers = map[string]string{"Authorization": "Bearer k"}
			tc.change(c)
			require.Empty(t, c.Do(t.Context(), anyPrompt).Err)
			require.Equal(t, []string{tc.path, "Bearer k"}, []string{path, key})
			require.Empty(t, cmp.Diff(tc.want, got))
		})
	}
}

// A server that closes each connection after its answer, as llama.cpp's does, must not
// make the next request fail.
func TestServerThatClosesConnectionsIsNoFailure(t *testing.T) {
	t.Parallel()
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, stream(content("a"), usage(1, 1), "[DONE]"))
		w.(http.Flusher).Flush()
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	})
	closed := 0
	for range 20 {
		if o := c.Do(t.Context(), anyPrompt); o.OK() {
			closed++
		}
	}
	require.Equal(t, 20, closed)
}

// canned answers every request with a body, without a network.
type canned string

func (b canned) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(string(b)))}, nil
}

func FuzzStream(f *testing.F) {
	f.Add(stream(role, content("a"), finish, usage(9, 1), "[DONE]"))
	f.Add(stream(content("a"), "[DONE]"))
	f.Add("data: {\"choices\":[{\"delta\":null}]}\n\ndata:\n\n: x\n\rdata: [DONE]")
	f.Add(stream(`{"choices":[{"delta":{"tool_calls":[{"id":"x"}]}}]}`, usage(-1, -1), "[DONE]"))
	f.Fuzz(func(t *testing.T, body string) {
		c := &bench.Client{HTTP: &http.Client{Transport: canned(body)}, Base: "http://x", Endpoint: bench.Chat}
		o := c.Do(t.Context(), anyPrompt)
		if !o.OK() {
			return
		}
		if len(o.Chunks) == 0 || o.Output < 1 || !strings.Contains(body, "[DONE]") || !strings.Contains(body, "usage") {
			t.Errorf("%q is taken for an answer: %+v", body, o)
		}
		for _, gap := range o.Gaps() {
			if gap < 0 {
				t.Errorf("negative gap %v", gap)
			}
		}
	})
}
