package study

// RunSchema is the version of run.yaml and attempt.json that this program reads.
const RunSchema = 1

// RunInfo is the content of run.yaml: when and where a study was carried out.
type RunInfo struct {
	Schema   int       `json:"schema"`
	Date     string    `json:"date" jsonschema:"ISO date of the run, or the word unknown"`
	Client   string    `json:"client" jsonschema:"benchmark client and version: vLLM bench CLI v0.11.0"`
	Imported *Imported `json:"imported,omitempty" jsonschema:"where the results were published, if benchguide did not run them"`
	Mark     string    `json:"mark,omitempty" jsonschema:"simulated, rehearsed or dummy-weights; empty for real results"`
}

// Imported says where results come from that benchguide did not run itself.
type Imported struct {
	Title Text   `json:"title"`
	URL   string `json:"url,omitempty"`
	Note  Text   `json:"note" jsonschema:"what was kept and what is not known"`
}

// UnknownDate is the date of a run whose date nobody wrote down.
const UnknownDate = "unknown"

// Attempt is the content of attempt.json: how one server start was made.
type Attempt struct {
	Schema   int               `json:"schema"`
	Imported bool              `json:"imported"`
	Engine   string            `json:"engine"`
	Version  string            `json:"version"`
	Command  string            `json:"command,omitempty"` // as published; empty where the source prints none
	Env      map[string]string `json:"env,omitempty"`

	Block       int                `json:"block,omitempty"`       // the round that the start belongs to; its number if left out
	Sitting     string             `json:"sitting,omitempty"`     // the time in which one machine was held
	Phase       string             `json:"phase,omitempty"`       // Confirm for starts that choose no winner
	Failure     *Failure           `json:"failure,omitempty"`     // why there are no results
	Invalid     string             `json:"invalid,omitempty"`     // why the results must not be used
	Environment map[string]string  `json:"environment,omitempty"` // what else was in force: gpu, driver, power_limit, client
	CacheHits   map[string]float64 `json:"cache_hits,omitempty"`  // prefix cache hits by workload, as a fraction
	PowerWatts  map[string]float64 `json:"power_watts,omitempty"` // mean power of all GPUs by workload
	ClientCPU   map[string]float64 `json:"client_cpu,omitempty"`  // share of one core that the client took, by workload
}

// Confirm is the phase of starts that were made after the decision, so that the gain
// which is printed comes from starts that did not choose the winner.
const Confirm = "confirm"

// Failure is why a start gave no results.
type Failure struct {
	Class  string `json:"class"`  // config, infra, flaky or user
	Reason string `json:"reason"` // what the log said
}

// Marks of results that are no plain measurements.
const (
	MarkSimulated    = "simulated"
	MarkRehearsed    = "rehearsed"
	MarkDummyWeights = "dummy-weights"
)
