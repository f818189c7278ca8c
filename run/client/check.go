package client

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"benchguide/metric"
	"benchguide/parse"
)

// Unknown is a count that the client did not tell.
const Unknown = -1

// Counts are what a client says that it did.
type Counts struct {
	Completed, Failed int
	Input, Output     int     // tokens
	Seconds           float64 // measured
	Goodput           float64 // requests a second that kept the limits
}

// Check reads what a client printed and what it wrote (nil where it wrote nothing), and
// says what makes the trial worthless. A client's exit status is not asked: one has
// ended with 0 after 100 of 100 requests had failed.
func Check(t Trial, txt, json []byte) (Counts, []string) {
	c := Counts{Unknown, Unknown, Unknown, Unknown, Unknown, Unknown}
	printed, problems := only("output", txt)
	if printed == nil {
		return c, problems
	}
	from := []*parse.Record{printed}
	if len(bytes.TrimSpace(json)) > 0 {
		written, more := only("result file", json)
		problems = append(problems, more...)
		if written != nil {
			from = append(from, written)
		}
	}
	c = countsOf(from)
	problems = append(problems, disagreement(from)...)
	problems = append(problems, c.judge(t, estimated(from))...)
	if why := fieldsForTokens(printed.Producer, c); why != "" {
		problems = append(problems, why)
	}
	if why := bounded(txt, json); why != "" {
		problems = append(problems, why)
	}
	return c, problems
}

// only returns the one record of an output.
func only(what string, src []byte) (*parse.Record, []string) {
	records, _ := parse.Bytes(what, src)
	switch {
	case len(records) == 0:
		return nil, []string{fmt.Sprintf("the client's %s holds no result; its log says why it ended early", what)}
	case len(records) > 1:
		return nil, []string{fmt.Sprintf("the client's %s holds %d results, and one was asked for", what, len(records))}
	case !records[0].Usable():
		return &records[0], []string{fmt.Sprintf("the client's result cannot be used: %s", firstError(records[0]))}
	}
	return &records[0], nil
}

func firstError(r parse.Record) string {
	for _, p := range r.Problems {
		if p.Severity == parse.Error {
			return p.Error()
		}
	}
	return ""
}

// numberOf returns a metric of the first record that has it.
func numberOf(from []*parse.Record, id metric.ID) float64 {
	for _, r := range from {
		if n, ok := r.Number(id); ok {
			return n
		}
	}
	return Unknown
}

// countsOf prefers what was printed: every client prints, and not every one writes.
func countsOf(from []*parse.Record) Counts {
	count := func(id metric.ID) int { return int(math.Round(numberOf(from, id))) }
	return Counts{
		count(metric.CompletedRequests), count(metric.FailedRequests), count(metric.InputTokens), count(metric.OutputTokens),
		numberOf(from, metric.Duration), numberOf(from, metric.RequestGoodput),
	}
}

// disagreement compares what was printed with what was written: two different results
// are of two runs, one of which left its file behind.
func disagreement(from []*parse.Record) []string {
	if len(from) < 2 {
		return nil
	}
	var problems []string
	for _, id := range []metric.ID{metric.CompletedRequests, metric.InputTokens, metric.OutputTokens} {
		a, ok := from[0].Number(id)
		b, both := from[1].Number(id)
		if ok && both && a != b {
			problems = append(problems, fmt.Sprintf("the client printed %s %s and wrote %s: the result file is not this run's", number(a), strings.ReplaceAll(string(id), "_", " "), number(b)))
		}
	}
	return problems
}

// estimated reports that token counts are means times requests, and so only nearly right.
func estimated(from []*parse.Record) bool {
	for _, d := range from[0].Definitions {
		if d == parse.TokensEstimated {
			return true
		}
	}
	return false
}

// judge says what makes the counts those of no whole run.
func (c Counts) judge(t Trial, roughly bool) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	switch {
	case c.Completed == Unknown:
		add("the client does not say how many requests completed")
	case c.Completed != t.Count:
		add("%d of %d requests completed", c.Completed, t.Count)
	}
	if c.Failed > 0 {
		add("%d requests failed", c.Failed)
	}
	// Fewer tokens of fewer answers say nothing more.
	if c.Completed != t.Count {
		return problems
	}
	if t.IgnoreEOS && t.Output > 0 && !same(c.Output, t.Output, roughly) {
		add("%s output tokens, and %d were asked for with ignore_eos: answers ended early, or the server counts otherwise", told(c.Output), t.Output)
	}
	return problems
}

func told(n int) string {
	if n == Unknown {
		return "an unknown number of"
	}
	return fmt.Sprint(n)
}

// nearly is how far a count may be off that the client made from rounded means.
const nearly = 0.01

// same compares counts: exactly, unless the client itself only estimates them.
func same(got, want int, roughly bool) bool {
	if roughly {
		return math.Abs(float64(got-want)) <= nearly*float64(want)
	}
	return got == want
}
