package bench_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"benchguide/bench"
)

// replayed answers every request with the same stream, without a network.
type replayed string

func (c replayed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(c)))}, nil
}

// BenchmarkChunks reads a stream of a thousand chunks as vLLM sends them: what a chunk
// costs is what keeps others waiting for a core.
func BenchmarkChunks(b *testing.B) {
	const chunk = `{"id":"chatcmpl-82a5d9ab3b1b4a5f","object":"chat.completion.chunk","created":1796072815,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null,"token_ids":null}]}`
	body := stream(strings.Split(strings.Repeat(chunk+"\n", 1000)+usage(10, 1000)+"\n[DONE]", "\n")...)
	client := &bench.Client{HTTP: &http.Client{Transport: replayed(body)}, Base: "http://server", Endpoint: bench.Chat}
	b.ReportAllocs()
	for b.Loop() {
		if o := client.Do(b.Context(), bench.Prompt{Text: "p", Output: 1000}); !o.OK() {
			b.Fatal(o.Err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/1000, "ns/chunk")
}
