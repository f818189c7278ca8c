// Package metric declares what benchguide can measure.
//
// A metric owns its unit, its direction (is a higher or a lower value better?)
// and the precision it is printed with, so that no parser, table or chart has to
// know them. Quantities that come as distributions (TTFT, TPOT, ITL, E2E latency)
// have one metric for each statistic: mean_ttft, median_ttft, p99_ttft.
//
// The package is not a registry that others add to: the set is closed, and a
// percentile of a known distribution is the only open part of it.
package metric

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ID names a metric: "completed_requests", "output_throughput", "p99.9_ttft".
type ID string

// Unit is the unit that a metric's values are kept and printed in.
type Unit string

// The units in use. Values are converted to them as they are read.
const (
	None          Unit = ""
	Requests      Unit = "requests"
	Tokens        Unit = "tokens"
	Seconds       Unit = "s"
	Milliseconds  Unit = "ms"
	RequestsPerS  Unit = "req/s"
	TokensPerS    Unit = "token/s"
	TokensPerGPUS Unit = "token/s/GPU"
	Percent       Unit = "%"

	TokensPerUserS Unit = "token/s/user"
	Joules         Unit = "J"
	Watts          Unit = "W"
	TokensPerSWatt Unit = "token/s/W"
)

// Direction says which values of a metric are better.
type Direction int

// Neither marks metrics that describe a trial and do not rank it.
const (
	Neither Direction = iota
	HigherIsBetter
	LowerIsBetter
)

// String returns "higher", "lower" or "neither", the words of the JSON output.
func (d Direction) String() string {
	switch d {
	case HigherIsBetter:
		return "higher"
	case LowerIsBetter:
		return "lower"
	default:
		return "neither"
	}
}

// Metric is one measured quantity.
type Metric struct {
	ID        ID
	Unit      Unit
	Better    Direction
	Precision int // decimals when printed
	Name      string
}

// The metrics that a trial has one value of.
const (
	CompletedRequests  ID = "completed_requests"
	FailedRequests     ID = "failed_requests"
	TotalRequests      ID = "total_requests"
	MaxConcurrency     ID = "max_concurrency"
	MeanConcurrency    ID = "mean_concurrency"
	PeakConcurrency    ID = "peak_concurrency"
	RequestRate        ID = "request_rate"
	Duration           ID = "duration"
	InputTokens        ID = "input_tokens"
	OutputTokens       ID = "output_tokens"
	RequestThroughput  ID = "request_throughput"
	RequestGoodput     ID = "request_goodput"
	InputThroughput    ID = "input_throughput"
	OutputThroughput   ID = "output_throughput"
	PeakOutputRate     ID = "peak_output_throughput"
	TotalThroughput    ID = "total_throughput"
	RequestLatency     ID = "request_latency"
	RequestLatencyMost ID = "request_latency_bound"
	ErrorRate          ID = "error_rate"
)

// The metrics of special runs: speech recognition, speculative decoding,
// diffusion decoding, and the probe requests that some clients send beside the load.
const (
	RealTimeFactor     ID = "real_time_factor"
	AcceptanceRate     ID = "acceptance_rate"
	AcceptanceLength   ID = "acceptance_length"
	Drafts             ID = "drafts"
	DraftTokens        ID = "draft_tokens"
	AcceptedTokens     ID = "accepted_tokens"
	CommittedRate      ID = "committed_throughput"
	StepsPerCanvas     ID = "denoising_steps_per_canvas"
	CommittedPerStep   ID = "committed_per_denoising_step"
	CommittedTokens    ID = "committed_tokens"
	DenoisingSteps     ID = "denoising_steps"
	CanvasPositions    ID = "canvas_positions"
	ProbesCompleted    ID = "probe_completed_requests"
	ProbesFailed       ID = "probe_failed_requests"
	acceptanceAtPrefix    = "acceptance_rate_at_"
)

// The metrics that single clients print beside the common ones: rates of one user
// or one GPU, a second count of the same tokens, the prefix cache, energy.
const (
	UserThroughput      ID = "output_throughput_per_user"
	GPUThroughput       ID = "output_throughput_per_gpu"
	RetokenizedOutput   ID = "retokenized_output_tokens"
	InputTextTokens     ID = "input_text_tokens"
	InputVisionTokens   ID = "input_vision_tokens"
	CachedTokens        ID = "cached_tokens"
	CacheHitRate        ID = "cache_hit_rate"
	Energy              ID = "energy"
	GPUPower            ID = "gpu_power"
	OutputTokensPerWatt ID = "output_throughput_per_watt"
)

// AcceptanceAt returns the id of the share of drafts whose token at a position,
// counted from 0, was accepted: AcceptanceAt(2) is "acceptance_rate_at_2".
func AcceptanceAt(position int) ID { return ID(acceptanceAtPrefix + strconv.Itoa(position)) }

