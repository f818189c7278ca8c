package fake_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/roofline"
	"benchguide/run/fake"
)

var aPrompt = bench.Prompt{Text: strings.Repeat("word ", 200), Output: 100}

// times are the TTFT and TPOT of one request to a fresh start.
func times(t *testing.T, o fake.Options, load string) (ttft, tpot time.Duration) {
	t.Helper()
	y := rehearse(t, o, load, aPrompt)
	require.Empty(t, y.Err)
	require.Equal(t, aPrompt.Output, y.Output)
	ttft, _ = y.TTFT()
	tpot, _ = y.TPOT()
	return ttft, tpot
}

// The spread of starts and requests is a few per cent; what is compared differs by more.
func TestOptionsChangeTheSpeed(t *testing.T) {
	t.Parallel()
	const vllm = "vllm serve Qwen/Qwen3-8B"
	const llama = "llama-server -m Qwen3-8B-BF16.gguf"
	for name, c := range map[string]struct{ slow, fast string }{
		"fp8 weights":         {vllm, vllm + " --quantization fp8"},
		"fp8 by short option": {vllm, vllm + " -q fp8"},
		"fp8 in the name":     {vllm, "vllm serve Qwen/Qwen3-8B-FP8"},
		"4 bits in the name":  {"vllm serve Qwen/Qwen3-8B-FP8", "vllm serve Qwen/Qwen3-8B-AWQ"},
		"graphs":              {vllm + " --enforce-eager", vllm},
		"speculation":         {vllm, vllm + ` --speculative-config {"method":"ngram","num_speculative_tokens":4}`},
		"two GPUs":            {vllm, vllm + " -tp 2"},
		"a smaller model":     {vllm, "vllm serve Qwen/Qwen3-0.6B"},
		"sglang's graphs":     {"sglang serve --model-path Qwen/Qwen3-8B --disable-cuda-graph", "sglang serve --model-path Qwen/Qwen3-8B"},
		"an engine":           {llama, vllm},
		"llama's weights":     {llama, "llama-server -m Qwen3-8B-Q4_K_M.gguf"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, slow := times(t, fake.Options{Words: words(c.slow), GPU: "NVIDIA H200"}, "1")
			_, fast := times(t, fake.Options{Words: words(c.fast), GPU: "NVIDIA H200", GPUs: 1 + strings.Count(c.fast, "-tp 2")}, "1")
			require.Less(t, float64(fast), 0.95*float64(slow))
		})
	}
}

func TestAKVCacheOfHalfTheWidthIsReadFasterWhereItIsMuch(t *testing.T) {
	t.Parallel()
	long := bench.Prompt{Text: strings.Repeat("word ", 8000), Output: 50}
	for slow, fast := range map[string]string{
		"vllm serve Qwen/Qwen3-8B":                         "vllm serve Qwen/Qwen3-8B --kv-cache-dtype fp8_e4m3",
		"trtllm-serve Qwen/Qwen3-8B":                       "trtllm-serve Qwen/Qwen3-8B --kv_cache_dtype fp8",
		"llama-server -m Qwen3-8B-BF16.gguf --parallel 64": "llama-server -m Qwen3-8B-BF16.gguf --parallel 64 -ctk q8_0 -ctv q8_0",
	} {
		a, b := rehearse(t, fake.Options{Words: words(slow)}, "64", long), rehearse(t, fake.Options{Words: words(fast)}, "64", long)
		require.Empty(t, a.Err+b.Err)
		x, _ := a.TPOT()
		y, _ := b.TPOT()
		require.Less(t, float64(y), 0.9*float64(x), fast)
	}
}

func TestNoTimeIsBelowTheBound(t *testing.T) {
	t.Parallel()
	gpu, _ := roofline.FindGPU("NVIDIA H200")
	model, _ := roofline.FindModel("Qwen3-8B")
	for name, command := range commands {
		for _, load := range []int{1, 4, 64} {
			_, tpot := times(t, fake.Options{Words: words(command), GPU: "NVIDIA H200"}, fmt.Sprint(load))
			p := roofline.BF16()
			if name == "llama.cpp" {
				p.Weights, load = 1, min(load, 4)
			}
			bound := roofline.TPOT(gpu, 1, model, p, roofline.Load{Batch: float64(load), Context: 250}).Seconds
			require.Greater(t, tpot.Seconds(), bound, "%s at %d", name, load)
		}
	}
}

func TestMoreLoadIsSlowerForEachAndFasterForAll(t *testing.T) {
	t.Parallel()
	o := fake.Options{Words: words(commands["vllm"])}
	before, rate := 0.0, 0.0
	for _, load := range []float64{1, 8, 64, 256} {
		_, tpot := times(t, o, fmt.Sprint(load))
		require.Greater(t, tpot.Seconds(), before)
		require.Greater(t, load/tpot.Seconds(), rate)
		before, rate = tpot.Seconds(), load/tpot.Seconds()
	}
}

