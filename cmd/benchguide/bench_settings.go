package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchguide/bench"
)

// settings checks the command line and says what a reader of the result must know of it.
func (c benchCommand) settings() (bench.Settings, error) {
	set := bench.Settings{
		Backend: c.Backend, Label: c.Label, Dataset: c.DatasetName,
		Concurrency: c.MaxConcurrency, Rate: c.RequestRate, Burstiness: c.Burstiness, Seed: c.Seed, Warmups: c.NumWarmups,
		Temperature: c.Temperature, IgnoreEOS: c.IgnoreEOS, Metadata: c.Metadata, Ramp: c.ramp(), Rehearsal: c.Rehearsal, OmitTexts: !c.SaveTexts,
	}
	switch {
	case c.NumPrompts < 1:
		return set, errors.New("--num-prompts must be at least 1")
	case c.NumWarmups < 0 || c.MaxConcurrency < 0 || c.Timeout < 0 || c.Deadline < 0 || c.ReadyCheckTimeoutSec < 0:
		return set, errors.New("--num-warmups, --max-concurrency, --request-timeout, --deadline and --ready-check-timeout-sec cannot be negative")
	case c.DatasetName != "random" && c.DatasetPath == "":
		return set, fmt.Errorf("--dataset-name %s needs a file; name it with --dataset-path", c.DatasetName)
	case c.Arrivals != "" && !math.IsInf(c.RequestRate, 1):
		return set, errors.New("--arrivals and --request-rate exclude each other")
	case set.Ramp != nil && (c.Arrivals != "" || !math.IsInf(c.RequestRate, 1)):
		return set, errors.New("--ramp-up-strategy has rates of its own; leave --request-rate and --arrivals out")
	case set.Ramp == nil && (c.RampUpStart != 0 || c.RampUpEnd != 0):
		return set, errors.New("--ramp-up-start-rps and --ramp-up-end-rps need --ramp-up-strategy")
	case c.ResultFilename != "" && !c.saves():
		return set, errors.New("--result-filename needs --save-result or --append-result")
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

// ramp is the rising rate that was asked for; nil without one.
func (c benchCommand) ramp() *bench.Ramp {
	if c.RampUpStrategy == "" {
		return nil
	}
	return &bench.Ramp{Strategy: c.RampUpStrategy, Start: c.RampUpStart, End: c.RampUpEnd}
}

// spreads reads --random-range-ratio: one number for both lengths, or
// {"input": 0.3, "output": 0.5}.
func spreads(text string) (input, output float64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	if both, err := strconv.ParseFloat(text, 64); err == nil {
		return both, both, nil
	}
	var each struct {
		Input  *float64 `json:"input"`
		Output *float64 `json:"output"`
	}
	if err := json.Unmarshal([]byte(text), &each); err != nil || each.Input == nil || each.Output == nil {
		return 0, 0, fmt.Errorf(`--random-range-ratio: %q is neither a number such as 0.3 nor {"input": 0.3, "output": 0.5}`, text)
	}
	return *each.Input, *each.Output, nil
}
