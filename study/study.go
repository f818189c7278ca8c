// Package study reads what a study is: study.yaml, the runs beneath it, and the
// plan of stages that both imply.
//
// A study states configurations once. The baseline is written out; a candidate
// says only what it changes in the incumbent, and its serving command is derived
// (see Configurations). Decoding is strict: every unknown key, wrong type, missing
// translation and dangling reference is reported at once, with its place.
//
// The package reads files and resolves references. It does not compare, rank or
// judge anything: that is analyze's part.
package study

import (
	"benchguide/roofline"
	"benchguide/study/strict"
)

// Schema is the version of study.yaml that this program reads.
const Schema = 1

// Text is a text in both languages. Neither may be missing.
type Text struct {
	ZH string `json:"zh" jsonschema:"Chinese text; {{id}} states a fact, {{cite:name}} a citation"`
	EN string `json:"en" jsonschema:"English text; {{id}} states a fact, {{cite:name}} a citation"`
}

// In returns the text in a language, "zh" or "en".
func (t Text) In(lang string) string {
	if lang == "zh" {
		return t.ZH
	}
	return t.EN
}

// Study is the content of study.yaml.
type Study struct {
	Schema     int                 `json:"schema" jsonschema:"version of this format: 1"`
	Title      Text                `json:"title"`
	Summary    Text                `json:"summary" jsonschema:"one or two sentences for index pages and search engines"`
	Model      Model               `json:"model"`
	Hardware   Hardware            `json:"hardware"`
	Objective  Objective           `json:"objective"`
	NoiseFloor string              `json:"noise_floor,omitempty" jsonschema:"declared noise floor such as 3%; 3% if left out"`
	Engines    map[string]string   `json:"engines" jsonschema:"engine id to the version that was run"`
	Datasets   []Dataset           `json:"datasets"`
	Workloads  []Workload          `json:"workloads"`
	Baseline   Candidate           `json:"baseline" jsonschema:"the untouched starting point; its results lie in the first stage's folder"`
	Stages     []Stage             `json:"stages"`
	Cases      []Case              `json:"cases,omitempty"`
	Notes      []Note              `json:"notes,omitempty" jsonschema:"what a reader must know before using the result"`
	Accept     []Accepted          `json:"accept,omitempty" jsonschema:"findings that the author has looked at and lets stand"`
	Published  *Published          `json:"published,omitempty" jsonschema:"an earlier publication of the same results, whose claims are checked"`
	Literals   []string            `json:"literals,omitempty" jsonschema:"names that contain digits and are no measurements"`
	Citations  map[string]Citation `json:"citations,omitempty" jsonschema:"statements of others, with their source"`
	Run        *RunPlan            `json:"run,omitempty" jsonschema:"how benchguide run carries the study out, where its defaults do not fit"`
}

// Model is what is served.
type Model struct {
	ID   string `json:"id" jsonschema:"as it is passed to the engine: Qwen/Qwen3-8B"`
	Name string `json:"name" jsonschema:"as readers know it: Qwen3-8B"`
	// Shape is what is read for each token; needed for models that no table has.
	Shape *roofline.Model `json:"shape,omitempty" jsonschema:"the model's config.json, for the bandwidth bound of a model that benchguide does not know"`
}

// Hardware is what it is served on.
type Hardware struct {
	Kind  string `json:"kind,omitempty" jsonschema:"gpu if left out; with cpu, gpu and short name a CPU and count is the number of its cores"`
	GPU   string `json:"gpu" jsonschema:"full name: NVIDIA H100 SXM"`
	Short string `json:"short" jsonschema:"short name for titles and tables: H100"`
	Count int    `json:"count" jsonschema:"number of GPUs"`
	Price *Price `json:"price,omitempty" jsonschema:"what a GPU costs, for cost per million tokens"`
}

// The kinds of hardware.
const (
	KindGPU = "gpu"
	KindCPU = "cpu"
)

// CPU reports whether no GPU takes part.
func (h Hardware) CPU() bool { return h.Kind == KindCPU }

// Price is what one GPU costs for an hour.
type Price struct {
	PerHour  float64 `json:"per_hour"`
	Currency string  `json:"currency" jsonschema:"USD, CNY"`
	Source   Text    `json:"source" jsonschema:"whose price, and of when"`
}

// Objective says which metric ranks, on which workload.
type Objective struct {
	Goal     string  `json:"goal" jsonschema:"latency or throughput"`
	Workload string  `json:"workload" jsonschema:"the workload on which stages are decided"`
	Text     Text    `json:"text" jsonschema:"the objective in words"`
	Limits   []Limit `json:"limits,omitempty" jsonschema:"what a winner must keep, such as a service level"`
}

// Limit is a bound on a metric that an adopted configuration must keep, in the
// metric's own unit.
type Limit struct {
	Metric  string   `json:"metric" jsonschema:"metric id, such as p90_tpot or error_rate"`
	AtMost  *float64 `json:"at_most,omitempty"`
	AtLeast *float64 `json:"at_least,omitempty"`
}

// The goals of an objective.
const (
	Latency    = "latency"
	Throughput = "throughput"
)

// Dataset is where prompts come from.
type Dataset struct {
	ID      string `json:"id"`
	Text    Text   `json:"text"`
	Prepare string `json:"prepare,omitempty" jsonschema:"shell command that brings the dataset"`
	File    string `json:"file,omitempty" jsonschema:"for a run: ShareGPT's JSON or a prompt file, relative to the study's folder; the machine's own path goes before it"`
}

