package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

	DatasetName       string  `enum:"random,sharegpt,custom" default:"random" help:"Workload: ${enum}."`
	DatasetPath       string  `placeholder:"FILE" help:"ShareGPT's JSON, or a prompt file with {\"prompt\", \"output_tokens\"} on each line."`
	NumPrompts        int     `default:"1000" help:"Requests to measure."`
	NumWarmups        int     `help:"Requests to send before, with other prompts."`
	RandomInputLen    int     `default:"1024" help:"Tokens of a random prompt, without the chat template."`
	RandomOutputLen   int     `default:"128" help:"Tokens to generate for a random prompt."`
	RandomRangeRatio  float64 `help:"Draw random lengths from length*(1-ratio) to length*(1+ratio)."`
	SharegptOutputLen int     `placeholder:"N" help:"Tokens to generate for each conversation, in place of its own answer's."`
	CustomOutputLen   int     `default:"-1" placeholder:"N" help:"Tokens to generate for each line of a prompt file; by default the line's own."`
	DisableShuffle    bool    `help:"Changes nothing: a prompt file is always sent in its order."`
	Seed              uint64  `help:"Seed of prompts and arrivals."`

	MaxConcurrency int     `placeholder:"N" help:"Most requests under way at once; alone, a closed loop."`
	RequestRate    float64 `default:"inf" help:"Requests per second; inf sends all at once."`
	Burstiness     float64 `default:"1" help:"Shape of the gamma distribution of gaps: 1 is a Poisson process, inf a constant gap."`
	Arrivals       string  `placeholder:"FILE" help:"Send at the times in this file, in seconds since the start, one a line."`

	ReadyCheckTimeoutSec int `name:"ready-check-timeout-sec" hidden:"" help:"Changes nothing: the server has to be ready."`

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
	SaveDetailed      bool              `help:"Keep each request in the result file."`
	ResultDir         string            `placeholder:"DIR" help:"Folder of the result file."`
	ResultFilename    string            `placeholder:"FILE" help:"Name of the result file."`
	Rehearsal         bool              `hidden:"" help:"The server is our fake engine: take the times that it stamps, in place of those of this machine."`
}