func TestWhoeverFindsNoPlaceWaits(t *testing.T) {
	t.Parallel()
	o := fake.Options{Words: words(commands["vllm"] + " --max-num-seqs 4")}
	free, _ := times(t, o, "4")
	queued, _ := times(t, o, "16")
	alone := rehearse(t, o, "4", aPrompt)
	require.Greater(t, queued-free, 2*alone.End, "three batches are before it")
}

func TestARateIsALoadByLittlesLaw(t *testing.T) {
	t.Parallel()
	ask := func(rate string) bench.Outcome {
		c := clientOf(newFake(t, fake.Options{Words: words(commands["vllm"])}).URL, bench.Completions)
		c.Headers = map[string]string{fake.LoadHeader: "1000", fake.RateHeader: rate}
		y := c.Do(t.Context(), aPrompt)
		require.Empty(t, y.Err)
		return y
	}
	rare, often, much := ask("0.1"), ask("60"), ask("5000")
	alone := rehearse(t, fake.Options{Words: words(commands["vllm"])}, "1", aPrompt)
	require.Equal(t, alone.End, rare.End, "at one request in ten seconds each is alone")
	require.Greater(t, often.End, rare.End)
	require.Greater(t, much.Chunks[0], 10*time.Second, "more than can be served")
}

func TestStartsDifferALittleBySeedAlone(t *testing.T) {
	t.Parallel()
	command := words(commands["vllm"])
	_, first := times(t, fake.Options{Words: command, Seed: 1}, "4")
	sum := 0.0
	for seed := range uint64(20) {
		_, tpot := times(t, fake.Options{Words: command, Seed: seed}, "4")
		d := math.Log(float64(tpot) / float64(first))
		require.Less(t, math.Abs(d), 0.08)
		sum += math.Abs(d)
	}
	require.Greater(t, sum, 0.01, "starts do differ")
}

func TestAnotherPortOrNameIsNotAnotherSpeed(t *testing.T) {
	t.Parallel()
	a := rehearse(t, fake.Options{Words: words("python3 -m sglang.launch_server --model-path m --served-model-name a --port 1")}, "4", aPrompt)
	b := rehearse(t, fake.Options{Words: words("python3 -m sglang.launch_server --port 2 --model-path m --served-model-name b --host ::1")}, "4", aPrompt)
	require.Empty(t, a.Err)
	require.Equal(t, a.Chunks, b.Chunks)
	require.Equal(t,
		rehearse(t, fake.Options{Words: words("vllm serve m --served-model-name a --port 1")}, "4", aPrompt).Chunks,
		rehearse(t, fake.Options{Words: words("/opt/vllm/bin/vllm serve m --port 2")}, "4", aPrompt).Chunks)
}

func TestUnknownHardwareAndModelsHaveADefault(t *testing.T) {
	t.Parallel()
	known, _ := times(t, fake.Options{Words: words("vllm serve Qwen/Qwen3-8B --served-model-name name"), GPU: "NVIDIA H100 SXM"}, "1")
	for _, gpu := range []string{"", "Nobody's GPU"} {
		y, _ := times(t, fake.Options{Words: words("vllm serve Qwen/Qwen3-8B --served-model-name name"), GPU: gpu}, "1")
		require.Equal(t, known, y)
	}
	cpu, _ := times(t, fake.Options{Words: words(commands["llama.cpp"]), GPU: "AMD EPYC 9654"}, "1")
	gpu, _ := times(t, fake.Options{Words: words(commands["llama.cpp"])}, "1")
	require.Greater(t, cpu, gpu)
	_, tpot := times(t, fake.Options{Words: words("vllm serve nobody/nothing --served-model-name name")}, "1")
	require.Greater(t, tpot, time.Millisecond)
	small := roofline.Model{Layers: 2, Hidden: 64, Heads: 2, KVHeads: 2, HeadSize: 32, Intermediate: 128, Vocabulary: 1000}
	_, shaped := times(t, fake.Options{Words: words("vllm serve nobody/nothing --served-model-name name"), Shape: &small}, "1")
	require.Less(t, shaped, tpot)
}

func TestSpeculationYieldsSeveralTokensAStep(t *testing.T) {
	t.Parallel()
	y := rehearse(t, fake.Options{Words: words(commands["vllm"] + ` --speculative-config {"num_speculative_tokens":4}`)}, "1", aPrompt)
	require.Empty(t, y.Err)
	require.Equal(t, 100, y.Output)
	require.Less(t, len(y.Chunks), 60)
	require.Greater(t, len(y.Chunks), 20)
}

func TestWrongCommandsAreRefused(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{
		"":                              "no serving command",
		"nginx -c x":                    "starts none of",
		"vllm bench x":                  "does not start vLLM",
		"vllm serve":                    "names no model",
		"vllm serve m --port many":      "--port many is no number",
		"vllm serve m stray --port 800": "neither an option",
	} {
		_, err := fake.New(fake.Options{Words: words(command)})
		require.ErrorContains(t, err, says, command)
	}
}