// scalars is the closed list of metrics that are not a statistic of a distribution.
var scalars = []Metric{
	{CompletedRequests, Requests, Neither, 0, "completed requests"},
	{FailedRequests, Requests, LowerIsBetter, 0, "failed requests"},
	{TotalRequests, Requests, Neither, 0, "requests"},
	{MaxConcurrency, Requests, Neither, 0, "maximum concurrency"},
	{MeanConcurrency, Requests, Neither, 2, "mean concurrency"},
	{PeakConcurrency, Requests, Neither, 0, "peak concurrent requests"},
	{RequestRate, RequestsPerS, Neither, 2, "request rate"},
	{Duration, Seconds, Neither, 2, "benchmark duration"},
	{InputTokens, Tokens, Neither, 0, "input tokens"},
	{OutputTokens, Tokens, Neither, 0, "output tokens"},
	{RequestThroughput, RequestsPerS, HigherIsBetter, 2, "request throughput"},
	{RequestGoodput, RequestsPerS, HigherIsBetter, 2, "request goodput"},
	{InputThroughput, TokensPerS, HigherIsBetter, 2, "input throughput"},
	{OutputThroughput, TokensPerS, HigherIsBetter, 2, "output throughput"},
	{PeakOutputRate, TokensPerS, Neither, 2, "peak output throughput"},
	{TotalThroughput, TokensPerS, HigherIsBetter, 2, "total throughput"},
	{RequestLatency, Seconds, LowerIsBetter, 3, "mean request latency"},
	{RequestLatencyMost, Seconds, LowerIsBetter, 3, "upper bound of the mean request latency"},
	{ErrorRate, Percent, LowerIsBetter, 2, "error rate"},
	{RealTimeFactor, None, HigherIsBetter, 2, "inverse real-time factor"},
	{AcceptanceRate, Percent, HigherIsBetter, 2, "acceptance rate"},
	{AcceptanceLength, None, HigherIsBetter, 2, "acceptance length"},
	{Drafts, None, Neither, 0, "drafts"},
	{DraftTokens, Tokens, Neither, 0, "draft tokens"},
	{AcceptedTokens, Tokens, Neither, 0, "accepted tokens"},
	{CommittedRate, TokensPerS, HigherIsBetter, 2, "committed throughput"},
	{StepsPerCanvas, None, Neither, 2, "denoising steps per canvas"},
	{CommittedPerStep, None, HigherIsBetter, 2, "committed tokens per denoising step"},
	{CommittedTokens, Tokens, Neither, 0, "committed tokens"},
	{DenoisingSteps, None, Neither, 0, "denoising steps"},
	{CanvasPositions, None, Neither, 0, "canvas positions evaluated"},
	{ProbesCompleted, Requests, Neither, 0, "completed probe requests"},
	{ProbesFailed, Requests, LowerIsBetter, 0, "failed probe requests"},
	{UserThroughput, TokensPerUserS, HigherIsBetter, 2, "output throughput per user"},
	{GPUThroughput, TokensPerGPUS, HigherIsBetter, 2, "output throughput per GPU"},
	{RetokenizedOutput, Tokens, Neither, 0, "output tokens by the client's tokenizer"},
	{InputTextTokens, Tokens, Neither, 0, "input text tokens"},
	{InputVisionTokens, Tokens, Neither, 0, "input vision tokens"},
	{CachedTokens, Tokens, Neither, 0, "cached prompt tokens"},
	{CacheHitRate, Percent, Neither, 2, "cache hit rate"},
	{Energy, Joules, LowerIsBetter, 2, "energy"},
	{GPUPower, Watts, Neither, 2, "GPU power"},
	{OutputTokensPerWatt, TokensPerSWatt, HigherIsBetter, 4, "output throughput per watt"},
}

// Quantity is a distribution that tools print several statistics of.
type Quantity string

// The quantities, all in milliseconds and all better when lower.
const (
	TTFT Quantity = "ttft"        // time to first token
	TPOT Quantity = "tpot"        // time per output token, the first one excluded
	ITL  Quantity = "itl"         // inter-token latency
	E2E  Quantity = "e2e_latency" // end-to-end latency of a request

	// ProbeE2E is the end-to-end latency of probe requests; it describes other
	// requests than those of the load, so Quantities does not list it.
	ProbeE2E Quantity = "probe_e2e_latency"
)

// Quantities lists the distributions of a load in print order.
func Quantities() []Quantity { return []Quantity{TTFT, TPOT, ITL, E2E} }

// declared lists every quantity that an id may name, in output order.
func declared() []Quantity { return append(Quantities(), ProbeE2E) }

// Stat is a statistic of a distribution: Mean, Median, Std, Min, Max or Pct(99).
type Stat string

// The named statistics.
const (
	Mean   Stat = "mean"
	Median Stat = "median"
	Std    Stat = "std"
	Min    Stat = "min"
	Max    Stat = "max"
)

