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
}
