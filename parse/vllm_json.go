package parse

import (
	"strings"

	"benchguide/metric"
)

// vllmJSON is what --save-result of `vllm bench serve`, and of benchmark_serving.py
// before it, saves; --append-result saves one object a line, and a sweep an array.
func vllmJSON() dialect {
	return dialect{
		format:    "vllm-json",
		tells:     []string{"tokenizer_id", "model_id", "request_inthroughput"},
		owns:      ownsVLLM,
		producer:  vllmProducer,
		dating:    vllmKeyDating(),
		fields:    vllmFields(),
		statistic: statisticKeys(vllmQuantities(), "_ms", 1),
		finish:    finishVLLM,
	}
}

// ownsVLLM wants what every version writes. A result that was cut off early is told
// by the settings that come first.
func ownsVLLM(o *object) bool {
	return o.has("completed", "total_input_tokens") && o.hasAny("model_id", "tokenizer_id") ||
		o.has("tokenizer_id", "num_prompts") && o.hasAny("model_id", "backend")
}

func vllmProducer(o *object) string {
	if o.has("endpoint_type") {
		return "vllm bench serve"
	}
	return "vllm benchmark_serving.py"
}

// vllmRustJSON is the client in Rust. It writes vLLM's keys, a window in which the
// load was steady beside them, and each turn of a conversation.
func vllmRustJSON() dialect {
	d := vllmJSON()
	d.owns = func(o *object) bool {
		return ownsVLLM(o) && o.hasAny("steady_state", "max_model_len", "failed_requests", "per_turn_metrics")
	}
	d.producer = func(*object) string { return "vllm-bench (Rust)" }
	d.dating = dating{}
	d.aside = map[string]string{"steady_state": "steady", "per_turn_metrics": "turn"}
	return d
}

// inferenceXJSON is InferenceX's copy of benchmark_serving.py.
func inferenceXJSON() dialect {
	d := vllmJSON()
	d.owns = func(o *object) bool {
		return ownsVLLM(o) && o.hasAny("benchmark_start_time_unix", "benchmark_end_time_unix")
	}
	d.producer = func(*object) string { return "inferencex benchmark_serving" }
	d.dating = dating{}
	return d
}

// vllmFields is every key of every version; a version that lacks one is dated by it.
func vllmFields() []jsonField {
	return []jsonField{
		{key: "completed", id: metric.CompletedRequests},
		{key: "failed", id: metric.FailedRequests},
		{key: "num_prompts", id: metric.TotalRequests},
		{key: "max_concurrency", id: metric.MaxConcurrency},
		{key: "request_rate", id: metric.RequestRate, setting: "request_rate"},
		{key: "duration", id: metric.Duration, unit: "s"},
		{key: "total_input_tokens", id: metric.InputTokens},
		{key: "total_output_tokens", id: metric.OutputTokens},
		{key: "request_throughput", id: metric.RequestThroughput},
		{key: "request_inthroughput", id: metric.RequestThroughput}, // v0.3.1 to v0.3.3
		{key: "request_goodput", id: metric.RequestGoodput},
		{key: "request_goodput:", id: metric.RequestGoodput}, // to v0.9.1
		{key: "input_throughput", id: metric.InputThroughput},
		{key: "output_throughput", id: metric.OutputThroughput},
		{key: "total_token_throughput", id: metric.TotalThroughput},
		{key: "max_output_tokens_per_s", id: metric.PeakOutputRate, none: isZero}, // no chunk was seen
		{key: "max_concurrent_requests", id: metric.PeakConcurrency},
		{key: "rtfx", id: metric.RealTimeFactor, none: isZero}, // of text: there is no sound in it
		{key: "spec_decode_acceptance_rate", id: metric.AcceptanceRate},
		{key: "spec_decode_acceptance_length", id: metric.AcceptanceLength},
		{key: "spec_decode_num_drafts", id: metric.Drafts},
		{key: "spec_decode_draft_tokens", id: metric.DraftTokens},
		{key: "spec_decode_accepted_tokens", id: metric.AcceptedTokens},
		{key: "spec_decode_per_position_acceptance_rates", at: metric.AcceptanceAt, scale: 100},
		{key: "probe_completed", id: metric.ProbesCompleted},
		{key: "probe_failed", id: metric.ProbesFailed},
		{key: "probe_median_e2el_ms", id: metric.Of(metric.Median, metric.ProbeE2E), unit: "ms"},
		{key: "probe_p99_e2el_ms", id: metric.Of(metric.Pct(99), metric.ProbeE2E), unit: "ms"},
		{key: "probe_max_e2el_ms", id: metric.Of(metric.Max, metric.ProbeE2E), unit: "ms"},

		{key: "date", setting: "date"},
		{key: "backend", setting: "backend"},
		{key: "endpoint_type", setting: "endpoint_type"},
		{key: "label", setting: "label"},
		{key: "model_id", setting: "model"},
		{key: "tokenizer_id", setting: "tokenizer"},
		{key: "burstiness", setting: "burstiness"},
		{key: "best_of", setting: "best_of"},
		{key: "use_beam_search", setting: "use_beam_search"},
		{key: "version", setting: "version"},
		{key: "ramp_up_strategy", setting: "ramp_up_strategy"},
		{key: "ramp_up_start_rps", setting: "ramp_up_start_rps"},
		{key: "ramp_up_end_rps", setting: "ramp_up_end_rps"},
		{key: "run_number", setting: "run_number"}, // of a sweep
		{key: "mode", setting: "mode"},
		{key: "num_conversations", setting: "num_conversations"},
		{key: "max_model_len", setting: "max_model_len"},
		{key: "turn", setting: "turn"},
		{key: "benchmark_start_time_unix", setting: "benchmark_start_time_unix"},
		{key: "benchmark_end_time_unix", setting: "benchmark_end_time_unix"},
		{key: "rps_change_events"},
		{key: "failed_requests"},
	}
}

