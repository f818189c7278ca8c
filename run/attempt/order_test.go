package attempt_test

import (
	"time"

	"benchguide/run/attempt"
	"benchguide/study"
)

// anOrder is an order of one workload, without GPUs.
func anOrder() attempt.Order {
	w := study.Workload{ID: "main", Dataset: "d", Prompts: 8, Concurrency: 4, Command: "benchguide bench --max-concurrency 4 --num-prompts 8"}
	o := attempt.Order{
		Schema: attempt.Schema, Nonce: "bg-one", Study: "s", Stage: "one", Candidate: "c", Number: 1, Block: 1, Sitting: "s1",
		Engine: "vllm", Version: "v0.26.0", Command: "vllm serve Qwen/Qwen3-8B", Env: map[string]string{"A": "b"},
		Model: study.Model{ID: "Qwen/Qwen3-8B", Name: "Qwen3-8B"}, Hardware: study.Hardware{GPU: "NVIDIA H100 SXM", Short: "H100", Count: 1},
		Warmup:    attempt.Work{Workload: w, Prompts: "warmup.jsonl", Count: 4},
		Workloads: []attempt.Work{{Workload: w, Prompts: "main.jsonl", Digest: "d1", Count: 8}},
		Patience:  attempt.Patience{Start: 10 * time.Second, Stall: 5 * time.Second, Client: 20 * time.Second, Free: time.Second},
	}
	o.Machine.NoGPU = true
	return o
}