// Pct returns the statistic of a percentile; 99.9 gives "p99.9".
func Pct(p float64) Stat { return Stat("p" + strconv.FormatFloat(p, 'f', -1, 64)) }

// Of returns the id of a statistic of a quantity: Of(Mean, TTFT) is "mean_ttft".
func Of(s Stat, q Quantity) ID { return ID(string(s) + "_" + string(q)) }

// Lookup returns the declaration of id, and false when nothing declares it.
func Lookup(id ID) (Metric, bool) {
	for _, m := range scalars {
		if m.ID == id {
			return m, true
		}
	}
	if position, ok := acceptancePosition(id); ok {
		return Metric{id, Percent, HigherIsBetter, 2, "acceptance rate at position " + strconv.Itoa(position)}, true
	}
	stat, quantity, found := strings.Cut(string(id), "_")
	if !found || !validStat(Stat(stat)) {
		return Metric{}, false
	}
	for _, q := range declared() {
		if string(q) == quantity {
			return Metric{id, Milliseconds, LowerIsBetter, 2, stat + " " + quantityName(q)}, true
		}
	}
	return Metric{}, false
}

// MustLookup is Lookup for ids that are constants of this program; it panics if id is not declared.
func MustLookup(id ID) Metric {
	m, ok := Lookup(id)
	if !ok {
		panic(fmt.Sprintf("metric %q is not declared", id))
	}
	return m
}

// Order ranks ids for output: declaration order, then quantities with mean,
// median, std, min, max and percentiles ascending. Unknown ids come last.
func Order(id ID) float64 {
	for i, m := range scalars {
		if m.ID == id {
			return float64(i)
		}
	}
	stat, quantity, _ := strings.Cut(string(id), "_")
	for i, q := range declared() {
		if string(q) == quantity {
			return float64(1000*(i+1)) + statOrder(Stat(stat))
		}
	}
	if position, ok := acceptancePosition(id); ok {
		return float64(1000*(len(declared())+1) + position)
	}
	return math.MaxFloat64
}

// NeedsRequests returns how many requests a percentile needs, so that at least ten of
// them lie beyond it: 100 for P90, 1,000 for P99. Other metrics need one.
func (m Metric) NeedsRequests() int {
	stat, _, _ := strings.Cut(string(m.ID), "_")
	p, err := strconv.ParseFloat(strings.TrimPrefix(stat, "p"), 64)
	if err != nil || !strings.HasPrefix(stat, "p") || p >= 100 {
		return 1
	}
	return int(math.Ceil(10/(1-p/100) - 1e-6))
}

// Format prints v with the metric's precision, without its unit.
func (m Metric) Format(v float64) string { return strconv.FormatFloat(v, 'f', m.Precision, 64) }

// Ratio returns how much better now is than before, so that above 1 is better in
// either direction: new/old where higher is better, old/new where lower is.
// It returns false where the ratio has no meaning: a value that is zero, negative
// or not finite, or a metric that does not rank.
func (m Metric) Ratio(before, now float64) (float64, bool) {
	if !(before > 0) || !(now > 0) || math.IsInf(before, 0) || math.IsInf(now, 0) {
		return 0, false
	}
	ratio := 0.0
	switch m.Better {
	case HigherIsBetter:
		ratio = now / before
	case LowerIsBetter:
		ratio = before / now
	}
	return ratio, ratio > 0 && !math.IsInf(ratio, 0) // so is the quotient of extremes
}

// acceptancePosition returns N of "acceptance_rate_at_N" and accepts one spelling only.
func acceptancePosition(id ID) (int, bool) {
	digits, found := strings.CutPrefix(string(id), acceptanceAtPrefix)
	n, err := strconv.Atoi(digits)
	return n, found && err == nil && n >= 0 && AcceptanceAt(n) == id
}

func validStat(s Stat) bool {
	switch s {
	case Mean, Median, Std, Min, Max:
		return true
	}
	p, err := strconv.ParseFloat(strings.TrimPrefix(string(s), "p"), 64)
	return err == nil && strings.HasPrefix(string(s), "p") && p >= 0 && p <= 100 && Pct(p) == s
}

func statOrder(s Stat) float64 {
	for i, named := range []Stat{Mean, Median, Std, Min, Max} {
		if s == named {
			return float64(i)
		}
	}
	p, err := strconv.ParseFloat(strings.TrimPrefix(string(s), "p"), 64)
	if err != nil {
		return 999
	}
	return 10 + p
}

func quantityName(q Quantity) string {
	switch q {
	case E2E:
		return "E2E latency"
	case ProbeE2E:
		return "probe E2E latency"
	default:
		return strings.ToUpper(string(q))
	}
}

// IsOf reports whether id is a statistic of a quantity: "p90_tpot" is one of TPOT.
func IsOf(id ID, q Quantity) bool {
	_, quantity, found := strings.Cut(string(id), "_")
	return found && quantity == string(q)
}
