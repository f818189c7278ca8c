package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchguide/engine"
	"benchguide/roofline"
)

// Options is what a fake engine is made from.
type Options struct {
	Words     []string        // the serving command
	Script    *Script         // nil: no faults
	Starts    []int           // of each rule of the script: how many starts matched before
	TimeScale float64         // of real time to simulated; 0: nothing is waited for
	Seed      uint64          // of what differs between starts
	GPU       string          // name; "" or one that is not known: a default
	GPUs      int             // that the machine has; 0: one
	Shape     *roofline.Model // in place of the one that the model's name means
	DevMode   bool            // VLLM_SERVER_DEV_MODE is set
}

// config is a serving command understood: everything that the fake's behaviour rests on.
type config struct {
	engine  engine.Engine
	command engine.Command
	model   string // as the command names it
	served  string
	host    string
	port    int
	context int // tokens that a request may have

	shape     roofline.Model
	gpu       roofline.GPU
	shards    int // GPUs that share a layer
	replicas  int
	precision roofline.Precision
	batch     int // most sequences in a step
	eager     bool
	drafted   int // tokens that speculation drafts a step; 0: none
	caching   bool
	speed     engineSpeed
}

// understand reads a serving command.
func understand(o Options) (config, error) {
	e, c, err := parseCommand(o.Words)
	if err != nil {
		return config{}, err
	}
	k := config{engine: e, command: c, model: c.Model, speed: speedOf(e.ID), caching: true}
	k.served = k.model
	if v, ok := k.value(servedFlag(e.ID)); ok {
		k.served = strings.Fields(v + " ")[0]
	} else if e.ID == "llama.cpp" {
		k.served = path.Base(k.model)
	}
	if k.served == "" {
		return config{}, fmt.Errorf("%s names no model to serve", engine.Quote(o.Words))
	}
	defaultPort := map[string]int{"sglang": 30000, "llama.cpp": 8080}[e.ID]
	if k.port, err = k.number("--port", cmp.Or(defaultPort, 8000)); err != nil {
		return config{}, err
	}
	k.host, _ = k.value("--host")
	k.host = cmp.Or(k.host, "127.0.0.1") // vLLM's default is every address: a fake stays at home
	k.hardware(o)
	k.widths()
	k.behaviour()
	return k, nil
}

// parseCommand takes the words apart by the engine that they start. A program with a
// path in front is that program.
func parseCommand(words []string) (engine.Engine, engine.Command, error) {
	if len(words) == 0 {
		return engine.Engine{}, engine.Command{}, fmt.Errorf("no serving command; put one behind --, such as: -- vllm serve Qwen/Qwen3-8B --port 8000")
	}
	words = slices.Clone(words)
	words[0] = path.Base(words[0])
	var first error
	for _, e := range engine.All() {
		c, err := e.Parse(engine.Quote(words))
		if err == nil {
			return e, c, nil
		}
		if words[0] == e.Program[0] && first == nil {
			first = err
		}
	}
	if first == nil {
		first = fmt.Errorf("%q starts none of %s", words[0], strings.Join(engine.IDs(), ", "))
	}
	return engine.Engine{}, engine.Command{}, fmt.Errorf("the fake engine cannot take this command: %w", first)
}

func servedFlag(engine string) string {
	if engine == "llama.cpp" {
		return "--alias"
	}
	if engine == "tensorrt-llm" {
		return "--served_model_name"
	}
	return "--served-model-name"
}

// value returns the last value of an option, in any of its spellings.
func (k config) value(name string) (string, bool) {
	text, found := "", false
	for _, f := range k.command.Flags {
		if f.HasValue && k.engine.Find(engine.Command{Flags: []engine.Flag{f}}, name) == 0 {
			text, found = f.Value, true
		}
	}
	if !found && name == "--alias" {
		return k.value("-a")
	}
	return text, found
}

func (k config) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return k.engine.Find(k.command, name) >= 0 })
}

// number returns an option that is a whole number. An engine refuses another one, too.
func (k config) number(name string, otherwise int) (int, error) {
	text, ok := k.value(name)
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s %s is no number", name, text)
	}
	return n, nil
}

// first returns the first of these options that is a number above 0.
func (k config) first(otherwise int, names ...string) int {
	for _, name := range names {
		if n, err := k.number(name, 0); err == nil && n > 0 {
			return n
		}
	}
	return otherwise
}

