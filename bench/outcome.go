package bench

import "time"

// Outcome is what became of one request, as recorded. All times are since it was sent,
// but for Sent and Due, which are since the run began.
type Outcome struct {
	Prompt    Prompt
	Due       time.Duration   // when the schedule wanted it sent
	Sent      time.Duration   // when it was
	Chunks    []time.Duration // arrival of each chunk with choices, in order
	FirstText time.Duration   // arrival of the first chunk with text; 0: none came
	End       time.Duration   // arrival of the last chunk
	Input     int             // tokens, as the server counts them
	Output    int             // tokens, as the server counts them
	Text      string          // what was generated, reasoning included
	Err       string          // why it failed; empty: it did not
}

// OK reports whether the request succeeded.
func (o *Outcome) OK() bool { return o.Err == "" }

// TTFT returns the time to the first chunk, and false when none came.
func (o *Outcome) TTFT() (time.Duration, bool) {
	if len(o.Chunks) == 0 {
		return 0, false
	}
	return o.Chunks[0], true
}

// TPOT returns the time per output token after the first, and false for an answer of
// one token, which has none.
func (o *Outcome) TPOT() (time.Duration, bool) {
	first, ok := o.TTFT()
	if !ok || o.Output < 2 {
		return 0, false
	}
	return (o.End - first) / time.Duration(o.Output-1), true
}

// Gaps returns the times between successive chunks. It is empty, and not nil, when
// there are none, as the result file wants it.
func (o *Outcome) Gaps() []time.Duration {
	gaps := make([]time.Duration, 0, max(len(o.Chunks)-1, 0))
	for i := 1; i < len(o.Chunks); i++ {
		gaps = append(gaps, o.Chunks[i]-o.Chunks[i-1])
	}
	return gaps
}

// Queued returns how long the request waited in the client after it was due.
func (o *Outcome) Queued() time.Duration { return max(o.Sent-o.Due, 0) }
