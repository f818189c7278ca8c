package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Speculation is what a server with speculative decoding counts: drafts, the tokens in
// them, and those that were accepted, in all and by their position in the draft.
type Speculation struct {
	Drafts, Drafted, Accepted float64
	Positions                 []float64
}

// Speculation reads the counters of vLLM and of llama.cpp's server, which have the same
// names, from /metrics. It returns false where the server has
// none: it is another one, does not speculate, or does not tell.
func (c *Client) Speculation(ctx context.Context) (Speculation, bool) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.Base, "/")+"/metrics", nil)
	if err != nil {
		return Speculation{}, false
	}
	resp, err := c.send(req)
	if err != nil {
		return Speculation{}, false
	}
	defer resp.Body.Close()
	return readSpeculation(resp.Body)
}

const (
	speculationName = "spec_decode_num_"
	mostMetrics     = 64 << 20 // bytes of /metrics that are read
	mostPositions   = 1024
)

// readSpeculation adds up the counters of all engines behind the server.
func readSpeculation(r io.Reader) (Speculation, bool) {
	var s Speculation
	found := false
	lines := bufio.NewScanner(io.LimitReader(r, mostMetrics))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, labels, value, ok := counter(lines.Text())
		if !ok {
			continue
		}
		switch name {
		case "drafts":
			s.Drafts += value
			found = true
		case "draft_tokens":
			s.Drafted += value
		case "accepted_tokens":
			s.Accepted += value
		case "accepted_tokens_per_pos":
			s.at(labels, value)
		}
	}
	return s, found && lines.Err() == nil
}

// counter takes a line of Prometheus' text format apart.
func counter(line string) (name, labels string, value float64, ok bool) {
	engine, rest, _ := strings.Cut(line, ":")
	rest, ok = strings.CutPrefix(rest, speculationName)
	if !ok || engine != "vllm" && engine != "llamacpp" {
		return "", "", 0, false
	}
	end := strings.LastIndexByte(rest, ' ')
	if end < 0 {
		return "", "", 0, false
	}
	value, err := strconv.ParseFloat(rest[end+1:], 64)
	name, labels, _ = strings.Cut(strings.TrimSpace(rest[:end]), "{")
	return strings.TrimSuffix(name, "_total"), labels, value, err == nil && finite(value)
}

func (s *Speculation) at(labels string, value float64) {
	_, rest, _ := strings.Cut(labels, `position="`)
	digits, _, _ := strings.Cut(rest, `"`)
	position, err := strconv.Atoi(digits)
	if err != nil || position < 0 || position >= mostPositions {
		return
	}
	for len(s.Positions) <= position {
		s.Positions = append(s.Positions, 0)
	}
	s.Positions[position] += value
}

// Since returns what was counted after an earlier reading, and false if nothing was.
func (s Speculation) Since(before Speculation) (Speculation, bool) {
	d := Speculation{Drafts: s.Drafts - before.Drafts, Drafted: s.Drafted - before.Drafted, Accepted: s.Accepted - before.Accepted}
	for i, n := range s.Positions {
		if i < len(before.Positions) {
			n -= before.Positions[i]
		}
		d.Positions = append(d.Positions, n)
	}
	return d, d.Drafts > 0 && d.Drafted > 0
}

// Rate is the accepted part of the drafted tokens, in per cent.
func (s Speculation) Rate() float64 { return s.Accepted / s.Drafted * 100 }

// Length is how many tokens a step gives: the accepted ones and the model's own.
func (s Speculation) Length() float64 { return 1 + s.Accepted/s.Drafts }

// speculation prints the section of the block.
func (b *block) speculation(s *Speculation) {
	if s == nil {
		return
	}
	b.rule("Speculative Decoding", "-")
	b.number("Acceptance rate (%):", s.Rate())
	b.number("Acceptance length:", s.Length())
	b.count("Drafts:", int(s.Drafts))
	b.count("Draft tokens:", int(s.Drafted))
	b.count("Accepted tokens:", int(s.Accepted))
	if len(s.Positions) > 0 {
		b.WriteString("Per-position acceptance (%):\n")
	}
	for i, n := range s.Positions {
		b.number(fmt.Sprintf("  Position %d:", i), n/s.Drafts*100)
	}
}

// speculation adds the keys of the result file. Those of positions are fractions, unlike
// the rate: so they are in the original.
func (o *object) speculation(s *Speculation) {
	if s == nil {
		return
	}
	o.add("spec_decode_acceptance_rate", s.Rate())
	o.add("spec_decode_acceptance_length", s.Length())
	o.add("spec_decode_num_drafts", int(s.Drafts))
	o.add("spec_decode_draft_tokens", int(s.Drafted))
	o.add("spec_decode_accepted_tokens", int(s.Accepted))
	shares := make([]float64, len(s.Positions))
	for i, n := range s.Positions {
		shares[i] = n / s.Drafts
	}
	o.add("spec_decode_per_position_acceptance_rates", shares)
}
