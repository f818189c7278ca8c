package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"
)

// WriteJSON writes the result file of vLLM's client: its keys in its order, then what
// the client measured of itself under "client". With detail it has a list of one item a
// request for each property; a failed request has its place, with its error.
func WriteJSON(w io.Writer, r Result, s Summary, set Settings, detail bool) error {
	o := &object{}
	o.settings(r, set)
	o.numbers(s, set)
	if detail {
		o.requests(r, set.OmitTexts)
	}
	o.add("max_output_tokens_per_s", s.PeakOutput)
	o.add("max_concurrent_requests", s.PeakConcurrency)
	o.add("rtfx", 0.0)
	o.speculation(s.Speculation)
	for _, x := range sections(s, set) {
		o.section(x, set.Percentiles)
	}
	o.client(r.Self, set)
	return o.write(w)
}

// object is a JSON object whose keys keep their order.
type object struct {
	body bytes.Buffer
	err  error
}

func (o *object) add(key string, value any) {
	text, err := json.Marshal(value)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("%s: %w", key, err)
	}
	if o.body.Len() > 0 {
		o.body.WriteString(", ")
	}
	name, _ := json.Marshal(key) // a string always can be
	o.body.Write(name)
	o.body.WriteString(": ")
	o.body.Write(text)
}

func (o *object) write(w io.Writer) error {
	if o.err != nil {
		return fmt.Errorf("the result cannot be written as JSON: %w", o.err)
	}
	_, err := fmt.Fprintf(w, "{%s}\n", o.body.Bytes())
	return err
}

func (o *object) settings(r Result, set Settings) {
	if set.Rehearsal {
		o.add("date", nil) // two rehearsals of one thing are the same bytes, whenever they were held
	} else {
		o.add("date", r.Began.Format("20060102-150405"))
	}
	o.add("endpoint_type", set.Backend)
	o.add("backend", set.Backend)
	o.add("label", orNull(set.Label != "", set.Label))
	o.add("model_id", set.Model)
	o.add("tokenizer_id", set.Model) // the server's: there is no other
	o.add("num_prompts", len(r.Outcomes))
	for _, key := range slices.Sorted(maps.Keys(set.Metadata)) {
		o.add(key, set.Metadata[key])
	}
	switch {
	case math.IsNaN(set.Rate):
		o.add("request_rate", "trace")
	case finite(set.Rate):
		o.add("request_rate", set.Rate)
	default:
		o.add("request_rate", "inf") // JSON has no infinity
	}
	if finite(set.Burstiness) {
		o.add("burstiness", set.Burstiness)
	} else {
		o.add("burstiness", "inf")
	}
	o.add("max_concurrency", orNull(set.Concurrency > 0, set.Concurrency))
	if r := set.Ramp; r != nil {
		o.add("ramp_up_strategy", r.Strategy)
		o.add("ramp_up_start_rps", r.Start)
		o.add("ramp_up_end_rps", r.End)
	}
}

func (o *object) numbers(s Summary, set Settings) {
	o.add("duration", s.Duration.Seconds())
	o.add("completed", s.Completed)
	o.add("failed", s.Failed)
	o.add("total_input_tokens", s.Input)
	o.add("total_output_tokens", s.Output)
	o.add("request_throughput", s.PerSecond(s.Completed))
	o.add("request_goodput", orNull(set.Goodput.Any(), s.PerSecond(s.Good)))
	o.add("output_throughput", s.PerSecond(s.Output))
	o.add("total_token_throughput", s.PerSecond(s.Input+s.Output))
}

func orNull(has bool, value any) any {
	if has {
		return value
	}
	return nil
}

func (o *object) section(x section, percentiles []float64) {
	o.add("mean_"+x.key+"_ms", x.sample.Mean())
	o.add("median_"+x.key+"_ms", x.sample.Percentile(50))
	o.add("std_"+x.key+"_ms", x.sample.Std())
	for _, p := range percentiles {
		o.add("p"+percentName(p)+"_"+x.key+"_ms", x.sample.Percentile(p))
	}
}

// requests writes the lists. What a failed request lacks is 0, as in the original: its
// error says that it counts for nothing.
func (o *object) requests(r Result, omitTexts bool) {
	n := len(r.Outcomes)
	input, output := make([]int, n), make([]int, n)
	ttfts, ends, starts, queued := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	gaps := make([][]float64, n)
	texts, errs := make([]string, n), make([]string, n)
	for i := range r.Outcomes {
		x := &r.Outcomes[i]
		input[i], output[i] = x.Input, x.Output
		if ttft, ok := x.TTFT(); ok {
			ttfts[i] = ttft.Seconds()
		}
		gaps[i] = seconds(x.Gaps())
		ends[i], starts[i], queued[i] = x.End.Seconds(), x.Sent.Seconds(), x.Queued().Seconds()
		texts[i], errs[i] = x.Text, x.Err
		if !x.OK() {
			output[i] = 0
		}
	}
	o.add("input_lens", input)
	o.add("output_lens", output)
	o.add("ttfts", ttfts)
	o.add("itls", gaps)
	o.add("latencies", ends)
	o.add("start_times", starts)
	o.add("queue_times", queued)
	if !omitTexts {
		o.add("generated_texts", texts)
	}
	o.add("errors", errs)
}

// seconds are in whole microseconds: no clock of a client is nearer to the truth, and a
// detailed file consists of little else.
func seconds(all []time.Duration) []float64 {
	s := make([]float64, len(all))
	for i, d := range all {
		s[i] = d.Round(time.Microsecond).Seconds()
	}
	return s
}

// client says who measured, how, and whether that may have bounded the run.
func (o *object) client(self Self, set Settings) {
	c := &object{}
	c.add("name", "benchguide bench")
	if set.Rehearsal {
		c.add("rehearsal", true)
	}
	c.add("bounded", self.Bounded() != "")
	c.add("bounded_why", orNull(self.Bounded() != "", self.Bounded()))
	c.add("cpu_share", orNull(self.CPU >= 0, self.CPU))
	c.add("lag_p99_ms", self.LagP99)
	c.add("lag_max_ms", self.LagMax)
	c.add("dataset", set.Dataset)
	c.add("prompt_lengths", set.Lengths)
	c.add("prompts_sha256", set.Digest)
	c.add("seed", set.Seed)
	c.add("num_warmups", set.Warmups)
	c.add("temperature", set.Temperature)
	c.add("ignore_eos", set.IgnoreEOS)
	text := json.RawMessage("{" + c.body.String() + "}")
	if c.err != nil {
		o.err = c.err
		text = nil
	}
	o.add("client", text)
}
