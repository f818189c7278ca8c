package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/gpu"
)

// The names on the right are those that nvidia-smi prints.
func TestNamesThatMeanTheSameGPU(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given, found string
		total        float64
		same         bool
	}{
		{"NVIDIA H100 SXM", "NVIDIA H100 80GB HBM3", 81559, true},
		{"NVIDIA H100", "NVIDIA H100 PCIe", 81559, true},
		{"H100", "NVIDIA H100 80GB HBM3", 81559, true},
		{"NVIDIA H100 SXM5 80GB", "NVIDIA H100 80GB HBM3", 81559, true},
		{"NVIDIA H200", "NVIDIA H200", 143771, true},
		{"NVIDIA H200 SXM", "NVIDIA H200", 143771, true},
		{"NVIDIA H200 SXM 141GB", "NVIDIA H200", 143771, true},
		{"NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB", 40960, true},
		{"NVIDIA A100 SXM 80GB", "NVIDIA A100-SXM4-80GB", 81920, true},
		{"NVIDIA L40S", "NVIDIA L40S", 46068, true},
		{"RTX 4090", "NVIDIA GeForce RTX 4090", 24564, true},
		{"NVIDIA RTX 6000 Ada", "NVIDIA RTX 6000 Ada Generation", 49140, true},
		{"NVIDIA A100 40GB", "NVIDIA A100", 40960, true},
		{"NVIDIA A100 40GB", "NVIDIA A100", -1, true},

		{"NVIDIA H100 SXM", "NVIDIA H200", 143771, false},
		{"NVIDIA H100 SXM", "NVIDIA H100 PCIe", 81559, false},
		{"NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3", 81559, false},
		{"NVIDIA H200 NVL", "NVIDIA H200", 143771, false},
		{"NVIDIA H200 SXM", "NVIDIA H200 NVL", 143771, false},
		{"NVIDIA A100 SXM 80GB", "NVIDIA A100-SXM4-40GB", 40960, false},
		{"NVIDIA A100 80GB", "NVIDIA A100", 40960, false},
		{"NVIDIA L40S", "NVIDIA L40", 46068, false},
		{"NVIDIA L4", "NVIDIA L40", 46068, false},
		{"RTX 4070", "NVIDIA GeForce RTX 4070 Ti", 12282, false},
		{"NVIDIA RTX 6000", "NVIDIA RTX 6000 Ada Generation", 49140, false},
		{"GH200 480GB", "NVIDIA H200", 143771, false},
		{"NVIDIA", "NVIDIA H200", 143771, false},
	} {
		err := gpu.Expect([]gpu.Device{{Name: c.found, TotalMiB: c.total}}, c.given, 1)
		if c.same {
			require.NoError(t, err, "%s is %s", c.given, c.found)
			continue
		}
		require.Error(t, err, "%s is not %s", c.given, c.found)
		require.ErrorContains(t, err, c.given)
		require.ErrorContains(t, err, c.found)
	}
}

func TestAsManyGPUsAsTheStudyAsksFor(t *testing.T) {
	t.Parallel()
	one := []gpu.Device{{Name: "NVIDIA H200"}}
	two := append(one, gpu.Device{Index: 1, Name: "NVIDIA H200"})
	mixed := append(one, gpu.Device{Index: 1, Name: "NVIDIA L4"})
	require.NoError(t, gpu.Expect(two, "H200", 2))
	require.NoError(t, gpu.Expect(two, "H200", 1))
	require.NoError(t, gpu.Expect(mixed, "H200", 1))
	require.NoError(t, gpu.Expect(nil, "CPU", 0))
	require.ErrorContains(t, gpu.Expect(one, "H200", 2), "the study is for 2x H200 and this run may use 1x NVIDIA H200")
	require.ErrorContains(t, gpu.Expect(mixed, "H200", 2), "GPU 1 of this machine is an NVIDIA L4")
	require.ErrorContains(t, gpu.Expect(nil, "H200", 1), "this machine has no GPU")
}