// vllmKeyDating dates a result by its keys. The statistics of the user's choice, and
// what only some runs have, date it from below alone.
func vllmKeyDating() dating {
	return dating{
		first: "v0.3.1",
		since: []dated{
			{"request_throughput", "v0.4.0"}, {"mean_itl_ms", "v0.5.0"}, {"std_ttft_ms", "v0.5.2"},
			{"total_token_throughput", "v0.6.0"}, {"burstiness", "v0.6.4"}, {"max_concurrency", "v0.6.4"},
			{"request_goodput:", "v0.6.4"}, {"endpoint_type", "v0.8.0"}, {"request_goodput", "v0.9.2"},
			{"ramp_up_strategy", "v0.9.2"}, {"max_output_tokens_per_s", "v0.11.0"}, {"failed", "v0.11.1"},
			{"spec_decode_acceptance_rate", "v0.14.0"}, {"rtfx", "v0.17.0"},
		},
		until: []dated{
			{"request_inthroughput", "v0.3.3"}, {"use_beam_search", "v0.5.5"}, {"input_throughput", "v0.5.5"},
			{"best_of", "v0.6.6.post1"}, {"request_goodput:", "v0.9.1"},
		},
		always: []dated{
			{"total_token_throughput", "v0.5.5"}, {"burstiness", "v0.6.3"}, {"request_goodput", "v0.9.1"},
			{"max_output_tokens_per_s", "v0.10.2"}, {"failed", "v0.11.0"}, {"rtfx", "v0.16.0"},
		},
	}
}

// finishVLLM recomputes, and says what the words mean.
func finishVLLM(o *object, r *Record) {
	if o.text("mode") != "multi_turn" { // a conversation is several requests
		deriveFailed(r)
	}
	derive(r)
	recompute(r, o.requests, recomputation{})
	if !o.has("total_output_tokens") {
		// A pooling result has few keys in every version; what it lacks dates nothing.
		if r.Versions != "" {
			r.Versions = vllmKeyDating().keyRange(o, false).String()
		}
		r.Definitions = []Definition{RatesByDuration}
		return
	}
	r.Definitions = vllmKeyMeans(o, r)
}

func vllmKeyMeans(o *object, r *Record) []Definition {
	means := []Definition{RatesByDuration}
	versions := vllmKeyDating().keyRange(o, true)
	if hasQuantity(r, metric.TPOT) {
		means = append(means, TPOTDecodeOnly)
	}
	if hasQuantity(r, metric.ITL) {
		means = append(means, ITLPerChunk)
		if countsEmptyChunks(o, versions) {
			means = append(means, ITLEmptyChunks)
		}
	}
	if o.has("max_output_tokens_per_s") {
		means = append(means, PeakPerChunk)
	}
	if versions.before("v0.15.0") {
		means = append(means, InputByClient)
	}
	if !o.has("failed") {
		means = append(means, FailuresHidden)
	}
	return means
}

// countsEmptyChunks reports whether a chat stream's empty chunks are counted, which
// began between v0.6.6 and v0.8.5. The per-request data tell where a chunk holds one
// token: there are more gaps than tokens then, and one less otherwise.
func countsEmptyChunks(o *object, versions versionRange) bool {
	if !strings.HasSuffix(o.text("backend"), "-chat") && !strings.HasSuffix(o.text("endpoint_type"), "-chat") {
		return false
	}
	if d := o.requests; d != nil && len(d.gaps) == len(d.output) {
		for i, g := range d.gaps {
			if g.n > 0 && float64(g.n) > d.output[i] {
				return true
			}
		}
	}
	return versions.since("v0.8.5")
}

// deriveFailed counts as failed what was to be sent and is not counted as completed.
func deriveFailed(r *Record) {
	total, hasTotal := r.Value(metric.TotalRequests)
	done, hasDone := r.Value(metric.CompletedRequests)
	if _, printed := r.Value(metric.FailedRequests); printed || !hasTotal || !hasDone || total.Number < done.Number {
		return
	}
	r.derived(metric.FailedRequests, total.Number-done.Number, metric.TotalRequests, metric.CompletedRequests)
}
