package parse

// Further definitions, of tools that use the words for other quantities than the
// serving benchmarks of the engines do. Values are filed under what they mean; these
// names say how the words were read.
const (
	// TPOTByTokens: the mean of TPOT counts each request as often as it has tokens.
	TPOTByTokens Definition = "tpot-mean-weighted-by-tokens"
	// TPOTPerToken: what the tool calls time per output token divides by all tokens; it is left out.
	TPOTPerToken Definition = "printed-tpot-divides-by-all-tokens"
	// E2EToEnd: end-to-end latency ends with the stream, after its usage.
	E2EToEnd Definition = "e2e-to-end-of-stream"
	// E2EToText: end-to-end latency ends with the last chunk that holds text.
	E2EToText Definition = "e2e-to-last-text-chunk"
	// RatesMayOverstate: rates are taken from versions that overstate them, and cannot be recomputed.
	RatesMayOverstate Definition = "rates-may-be-overstated"
	// RatesInWindow: rates count the events inside the measured window; one at its edge may be missing.
	RatesInWindow Definition = "rates-count-events-in-window"
	// RatesOverSpan: rates divide by the span of the requests, and not by the stated duration.
	RatesOverSpan Definition = "rates-over-span-of-requests"
	// PromptsTwice: the tool's total rate counts prompts twice; it is recomputed.
	PromptsTwice Definition = "printed-total-rate-counts-prompts-twice"
	// RatesAllRequests: rates include the tokens of incomplete and failed requests.
	RatesAllRequests Definition = "rates-over-all-requests"
	// RatesWithPauses: rates divide by a time that includes the pauses between stages.
	RatesWithPauses Definition = "rates-include-pauses-between-stages"
	// DurationOfSuccesses: the duration spans successful requests, while rates divide by the whole phase.
	DurationOfSuccesses Definition = "duration-of-successful-requests"
	// WithoutWarmup: statistics and token rates leave out requests that the request rate counts.
	WithoutWarmup Definition = "statistics-without-warm-up"
	// InputRateZero: the tool prints an input rate of zero that it did not compute; it is left out.
	InputRateZero Definition = "printed-input-rate-not-computed"
	// OutputByClient: output tokens are counted by the client's tokenizer, unless it was told otherwise.
	OutputByClient Definition = "output-tokens-by-client"
	// SecondsAsMS: the tool prints seconds under a heading that says milliseconds.
	SecondsAsMS Definition = "printed-seconds-as-ms"
	// FromRequestData: values are computed from per-request data, not printed.
	FromRequestData Definition = "from-per-request-data"
)