// Workload is a dataset under a load.
type Workload struct {
	ID           string    `json:"id"`
	Name         Text      `json:"name"`
	Dataset      string    `json:"dataset"`
	Prompts      int       `json:"prompts"`
	Concurrency  int       `json:"concurrency,omitempty" jsonschema:"maximum concurrency; left out when all prompts are sent at once"`
	InputTokens  int       `json:"input_tokens,omitempty" jsonschema:"requested input tokens of each prompt, for synthetic prompts"`
	OutputTokens int       `json:"output_tokens,omitempty" jsonschema:"requested output tokens of each prompt, for synthetic prompts"`
	Seed         *int      `json:"seed,omitempty"`
	Rates        []float64 `json:"rates,omitempty" jsonschema:"for a run: requests a second to try in this order, up to the knee; the result is that of the best goodput"`
	Command      string    `json:"command" jsonschema:"the exact client command"`
	Derived      *Text     `json:"derived,omitempty" jsonschema:"why the command is a reconstruction, if it is one"`
}

// Stage is a list of candidates that each change one thing in the incumbent.
type Stage struct {
	ID         string      `json:"id"`
	Title      Text        `json:"title"`
	Question   Text        `json:"question" jsonschema:"what the stage asks"`
	Candidates []Candidate `json:"candidates"`
	Pick       *Pick       `json:"pick,omitempty" jsonschema:"the author's choice among candidates that cannot be told apart"`
	Note       *Text       `json:"note,omitempty"`
}

// Candidate is a configuration on trial: what it changes in the incumbent.
type Candidate struct {
	ID      string            `json:"id"`
	Name    Text              `json:"name" jsonschema:"short name for tables and charts"`
	Engine  string            `json:"engine,omitempty" jsonschema:"another engine: its options start from nothing"`
	Version string            `json:"version,omitempty" jsonschema:"another engine version"`
	Model   string            `json:"model,omitempty" jsonschema:"another model id or weights: Qwen/Qwen3-8B-FP8"`
	From    string            `json:"from,omitempty" jsonschema:"start from this candidate of the same stage and not from the incumbent"`
	Add     strict.Words      `json:"add,omitempty" jsonschema:"options that the incumbent does not have"`
	Set     strict.Words      `json:"set,omitempty" jsonschema:"options that the incumbent has, with another value"`
	Remove  strict.Words      `json:"remove,omitempty" jsonschema:"options of the incumbent that are left out"`
	Env     map[string]string `json:"env,omitempty" jsonschema:"environment variables"`
	Command string            `json:"command,omitempty" jsonschema:"a whole serving command, in place of the above"`
	SameAs  *SameAs           `json:"same_as,omitempty" jsonschema:"the candidate that this one only spells differently"`
	Result  string            `json:"result,omitempty" jsonschema:"stage/candidate whose starts judge this one, if not its own"`
	Note    *Text             `json:"note,omitempty"`
}

// SameAs says that an option states what is the default anyway.
type SameAs struct {
	Candidate string `json:"candidate" jsonschema:"stage/candidate"`
	Reason    Text   `json:"reason"`
}

// Pick is the author's choice inside a group that the data cannot tell apart.
type Pick struct {
	Candidate string `json:"candidate"`
	Reason    Text   `json:"reason"`
}

// Case compares the baseline with the optimized configuration on one workload.
type Case struct {
	Workload  string `json:"workload"`
	Baseline  string `json:"baseline,omitempty" jsonschema:"stage/candidate that holds the result; cases/baseline if left out"`
	Optimized string `json:"optimized,omitempty" jsonschema:"stage/candidate that holds the result; cases/optimized if left out"`
	Note      *Text  `json:"note,omitempty"`
}

// Note is a caveat of the study.
type Note struct {
	ID    string `json:"id"`
	Title Text   `json:"title"`
	Text  Text   `json:"text"`
}

// Accepted is a finding that the author lets stand, and why. It stays on the page,
// with the reason beside it. Errors cannot be accepted.
type Accepted struct {
	Code    string `json:"code" jsonschema:"the finding's code"`
	Subject string `json:"subject,omitempty" jsonschema:"what it is about, as check prints it in JSON; all of that code if left out"`
	Reason  Text   `json:"reason"`
}

// Published is an earlier publication of the same results.
type Published struct {
	Title  Text    `json:"title"`
	URL    string  `json:"url,omitempty"`
	Claims []Claim `json:"claims"`
}

// Claim is one statement of the publication, bound to the fact that it speaks of.
// Value claims are compared at the precision at which they were printed; order
// claims list facts with the signs that were printed between them.
type Claim struct {
	ID    string   `json:"id"`
	Where Text     `json:"where" jsonschema:"where the publication says it"`
	Says  string   `json:"says" jsonschema:"as printed: 1.78 s, +66.2%, 2.7x"`
	Fact  string   `json:"fact,omitempty" jsonschema:"the fact that it states"`
	Order []string `json:"order,omitempty" jsonschema:"facts and signs in printed order: fact, <, fact, >, fact"`
	Note  *Text    `json:"note,omitempty" jsonschema:"what explains the difference"`
}

// Citation is a statement of somebody else that carries a number.
type Citation struct {
	Text  Text   `json:"text" jsonschema:"the words that stand on the page"`
	Title Text   `json:"title" jsonschema:"what the source is"`
	URL   string `json:"url"`
}
