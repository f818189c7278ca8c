package gpu_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/fake/smi"
	"benchguide/run/gpu"
)

// TestMain lets the test binary play nvidia-smi, so that what is tested is a process that is
// started, and not a function.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "nvidia-smi" {
		os.Exit(smi.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// known is a number that the driver tells.
func known[T any](v T) *T { return &v }

// h200 is a GPU as one was seen, at work.
func h200(index int) smi.Device {
	return smi.Device{
		Index: index, UUID: uuid(index), Name: "NVIDIA H200", MIG: "Disabled",
		MemoryMiB: known(120034.0), TotalMiB: known(143771.0), Utilization: known(98.0), PowerW: known(412.31), LimitW: known(700.0),
		SMClockMHz: known(1980.0), MemClockMHz: known(3201.0), Celsius: known(53.0), Reasons: known(uint64(4)),
	}
}

// idle is the same GPU with nothing to do.
func idle(index int) smi.Device {
	d := h200(index)
	d.MemoryMiB, d.Utilization, d.Reasons = known(4.0), known(0.0), known(uint64(1))
	return d
}

func uuid(index int) string {
	return "GPU-00000000-0000-0000-0000-00000000000" + string(rune('0'+index))
}

// fakeSMI asks a fake nvidia-smi in a state.
func fakeSMI(t *testing.T, s smi.State) *gpu.SMI {
	t.Helper()
	if s.Driver == "" {
		s.Driver, s.CUDA = "580.159.04", "13.0"
	}
	file := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, s.Save(file))
	self, err := os.Executable()
	require.NoError(t, err)
	return &gpu.SMI{Program: self, Args: []string{"nvidia-smi"}, Env: []string{smi.StateVar + "=" + file}, Deadline: time.Minute}
}

// script is a monitor that shows one thing after the other, and the last one for ever.
type script struct {
	shows []show
	looks int
}

type show struct {
	devices   []gpu.Device
	processes []gpu.Process
	err       error
}

func (s *script) now() show { return s.shows[min(s.looks, len(s.shows))-1] }

func (s *script) Devices(context.Context) ([]gpu.Device, error) {
	s.looks++
	return s.now().devices, s.now().err
}

func (s *script) Processes(context.Context) ([]gpu.Process, error) {
	return s.now().processes, s.now().err
}
