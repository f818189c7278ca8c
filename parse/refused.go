package parse

// refused lists the producers of the family that are told apart and not read. A
// block of theirs read with vLLM's meanings would give wrong numbers under right
// names: GPUStack's renderer calls something else TPOT, SGLang's counts are not
// vLLM's, and a video benchmark has no tokens at all.
func refused() []producer {
	const otherWords = "its words do not mean what vLLM's mean; give the output of vllm bench serve"
	return []producer{
		refuse("sglang multimodal_gen bench_serving", CodeNotTokens,
			"it measures images or video; give the output of a benchmark of text generation",
			"task", "latency mean (s)", "peak memory max (mb)", "completed outputs"),
		refuse("sglang bench_serving", CodeUnsupported, otherWords, "backend",
			"traffic request rate", "max request concurrency", "max reqeuest concurrency",
			"total generated tokens (retokenized)", "mean e2e latency (ms)", "accept length"),
		refuse("gpustack performance lab", CodeUnsupported, otherWords, "mean latency(s)", "median latency(s)", "p99 latency(s)"),
		refuse("tensorrt-llm benchmark_serving", CodeUnsupported, otherWords, "total requests",
			"user throughput (tok/s)", "mean request ar", "total energy (j)"),
		refuse("fastdeploy benchmark_serving", CodeUnsupported, otherWords, "mean decode", "解码速度(tok/s)"),
		refuse("max benchmark", CodeUnsupported, otherWords, "total nonempty serving response chunks"),
	}
}

// refuse returns a producer known by any one of its labels.
func refuse(name, code, hint string, tellTales ...string) producer {
	p := producer{name: name, refusal: code, hint: hint}
	for _, k := range tellTales {
		p.labels = append(p.labels, label{key: k})
	}
	p.owns = func(b *block) bool {
		for _, k := range tellTales {
			if b.has(k) {
				return true
			}
		}
		return false
	}
	return p
}
