package parse

// Definition names one thing that a producer's words mean in a record, where tools
// differ. Two records can be compared in a metric only if their definitions of it
// agree. Names are part of the output's contract and are never renamed.
type Definition string

// What the time per output token is.
const (
	// TPOTDecodeOnly: (E2E - TTFT) / (n - 1) for each request of more than one token,
	// averaged over requests. The canonical meaning.
	TPOTDecodeOnly Definition = "tpot-decode-only"
	// TPOTLastToken: (last token - first token) / (n - 1); 0.1 to 1.2 % below
	// TPOTDecodeOnly, since the finish and usage chunks are not in it.
	TPOTLastToken Definition = "tpot-to-last-token"
	// TPOTWithTTFT: the tool prints a time per output token that includes the time to
	// first token. It is no TPOT and is kept as a setting.
	TPOTWithTTFT Definition = "printed-tpot-includes-ttft"
)

// What the inter-token latency is.
const (
	// ITLPerChunk: the gap between two stream chunks, however many tokens they carry,
	// pooled over all gaps of all requests.
	ITLPerChunk Definition = "itl-per-chunk-pooled"
	// ITLEmptyChunks: the gaps before and after empty chat chunks count, so that 32
	// tokens give 33 gaps and ITL is 3 to 8 % below TPOT.
	ITLEmptyChunks Definition = "itl-counts-empty-chat-chunks"
	// ITLPerToken: each gap is divided by the tokens of its chunk, as SGLang does when
	// the server reports an accept length.
	ITLPerToken Definition = "itl-per-token-with-accept-length"
	// ITLAsTPOT: what the tool prints as inter-token latency is the mean over requests
	// that others call TPOT; it is read as TPOT.
	ITLAsTPOT Definition = "printed-itl-is-tpot"
)

// How tokens are counted.
const (
	// OutputAsAsked: output tokens are those that were asked for, not those that came.
	OutputAsAsked Definition = "output-tokens-as-asked"
	// OutputByServer: output tokens are those of the server's usage report.
	OutputByServer Definition = "output-tokens-by-server"
	// InputByClient: input tokens are the client's, without the chat template.
	InputByClient Definition = "input-tokens-by-client"
	// InputByServer: input tokens are those of the server's usage report.
	InputByServer Definition = "input-tokens-by-server"
	// TokensEstimated: token counts are the mean per request times the requests.
	TokensEstimated Definition = "tokens-estimated-from-means"
)

// How rates and counts are formed.
const (
	// RatesByDuration: every rate is its count divided by the printed duration.
	RatesByDuration Definition = "rates-by-duration"
	// RatesOverstated: rates do not equal counts divided by the duration (GuideLLM's
	// estimate over overlapping intervals, 1 to 44 % above).
	RatesOverstated Definition = "rates-not-by-duration"
	// DecodeRateOnly: the printed output throughput leaves the prefill time out.
	DecodeRateOnly Definition = "printed-output-throughput-excludes-prefill"
	// FailuresHidden: the tool prints no failed requests, so their number is unknown.
	FailuresHidden Definition = "failures-not-printed"
	// PeakPerChunk: the peak output rate counts stream chunks in one-second buckets,
	// not tokens, and may lie below the mean.
	PeakPerChunk Definition = "peak-counts-chunks"
	// LatencyOfBatch: latencies are those of a whole batch, not of a request.
	LatencyOfBatch Definition = "latency-of-whole-batch"
)
