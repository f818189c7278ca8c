package main

import (
	"cmp"
	"context"
	"time"

	"benchguide/bench"
)

// benchCommand is `benchguide bench`. Its flags have the names and, where nothing else
// is said, the meanings of those of `vllm bench serve`.
type benchCommand struct {
	Backend         string            `enum:"openai,openai-chat,vllm" default:"openai" help:"API of the server: ${enum}."`
	BaseURL         string            `name:"base-url" placeholder:"URL" help:"Address of the server, in place of host and port."`
	Host            string            `default:"127.0.0.1" help:"Host of the server."`
	Port            int               `default:"8000" help:"Port of the server."`
	Endpoint        string            `placeholder:"PATH" help:"Path of the API; by default that of the backend."`
	Header          map[string]string `placeholder:"KEY=VALUE" help:"Header to send with each request. OPENAI_API_KEY is sent as a bearer token."`
	Model           string            `help:"Name of the model; by default the first that the server offers."`
	ServedModelName string            `placeholder:"NAME" help:"Name of the model in the API, where it is another one."`

	DatasetName       string `enum:"random,sharegpt,custom" default:"random" help:"Workload: ${enum}."`
	DatasetPath       string `placeholder:"FILE" help:"ShareGPT's JSON, or a prompt file with {\"prompt\", \"output_tokens\"} on each line."`
	NumPrompts        int    `default:"1000" help:"Requests to measure."`
	NumWarmups        int    `help:"Requests to send before, with other prompts."`
	RandomInputLen    int    `default:"1024" help:"Tokens of a random prompt, without the chat template."`
	RandomOutputLen   int    `default:"128" help:"Tokens to generate for a random prompt."`
	RandomPrefixLen   int    `help:"Tokens before each random prompt, the same in all of them."`
	RandomRangeRatio  string `placeholder:"R" help:"Draw random lengths from length*(1-R) to length*(1+R); {\"input\": R, \"output\": R} for each."`
	SharegptOutputLen int    `placeholder:"N" help:"Tokens to generate for each conversation, in place of its own answer's."`
	CustomOutputLen   int    `default:"-1" placeholder:"N" help:"Tokens to generate for each line of a prompt file; by default the line's own."`
	Tokenizer         string `placeholder:"PATH" help:"The model's tokenizer.json or its folder, to count prompts by in place of the server."`
	DisableShuffle    bool   `help:"Changes nothing: a prompt file is always sent in its order."`
	Seed              uint64 `help:"Seed of prompts and arrivals."`

	MaxConcurrency int     `placeholder:"N" help:"Most requests under way at once; alone, a closed loop."`
	RequestRate    float64 `default:"inf" help:"Requests per second; inf sends all at once."`
	Burstiness     float64 `default:"1" help:"Shape of the gamma distribution of gaps: 1 is a Poisson process, inf a constant gap."`
	Arrivals       string  `placeholder:"FILE" help:"Send at the times in this file, in seconds since the start, one a line."`

	RampUpStrategy       string  `enum:",linear,exponential" default:"" placeholder:"NAME" help:"Let the rate rise during the run: linear or exponential."`
	RampUpStart          float64 `name:"ramp-up-start-rps" placeholder:"RPS" help:"Rate at the beginning of a ramp-up."`
	RampUpEnd            float64 `name:"ramp-up-end-rps" placeholder:"RPS" help:"Rate at the end of a ramp-up."`
	ReadyCheckTimeoutSec float64 `placeholder:"S" help:"Wait so many seconds for the server to list its models; 0 does not wait."`

	Temperature *float64      `help:"Sampling temperature; by default the server's own."`
	IgnoreEOS   bool          `name:"ignore-eos" help:"Generate to the full length."`
	ExtraBody   string        `placeholder:"JSON" help:"More fields for the body of each request."`
	Timeout     time.Duration `name:"request-timeout" default:"10m" help:"Give up a request after this time; 0 never."`
	Deadline    time.Duration `help:"Give up the run after this time; what is under way then has failed."`

	PercentileMetrics string            `default:"ttft,tpot,itl,e2el" help:"Metrics to report: of ttft, tpot, itl, e2el, client_queue_time."`
	MetricPercentiles string            `default:"99" help:"Percentiles to report of each."`
	Goodput           []string          `placeholder:"KEY:MS" help:"Limits in milliseconds for ttft, tpot, e2el; counts the requests that keep them."`
	Label             string            `help:"Label of the result."`
	Metadata          map[string]string `placeholder:"KEY=VALUE" help:"Text to keep in the result file."`
	SaveResult        bool              `help:"Write a result file."`
	AppendResult      bool              `help:"Add the result to the result file, a line each."`
	SaveDetailed      bool              `help:"Keep each request in the result file."`
	SaveTexts         bool              `negatable:"" default:"true" help:"Keep the generated texts beside each request, too."`
	ResultDir         string            `placeholder:"DIR" help:"Folder of the result file."`
	ResultFilename    string            `placeholder:"FILE" help:"Name of the result file."`
	Rehearsal         bool              `hidden:"" help:"The server is our fake engine: take the times that it stamps, in place of those of this machine."`

	benchNoOps
}

