package studytest

import (
	"fmt"
	"strings"
	"time"
)

// Held is a tempo of the second start, whose tokens take longer from one second to another.
func Held(from, to, by float64) func(start, request int, second float64) float64 {
	return func(start, _ int, second float64) float64 {
		if start == 2 && second >= from && second < to {
			return by
		}
		return 1
	}
}

// Paced is a run of some blocks in which a token of the baseline's requests takes longer by
// a factor that a tempo gives. A request takes 0.86 s, and they are sent four at a time, for
// 21 s. The client of the candidates saved nothing.
func Paced(blocks int, tempo func(start, request int, second float64) float64) Blocks {
	return PacedFrom(1000, blocks, tempo)
}

// PacedFrom is Paced by a client whose clock shows so many seconds at the beginning.
func PacedFrom(at float64, blocks int, tempo func(start, request int, second float64) float64) Blocks {
	b := Fleet("fast", "flat").Blocks(blocks, Noisy(Gains()))
	b.Plan.Goal = "latency"
	for i, s := range b.Starts {
		t := s.Trials["main"]
		t.Output, t.TPOT = 2000, 42
		b.Starts[i].Trials = map[string]Trial{"main": t}
		if s.Ref == "one/base" {
			data := t.Paced(at, func(request int, second float64) float64 { return tempo(s.Number, request, second) })
			b.Starts[i].Files = map[string]string{"main.json": data}
		}
	}
	return b
}

// Disturbed is a run of our own in which the baseline's second start is held up from second 8
// to 13 after the first request was sent, which was so many seconds after the client began.
// Of what its two GPUs did, each line of their file has one text in these seconds and another
// one in all others, between the index and what held the clocks back.
func Disturbed(sent int, spell, rest string) Blocks {
	b := PacedFrom(float64(sent)+1e-5, 3, Held(8, 13, 1.2))
	b.Own = true
	b.Each(`"nonce": "n", "times": {"began": "2026-11-30T21:00:00Z", "ended": "2026-11-30T21:05:00Z"}`, All)
	began := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC)
	var log strings.Builder
	log.WriteString(clockHeader)
	for second := range 5 * 60 {
		line := rest
		if from := 69 + sent; second >= from && second <= from+5 { // the trial began in the second after 21:01:00
			line = spell
		}
		at := began.Add(time.Duration(second) * time.Second).Format("2006-01-02T15:04:05.000Z07:00")
		for index := range 2 {
			fmt.Fprintf(&log, "%s,%d,%s,0x0000000000000004\n", at, index, line)
		}
	}
	for i, s := range b.Starts {
		if s.Ref == "one/base" {
			data := strings.Replace(s.Files["main.json"], `"20261130-210250"`, `"20261130-210100", "tokenizer_id": "m", "client": {"name": "benchguide bench"}`, 1)
			b.Starts[i].Files = map[string]string{"main.json": data, "gpu.csv": log.String()}
		}
	}
	return b
}
