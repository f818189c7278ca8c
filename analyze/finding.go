package analyze

import "benchguide/study"

// Severity says how much a finding matters.
type Severity string

// The severities: an error stops a build, a caution stands on the page where the
// number stands, a note is for the record.
const (
	SeverityError   Severity = "error"
	SeverityCaution Severity = "caution"
	SeverityNote    Severity = "note"
)

// The codes of findings. They are stable: scripts and pages refer to them.
const (
	CodeLatencyImpossible  = "latency-impossible"    // derived latency above what the duration allows
	CodeSameBytes          = "same-bytes"            // two results are one trial, printed twice
	CodeMeasuredAgain      = "measured-again"        // one configuration, measured more than once
	CodeTokensDiffer       = "output-tokens-differ"  // 1 to 5 % more output tokens on one side
	CodeNotComparable      = "not-comparable"        // two sides that may not be ranked
	CodePublishedDiffers   = "published-differs"     // a publication states another number than its data
	CodePublishedOrder     = "published-order"       // a publication prints a wrong order
	CodePublishedNoData    = "published-no-data"     // a publication states what its data cannot say
	CodeCommandDiffers     = "command-differs"       // what was run is not what the study derives
	CodeStartMissing       = "start-missing"         // a start by which a stage was decided is not there any more
	CodeCannotDerive       = "cannot-derive"         // a candidate's change does not fit the incumbent
	CodeBadPick            = "pick-outside-tie"      // the author's pick is not in the tie group
	CodeUnknownFact        = "unknown-fact"          // a claim speaks of a fact that does not exist
	CodeBadClaim           = "claim-without-number"  // a claim's text holds no number
	CodeEnvironmentDiffers = "environment-differs"   // two sides were measured in unlike surroundings
	CodeAcceptUnused       = "accept-unused"         // an accepted finding that does not occur
	CodeLimitBroken        = "limit-broken"          // a configuration breaks a limit of the objective
	CodeIdentityBroken     = "identity-broken"       // a printed rate is not the quotient of its counts
	CodePercentileOrder    = "percentile-order"      // a percentile below a lower one
	CodeBursts             = "streamed-in-bursts"    // median ITL near zero beside a large mean
	CodeFewPrompts         = "few-prompts"           // fewer than 20 prompts for each concurrent slot
	CodePeakArtefact       = "peak-artefact"         // peak concurrency above the maximum, as whole seconds make it
	CodePeakImpossible     = "peak-impossible"       // peak concurrency above what whole seconds explain
	CodeFewForP99          = "p99-of-few"            // P99 of fewer than 1,000 requests
	CodeFasterThanPossible = "faster-than-possible"  // TPOT below what the memory allows, without speculation
	CodeClientBound        = "client-bound"          // the client was as busy as it can be, so it may have measured itself
	CodeCacheFull          = "kv-cache-full"         // the KV cache of all concurrent requests is larger than the memory left for it
	CodeDoesNotFit         = "does-not-fit"          // weights larger than the memory of the GPUs
	CodeBoundUnknown       = "bound-unknown"         // GPU or model is in no table, so there is no bound
	CodeCacheDiffers       = "cache-differs"         // the prefix cache answered the prompts of one side of a comparison
	CodeHotRepeat          = "hot-repeat"            // a start measured a workload again with the same prompts
	CodeHotPrompts         = "hot-prompts"           // a trial whose prompts another workload had sent to its start
	CodeRequestsDiffer     = "requests-differ"       // per-request data that are not those of the printed numbers
	CodeNoObjectiveValue   = "objective-not-printed" // a trial lacks the metric that ranks
	CodeUnmeasured         = "not-reached"           // a stage or a case that the run did not come to
	CodeThrottled          = "gpu-throttled"         // heat or a brake held a GPU back while something was measured
	CodeSpell              = "slow-spell"            // some seconds of a trial in which tokens came late
	CodeRehearsalMixed     = "rehearsal-mixed"       // a start and its run do not agree on whether a fake engine answered
	CodeDeclaredDiffers    = "declared-differs"      // the study declares a load or hardware that its data contradict
	CodeDoubtfulResult     = "doubtful-result"       // a raw output that was read, and about which something is odd
)

// Finding is something wrong or doubtful in the data or in what was said of it.
// Its words are made where it is shown; Facts, Names and Claim fill them in.
type Finding struct {
	Code     string            `json:"code"`
	Severity Severity          `json:"severity"`
	Subject  string            `json:"subject"` // what it is about: a trial, a workload, a ref, a claim, a stage
	File     string            `json:"file"`    // relative to the study's folder
	Line     int               `json:"line,omitempty"`
	Column   int               `json:"column,omitempty"`
	Facts    map[string]string `json:"facts,omitempty"`    // name in the message to fact id
	Names    map[string]string `json:"names,omitempty"`    // name in the message to a ref, a workload or other text
	Claim    string            `json:"claim,omitempty"`    // id of the published claim
	Accepted *study.Text       `json:"accepted,omitempty"` // why the author lets it stand
}