// aProcessor finds names of machines without a GPU.
var aProcessor = regexp.MustCompile(`(?i)\b(cpu|xeon|epyc|ryzen|core|graviton)\b`)

func (k *config) hardware(o Options) {
	known := false
	if k.gpu, known = roofline.FindGPU(o.GPU); !known {
		k.gpu, _ = roofline.FindGPU(defaultGPU)
		if aProcessor.MatchString(o.GPU) {
			k.gpu = processor()
		}
	}
	switch shape, ok := roofline.FindModel(k.model); {
	case o.Shape != nil:
		k.shape = *o.Shape
	case ok:
		k.shape = shape
	default:
		k.shape, _ = roofline.FindModel(defaultModel)
	}
	there := max(o.GPUs, 1)
	tensor := k.first(1, "--tensor-parallel-size", "--tp-size", "--tp_size")
	pipeline := k.first(1, "--pipeline-parallel-size", "--pp-size", "--pp_size")
	if k.engine.ID == "llama.cpp" {
		tensor = there // it takes all that it sees
	}
	k.shards = min(tensor*pipeline, there)
	k.replicas = max(min(k.first(1, "--data-parallel-size", "--dp-size"), there/k.shards), 1)
}

// widths reads how wide numbers are kept, from options and from the model's name.
func (k *config) widths() {
	k.precision = roofline.BF16()
	name := strings.ToLower(path.Base(k.model))
	method, _ := k.value("--quantization")
	for _, text := range []string{name, strings.ToLower(method)} {
		if w, ok := weightWidth(text); ok {
			k.precision.Weights = w
		}
	}
	kv, _ := k.value("--kv-cache-dtype")
	if v, ok := k.value("--kv_cache_dtype"); ok { // click does not take a dash for an underscore
		kv = v
	}
	if strings.HasPrefix(strings.ToLower(kv), "fp8") || strings.EqualFold(kv, "int8") {
		k.precision.KV = width8
	}
	if k.engine.ID == "llama.cpp" {
		keys, _ := k.value("--cache-type-k")
		values, _ := k.value("--cache-type-v")
		k.precision.KV = (cacheWidth(keys) + cacheWidth(values)) / 2
	}
}

// weightWidth finds how wide weights are in a model's name or a method of quantization.
func weightWidth(text string) (float64, bool) {
	for _, w := range []struct {
		width float64
		marks []string
	}{
		{width4, []string{"awq", "gptq", "int4", "w4a16", "nvfp4", "mxfp4", "fp4", "bnb-4bit", "bitsandbytes", "w4afp8"}},
		{width8, []string{"fp8", "int8", "w8a8"}},
		{widthQ8, []string{"q8_0"}},
		{widthQ6, []string{"q6_k"}},
		{widthQ5, []string{"q5_k", "q5_0", "q5_1"}},
		{widthQ4K, []string{"q4_k"}},
		{widthQ4, []string{"q4_0", "q4_1"}},
	} {
		if slices.ContainsFunc(w.marks, func(m string) bool { return strings.Contains(text, m) }) {
			return w.width, true
		}
	}
	return 0, false
}

func cacheWidth(kind string) float64 {
	switch {
	case strings.HasPrefix(kind, "q8"):
		return widthQ8
	case strings.HasPrefix(kind, "q4"):
		return widthQ4
	case strings.HasPrefix(kind, "q5"):
		return widthQ5
	default:
		return width16
	}
}

func (k *config) behaviour() {
	k.batch = k.first(k.speed.batch, "--max-num-seqs", "--max-running-requests", "--max_batch_size", "--parallel")
	k.context = k.first(defaultContext, "--max-model-len", "--context-length", "--max_seq_len", "--ctx-size")
	k.eager = k.has("--enforce-eager", "--disable-cuda-graph")
	if k.has("--no-enable-prefix-caching", "--disable-radix-cache") {
		k.caching = false
	}
	k.drafted = k.draft()
}

// draft returns how many tokens are drafted a step.
func (k config) draft() int {
	if text, ok := k.value("--speculative-config"); ok {
		var spec struct {
			Tokens int `json:"num_speculative_tokens"`
		}
		if json.Unmarshal([]byte(text), &spec) != nil || spec.Tokens < 1 {
			return draftLength
		}
		return min(spec.Tokens, 32)
	}
	if k.has("--speculative-algorithm", "--model-draft", "--spec-type") {
		return min(k.first(draftLength, "--speculative-num-steps", "--draft-max"), 32)
	}
	return 0
}
