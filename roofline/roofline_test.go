package roofline_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/roofline"
)

// What an H200 read for each token of Qwen3-8B was worked out by hand from the
// model's tensors, independently of this package.
func TestBoundsOfQwen3OnAnH200(t *testing.T) {
	t.Parallel()
	gpu, ok := roofline.FindGPU("NVIDIA H200")
	require.True(t, ok)
	model, ok := roofline.FindModel("Qwen/Qwen3-8B")
	require.True(t, ok)
	fp8 := roofline.Precision{Weights: 1, Head: 2, KV: 2}
	for _, c := range []struct {
		name  string
		p     roofline.Precision
		batch float64
		ms    float64
		bytes float64
	}{
		{"bf16, one sequence", roofline.BF16(), 1, 3.16, 15.1e9},
		{"fp8 with a bf16 head, one sequence", fp8, 1, 1.71, 8.2e9},
		{"bf16, 64 sequences", roofline.BF16(), 64, 3.76, 15.1e9},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := roofline.TPOT(gpu, 1, model, c.p, roofline.Load{Batch: c.batch, Context: 307})
			require.InDelta(t, c.ms, b.Seconds*1e3, 0.01)
			require.InDelta(t, c.bytes, b.WeightBytes, 0.06e9)
		})
	}
}

func TestNameMeansTheFastestVariant(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"H100":                       "NVIDIA H100 NVL",
		"NVIDIA H100 SXM":            "NVIDIA H100 SXM",
		"NVIDIA H100 80GB HBM3 SXM5": "NVIDIA H100 SXM",
		"A100":                       "NVIDIA A100 SXM 80GB",
		"NVIDIA A100-SXM4-40GB":      "NVIDIA A100 SXM 40GB",
		"NVIDIA H200":                "NVIDIA H200 SXM",
		"NVIDIA H200 NVL":            "NVIDIA H200 NVL",
		"RTX 4090":                   "NVIDIA GeForce RTX 4090",
		"H1000":                      "",
		"":                           "",
		"a GPU":                      "",
	} {
		g, ok := roofline.FindGPU(name)
		require.Equal(t, want, g.Name, name)
		require.Equal(t, want != "", ok, name)
	}
}

func TestModelIsFoundByItsWholeName(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"Qwen/Qwen3-8B-FP8":                "Qwen3-8B",
		"Qwen/Qwen3-30B-A3B-Instruct":      "Qwen3-30B-A3B",
		"models/Qwen3-8B":                  "Qwen3-8B",
		"Qwen/Qwen3-18B":                   "",
		"meta-llama/Llama-3.1-8B-Instruct": "Llama-3.1-8B",
		"":                                 "",
	} {
		m, _ := roofline.FindModel(id)
		require.Equal(t, want, m.Name, id)
	}
}

func TestEveryRowHasASourceAndNoZero(t *testing.T) {
	t.Parallel()
	for _, g := range roofline.GPUs() {
		require.NotEmpty(t, g.Source, g.Name)
		require.Positive(t, min(g.Bandwidth, g.Memory, g.BF16, g.FP8, g.INT8), g.Name)
	}
	for _, m := range roofline.Models() {
		require.NotEmpty(t, m.Source, m.Name)
		require.Positive(t, min(m.Layers, m.Hidden, m.Heads, m.KVHeads, m.HeadSize, m.Intermediate, m.Vocabulary), m.Name)
		require.Equal(t, m.Experts > 0, m.ActiveExperts > 0, m.Name)
	}
}

// A bound may only grow with the work, and only shrink with the hardware.
func TestBoundIsMonotonic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		g := rapid.SampledFrom(roofline.GPUs()).Draw(rt, "gpu")
		m := rapid.SampledFrom(roofline.Models()).Draw(rt, "model")
		l := roofline.Load{Batch: rapid.Float64Range(1, 1000).Draw(rt, "batch"), Context: rapid.Float64Range(0, 1e5).Draw(rt, "context")}
		more := roofline.Load{Batch: l.Batch * 2, Context: l.Context}
		b := roofline.TPOT(g, 1, m, roofline.BF16(), l)
		require.Positive(rt, b.Seconds)
		require.GreaterOrEqual(rt, roofline.TPOT(g, 1, m, roofline.BF16(), more).Seconds, b.Seconds)
		require.InDelta(rt, b.Seconds/2, roofline.TPOT(g, 2, m, roofline.BF16(), l).Seconds, b.Seconds*1e-9)
		require.LessOrEqual(rt, roofline.TPOT(g, 1, m, roofline.Precision{Weights: 1, Head: 2, KV: 2}, l).Seconds, b.Seconds)
	})
}
