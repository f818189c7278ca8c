package parse

import (
	"strings"

	"benchguide/metric"
)

// sglangDialects are what SGLang's clients append to their result files, one object
// a line.
func sglangDialects() []dialect {
	return []dialect{sglangOldJSON(), sglangJSON(), sglangOfflineJSON(), oneBatchServerJSON(), oneBatchJSON()}
}

// sglangJSON is bench_serving.
func sglangJSON() dialect {
	return dialect{
		format:    "sglang-json",
		tells:     []string{"dataset_name", "sharegpt_output_len", "total_output_tokens_retokenized"},
		owns:      ownsSGLang,
		producer:  func(*object) string { return "sglang bench_serving" },
		dating:    sglangKeyDating(),
		fields:    sglangFields(),
		statistic: statisticKeys(sglangQuantities(), "_ms", 1),
		finish:    finishSGLang,
	}
}

// ownsSGLang wants what every version writes; a result that was cut off early is
// told by the settings that come first.
func ownsSGLang(o *object) bool {
	return o.has("completed", "total_output_tokens_retokenized") && !o.has("benchmark_duration") ||
		o.has("dataset_name", "backend", "request_rate")
}

func sglangQuantities() map[string]metric.Quantity {
	return map[string]metric.Quantity{"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL, "e2e_latency": metric.E2E}
}

// sglangOldJSON is bench_serving of v0.1.23 to v0.2.11: milliseconds without saying so.
func sglangOldJSON() dialect {
	d := sglangJSON()
	d.owns = func(o *object) bool { return o.has("completed", "benchmark_duration") && o.has("mean_e2e_latency") }
	d.dating = dating{first: "v0.1.23", until: []dated{{"benchmark_duration", "v0.2.11"}}}
	d.statistic = statisticKeys(sglangQuantities(), "", 1)
	d.fields = append([]jsonField{
		{key: "benchmark_duration"}, // as duration
		{key: "output_token_throughput", id: metric.OutputThroughput},
	}, d.fields...)
	return d
}

func sglangFields() []jsonField {
	return []jsonField{
		{key: "completed", id: metric.CompletedRequests},
		{key: "max_concurrency", id: metric.MaxConcurrency},
		{key: "concurrency", id: metric.MeanConcurrency},
		{key: "request_rate", id: metric.RequestRate, setting: "request_rate"},
		{key: "duration", id: metric.Duration, unit: "s"},
		{key: "total_input_tokens", id: metric.InputTokens},
		{key: "total_output_tokens", id: metric.OutputTokens},
		{key: "request_throughput", id: metric.RequestThroughput},
		{key: "input_throughput", id: metric.InputThroughput},
		{key: "output_throughput", id: metric.OutputThroughput},
		{key: "total_throughput", id: metric.TotalThroughput},
		{key: "max_output_tokens_per_s", id: metric.PeakOutputRate},
		{key: "max_concurrent_requests", id: metric.PeakConcurrency},
		{key: "accept_length", id: metric.AcceptanceLength, none: isNegative},

		{key: "total_input_text_tokens", id: metric.InputTextTokens},
		{key: "total_input_vision_tokens", id: metric.InputVisionTokens},
		{key: "total_output_tokens_retokenized", id: metric.RetokenizedOutput},
		{key: "tag", setting: "tag"},
		{key: "backend", setting: "backend"},
		{key: "dataset_name", setting: "dataset"},
		{key: "sharegpt_output_len", setting: "sharegpt_output_len"},
		{key: "random_input_len", setting: "random_input_len"},
		{key: "random_output_len", setting: "random_output_len"},
		{key: "random_range_ratio", setting: "random_range_ratio"},
		{key: "cache_report.total_prompt_tokens", setting: "cache.prompt_tokens"},
		{key: "cache_report.total_cached_tokens", id: metric.CachedTokens},
		{key: "cache_report.cache_hit_rate_pct", id: metric.CacheHitRate},
		{key: "cache_report.device_cached_tokens", setting: "cache.device_tokens"},
		{key: "cache_report.host_cached_tokens", setting: "cache.host_tokens"},
		{key: "cache_report.storage_cached_tokens", setting: "cache.storage_tokens"},
		{key: "cache_report.storage_backend", setting: "cache.storage_backend"},
	}
}

// sglangKeyDating dates a result by its keys. TPOT, which the text left out from
// v0.4.3.post3 to v0.5.5.post1, has always been in the JSON.
func sglangKeyDating() dating {
	return dating{
		first: "v0.2.12",
		since: []dated{
			{"max_concurrency", "v0.3.6.post1"}, {"std_e2e_latency_ms", "v0.4.1.post5"}, {"concurrency", "v0.4.2"},
			{"p95_itl_ms", "v0.4.3.post3"}, {"accept_length", "v0.4.3.post3"}, {"total_input_text_tokens", "v0.5.3.post1"},
			{"tag", "v0.5.4.post2"}, {"server_info", "v0.5.4.post3"}, {"total_throughput", "v0.5.5.post2"},
			{"max_output_tokens_per_s", "v0.5.6"}, {"p90_e2e_latency_ms", "v0.5.8"}, {"p90_ttft_ms", "v0.5.14"},
			{"cache_report", "v0.5.14"},
		},
		// The last tag before each is not always known; the one that is known to lack
		// the key bounds the range from above.
		always: []dated{
			{"max_concurrency", "v0.3.6"}, {"std_e2e_latency_ms", "v0.4.1.post4"}, {"concurrency", "v0.4.1.post7"},
			{"p95_itl_ms", "v0.4.3.post2"}, {"total_input_text_tokens", "v0.5.3"}, {"tag", "v0.5.4.post1"},
			{"total_throughput", "v0.5.5.post1"}, {"max_output_tokens_per_s", "v0.5.5.post3"},
			{"p90_e2e_latency_ms", "v0.5.7"}, {"p90_ttft_ms", "v0.5.13"},
		},
	}
}

// finishSGLang recomputes, and says what the words mean.
func finishSGLang(o *object, r *Record) {
	derive(r)
	perToken := dividesGaps(o, r)
	recompute(r, o.requests, recomputation{otherITL: perToken == printedOnly})
	sglangFinish(r, nil)

	r.Definitions = []Definition{RatesByDuration, FailuresHidden, InputByClient}
	if hasQuantity(r, metric.TPOT) {
		r.Definitions = append(r.Definitions, TPOTDecodeOnly)
	}
	itl, ok := r.Value(metric.Of(metric.Mean, metric.ITL))
	switch {
	case perToken == everywhere, perToken == printedOnly && !itl.Recomputed && ok:
		r.Definitions = append(r.Definitions, ITLPerToken)
	case hasQuantity(r, metric.ITL):
		r.Definitions = append(r.Definitions, ITLPerChunk)
	}
	if o.has("max_output_tokens_per_s") {
		r.Definitions = append(r.Definitions, PeakPerChunk)
	}
	// Seen in 0.4.9, and no longer in 0.5.4; for the versions between nobody knows.
	if sglangKeyDating().keyRange(o, true).before("v0.5.4") {
		r.Definitions = append(r.Definitions, OutputAsAsked)
	}
}

// Where the gap before a chunk is divided by the chunk's tokens.
const (
	nowhere     = iota
	printedOnly // in the printed statistics; the lists keep the gaps as they came
	everywhere
)

// dividesGaps tells the meanings of ITL. SGLang's own servers report how many tokens
// a chunk holds: the native backend always does, the OpenAI ones when they speculate.
func dividesGaps(o *object, r *Record) int {
	accepted, ok := r.Number(metric.AcceptanceLength)
	switch backend := o.text("backend"); {
	case backend == "sglang" || backend == "sglang-native":
		return everywhere
	case strings.HasPrefix(backend, "sglang-oai") && ok && accepted > 0:
		return printedOnly
	default:
		return nowhere
	}
}

// sglangOfflineJSON is bench_offline_throughput.
func sglangOfflineJSON() dialect {
	d := sglangJSON()
	d.format = "sglang-offline-json"
	d.tells = []string{"successful_requests"}
	d.owns = func(o *object) bool { return o.has("successful_requests", "total_latency", "total_output_tokens") }
	d.producer = func(*object) string { return "sglang bench_offline_throughput" }
	d.dating = dating{}
	d.statistic = nil
	d.finish = nil
	d.fields = append([]jsonField{
		{key: "successful_requests", id: metric.CompletedRequests},
		{key: "total_latency", id: metric.Duration, unit: "s"},
		{key: "last_gen_throughput", setting: "last_gen_throughput"},
	}, d.fields...)
	return d
}

// oneBatchServerJSON is bench_one_batch_server: one batch against a server. Its output
// throughput leaves out the time until the last request's first token.
func oneBatchServerJSON() dialect {
	return dialect{
		format:   "sglang-one-batch-server-json",
		tells:    []string{"run_name"},
		owns:     func(o *object) bool { return o.has("run_name", "batch_size", "output_len", "latency") },
		producer: func(*object) string { return "sglang bench_one_batch_server" },
		fields: append(oneBatchSettings(),
			jsonField{key: "latency", id: metric.Duration, unit: "s", none: isNegative},
			jsonField{key: "input_throughput", setting: "prefill_throughput"},
			jsonField{key: "output_throughput", setting: "decode_throughput"},
			jsonField{key: "overall_throughput", id: metric.TotalThroughput, none: isNegative},
			jsonField{key: "last_ttft", id: metric.Of(metric.Max, metric.TTFT), scale: 1000, unit: "s", none: isNegative},
			jsonField{key: "last_gen_throughput", setting: "last_generation_throughput"},
			jsonField{key: "acc_length", id: metric.AcceptanceLength, none: isNegative},
			jsonField{key: "cache_hit_rate", id: metric.CacheHitRate, scale: 100, none: isNegative},
			jsonField{key: "profile_link*"},
		),
		finish: func(_ *object, r *Record) {
			r.Definitions = []Definition{LatencyOfBatch, DecodeRateOnly, OutputAsAsked}
		},
	}
}

// oneBatchJSON is bench_one_batch: the model alone, without a server. Its throughputs
// of prefill and of one decoding step are no throughputs of requests.
func oneBatchJSON() dialect {
	return dialect{
		format:   "sglang-one-batch-json",
		tells:    []string{"run_name"},
		owns:     func(o *object) bool { return o.has("batch_size", "prefill_latency") },
		producer: func(*object) string { return "sglang bench_one_batch" },
		fields: append(oneBatchSettings(),
			jsonField{key: "total_latency", id: metric.Duration, unit: "s"},
			jsonField{key: "overall_throughput", id: metric.TotalThroughput},
			jsonField{key: "prefill_latency", setting: "prefill_latency"},
			jsonField{key: "prefill_throughput", setting: "prefill_throughput"},
			jsonField{key: "median_decode_latency", id: metric.Of(metric.Median, metric.ITL), scale: 1000, unit: "s"},
			jsonField{key: "median_decode_throughput", setting: "decode_throughput.median"},
		),
		finish: func(_ *object, r *Record) {
			deriveBatch(r)
			r.Definitions = []Definition{LatencyOfBatch, RatesByDuration}
		},
	}
}

func oneBatchSettings() []jsonField {
	return []jsonField{
		{key: "run_name", setting: "run_name"},
		{key: "batch_size", setting: "batch_size"},
		{key: "input_len", setting: "input_len"},
		{key: "output_len", setting: "output_len"},
		{key: "device", setting: "device"},
		{key: "dtype", setting: "dtype"},
		{key: "model", setting: "model"},
	}
}
