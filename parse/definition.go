package parse

// The definitions that can hold for a record. Tools use the same words for different
// quantities; values are filed under what they mean, and these names say which
// reading of the words was used. A name is never renamed.
const (
	// DefTPOTFromE2E: TPOT is (end to end - first token) / (tokens - 1), averaged over requests.
	DefTPOTFromE2E = "tpot-from-e2e"
	// DefTPOTFirstToLast: TPOT is (last token - first token) / (tokens - 1), which is up to 1.2 % shorter.
	DefTPOTFirstToLast = "tpot-first-to-last-token"
	// DefTPOTByTokens: the mean of TPOT counts each request as often as it has tokens.
	DefTPOTByTokens = "tpot-mean-weighted-by-tokens"
	// DefITLIsTPOT: what the tool calls inter-token latency is TPOT.
	DefITLIsTPOT = "tool-itl-is-tpot"
	// DefTPOTWithTTFT: what the tool calls time per output token includes the first token; it is left out.
	DefTPOTWithTTFT = "tool-tpot-includes-ttft"
	// DefTPOTPerToken: what the tool calls time per output token divides by all tokens; it is left out.
	DefTPOTPerToken = "tool-tpot-divides-by-all-tokens"
	// DefITLPerChunk: ITL is the gap between chunks, pooled over all requests.
	DefITLPerChunk = "itl-per-chunk-pooled"
	// DefITLWithRoleChunks: ITL counts the gaps before the first and after the last token too.
	DefITLWithRoleChunks = "itl-includes-empty-chunks"
	// DefE2EToText: end-to-end latency ends with the last chunk that holds text.
	DefE2EToText = "e2e-to-last-text-chunk"
	// DefE2EToEnd: end-to-end latency ends with the stream.
	DefE2EToEnd = "e2e-to-end-of-stream"
	// DefRatesOverstated: the tool overstates its rates; they are recomputed from tokens and duration.
	DefRatesOverstated = "tool-rates-overstated"
	// DefRatesMayOverstate: rates are taken from versions that overstate them, and cannot be recomputed.
	DefRatesMayOverstate = "tool-rates-may-be-overstated"
	// DefRatesInWindow: rates count the events inside the measured window; one at its edge may be missing.
	DefRatesInWindow = "rates-count-events-in-window"
	// DefRatesOverSpan: rates divide by the span of the requests, and not by the stated duration.
	DefRatesOverSpan = "rates-over-span-of-requests"
	// DefPromptTwice: the tool's total rate counts prompts twice; it is recomputed.
	DefPromptTwice = "tool-total-rate-counts-prompts-twice"
	// DefRatesAllRequests: rates include the tokens of incomplete and failed requests.
	DefRatesAllRequests = "rates-over-all-requests"
	// DefRatesWithPauses: rates divide by a time that includes the pauses between stages.
	DefRatesWithPauses = "rates-include-pauses-between-stages"
	// DefDurationSuccesses: the duration spans successful requests, while rates divide by the whole phase.
	DefDurationSuccesses = "duration-of-successful-requests"
	// DefWithoutWarmup: statistics and token rates leave out requests that the request rate counts.
	DefWithoutWarmup = "statistics-without-warm-up"
	// DefInputRateZero: the tool prints an input rate of zero that it did not compute; it is left out.
	DefInputRateZero = "tool-input-rate-not-computed"
	// DefClientTokens: output tokens are counted by the client's tokenizer, unless it was told otherwise.
	DefClientTokens = "output-tokens-by-client-tokenizer"
	// DefTemplateTokens: prompt tokens are the server's count, chat template included.
	DefTemplateTokens = "input-tokens-include-chat-template"
	// DefSecondsUnderMS: the tool prints seconds under a heading that says milliseconds.
	DefSecondsUnderMS = "tool-prints-seconds-as-ms"
	// DefPerRequestData: values are computed from per-request data, not printed.
	DefPerRequestData = "from-per-request-data"
)
