package parse

// fastDeploy is the benchmark_serving of FastDeploy, a fork of vLLM's with figures
// from inside the server beside those of the client.
func fastDeploy() producer {
	p := vllm()
	p.name = "fastdeploy benchmark_serving"
	p.means = familyMeans
	p.owns = func(b *block) bool {
		return b.hasAny("mean decode", "median decode", "mean s_ttft (ms)", "mean cached tokens")
	}
	p.versions = func(*block) string { return "" }
	p.extra = func(f blockField) (label, bool) {
		return settingOf(f.key, map[string]string{
			"decode": "decode_tokens_per_s", "s_ttft (ms)": "server_ttft_ms", "s_itl (ms)": "server_itl_ms",
			"s_e2el (ms)": "server_e2e_latency_ms", "cached tokens": "cached_tokens", "input length": "input_length",
			"output length": "output_length", "s_input length": "server_input_length",
		})
	}
	return p
}
