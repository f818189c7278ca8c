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
	Seed     *int      `json:"seed,omitempty" jsonschema:"seed of prompts and of the order of starts, in a run of benchguide"`
	Plan     string    `json:"plan,omitempty" jsonschema:"digest of what the study asked for when the run began"`
}

// RunPlan is how a run carries a study out. What is left out has a default.
type RunPlan struct {
	Seed        int      `json:"seed,omitempty" jsonschema:"seed of prompts and of the order of starts; 0 if left out"`
	Blocks      int      `json:"blocks,omitempty" jsonschema:"most blocks that decide a stage: 6 if left out, 3 for the first look only"`
	Confirm     *int     `json:"confirm,omitempty" jsonschema:"blocks after a decision that confirm its gain: 3 if left out, 0 for none"`
	Screen      string   `json:"screen,omitempty" jsonschema:"a candidate that is worse by more than this after two blocks leaves: 10% if left out"`
	Warmup      int      `json:"warmup,omitempty" jsonschema:"prompts sent before the workloads of a start; by default twice the largest concurrency, at least 8"`
	Ablation    bool     `json:"ablation,omitempty" jsonschema:"measure the final configuration without the gain of each stage, too"`
	Temperature *float64 `json:"temperature,omitempty" jsonschema:"sampling temperature; 0 if left out"`
	StopAtEOS   bool     `json:"stop_at_eos,omitempty" jsonschema:"let answers end where the model ends them; by default each has its planned length"`
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

	Rehearsed bool               `json:"rehearsed,omitempty"` // a fake engine answered
	Nonce     string             `json:"nonce,omitempty"`     // the name that the server was started under, in no other attempt
	Ran       string             `json:"ran,omitempty"`       // the serving command as it was run, secrets replaced
	Clients   map[string]string  `json:"clients,omitempty"`   // the client's command as it was run, by workload
	Prompts   map[string]string  `json:"prompts,omitempty"`   // digest of the prompts, by workload
	Image     string             `json:"image,omitempty"`     // digest of the container image
	Server    map[string]string  `json:"server,omitempty"`    // what the server says is in force
	Caches    string             `json:"caches,omitempty"`    // of compiled kernels: cold, warm or unknown
	Times     *Times             `json:"times,omitempty"`
	Throttled map[string]float64 `json:"throttled,omitempty"` // part of a trial's seconds in which heat or a brake held the GPU back, by workload
	PowerCap  map[string]float64 `json:"power_cap,omitempty"` // part of a trial's seconds in which the power limit did, by workload
	Secrets   map[string]int     `json:"secrets,omitempty"`   // how many secrets were replaced in the start's files, by kind
}

// Times are when an attempt began and ended, in RFC 3339, and how its time was spent.
type Times struct {
	Began    string             `json:"began"`
	Ended    string             `json:"ended,omitempty"`
	Ready    float64            `json:"ready_seconds,omitempty"` // from the start of the process to the first answer
	Warmup   float64            `json:"warmup_seconds,omitempty"`
	Trials   map[string]float64 `json:"trial_seconds,omitempty"`    // of the whole client, by workload
	Measured map[string]float64 `json:"measured_seconds,omitempty"` // in which the client measured, by workload
}

// Confirm is the phase of starts that were made after the decision, so that the gain
// which is printed comes from starts that did not choose the winner.
const Confirm = "confirm"

// Failure is why a start gave no results.
type Failure struct {
	Class  string `json:"class"`  // config, infra, flaky or user
	Reason string `json:"reason"` // what the log said
}

// The failure classes: who has to act, and whether trying again can help.
const (
	FailConfig = "config" // the configuration cannot run: never tried again
	FailInfra  = "infra"  // the machine is at fault: tried again, twice at most
	FailFlaky  = "flaky"  // the engine died or hung under load: tried again once
	FailUser   = "user"   // a person stopped it
)

// Marks of results that are no plain measurements.
const (
	MarkSimulated    = "simulated"
	MarkRehearsed    = "rehearsed"
	MarkDummyWeights = "dummy-weights"
)
