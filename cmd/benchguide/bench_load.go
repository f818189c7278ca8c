package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"benchguide/bench"
	"benchguide/bench/tokenizer"
)

// client is the server with the way in which it is asked.
func (c benchCommand) client() (*bench.Client, error) {
	base, err := c.base()
	if err != nil {
		return nil, err
	}
	client := &bench.Client{
		HTTP: bench.NewHTTP(), Base: base,
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

// base is the server's address. What people type by habit of other clients is refused
// here, since the server would answer it by a 404 at best.
func (c benchCommand) base() (string, error) {
	if c.BaseURL == "" {
		return fmt.Sprintf("http://%s:%d", c.Host, c.Port), nil
	}
	base := strings.TrimSuffix(c.BaseURL, "/")
	switch {
	case !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://"):
		return "", fmt.Errorf("--base-url %s has no scheme; write http://%s", c.BaseURL, base)
	case strings.HasSuffix(base, "/v1"):
		return "", fmt.Errorf("--base-url %s has the /v1 that --endpoint brings; write %s", c.BaseURL, strings.TrimSuffix(base, "/v1"))
	}
	return base, nil
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
	count, err := c.counter(ctx, client, set)
	if err != nil {
		return nil, err
	}
	if c.DatasetName == "random" {
		w := bench.Random{Input: c.RandomInputLen, Output: c.RandomOutputLen, Prefix: c.RandomPrefixLen, Seed: c.Seed}
		if w.InputSpread, w.OutputSpread, err = spreads(c.RandomRangeRatio); err != nil {
			return nil, err
		}
		return w.Prompts(ctx, n, count)
	}
	f, err := os.Open(c.DatasetPath)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bench.ShareGPT(ctx, c.DatasetPath, f, n, c.SharegptOutputLen, c.Seed, count)
}

// counter returns what prompts are measured by, and says so in the settings.
func (c benchCommand) counter(ctx context.Context, client *bench.Client, set *bench.Settings) (bench.Counter, error) {
	if c.Tokenizer != "" {
		set.Lengths = bench.ByFile
		t, err := tokenizer.Open(c.Tokenizer)
		if err != nil {
			return nil, fmt.Errorf("--tokenizer: %w; give the model's tokenizer.json, or leave it out and the server counts", err)
		}
		return t, nil
	}
	count := bench.CounterOf(ctx, client)
	set.Lengths = bench.Roughly
	if count.Exact() {
		set.Lengths = bench.Exactly
	}
	return count, nil
}

func (c benchCommand) due() ([]time.Duration, error) {
	if ramp := c.ramp(); ramp != nil {
		return ramp.Arrivals(c.NumPrompts, c.Burstiness, c.Seed)
	}
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
