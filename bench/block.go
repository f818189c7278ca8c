package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Settings is what a run's reader must know of it, beside the numbers.
type Settings struct {
	Backend     string // "openai", "openai-chat"
	Label       string // empty: none
	Model       string
	Dataset     string // "random", "sharegpt", "custom"
	Lengths     string // how prompts were measured: [Exactly], [ByFile], [Roughly], [AsGiven]
	Digest      string
	Concurrency int     // 0: no limit
	Rate        float64 // +Inf: all at once; NaN: a trace of arrivals
	Burstiness  float64
	Ramp        *Ramp // nil: one rate throughout
	Seed        uint64
	Warmups     int
	Temperature *float64
	IgnoreEOS   bool
	Goodput     Goodput
	Metrics     []string  // which of ttft, tpot, itl, e2el, client_queue_time are printed
	Percentiles []float64 // of each
	Metadata    map[string]string
	Rehearsal   bool // a fake engine answered, and what is printed says so
	OmitTexts   bool // the data of each request go without what was generated
}

// How the lengths of a workload's prompts were measured.
const (
	Exactly = "server tokenizer"
	ByFile  = "tokenizer file"
	Roughly = "approximate, the server has no /tokenize"
	AsGiven = "as in the file"
)

// Quantities are the names that Settings.Metrics may hold, in the order of the block.
func Quantities() []string { return []string{"ttft", "tpot", "itl", "e2el", "client_queue_time"} }

type section struct {
	key, name, title string
	sample           Distribution
}

// sections are the quantities that were asked for, in the order of the block.
func sections(s Summary, set Settings) []section {
	all := []section{
		{"ttft", "TTFT", "Time to First Token", s.TTFT},
		{"tpot", "TPOT", "Time per Output Token (excl. 1st token)", s.TPOT},
		{"itl", "ITL", "Inter-token Latency", s.ITL},
		{"e2el", "E2EL", "End-to-end Latency", s.E2E},
		{"client_queue_time", "Client Queue Time", "Client-side Queueing", s.Queue},
	}
	return slices.DeleteFunc(all, func(x section) bool { return !slices.Contains(set.Metrics, x.key) })
}

// WriteBlock prints the lines about the load and the result, as vLLM's client does.
func WriteBlock(w io.Writer, s Summary, set Settings) error {
	b := &block{}
	b.load(set)
	b.rule(" Serving Benchmark Result ", "=")
	b.count("Successful requests:", s.Completed)
	b.count("Failed requests:", s.Failed)
	if set.Concurrency > 0 {
		b.count("Maximum request concurrency:", set.Concurrency)
	}
	if finite(set.Rate) {
		b.number("Request rate configured (RPS):", set.Rate)
	}
	b.number("Benchmark duration (s):", s.Duration.Seconds())
	b.count("Total input tokens:", s.Input)
	b.count("Total generated tokens:", s.Output)
	b.number("Request throughput (req/s):", s.PerSecond(s.Completed))
	if set.Goodput.Any() {
		b.number("Request goodput (req/s):", s.PerSecond(s.Good))
	}
	b.number("Output token throughput (tok/s):", s.PerSecond(s.Output))
	b.number("Peak output token throughput (tok/s):", s.PeakOutput)
	b.number("Peak concurrent requests:", float64(s.PeakConcurrency))
	b.number("Total token throughput (tok/s):", s.PerSecond(s.Input+s.Output))
	for _, x := range sections(s, set) {
		b.section(x, set.Percentiles)
	}
	b.speculation(s.Speculation)
	b.rule("", "=")
	_, err := io.WriteString(w, b.String())
	return err
}

type block struct{ strings.Builder }

// load prints what stands above the block, so that a reader of the text knows the load.
func (b *block) load(set Settings) {
	rehearsal := ""
	if set.Rehearsal {
		rehearsal = ", rehearsal=True"
	}
	fmt.Fprintf(b, "Namespace(subparser='benchguide', backend='%s', dataset_name='%s', seed=%d, num_warmups=%d, ignore_eos=%s, temperature=%s%s)\n",
		set.Backend, set.Dataset, set.Seed, set.Warmups, pythonBool(set.IgnoreEOS), pythonNumber(set.Temperature), rehearsal)
	fmt.Fprintln(b, "Starting main benchmark run...")
	switch {
	case math.IsNaN(set.Rate):
		fmt.Fprintln(b, "Self timing is set, using the timestamps from the trace file.")
	case set.Ramp != nil:
		fmt.Fprintf(b, "Traffic ramp-up strategy: %s.\n", set.Ramp.Strategy)
		fmt.Fprintf(b, "Will increase RPS from %s to %s RPS over the duration of the benchmark.\n", rateText(set.Ramp.Start), rateText(set.Ramp.End))
		fmt.Fprintf(b, "Burstiness factor: %s (%s)\n", pythonFloat(set.Burstiness), processName(set.Burstiness))
	default:
		fmt.Fprintf(b, "Traffic request rate: %s\n", rateText(set.Rate))
		fmt.Fprintf(b, "Burstiness factor: %s (%s)\n", pythonFloat(set.Burstiness), processName(set.Burstiness))
	}
	limit := "None"
	if set.Concurrency > 0 {
		limit = strconv.Itoa(set.Concurrency)
	}
	fmt.Fprintf(b, "Maximum request concurrency: %s\n", limit)
}

func (b *block) rule(title, fill string) {
	const width = 50
	left := (width - len(title)) / 2
	b.WriteString(strings.Repeat(fill, left) + title + strings.Repeat(fill, width-len(title)-left) + "\n")
}

func (b *block) count(label string, n int) { fmt.Fprintf(b, "%-40s %-10d\n", label, n) }

func (b *block) number(label string, f float64) { fmt.Fprintf(b, "%-40s %-10.2f\n", label, f) }

func (b *block) section(x section, percentiles []float64) {
	b.rule(x.title, "-")
	b.number("Mean "+x.name+" (ms):", x.sample.Mean())
	b.number("Median "+x.name+" (ms):", x.sample.Percentile(50))
	for _, p := range percentiles {
		b.number("P"+percentName(p)+" "+x.name+" (ms):", x.sample.Percentile(p))
	}
}

// percentName is 99 for 99 and 99.9 for 99.9.
func percentName(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }

func processName(burstiness float64) string {
	if burstiness == 1 {
		return "Poisson process"
	}
	return "Gamma distribution"
}

func finite(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }

// rateText is the rate as Python prints it: without a sign before inf.
func rateText(rate float64) string {
	if math.IsInf(rate, 1) {
		return "inf"
	}
	return pythonFloat(rate)
}

func pythonFloat(f float64) string {
	s := strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+")
	s = strings.ToLower(s)
	if finite(f) && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func pythonNumber(f *float64) string {
	if f == nil {
		return "None"
	}
	return pythonFloat(*f)
}
