package parse_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/parse"
)

// detailed makes a result of about size bytes as `vllm bench serve --save-detailed`
// saves it: 200 tokens a request, whose texts are a third of the file.
func detailed(t testing.TB, size int) []byte {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	const tokens = 200
	text := string(bytes.Repeat([]byte(`the model said "so" — `), 90))
	n := size / (tokens*22 + 2400)
	var in, out []int
	var ttfts, starts []float64
	var itls [][]float64
	var texts, errors []string
	for i := range n {
		in, out = append(in, 128), append(out, tokens)
		ttfts, starts = append(ttfts, 0.02+rnd.Float64()/100), append(starts, float64(i)/10+rnd.Float64())
		gaps := make([]float64, tokens-1)
		for j := range gaps {
			gaps[j] = 0.004 + rnd.Float64()/1000
		}
		itls, texts, errors = append(itls, gaps), append(texts, text), append(errors, "")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"date": "20261130-214925", "endpoint_type": "openai", "backend": "openai", "model_id": "m", "tokenizer_id": "m", "num_prompts": %d, `, n)
	fmt.Fprintf(&b, `"request_rate": "inf", "burstiness": 1.0, "max_concurrency": 4, "duration": 100.0, "completed": %d, "failed": 0`, n)
	fmt.Fprintf(&b, `, "total_input_tokens": %d, "total_output_tokens": %d, "request_goodput": null, "output_throughput": %v`, 128*n, tokens*n, float64(tokens*n)/100)
	for _, list := range []struct {
		key   string
		items any
	}{
		{"input_lens", in}, {"output_lens", out}, {"ttfts", ttfts}, {"itls", itls}, {"start_times", starts}, {"generated_texts", texts}, {"errors", errors},
	} {
		items, err := json.Marshal(list.items)
		require.NoError(t, err)
		fmt.Fprintf(&b, `, %q: %s`, list.key, bytes.ReplaceAll(items, []byte(","), []byte(", ")))
	}
	b.WriteString(`, "max_output_tokens_per_s": 250.0, "max_concurrent_requests": 12, "rtfx": 0.0}`)
	return b.Bytes()
}

// What a file of 50 MB costs, read in full and without its per-request data:
// go test -run xxx -bench Detailed -count 6 -cpu 1 ./parse
func BenchmarkDetailed(b *testing.B) {
	src := detailed(b, 50<<20)
	for name, read := range map[string]func() ([]parse.Problem, error){
		"records": func() ([]parse.Problem, error) {
			return parse.Stream("in", bytes.NewReader(src), func(parse.Record) {})
		},
		"summary": func() ([]parse.Problem, error) {
			return parse.Summarize("in", bytes.NewReader(src), func(parse.Record) {})
		},
		"requests": func() ([]parse.Problem, error) {
			return parse.ReadRequests("in", bytes.NewReader(src), func(parse.Requests) {})
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if problems, err := read(); err != nil || len(problems) > 0 {
					b.Fatal(problems, err)
				}
			}
		})
	}
}
