package analyze

import (
	"time"

	"benchguide/metric"
	"benchguide/study"
)

// ReportSchema names the version of the report's JSON form.
const ReportSchema = "benchguide/report/v1"

// Report is everything that a study's page states, without words.
type Report struct {
	Schema    string        `json:"schema"`
	ID        string        `json:"id"`
	Run       string        `json:"run"`
	Date      string        `json:"date"`
	Mark      string        `json:"mark,omitempty"`
	Objective Objective     `json:"objective"`
	Rule      Rule          `json:"rule"`
	Floors    []Floor       `json:"noise_floors"`
	Spreads   []Spread      `json:"spreads,omitempty"`
	ErrorRate string        `json:"error_rate,omitempty"` // fact: chance of one false adoption or more, over all stages
	Baseline  Configuration `json:"baseline"`
	Final     Configuration `json:"final"`
	Stages    []Stage       `json:"stages"`
	Open      *OpenStage    `json:"open,omitempty"` // the run has not decided this one
	Cases     []Case        `json:"cases"`
	Summary   Summary       `json:"summary"`
	Bounds    []Bound       `json:"bounds,omitempty"`
	Costs     []Cost        `json:"costs,omitempty"`
	Steady    []Steady      `json:"steady,omitempty"`
	Repeats   []Repeats     `json:"repeats,omitempty"`
	Intervals []Interval    `json:"intervals,omitempty"`
	Beside    []Beside      `json:"beside,omitempty"`  // candidates under the workloads that do not decide
	Lengths   []Lengths     `json:"lengths,omitempty"` // of the workloads whose prompts a dataset gives
	Claims    []Claim       `json:"claims,omitempty"`
	Made      *Made         `json:"made,omitempty"` // of a run that benchguide carried out itself
	Samples   []Sample      `json:"samples"`
	Trials    []Trial       `json:"trials"`
	Findings  []Finding     `json:"findings"`
	FactList  []Fact        `json:"facts"`

	Facts *Facts `json:"-"`
}

// sides are the baseline and the final configuration, once where nothing was adopted.
func (r *Report) sides() []Configuration {
	if r.Final.Ref == r.Baseline.Ref {
		return []Configuration{r.Baseline}
	}
	return []Configuration{r.Baseline, r.Final}
}

// Objective is the metric that ranks, with what else is shown beside it.
type Objective struct {
	Goal     string      `json:"goal"`
	Metric   metric.ID   `json:"metric"`
	Workload string      `json:"workload"`
	Also     []metric.ID `json:"also"` // gains in these are shown too and never decide
}

// Rule names how verdicts were reached.
type Rule string

// The rules; the page says which one was used.
const (
	OneStart Rule = "one-start" // of imported guides: a gain must exceed the noise floor
	Blocks   Rule = "blocks"    // several starts a side, in blocks
)

// Spread is the residual spread between starts in one metric.
type Spread struct {
	Metric metric.ID `json:"metric"`
	Fact   string    `json:"fact"`
	DF     string    `json:"df"` // fact
}

// Configuration is a configuration with its serving command.
type Configuration struct {
	Ref         string `json:"ref"`
	Engine      string `json:"engine"`
	EngineName  string `json:"engine_name"`
	Version     string `json:"version"`
	Model       string `json:"model"`
	Command     string `json:"command"`
	Fingerprint string `json:"fingerprint"`
}

// Verdict is what a stage decided about a candidate.
type Verdict string

// The verdicts. Their meaning is defined in Decide.
const (
	BaselineVerdict    Verdict = "baseline"
	Adopted            Verdict = "adopted"
	Tied               Verdict = "tied"
	Outperformed       Verdict = "outperformed"
	NotDistinguishable Verdict = "not-distinguishable"
	NoGain             Verdict = "no-gain"
	Infeasible         Verdict = "infeasible"
	Invalid            Verdict = "invalid"
	Undecided          Verdict = "undecided" // the run has not decided the stage yet
)

// Stage is what a stage found.
type Stage struct {
	ID         string      `json:"id"`
	Metric     metric.ID   `json:"metric"`         // that decided: the objective's, unless a trial lacks it
	Incumbent  string      `json:"incumbent"`      // ref of what the candidates were compared with
	Adopted    string      `json:"adopted"`        // ref of what the study goes on with; the incumbent where nothing was gained
	Changed    bool        `json:"changed"`        // the study goes on with something else than the incumbent
	Open       bool        `json:"open,omitempty"` // the run has not decided it yet: nothing is adopted
	Picked     bool        `json:"picked"`         // the author chose, since the data cannot tell
	TieGroup   []string    `json:"tie_group"`      // refs that cannot be told apart from the best
	Candidates []Candidate `json:"candidates"`
	Unpaired   []string    `json:"unpaired,omitempty"`   // trials that were alone in their block: they are part of means and of no gain
	Threshold  *Threshold  `json:"threshold,omitempty"`  // what decided, by the rule for several starts
	Gain       []Gain      `json:"gain,omitempty"`       // of the adopted one over the incumbent, by metric
	Ablation   *Comparison `json:"ablation,omitempty"`   // the final configuration over itself without this stage's gain
	Cumulative []Gain      `json:"cumulative,omitempty"` // of the stages so far over the baseline
	Confirmed  []Gain      `json:"confirmed,omitempty"`  // from starts that did not choose the winner
}