// Help is the end of the help text.
func (benchCommand) Help() string {
	return `Sends a workload to a server with OpenAI's streaming API and prints what 'vllm bench serve' prints, with
the same meanings; its result file has the same keys. It needs no Python, no tokenizer and no start-up time.
Tokens are the server's own counts. A request whose stream has no usage or no end has failed.
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
	result, err := bench.Run(ctx, client, load)
	if err != nil {
		return unreachable(ctx, err)
	}
	summary := bench.Summarize(result, set.Goodput)
	if err := c.write(io, result, summary, set); err != nil {
		return failure{exitInternal, err}
	}
	return c.verdict(io, result, summary)
}

// unreachable gives an error before the measurement its code. A run that was stopped
// says nothing of the input.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failure{exitBadInput, err}
}

func (c benchCommand) settings() (bench.Settings, error) {
	set := bench.Settings{
		Backend: c.Backend, Label: c.Label, Dataset: c.DatasetName,
		Concurrency: c.MaxConcurrency, Rate: c.RequestRate, Burstiness: c.Burstiness, Seed: c.Seed, Warmups: c.NumWarmups,
		Temperature: c.Temperature, IgnoreEOS: c.IgnoreEOS, Metadata: c.Metadata, Rehearsal: c.Rehearsal,
	}
	switch {
	case c.NumPrompts < 1:
		return set, errors.New("--num-prompts must be at least 1")
	case c.NumWarmups < 0 || c.MaxConcurrency < 0 || c.Timeout < 0 || c.Deadline < 0:
		return set, errors.New("--num-warmups, --max-concurrency, --request-timeout and --deadline cannot be negative")
	case c.DatasetName != "random" && c.DatasetPath == "":
		return set, fmt.Errorf("--dataset-name %s needs a file; name it with --dataset-path", c.DatasetName)
	case c.Arrivals != "" && !math.IsInf(c.RequestRate, 1):
		return set, errors.New("--arrivals and --request-rate exclude each other")
	case c.ResultFilename != "" && !c.SaveResult:
		return set, errors.New("--result-filename needs --save-result")
	}
	if c.Arrivals != "" {
		set.Rate = math.NaN()
	}
	var err error
	if set.Metrics, err = c.metrics(); err != nil {
		return set, err
	}
	if set.Percentiles, err = c.percentiles(); err != nil {
		return set, err
	}
	set.Goodput, err = goodputOf(c.Goodput)
	return set, err
}

func (c benchCommand) metrics() ([]string, error) {
	names := strings.Split(c.PercentileMetrics, ",")
	for _, name := range names {
		if !slices.Contains(bench.Quantities(), name) {
			return nil, fmt.Errorf("--percentile-metrics: %q is none of %s", name, strings.Join(bench.Quantities(), ", "))
		}
	}
	return names, nil
}

func (c benchCommand) percentiles() ([]float64, error) {
	var all []float64
	for text := range strings.SplitSeq(c.MetricPercentiles, ",") {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil || !(p > 0 && p <= 100) {
			return nil, fmt.Errorf("--metric-percentiles: %q is no percentile; give numbers such as 50,99", text)
		}
		all = append(all, p)
	}
	return all, nil
}

func goodputOf(limits []string) (bench.Goodput, error) {
	var g bench.Goodput
	fields := map[string]*time.Duration{"ttft": &g.TTFT, "tpot": &g.TPOT, "e2el": &g.E2E}
	for _, limit := range limits {
		name, text, _ := strings.Cut(limit, ":")
		ms, err := strconv.ParseFloat(text, 64)
		if fields[name] == nil || err != nil || !(ms > 0 && ms < 1e9) {
			return g, fmt.Errorf("--goodput: %q is not such as ttft:200, tpot:50 or e2el:5000", limit)
		}
		*fields[name] = time.Duration(ms * float64(time.Millisecond))
	}
	return g, nil
}

func (c benchCommand) client() (*bench.Client, error) {
	client := &bench.Client{
		HTTP: bench.NewHTTP(), Base: cmp.Or(c.BaseURL, fmt.Sprintf("http://%s:%d", c.Host, c.Port)),
		Endpoint: c.Endpoint, Model: cmp.Or(c.ServedModelName, c.Model),
		Temperature: c.Temperature, IgnoreEOS: c.IgnoreEOS, Timeout: c.Timeout, Headers: map[string]string{},
	}
	if client.Endpoint == "" {
		client.Endpoint = bench.Completions
		if c.Backend == "openai-chat" {
			client.Endpoint = bench.Chat
		}
	}
	// A chat prompt that goes to the other API, or back, would be measured under a wrong name.
	if strings.HasSuffix(client.Endpoint, "/chat/completions") != (c.Backend == "openai-chat") {
		return nil, fmt.Errorf("--backend %s does not speak %s; use openai-chat for chat, openai for completions", c.Backend, client.Endpoint)
	}
	if key := os.Getenv("OPENAI_API_KEY"); key != "" {
		client.Headers["Authorization"] = "Bearer " + key
	}
	for name, value := range c.Header {
		client.Headers[name] = value
	}
	if c.ExtraBody == "" {
		return client, nil
	}
	if err := json.Unmarshal([]byte(c.ExtraBody), &client.Extra); err != nil {
		return nil, fmt.Errorf("--extra-body is no JSON object: %w", err)
	}
	return client, nil
}

// load makes the prompts and says how their lengths were measured.
func (c benchCommand) load(ctx context.Context, client *bench.Client, set *bench.Settings) (bench.Load, error) {
	load := bench.Load{Concurrency: c.MaxConcurrency, Deadline: c.Deadline, Rehearsal: c.Rehearsal}
	prompts, err := c.prompts(ctx, client, set)
	if err != nil {
		return load, err
	}
	if load.Prompts, load.Warmups, err = bench.Split(prompts, c.NumPrompts, c.NumWarmups); err != nil {
		return load, err
	}
	set.Digest = bench.Digest(load.Prompts)
	load.Due, err = c.due()
	return load, err
}

func (c benchCommand) prompts(ctx context.Context, client *bench.Client, set *bench.Settings) ([]bench.Prompt, error) {
	n := c.NumPrompts + c.NumWarmups
	if c.DatasetName == "custom" {
		set.Lengths = bench.AsGiven
		f, err := os.Open(c.DatasetPath)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return bench.Custom(c.DatasetPath, f, c.CustomOutputLen)
	}
	count := bench.CounterOf(ctx, client)
	set.Lengths = bench.Roughly
	if count.Exact() {
		set.Lengths = bench.Exactly
	}
	if c.DatasetName == "random" {
		w := bench.Random{Input: c.RandomInputLen, Output: c.RandomOutputLen, Spread: c.RandomRangeRatio, Seed: c.Seed}
		return w.Prompts(ctx, n, count)
	}
	f, err := os.Open(c.DatasetPath)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bench.ShareGPT(ctx, c.DatasetPath, f, n, c.SharegptOutputLen, c.Seed, count)
}

func (c benchCommand) due() ([]time.Duration, error) {
	if c.Arrivals == "" {
		return bench.Arrivals(c.NumPrompts, c.RequestRate, c.Burstiness, c.Seed)
	}
	f, err := os.Open(c.Arrivals)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	due, err := bench.ReadArrivals(c.Arrivals, f)
	if err != nil {
		return nil, err
	}
	if len(due) < c.NumPrompts {
		return nil, fmt.Errorf("%s has %d times for %d requests; ask for fewer with --num-prompts", c.Arrivals, len(due), c.NumPrompts)
	}
	return due[:c.NumPrompts], nil
}

// write prints the block, and puts the result file in its place by renaming, so that
// no reader ever sees half of one.
func (c benchCommand) write(io streams, r bench.Result, s bench.Summary, set bench.Settings) error {
	if err := bench.WriteBlock(io.out, s, set); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if !c.SaveResult {
		return nil
	}
	var text bytes.Buffer
	if err := bench.WriteJSON(&text, r, s, set, c.SaveDetailed); err != nil {
		return err
	}
	name := filepath.Join(c.ResultDir, c.fileName(r, set))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name+".tmp", text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// fileName is the name that was given, or that of vLLM's client.
func (c benchCommand) fileName(r bench.Result, set bench.Settings) string {
	if c.ResultFilename != "" {
		return c.ResultFilename
	}
	limit := ""
	if set.Concurrency > 0 {
		limit = fmt.Sprintf("-concurrency%d", set.Concurrency)
	}
	rate := "trace"
	if !math.IsNaN(set.Rate) {
		rate = strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(set.Rate, 'g', -1, 64)), "+") + "qps"
	}
	when := r.Began.Format("20060102-150405")
	if c.Rehearsal {
		when = "rehearsal"
	}
	return fmt.Sprintf("%s-%s%s-%s-%s.json", cmp.Or(c.Label, c.Backend), rate, limit, filepath.Base(set.Model), when)
}

// mostErrors bounds how many errors are printed: they are often all the same.
const mostErrors = 10

// verdict says on standard error what is doubtful about the run, and fails it if
// requests did.
func (c benchCommand) verdict(io streams, r bench.Result, s bench.Summary) error {
	if why := r.Self.Bounded(); why != "" {
		fmt.Fprintf(io.err, "warning: this run may have been bounded by the client and not by the server: %s\n", why)
	}
	if c.IgnoreEOS && s.ShortOutputs > 0 {
		fmt.Fprintf(io.err, "warning: %d answers have another length than asked, although --ignore-eos was given; does the server know it?\n", s.ShortOutputs)
	}
	if s.Failed == 0 {
		return nil
	}
	printed := 0
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; !o.OK() && printed < mostErrors {
			printed++
			fmt.Fprintf(io.err, "request %d failed: %s\n", i, o.Err)
		}
	}
	return failure{exitFindings, fmt.Errorf("%d of %d requests failed", s.Failed, len(r.Outcomes))}
}
