package parse

import "strings"

// inferenceX is the benchmark_serving.py of InferenceX, once InferenceMAX. Its block
// is that of vLLM v0.6.0 to v0.9.2 to the letter, so that it is told apart only by
// the words around it.
func inferenceX() producer {
	p := vllm()
	p.name = "inferencex benchmark_serving"
	p.versions = func(*block) string { return "" }
	p.owns = func(b *block) bool {
		return !b.has("failed requests") && !b.has("peak concurrent requests") && b.has("total token throughput (tok/s)") &&
			(strings.Contains(strings.ToLower(b.above), "inferencemax") || strings.Contains(strings.ToLower(b.above), "inferencex"))
	}
	return p
}