// Candidate is one configuration on trial, judged.
type Candidate struct {
	ID              string        `json:"id"`
	Ref             string        `json:"ref"`
	Verdict         Verdict       `json:"verdict"`
	Picked          bool          `json:"picked,omitempty"`
	SameAs          string        `json:"same_as,omitempty"`
	Broken          []Broken      `json:"broken_limits,omitempty"`
	Failure         string        `json:"failure,omitempty"`  // why it gave no results
	Excluded        string        `json:"excluded,omitempty"` // why too few of its starts may be used
	Result          string        `json:"result"`             // ref of the starts that judge it
	Configuration   Configuration `json:"configuration"`
	Sample          string        `json:"sample"` // id of the sample on the objective's workload
	VersusIncumbent *Comparison   `json:"versus_incumbent,omitempty"`
	VersusAdopted   *Comparison   `json:"versus_adopted,omitempty"`
	VersusLeader    *Comparison   `json:"versus_leader,omitempty"` // where the adopted one is the author's pick
}

// Comparison is one trial held against another.
type Comparison struct {
	Against         string       `json:"against"` // ref
	Metric          metric.ID    `json:"metric"`
	Ratio           float64      `json:"ratio,omitempty"` // above 1: better than Against
	Floor           float64      `json:"floor"`           // what the ratio must exceed, as a fraction
	Distinguishable bool         `json:"distinguishable"`
	Refused         string       `json:"refused,omitempty"`  // code of the reason why the two cannot be compared
	Cautions        []string     `json:"cautions,omitempty"` // codes
	Gains           []Gain       `json:"gains,omitempty"`    // by metric, the deciding one first
	Test            *Test        `json:"test,omitempty"`     // by the rule for several starts
	Ledger          []Difference `json:"ledger,omitempty"`   // what differs between the two sides
}

// Gain is a ratio in one metric, as a fact.
type Gain struct {
	Metric metric.ID `json:"metric"`
	Fact   string    `json:"fact"`
	Floor  float64   `json:"floor,omitempty"`        // what it must exceed, as a fraction
	Bar    string    `json:"floor_fact,omitempty"`   // the same as a fact; empty where nothing was tested
	Within bool      `json:"within_noise,omitempty"` // it does not exceed the floor, or was not tested
}

// Case is the baseline against the optimized configuration on one workload.
type Case struct {
	Workload   string     `json:"workload"`
	Baseline   string     `json:"baseline"`  // sample id
	Optimized  string     `json:"optimized"` // sample id
	Comparison Comparison `json:"comparison"`
	Confirmed  []Gain     `json:"confirmed,omitempty"` // from starts that did not choose the winner
}

// Summary is what the stages explain of the whole gain. It has one part for each
// metric, in the order of Objective: the ranking one first.
type Summary struct {
	Parts []SummaryPart `json:"parts"`
}

// SummaryPart is the arithmetic of one metric: stages multiplied, measured, and
// what is left over.
type SummaryPart struct {
	Metric       metric.ID `json:"metric"`
	Stages       string    `json:"stages"`       // fact: product of the stages' gains
	Total        string    `json:"total"`        // fact: baseline to final, as measured
	Unattributed string    `json:"unattributed"` // fact: total over product
	Remeasured   bool      `json:"remeasured"`   // the final configuration has a start that chose nothing
}

// Floor is the noise floor of one metric.
type Floor struct {
	Metric   metric.ID `json:"metric"`
	Value    float64   `json:"value"` // the larger of declared and measured
	Fact     string    `json:"fact"`
	Measured string    `json:"measured,omitempty"` // fact: A/A spread, where there is one
	Trials   []string  `json:"trials,omitempty"`   // the repetitions that it comes from
}

// Sample is the starts of one configuration under one workload.
type Sample struct {
	ID        string               `json:"id"` // stage/candidate/workload
	Ref       string               `json:"ref"`
	Workload  string               `json:"workload"`
	Trials    []string             `json:"trials"`            // one for each start that decides
	Confirm   []string             `json:"confirm,omitempty"` // one for each start that came after the decision
	Starts    string               `json:"starts,omitempty"`  // fact: how many of Trials; by the rule for several starts
	Values    map[metric.ID]string `json:"values"`            // metric to fact id
	NoLatency bool                 `json:"latency_impossible,omitempty"`
}

// Trial is one benchmark of one configuration under one workload.
type Trial struct {
	ID          string               `json:"id"` // stage/candidate/workload, with the start where there are several
	Ref         string               `json:"ref"`
	Workload    string               `json:"workload"`
	Start       int                  `json:"start"`
	Block       string               `json:"block,omitempty"`
	Phase       string               `json:"phase,omitempty"`
	File        string               `json:"file"` // relative to the study's folder
	Hash        string               `json:"sha256"`
	Line        int                  `json:"line"` // where the block begins
	Engine      string               `json:"engine"`
	Version     string               `json:"version"`
	Command     string               `json:"command,omitempty"` // as it was run; empty where nobody wrote it down
	Fingerprint string               `json:"fingerprint,omitempty"`
	Producer    string               `json:"producer"`
	Values      map[metric.ID]string `json:"values"`                       // metric to fact id
	NoLatency   bool                 `json:"latency_impossible,omitempty"` // the derived latency is above what the duration allows
	SameBytesAs string               `json:"same_bytes_as,omitempty"`      // the trial that this one is a second copy of
	Repeat      int                  `json:"repeat,omitempty"`             // 2 and more: the start measured the workload again, which decides nothing
	CacheHits   string               `json:"cache_hits,omitempty"`         // fact: part of the prompts' tokens that the prefix cache had
	SentBefore  string               `json:"sent_before,omitempty"`        // fact: part of the prompts' tokens that the same start was sent before
	SentBy      string               `json:"sent_by,omitempty"`            // the trial that sent them

	ran           string               // engine and version, for messages
	configuration *study.Configuration // what was run; nil where nobody wrote it down
	requests      []request            // what the client saved of each; nil if nothing
	began         time.Time            // by our own client's word; zero of any other
	data          string               // fact: how many, and where
	cutShort      bool                 // its client ended with requests that are neither done nor failed
}
