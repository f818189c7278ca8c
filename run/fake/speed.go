package fake

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"benchguide/engine"
	"benchguide/roofline"
)

// load is what the client says that it keeps in flight.
type load struct {
	inFlight float64 // the most
	rate     float64 // requests a second; 0: a closed loop that keeps as many
}

// request is what the times of an answer depend on, besides the configuration.
type request struct {
	prompt string
	input  int // tokens
	output int // tokens
	cached bool
	load   load
}

// piece is a step of an answer that yields tokens.
type piece struct {
	at     time.Duration // since the request was received
	tokens int
}

// simulator computes when the tokens of an answer come. It is a function: the same request
// to the same start has the same times.
type simulator struct {
	config
	start  float64 // factor of this start
	factor float64 // of the script
	seed   uint64
}

func newSimulator(k config, seed uint64, factor float64) simulator {
	s := simulator{config: k, factor: factor, seed: seed ^ hash(k.fingerprint())}
	s.start = math.Exp(startSpread * s.source("start").NormFloat64())
	return s
}

// fingerprint is the configuration without what only this start has: another name or
// port is not another speed.
func (k config) fingerprint() string {
	words := []string{k.engine.ID, k.model}
	own := engine.Command{Flags: []engine.Flag{{Name: "--port"}, {Name: "--host"}, {Name: servedFlag(k.engine.ID)}, {Name: "-a"}}}
	for _, f := range k.engine.Canonical(k.command) {
		if k.engine.Find(own, f.Name) < 0 {
			words = append(words, f.String())
		}
	}
	return strings.Join(words, "\n")
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// source returns random numbers that follow from the start and a text.
func (s simulator) source(text string) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed, hash(text)))
}

// pieces computes the steps of an answer.
func (s simulator) pieces(r request) []piece {
	random := s.source(r.prompt)
	own := s.start * s.factor * math.Exp(requestSpread*random.NormFloat64())
	own2 := math.Exp(prefillSpread * random.NormFloat64())
	waits, sequences := s.queue(r)
	step := s.step(r, sequences) * own
	now := (s.speed.request.Seconds()+waits)*own + s.prefill(r, sequences)*own*own2
	yield, owed := s.perStep(), 0.0
	var list []piece
	for left := r.output; left > 0; {
		n := 1
		if len(list) > 0 { // the first token is prefill's
			now += step * math.Exp(stepSpread*random.NormFloat64())
			owed += yield
			n = min(max(int(owed), 1), left)
			owed -= float64(n)
		}
		left -= n
		list = append(list, piece{microseconds(now), n})
	}
	return list
}

// microseconds rounds, so that what is printed is what was computed on any machine.
func microseconds(seconds float64) time.Duration {
	return time.Duration(math.Round(seconds*1e6)) * time.Microsecond
}

// step is how long one step takes.
func (s simulator) step(r request, sequences float64) float64 {
	context := float64(r.input) + float64(r.output)/2
	bound := roofline.TPOT(s.gpu, s.shards, s.shape, s.precision, roofline.Load{Batch: sequences, Context: context}).Seconds
	overhead := s.speed.step
	if s.eager {
		overhead += eagerStep
	}
	return (bound/(s.speed.decode*s.sharing()) + overhead.Seconds()) * (1 + draftCost*float64(s.drafted))
}

// sharing is what the GPUs that share a layer lose by talking to each other.
func (s simulator) sharing() float64 { return math.Pow(shardLoss, math.Log2(float64(s.shards))) }

// prefill is how long the prompt takes: a step with its arithmetic on top, and half a
// step of the others that is waited for before.
func (s simulator) prefill(r request, sequences float64) float64 {
	share := 1.0
	if r.cached {
		share = cachedPrefill
	}
	// The bound's arithmetic for a batch of one is that of one token.
	one := roofline.TPOT(s.gpu, s.shards, s.shape, s.precision, roofline.Load{Batch: 1}).Compute
	computed := float64(r.input) * share * one / (s.speed.prefill * s.sharing())
	return s.step(request{input: r.input}, 1) + computed + s.step(r, sequences)/2
}

// perStep is how many tokens a step yields: with speculation all that are right up to
// the first that is not, and one more.
func (s simulator) perStep() float64 {
	if s.drafted == 0 {
		return 1
	}
	return (1 - math.Pow(acceptance, float64(s.drafted)+1)) / (1 - acceptance)
}

// alone is how long the request takes with so many sequences in each step, once it runs.
func (s simulator) alone(r request, sequences float64) float64 {
	steps := float64(max(r.output-1, 0)) / s.perStep()
	return s.prefill(r, sequences) + steps*s.step(r, sequences)
}

// queue returns how long a request waits for a place in the batch, and how many
// sequences are in a step of the replica that it goes to.
func (s simulator) queue(r request) (waits, sequences float64) {
	places := float64(s.batch)
	bound := max(r.load.inFlight/float64(s.replicas), 1)
	if r.load.rate <= 0 {
		sequences = min(bound, places)
		return (bound/sequences - 1) * s.alone(r, sequences), sequences
	}
	return s.arrivals(r, min(bound, places), r.load.rate/float64(s.replicas))
}

// arrivals is queue for an open loop. By Little's law the sequences in flight are the
// rate times how long each takes, which depends on them: their number is where both
// agree. It is looked for between one and the most by halving, since longer batches
// take longer. Where the rate is more than the most can serve, a queue has grown.
func (s simulator) arrivals(r request, most, rate float64) (waits, sequences float64) {
	served := most / s.alone(r, most)
	if rate >= served {
		return overloadWindow * (rate/served - 1), most
	}
	low, high := 1.0, most
	for range 40 {
		middle := (low + high) / 2
		if rate*s.alone(r, middle) > middle {
			low = middle
		} else {
			high = middle
		}
	}
	return 0, high
}

// merge puts n tokens or more into each chunk, as some engines do on purpose and all do
// when the reader is slow. Each comes with its last token.
func merge(list []piece, n int) []piece {
	var merged []piece
	for chunk := range slices.Chunk(list, max(n, 1)) {
		p := piece{at: chunk[len(chunk)-1].at}
		for _, c := range chunk {
			p.tokens += c.tokens
		}
		merged = append(merged, p)
	}
	return merged
}

// startup is how long the engine takes to answer.
func (s simulator) startup() time.Duration {
	gigabytes := s.shape.Parameters() * s.precision.Weights / 1e9
	return microseconds((s.speed.startup.Seconds() + gigabytes/s.speed.load/float64(s.shards)) * s.start)
}
