package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/executor"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/study"
)

// TestOnlyTheStudysGPUsAreWatched keeps the power of idle neighbours, and the jobs of others
// on them, out of a run on a machine that has more GPUs than the study uses.
func TestOnlyTheStudysGPUsAreWatched(t *testing.T) {
	t.Parallel()
	hardware := study.Hardware{GPU: "NVIDIA H100 SXM", Count: 2}
	for _, c := range []struct {
		named, want []int
	}{{nil, []int{0, 1}}, {[]int{4, 5, 6, 7}, []int{4, 5}}} {
		do, err := runCommand{Executor: "local"}.executor(machine.Profile{GPUs: c.named}, hardware, "")
		require.NoError(t, err)
		require.Equal(t, c.want, do.(*executor.Local).Deps.Monitor.(*gpu.SMI).Indices)
	}
}