// benchNoOps are flags of `vllm bench serve` that can be given and change nothing: what
// they turn off or on does not exist here.
type benchNoOps struct {
	DisableTqdm       bool   `hidden:""`
	NoOversample      bool   `hidden:""` // a file that is too short is an error
	NoStream          bool   `hidden:""` // of loading a dataset
	SkipChatTemplate  bool   `hidden:""` // the server applies it, and nobody else
	SkipTokenizerInit bool   `hidden:""`
	TrustRemoteCode   bool   `hidden:""`
	TokenizerMode     string `hidden:""`
	RequestIDPrefix   string `hidden:"" name:"request-id-prefix"`
}

// Help is the end of the help text.
func (benchCommand) Help() string {
	return `Sends a workload to a server with OpenAI's streaming API and prints what 'vllm bench serve' prints, with
the same meanings; its result file has the same keys. It needs no Python, no tokenizer and no start-up time.
Tokens are the server's own counts. A request whose stream has no usage or no end has failed.
Of vLLM's flags, --disable-tqdm, --no-oversample, --no-stream, --skip-chat-template, --skip-tokenizer-init,
--trust-remote-code, --tokenizer-mode and --request-id-prefix can be given and change nothing.
Flags of several values are repeated: --goodput ttft:200 --goodput tpot:50.
Exit code 1 says that requests failed; a line on standard error says when the client may have bounded the run.

Examples:
  benchguide bench --backend openai-chat --max-concurrency 4 --num-prompts 100 --ignore-eos --temperature 0
  benchguide bench --dataset-name custom --dataset-path prompts.jsonl --request-rate 8 --save-result --save-detailed --result-filename c8.json`
}

// Run prepares, measures, and writes the result; everything that is wrong with the
// command line is found before a request is sent.
func (c benchCommand) Run(ctx context.Context, io streams) error {
	set, err := c.settings()
	if err != nil {
		return failure{exitUsage, err}
	}
	client, err := c.client()
	if err != nil {
		return failure{exitUsage, err}
	}
	if wait := time.Duration(c.ReadyCheckTimeoutSec * float64(time.Second)); wait > 0 {
		if err := bench.WaitReady(ctx, client, wait); err != nil {
			return unreachable(ctx, err)
		}
	}
	if client.Model == "" {
		if client.Model, err = client.FirstModel(ctx); err != nil {
			return unreachable(ctx, err)
		}
	}
	set.Model = cmp.Or(c.Model, client.Model)
	load, err := c.load(ctx, client, &set)
	if err != nil {
		return unreachable(ctx, err)
	}
	if c.Rehearsal {
		client.Rehearse(load)
	}
	var before bench.Speculation
	var counts bool
	load.Begin = func(ctx context.Context) { before, counts = client.Speculation(ctx) }
	result, err := bench.Run(ctx, client, load)
	if err != nil {
		return unreachable(ctx, err)
	}
	summary := bench.Summarize(result, set.Goodput)
	if counts {
		summary.Speculation = speculated(ctx, client, before)
	}
	if err := c.write(io, result, summary, set); err != nil {
		return failure{exitInternal, err}
	}
	return c.verdict(io, result, summary)
}

// speculated is what the server counted since; nil where it drafted nothing.
func speculated(ctx context.Context, client *bench.Client, before bench.Speculation) *bench.Speculation {
	after, ok := client.Speculation(ctx)
	if !ok {
		return nil
	}
	since, ok := after.Since(before)
	if !ok {
		return nil
	}
	return &since
}

// unreachable gives an error before the measurement its code. A run that was stopped
// says nothing of the input.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failure{exitBadInput, err}
}
