package gpuname_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/gpuname"
)

// What drivers print and people write is tested where a machine is compared with a study.
func TestNamesOfNoChip(t *testing.T) {
	t.Parallel()
	for name, has := range map[string]bool{
		"NVIDIA H200": true, "AMD Instinct MI300X": true, "L4": true,
		"NVIDIA": false, "unknown": false, "": false, "NVIDIA 80GB HBM3": false,
	} {
		require.Equal(t, has, gpuname.HasChip(name), name)
		require.Equal(t, has, gpuname.Means(name, name, gpuname.Unknown), "%s is itself", name)
	}
}
