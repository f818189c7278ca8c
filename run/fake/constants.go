package fake

import (
	"time"

	"benchguide/roofline"
)

// All numbers in this file are made up for rehearsals. They are of the right size, so that
// a rehearsed study looks like one, and they say nothing of any engine: no rehearsed
// result may be published, and a build refuses them.

// engineSpeed is what an engine makes of what the hardware allows.
type engineSpeed struct {
	decode  float64       // share of the memory bound that a step reaches
	prefill float64       // share of the arithmetic that prefill reaches
	step    time.Duration // added to each step: scheduling, sampling, launching
	request time.Duration // added to each request: HTTP, tokenizer, queue
	startup time.Duration // from the start to the first answer, without loading
	load    float64       // weights loaded, GB/s
	batch   int           // most sequences in a step, if no option says so
	version string
}

func speedOf(engine string) engineSpeed {
	switch engine {
	case "sglang":
		return engineSpeed{decode: 0.60, prefill: 0.52, step: 110 * time.Microsecond, request: 9 * time.Millisecond, startup: 30 * time.Second, load: 2, batch: 1024, version: "0.5.17"}
	case "tensorrt-llm":
		return engineSpeed{decode: 0.64, prefill: 0.56, step: 90 * time.Microsecond, request: 8 * time.Millisecond, startup: 55 * time.Second, load: 1.5, batch: 2048, version: "1.2.0"}
	case "llama.cpp":
		return engineSpeed{decode: 0.35, prefill: 0.20, step: 250 * time.Microsecond, request: 3 * time.Millisecond, startup: 2 * time.Second, load: 3, batch: 4, version: "b11669"}
	default: // vllm
		return engineSpeed{decode: 0.62, prefill: 0.50, step: 120 * time.Microsecond, request: 10 * time.Millisecond, startup: 40 * time.Second, load: 2, batch: 256, version: "0.26.0"}
	}
}

const (
	// eagerStep is added to each step without CUDA graphs.
	eagerStep = 1800 * time.Microsecond
	// shardLoss is what each doubling of the GPUs that share a layer leaves of their speed.
	shardLoss = 0.93
	// cachedPrefill is the share of a prompt that is still computed when it was sent before.
	cachedPrefill = 0.03

	// acceptance is the chance that a drafted token is right, if the ones before it are.
	acceptance = 0.62
	// draftCost is added to a step for each drafted token, as a share of it.
	draftCost = 0.06
	// draftLength is how many tokens are drafted if no option says so.
	draftLength = 3

	// The spreads are standard deviations of logarithms.
	startSpread   = 0.005 // of one start to the next: all its times
	requestSpread = 0.010 // of one request to the next
	prefillSpread = 0.080 // of prefill, beside that
	stepSpread    = 0.030 // of one step to the next

	// eosOdds: without ignore_eos one answer in so many ends early, as with random weights.
	eosOdds = 400

	// overloadWindow is how long a load above what can be served has lasted when a
	// request arrives: the queue has grown for so long.
	overloadWindow = 30.0

	defaultContext = 40960 // tokens, if no option says so
)

// Widths of numbers in bytes, scales included.
const (
	width16  = 2.0
	width8   = 1.0
	width4   = 0.53
	widthQ8  = 1.0625 // llama.cpp's q8_0
	widthQ4  = 0.5625 // its q4_0
	widthQ4K = 0.6
	widthQ5  = 0.7
	widthQ6  = 0.82
)

// defaultGPU takes the place of a GPU that the tables do not know, or that was not named.
const defaultGPU = "NVIDIA H100 SXM"

// defaultModel takes the place of a model that the tables do not know.
const defaultModel = "Qwen3-8B"

// processor takes the place of a GPU where the machine has none.
func processor() roofline.GPU {
	return roofline.GPU{Name: "CPU", Bandwidth: 60, Memory: 64, BF16: 2, FP8: 2, INT8: 4, Source: "made up for rehearsals"}
}
