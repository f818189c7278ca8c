package attempt

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"benchguide/bench"
)

// agreement is how close two windows of a warm-up must be: a trial's own spread is
// about 0.5 %, and what compiles or fills caches shows as far more.
const agreement = 0.03

// warmUp sends the warm-up prompts, at the concurrency of the workload that decides,
// until two windows have the same throughput. No prompt is sent twice, nor is it one of
// a workload: a repeated prompt is answered from the server's cache.
func (j *job) warmUp(ctx context.Context) error {
	began := j.deps.Now()
	prompts, err := readPrompts(j.order.Warmup.Prompts)
	if err != nil {
		return err
	}
	if len(prompts) == 0 {
		return nil
	}
	log, err := os.Create(filepath.Join(j.folder, WarmupFile))
	if err != nil {
		return err
	}
	defer log.Close()
	failed := false
	width := window(j.order.Warmup.Workload.Concurrency, len(prompts))
	load := bench.Load{Prompts: prompts, Concurrency: j.order.Warmup.Workload.Concurrency}
	sender := j.sender()
	if j.order.Rehearse != nil {
		// One pass: the fake engine has nothing to warm up.
		width, load.Rehearsal = len(prompts), true
		sender.Rehearse(load)
	}
	err = j.guarded(ctx, "the warm-up", func(ctx context.Context) error {
		return warm(ctx, sender, load, width, func(w seenWindow) {
			fmt.Fprintln(log, w)
			failed = failed || w.failed > 0
			j.tell.tell(Event{Text: w.String(), Tokens: w.rate, Warning: w.failed > 0})
		})
	})
	j.record.Times.Warmup = j.deps.Now().Sub(began).Seconds()
	if err == nil && failed && j.endsSoon() {
		return j.died("the warm-up")
	}
	return err
}

// window is how many prompts are compared with as many others: one for each place, and
// at least twice in the list.
func window(concurrency, prompts int) int {
	half := max(prompts/2, 1)
	if concurrency <= 0 {
		return half
	}
	return min(concurrency, half)
}

// seenWindow is what came of one window.
type seenWindow struct {
	number, sent, failed int
	took                 time.Duration
	rate                 float64 // output tokens a second
	first                string  // error
}

// String is the line of warmup.log.
func (w seenWindow) String() string {
	text := fmt.Sprintf("window %d: %d prompts in %.2f s, %.2f output tokens/s", w.number, w.sent, w.took.Seconds(), w.rate)
	if w.failed > 0 {
		text += fmt.Sprintf(", %d failed, the first with: %s", w.failed, w.first)
	}
	return text
}

// warm sends the prompts of a load window after window. Those that fill no window at
// the end are not sent.
func warm(ctx context.Context, s bench.Sender, load bench.Load, width int, seen func(seenWindow)) error {
	rest, before, good := load.Prompts, math.NaN(), false
	var last seenWindow
	for n := 1; len(rest) >= width; n++ {
		load.Prompts, rest = rest[:width], rest[width:]
		w, err := sendWindow(ctx, s, load, n)
		if err != nil {
			return err
		}
		seen(w)
		good = good || w.failed < w.sent
		if math.Abs(w.rate/before-1) <= agreement {
			return nil
		}
		before, last = w.rate, w
	}
	if good {
		return nil // as warm as these prompts can make it: what differs still, the trials show
	}
	return unwarmed(last)
}

func sendWindow(ctx context.Context, s bench.Sender, load bench.Load, n int) (seenWindow, error) {
	load.Due = make([]time.Duration, len(load.Prompts))
	result, err := bench.Run(ctx, s, load)
	if err != nil {
		return seenWindow{}, err
	}
	w := seenWindow{number: n, sent: len(load.Prompts), took: result.Duration}
	tokens := 0
	for i := range result.Outcomes {
		o := &result.Outcomes[i]
		if o.OK() {
			tokens += o.Output
			continue
		}
		if w.failed++; w.failed == 1 {
			w.first = o.Err
		}
	}
	if result.Duration > 0 {
		w.rate = float64(tokens) / result.Duration.Seconds()
	}
	return w, nil
}

// unwarmed says what it means that a living server answers no request. A refusal is the
// configuration's: most often the prompts are longer than what it serves.
func unwarmed(w seenWindow) error {
	if strings.HasPrefix(w.first, "the server answered 4") {
		return configFault("the server refuses the study's prompts: compare its longest context with their lengths, or leave the candidate out",
			"the server refuses every request of the warm-up: %s", w.first)
	}
	return flakyFault("", "no request of the warm-up succeeded: %s", w.first)
}

// sender is the client of the warm-up.
func (j *job) sender() *bench.Client {
	return &bench.Client{
		HTTP: bench.NewHTTP(), Base: j.target.Base, Endpoint: bench.Completions, Model: j.order.Nonce,
		Temperature: &j.order.Temperature, IgnoreEOS: !j.order.StopAtEOS, Timeout: j.order.Patience.Stall,
	}
}

func readPrompts(file string) ([]bench.Prompt, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, infraFault("the prompts of the run are gone; if they cannot be brought back, begin a new run", "the prompts cannot be read: %v", err)
	}
	defer f.Close()
	return bench.Custom(file, f, 0)
}
