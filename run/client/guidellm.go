package client

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"benchguide/bench"
	"benchguide/run/machine"
)

// guidellm is GuideLLM, whose command line has two grammars: `guidellm benchmark` to 0.5,
// and `guidellm run` as 0.8 has it.
type guidellm struct{ kind }

func newGuideLLM() guidellm {
	return guidellm{kind{"guidellm", [][]string{
		{"guidellm", "benchmark", "run"}, {"guidellm", "benchmark"}, {"guidellm", "run"},
	}}}
}

// row is a line of its data; the columns have the names that it looks for by itself.
type row struct {
	Prompt string `json:"prompt"`
	Output int    `json:"output_tokens_count"`
}

// Launch puts the command together, and writes the data's file. GuideLLM asks for
// ignore_eos itself wherever it knows an answer's length.
func (c guidellm) Launch(t Trial, m machine.Profile) (Launch, error) {
	program, o, err := c.command(t, m)
	if err != nil {
		return Launch{}, err
	}
	file, err := convert(t.Prompts, "guidellm", func(p bench.Prompt) any { return row{p.Text, p.Output} })
	if err != nil {
		return Launch{}, err
	}
	body := map[string]any{"temperature": t.Temperature}
	if !t.IgnoreEOS {
		body["ignore_eos"] = false
	}
	result := t.Result + ".json"
	if c.newer(t) {
		err = newerGrammar(&o, t, file, result, body)
	} else {
		err = olderGrammar(&o, t, file, result, body)
	}
	if err != nil {
		return Launch{}, fmt.Errorf("workload %s: %w", t.Workload.ID, err)
	}
	o.set("--disable-console-interactive")
	return c.launch(t, m, program, o, filepath.Join(t.Folder, result)), nil
}

// newer tells the grammars apart by the command that was printed.
func (guidellm) newer(t Trial) bool {
	words := strings.Fields(t.Workload.Command)
	return len(words) > 1 && words[1] == "run"
}

// olderGrammar is that of 0.4 and 0.5.
func olderGrammar(o *options, t Trial, file, result string, body map[string]any) error {
	profile, rate := t.profile(o.find("--profile") >= 0 || o.find("--rate-type") >= 0)
	if profile != "" {
		o.drop("--rate-type", "--profile", "--rate")
		o.set("--profile", profile)
		if rate != "" {
			o.set("--rate", rate)
		}
	}
	extras, err := json.Marshal(map[string]any{"extras": map[string]any{"body": body}})
	if err != nil {
		return err
	}
	o.drop("--scenario", "-c", "--data-args", "--data-samples", "--data-sampler", "--data-column-mapper", "--max-seconds", "--warmup*", "--cooldown*",
		"--rampup", "--output-path", "--output-sampling", "--sample-requests", "--detect-saturation", "--default-over-saturation", "--over-saturation",
		"--disable-progress", "--disable-console", "--disable-console-outputs")
	o.set("--target", fmt.Sprintf("http://%s:%d", t.Host, t.Port))
	o.set("--model", t.Served)
	o.set("--processor", t.Tokenizer)
	o.set("--data", file)
	o.set("--max-requests", strconv.Itoa(t.Count))
	if o.find("--request-type") < 0 {
		o.set("--request-type", "chat_completions")
	}
	o.set("--request-formatter-kwargs", string(extras))
	o.set("--random-seed", t.seed(o.value("--random-seed")))
	o.set("--output-dir", t.Folder)
	o.set("--outputs", result)
	return nil
}

// profile returns the name of the load and its number; nothing where the command's own
// stays. A command without any would sweep over loads, which is several results.
func (t Trial) profile(printed bool) (name, rate string) {
	switch {
	case t.Rate > 0:
		return "poisson", number(t.Rate)
	case t.Workload.Concurrency > 0:
		return "concurrent", strconv.Itoa(t.Workload.Concurrency)
	case !printed:
		return "throughput", ""
	}
	return "", ""
}

// newerGrammar is that of 0.8: every option is a kind with settings.
func newerGrammar(o *options, t Trial, file, result string, body map[string]any) error {
	format := "/v1/chat/completions"
	for part := range strings.SplitSeq(o.value("--backend"), ",") {
		if value, ok := strings.CutPrefix(part, "request_format="); ok {
			format = value
		}
	}
	backend, err := json.Marshal(struct {
		Kind   string         `json:"kind"`
		Target string         `json:"target"`
		Model  string         `json:"model"`
		Format string         `json:"request_format"`
		Extras map[string]any `json:"extras"`
	}{"openai_http", fmt.Sprintf("http://%s:%d", t.Host, t.Port), t.Served, format, map[string]any{"body": body}})
	if err != nil {
		return err
	}
	o.drop("--config", "--scenario", "-c", "--override", "--constraint", "--output", "--data-*", "--disable-progress", "--disable-console", "--disable-console-outputs")
	o.set("--backend", string(backend))
	switch profile, rate := t.profile(o.find("--profile") >= 0); profile {
	case "throughput":
		o.set("--profile", "kind=throughput")
	case "poisson":
		o.set("--profile", "kind=poisson,rate="+rate)
	case "concurrent":
		o.set("--profile", "kind=concurrent,streams="+rate)
	}
	o.set("--constraint", "kind=max_requests,count="+strconv.Itoa(t.Count))
	o.set("--tokenizer", "kind=huggingface_auto,model="+t.Tokenizer)
	o.set("--data", "kind=json_file,path="+file)
	o.set("--seed", "kind=static,value="+t.seed(""))
	o.set("--output", "kind=json,path="+filepath.Join(t.Folder, result))
	return nil
}

// VersionWords is a command that prints the client's version.
func (c guidellm) VersionWords(m machine.Profile) []string {
	words := c.program(m)
	for _, tail := range [][]string{{"run"}, {"benchmark"}} {
		words = without(words, tail...)
	}
	return append(words, "--version")
}
