package parse

// Further definitions, of tools that use the words for other quantities than the
// serving benchmarks of the engines do. Values are filed under what they mean; these
// names say how the words were read.
const (
	// DefTPOTFirstToLast: TPOT is (last token - first token) / (tokens - 1), which is up to 1.2 % shorter.
	DefTPOTFirstToLast = "tpot-to-last-token"
	// DefTPOTByTokens: the mean of TPOT counts each request as often as it has tokens.
	DefTPOTByTokens = "tpot-mean-weighted-by-tokens"
	// DefITLIsTPOT: what the tool calls inter-token latency is TPOT.
	DefITLIsTPOT = "printed-itl-is-tpot"
	// DefTPOTWithTTFT: what the tool calls time per output token includes the first token; it is left out.
	DefTPOTWithTTFT = "printed-tpot-includes-ttft"
	// DefTPOTPerToken: what the tool calls time per output token divides by all tokens; it is left out.
	DefTPOTPerToken = "printed-tpot-divides-by-all-tokens"
	// DefITLWithRoleChunks: ITL counts the gaps before the first and after the last token too.
	DefITLWithRoleChunks = "itl-includes-empty-chunks"
	// DefE2EToText: end-to-end latency ends with the last chunk that holds text.
	DefE2EToText = "e2e-to-last-text-chunk"
	// DefRatesOverstated: the tool overstates its rates; they are recomputed from tokens and duration.
	DefRatesOverstated = "rates-not-by-duration"
	// DefRatesMayOverstate: rates are taken from versions that overstate them, and cannot be recomputed.
	DefRatesMayOverstate = "rates-may-be-overstated"
	// DefRatesInWindow: rates count the events inside the measured window; one at its edge may be missing.
	DefRatesInWindow = "rates-count-events-in-window"
	// DefRatesOverSpan: rates divide by the span of the requests, and not by the stated duration.
	DefRatesOverSpan = "rates-over-span-of-requests"
	// DefPromptTwice: the tool's total rate counts prompts twice; it is recomputed.
	DefPromptTwice = "printed-total-rate-counts-prompts-twice"
	// DefRatesAllRequests: rates include the tokens of incomplete and failed requests.
	DefRatesAllRequests = "rates-over-all-requests"
	// DefRatesWithPauses: rates divide by a time that includes the pauses between stages.
	DefRatesWithPauses = "rates-include-pauses-between-stages"
	// DefDurationSuccesses: the duration spans successful requests, while rates divide by the whole phase.
	DefDurationSuccesses = "duration-of-successful-requests"
	// DefWithoutWarmup: statistics and token rates leave out requests that the request rate counts.
	DefWithoutWarmup = "statistics-without-warm-up"
	// DefInputRateZero: the tool prints an input rate of zero that it did not compute; it is left out.
	DefInputRateZero = "printed-input-rate-not-computed"
	// DefClientTokens: output tokens are counted by the client's tokenizer, unless it was told otherwise.
	DefClientTokens = "output-tokens-by-client"
	// DefTemplateTokens: prompt tokens are the server's count, chat template included.
	DefTemplateTokens = "input-tokens-by-server"
	// DefSecondsUnderMS: the tool prints seconds under a heading that says milliseconds.
	DefSecondsUnderMS = "printed-seconds-as-ms"
	// DefPerRequestData: values are computed from per-request data, not printed.
	DefPerRequestData = "from-per-request-data"
)
