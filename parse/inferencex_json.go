package parse

import "benchguide/metric"

// inferenceXAggJSON is InferenceX's aggregate of a run: one object, or an array of
// all. Latencies are in seconds under vLLM's names without _ms, throughput is for
// each GPU, and there are no counts.
func inferenceXAggJSON() dialect {
	d := dialect{
		format:    "inferencex-agg-json",
		tells:     []string{"tput_per_gpu"},
		owns:      func(o *object) bool { return o.has("tput_per_gpu", "hw") },
		producer:  func(*object) string { return "inferencex process_result" },
		statistic: statisticKeys(vllmQuantities(), "", 1000),
		finish: func(_ *object, r *Record) {
			r.Definitions = []Definition{TPOTDecodeOnly, ITLPerChunk, FailuresHidden}
		},
		fields: []jsonField{
			{key: "conc", id: metric.MaxConcurrency},
			{key: "output_tput_per_gpu", id: metric.GPUThroughput},
			{key: "tput_per_gpu", setting: "total_throughput_per_gpu"},
			{key: "input_tput_per_gpu", setting: "input_throughput_per_gpu"},
		},
	}
	for _, key := range []string{
		"hw", "image", "model", "infmax_model_prefix", "framework", "precision", "spec_decoding", "mtp", "disagg", "isl", "osl",
		"is_multinode", "tp", "pp", "ep", "dp_attention", "date", "run_url", "num_prefill_gpu", "num_decode_gpu",
	} {
		d.fields = append(d.fields, jsonField{key: key, setting: key})
	}
	// Of servers that split prefill and decoding, and the inverse of each TPOT.
	for _, stat := range []string{"mean", "median", "std", "p90", "p95", "p99", "p99.9"} {
		d.fields = append(d.fields, jsonField{key: stat + "_intvty"})
	}
	for _, side := range []string{"prefill", "decode"} {
		for _, what := range []string{"tp", "pp", "ep", "dp_attention", "num_workers", "hw"} {
			d.fields = append(d.fields, jsonField{key: side + "_" + what, setting: side + "_" + what})
		}
	}
	return d
}
