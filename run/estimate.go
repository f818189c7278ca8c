package run

import (
	"math"
	"time"

	"benchguide/roofline"
	"benchguide/run/client"
	"benchguide/study"
)

// A guess of what a start takes, while none was made: within a factor of two where the GPU
// and the model are known, which is enough to choose between a lunch and a night.
type guess struct {
	each time.Duration // one start, with warm caches
	once time.Duration // what the first start of each engine takes longer, with cold ones
	of   string        // what the guess is from
}

// startups are how long engines were seen to take from their start to their first answer,
// with an 8B model on a GPU: with caches of compiled kernels that are there, and without.
// TensorRT-LLM was never seen, and is taken for the slowest of the others.
func startups(engine string) (warm, cold time.Duration) {
	switch engine {
	case "sglang":
		return 60 * time.Second, 119 * time.Second
	case "llama.cpp":
		return 2 * time.Second, 2 * time.Second
	}
	return 80 * time.Second, 250 * time.Second
}

const (
	pythonClient = 24 * time.Second // imports, tokenizer and data set, around what is measured
	ownClient    = time.Second
	aroundServer = 15 * time.Second // checks before it, its end, and GPUs that are seen to be free
	aroundCPU    = 2 * time.Second

	// Shares of the roofline that engines reach, and what a step takes besides.
	decodeShare  = 0.6
	prefillShare = 0.5
	stepOverhead = time.Millisecond

	mostTogether = 256 // requests in one step, where any number may be sent together
	// Tokens of a ShareGPT conversation, on average; other data sets are of no known length.
	usualInput, usualOutput = 220, 200

	unknownRequest = 4 * time.Second // where nothing can be computed
)

// guessed works it out from the study alone.
func guessed(s *study.Study) guess {
	machine, known := speedOf(s)
	g := guess{of: "from the roofline of " + s.Hardware.GPU + " and " + s.Model.Name}
	switch {
	case known && s.Hardware.CPU():
		g.of = "from " + s.Model.Name + " and the memory of an ordinary server"
	case !known:
		g.of = "with 4 s for each request, since no table has this hardware with this model"
	}
	warm, _ := startups(s.Baseline.Engine)
	g.each = warm + aroundServer
	if s.Hardware.CPU() {
		g.each = warm + aroundCPU
	}
	for id := range s.Engines {
		warm, cold := startups(id)
		g.once += cold - warm
	}
	for _, w := range s.Workloads {
		g.each += overhead(w)
		if known {
			g.each += machine.duration(w)
			continue
		}
		g.each += unknownRequest * time.Duration(math.Ceil(float64(w.Prompts)/together(w)))
	}
	return g
}

// overhead is what a workload's client takes besides the measurement.
func overhead(w study.Workload) time.Duration {
	if c, err := client.Of(w.Command); err == nil && c.ID() == client.Own().ID() {
		return ownClient
	}
	return pythonClient
}

// together is how many requests of a workload are answered at once.
func together(w study.Workload) float64 {
	most := float64(min(w.Prompts, mostTogether))
	if w.Concurrency > 0 {
		most = min(most, float64(w.Concurrency))
	}
	return max(most, 1)
}

// speed is what the hardware of a study allows its model.
type speed struct {
	gpu   roofline.GPU
	count int
	model roofline.Model
}

// speedOf finds GPU and model in the tables. What memory a CPU has is in none of them: it is
// taken for an ordinary server's.
func speedOf(s *study.Study) (speed, bool) {
	v := speed{count: s.Hardware.Count}
	found, known := true, true
	if s.Hardware.CPU() {
		v.gpu, v.count = roofline.GPU{Bandwidth: 40, BF16: 0.5}, 1
	} else {
		v.gpu, found = roofline.FindGPU(s.Hardware.GPU)
	}
	if s.Model.Shape != nil {
		v.model = *s.Model.Shape
	} else {
		v.model, known = roofline.FindModel(s.Model.ID)
	}
	return v, found && known
}

// duration is how long a workload is measured: the arithmetic of all its prompts, and the
// steps of as many answers at a time as are under way. At a rate it is what the rate says.
func (v speed) duration(w study.Workload) time.Duration {
	prompts, input, output := float64(w.Prompts), float64(w.InputTokens), float64(w.OutputTokens)
	if output == 0 {
		input, output = usualInput, usualOutput
	}
	batch := together(w)
	load := roofline.Load{Batch: batch, Context: input + output/2}
	step := roofline.TPOT(v.gpu, v.count, v.model, roofline.BF16(), load).Seconds/decodeShare + stepOverhead.Seconds()
	token := roofline.TPOT(v.gpu, v.count, v.model, roofline.BF16(), roofline.Load{Batch: 1}).Compute / prefillShare
	seconds := prompts*input*token + math.Ceil(prompts/batch)*output*step
	if len(w.Rates) > 0 {
		alone := seconds
		seconds = 0
		for _, rate := range w.Rates {
			seconds += max(alone, prompts/rate)
		}
	}
	return time.Duration(seconds * float64(time.Second))
}
