package parse

// refused lists the producers of the family that are told apart and not read: they
// have no tokens at all, and their numbers would stand under names that mean
// something else.
func refused() []producer {
	p := producer{
		name: "sglang multimodal_gen bench_serving", refusal: CodeNotTokens,
		hint: "it measures images or video; give the output of a benchmark of text generation",
	}
	tellTales := []string{
		"task", "latency mean (s)", "peak memory max (mb)", "completed outputs", "frames generated",
		"num inference steps", "total generated outputs",
	}
	for _, k := range tellTales {
		p.labels = append(p.labels, label{key: k})
	}
	p.owns = func(b *block) bool { return b.hasAny(tellTales...) }
	return []producer{p}
}
