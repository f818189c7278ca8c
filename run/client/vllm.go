package client

import (
	"path/filepath"
	"slices"
	"strconv"

	"benchguide/run/machine"
)

// vllm is `vllm bench serve`, as its 0.26 is.
type vllm struct{ kind }

func newVLLM() vllm {
	return vllm{kind{"vllm", [][]string{
		{"vllm", "bench", "serve"},
		{"python3", "-m", "vllm.entrypoints.cli.main", "bench", "serve"},
		{"python", "-m", "vllm.entrypoints.cli.main", "bench", "serve"},
	}}}
}

// otherDatasets are the options about prompts that a prompt file stands for. --output-len
// is among them because it overrules the file's lengths.
func otherDatasets() []string {
	return []string{
		"--random-*", "--sharegpt-*", "--sonnet-*", "--hf-*", "--spec-bench-*", "--speed-bench-*", "--prefix-repetition-*",
		"--timed-trace-*", "--blazedit-*", "--bfcl-*", "--asr-*", "--input-len", "--output-len", "--self-timed", "--no-self-timed", "--no-stream",
		"--enable-multimodal-chat", "--custom-ensure-client-side-data", "--chat-template-kwargs", "--no-reranker",
	}
}

// Launch puts the command together.
func (c vllm) Launch(t Trial, m machine.Profile) (Launch, error) {
	program, o, err := c.command(t, m)
	if err != nil {
		return Launch{}, err
	}
	c.own(&o, t)
	o.set("--served-model-name", t.Served)
	o.set("--model", t.Model)
	o.set("--tokenizer", t.Tokenizer)
	// Without the first of these the prompts of chat APIs get the template twice, here and
	// on the server; without the second a short file would be sent again from its beginning.
	o.set("--skip-chat-template")
	o.set("--no-oversample")
	return c.launch(t, m, program, o, filepath.Join(t.Folder, t.Result+".json")), nil
}

// own replaces what a run decides, in the words that vLLM's client and ours share.
func (vllm) own(o *options, t Trial) {
	o.drop(otherDatasets()...)
	o.drop("--base-url", "--append-result", "--insecure", "--ramp-up-*", "--plot-*", "--timeline-*", "--use-beam-search")
	o.set("--host", t.Host)
	o.set("--port", strconv.Itoa(t.Port))
	o.set("--dataset-name", "custom")
	o.set("--dataset-path", t.Prompts)
	o.set("--custom-output-len", "-1") // the file's own
	o.set("--disable-shuffle")
	o.set("--num-prompts", strconv.Itoa(t.Count))
	o.set("--num-warmups", "0")
	o.set("--ready-check-timeout-sec", "0")
	t.load(o)
	o.set("--temperature", number(t.Temperature))
	o.toggle("--ignore-eos", t.IgnoreEOS)
	o.set("--seed", t.seed(o.value("--seed")))
	o.set("--percentile-metrics", "ttft,tpot,itl,e2el")
	if o.find("--metric-percentiles") < 0 {
		o.set("--metric-percentiles", "50,90,95,99")
	}
	if limits := goodput(t.Limits); len(limits) > 0 {
		o.set("--goodput", limits...)
	}
	o.set("--save-result")
	o.set("--save-detailed")
	o.set("--result-dir", t.Folder)
	o.set("--result-filename", t.Result+".json")
}

// load sets how requests are sent. Where neither the trial nor the workload says, what
// the command says stays.
func (t Trial) load(o *options) {
	if t.Rate > 0 {
		o.set("--request-rate", number(t.Rate))
		o.drop("--max-concurrency")
	}
	if t.Workload.Concurrency > 0 {
		o.set("--max-concurrency", strconv.Itoa(t.Workload.Concurrency))
	}
}

// seed is the workload's; it decides when requests are sent, and no longer which.
func (t Trial) seed(printed string) string {
	if t.Workload.Seed != nil {
		return strconv.Itoa(*t.Workload.Seed)
	}
	if printed != "" {
		return printed
	}
	return "0"
}

// VersionWords is a command that prints the client's version.
func (c vllm) VersionWords(m machine.Profile) []string {
	return append(without(c.program(m), "bench", "serve"), "--version")
}

// without cuts words off the end, where they stand there.
func without(words []string, tail ...string) []string {
	if n := len(words) - len(tail); n > 0 && slices.Equal(words[n:], tail) {
		return slices.Clone(words[:n])
	}
	return slices.Clone(words)
}
