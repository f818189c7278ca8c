package gpu_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/gpulog"
	"benchguide/run/fake/smi"
	"benchguide/run/gpu"
)

func TestDevicesAreReadWhole(t *testing.T) {
	t.Parallel()
	got, err := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0), idle(1)}}).Devices(t.Context())
	require.NoError(t, err)
	want := []gpu.Device{
		{Index: 0, UUID: uuid(0), Name: "NVIDIA H200", Driver: "580.159.04", CUDA: "13.0", MemoryMiB: 120034, TotalMiB: 143771, Utilization: 98,
			PowerW: 412.31, LimitW: 700, SMClockMHz: 1980, MemClockMHz: 3201, Celsius: 53, Reasons: gpulog.PowerCap},
		{Index: 1, UUID: uuid(1), Name: "NVIDIA H200", Driver: "580.159.04", CUDA: "13.0", MemoryMiB: 4, TotalMiB: 143771, Utilization: 0,
			PowerW: 412.31, LimitW: 700, SMClockMHz: 1980, MemClockMHz: 3201, Celsius: 53, Reasons: gpulog.Idle},
	}
	require.Empty(t, cmp.Diff(want, got))
}

func TestWhatTheDriverDoesNotTellIsNegative(t *testing.T) {
	t.Parallel()
	got, err := fakeSMI(t, smi.State{Devices: []smi.Device{{UUID: uuid(0), Name: "NVIDIA GB10"}}}).Devices(t.Context())
	require.NoError(t, err)
	want := []gpu.Device{{UUID: uuid(0), Name: "NVIDIA GB10", Driver: "580.159.04", CUDA: "13.0", MemoryMiB: -1, TotalMiB: -1, Utilization: -1,
		PowerW: -1, LimitW: -1, SMClockMHz: -1, MemClockMHz: -1, Celsius: -1, Reasons: gpulog.ReasonsUnknown}}
	require.Empty(t, cmp.Diff(want, got))
	require.False(t, gpulog.Throttled(got[0].Reasons))
}

func TestOnlyTheGPUsOfTheRunAreAskedFor(t *testing.T) {
	t.Parallel()
	broken := idle(1)
	broken.MIG = "Enabled"
	all := fakeSMI(t, smi.State{Devices: []smi.Device{idle(0), broken, h200(2)}, Processes: []smi.Process{{UUID: uuid(0), PID: 7}, {UUID: uuid(2), PID: 8}}})
	_, err := all.Devices(t.Context())
	require.ErrorContains(t, err, "GPU 1 is cut into MIG slices")

	some := all.Select(2)
	got, err := some.Devices(t.Context())
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Equal(t, 2, got[0].Index)
	processes, err := some.Processes(t.Context())
	require.NoError(t, err)
	require.Len(t, processes, 1)
	require.Equal(t, 8, processes[0].PID)
}

func TestOldDriversHaveOtherNames(t *testing.T) {
	t.Parallel()
	got, err := fakeSMI(t, smi.State{OldFields: true, Driver: "525.60.13", CUDA: "12.0", Devices: []smi.Device{h200(0)}}).Devices(t.Context())
	require.NoError(t, err)
	require.Equal(t, gpulog.PowerCap, got[0].Reasons)
	require.Equal(t, "12.0", got[0].CUDA)
}

// TestAVersionThatIsNotToldIsAskedForOnce: each question takes time from what is measured,
// and the GPUs are looked at once a second.
func TestAVersionThatIsNotToldIsAskedForOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	script := "echo \"$*\" >>" + asked + "\n" + `case "$*" in *query-gpu*) echo "0, GPU-0, 999.1, 4, 100, 0, 1, 2, 3, 4, 5, 0x0, Disabled, NVIDIA X" ;; esac`
	s := &gpu.SMI{Program: "sh", Args: []string{"-c", script, "nvidia-smi"}, Deadline: time.Minute}
	for range 3 {
		got, err := s.Devices(t.Context())
		require.NoError(t, err)
		require.Empty(t, got[0].CUDA)
	}
	questions, err := os.ReadFile(asked)
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(string(questions), "\n"), string(questions))
}

func TestProcessesAreReadWhole(t *testing.T) {
	t.Parallel()
	s := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0)}, Processes: []smi.Process{
		{UUID: uuid(0), PID: 4242, MemoryMiB: known(119500.0), Name: "VLLM::EngineCore"},
		{UUID: uuid(0), PID: 1, Name: "/opt/a, b/python3"},
	}})
	got, err := s.Processes(t.Context())
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]gpu.Process{
		{UUID: uuid(0), PID: 4242, MemoryMiB: 119500, Name: "VLLM::EngineCore"},
		{UUID: uuid(0), PID: 1, MemoryMiB: -1, Name: "/opt/a, b/python3"},
	}, got))
	got, err = gpu.ParseProcesses("No running processes found\n")
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestFailuresSayWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ mode, want string }{
		{"driver", "no GPU was found: the NVIDIA driver is not loaded; modprobe nvidia loads it"},
		{"mismatch", "reboot the machine, or reload its modules"},
		{"lost", "fallen off the bus"},
		{"none", "no GPU was found: nvidia-smi sees none that was asked for; compare machine.yaml's gpus with nvidia-smi -L"},
		{"garbage", "where a GPU was expected"},
		{"silent", "failed without a word"},
		{"of no kind", "knows no way to fail"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			_, err := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0)}, Fail: &smi.Fail{Mode: c.mode}}).Devices(t.Context())
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestNoNvidiaSMI(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"nvidia-smi-of-nobody", filepath.Join(t.TempDir(), "nvidia-smi")} {
		_, err := (&gpu.SMI{Program: program}).Processes(t.Context())
		require.ErrorIs(t, err, gpu.ErrNone)
		require.EqualError(t, err, "no GPU was found: there is no program "+program+", which NVIDIA's driver brings")
	}
}

func TestGPUsThatAreNotThere(t *testing.T) {
	t.Parallel()
	s := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0)}})
	_, err := s.Select(0, 5).Devices(t.Context())
	require.ErrorContains(t, err, "nvidia-smi -L")
}

func TestADriverThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	s := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0)}, Fail: &smi.Fail{Mode: "hang"}})
	s.Deadline = 10 * time.Millisecond
	_, err := s.Devices(t.Context())
	require.ErrorContains(t, err, "gave no answer in 10ms: the driver hangs")
}

func TestACallerThatGivesUpIsNoHang(t *testing.T) {
	t.Parallel()
	s := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0)}, Fail: &smi.Fail{Mode: "hang"}})
	why := errors.New("somebody pressed a key")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, err := s.Devices(ctx)
	require.ErrorIs(t, err, why)
}

// Without a version of CUDA everything else is told all the same.
func TestTheVersionOfCUDAMayBeMissing(t *testing.T) {
	t.Parallel()
	got, err := fakeSMI(t, smi.State{Driver: "580.1", CUDA: "N/A", Devices: []smi.Device{h200(0)}}).Devices(t.Context())
	require.NoError(t, err)
	require.Empty(t, got[0].CUDA)
}

func TestLinesThatAreNone(t *testing.T) {
	t.Parallel()
	const good = "0, GPU-1, 580.1, 4, 143771, 0, 81.00, 700.00, 345, 3201, 41, 0x0000000000000001, Disabled, NVIDIA H200"
	_, err := gpu.ParseDevices(good)
	require.NoError(t, err)
	for name, c := range map[string]struct{ line, want string }{
		"too few values":        {"0, GPU-1, 580.1", "3 values in place of 14"},
		"no index":              {"x" + good[1:], "no index"},
		"a message in between":  {good + "\nGPU is going to fall, off, the, bus, a, b, c, d, e, f, g, h, i, j", "where a GPU was expected"},
		"no number":             {"0, GPU-1, 580.1, nan, 143771, 0, 81.00, 700.00, 345, 3201, 41, 0x1, Disabled, NVIDIA H200", `memory.used: "nan" is no number`},
		"a GPU in need of help": {"0, GPU-1, 580.1, 4, 143771, 0, [GPU requires reset], 700.00, 345, 3201, 41, 0x1, Disabled, NVIDIA H200", "[GPU requires reset]"},
		"no mask":               {"0, GPU-1, 580.1, 4, 143771, 0, 81.00, 700.00, 345, 3201, 41, Active, Disabled, NVIDIA H200", "no mask of bits"},
		"nothing":               {"\n", "no GPU was found: nvidia-smi lists none"},
	} {
		_, err := gpu.ParseDevices(c.line)
		require.ErrorContains(t, err, c.want, name)
	}
	for name, c := range map[string]struct{ line, want string }{
		"no UUID":   {"4242, GPU-1, 5, x", "no UUID"},
		"no pid":    {"GPU-1, me, 5, x", "no process id"},
		"no memory": {"GPU-1, 4242, a lot, x", "no number"},
	} {
		_, err := gpu.ParseProcesses(c.line)
		require.ErrorContains(t, err, c.want, name)
	}
}

// TestThisMachine asks the machine that it runs on: a GPU is read whole, or what is said
// about having none helps.
func TestThisMachine(t *testing.T) {
	t.Parallel()
	s := &gpu.SMI{}
	devices, err := s.Devices(t.Context())
	if err != nil {
		require.ErrorIs(t, err, gpu.ErrNone)
		return
	}
	_, err = s.Processes(t.Context())
	require.NoError(t, err)
	for _, d := range devices {
		t.Logf("%+v", d)
		require.NotEmpty(t, d.Driver)
		require.NotEmpty(t, d.CUDA)
		require.Less(t, d.Celsius, 120.0)
	}
}

func TestNone(t *testing.T) {
	t.Parallel()
	devices, err := gpu.None{}.Devices(t.Context())
	require.NoError(t, err)
	require.Empty(t, devices)
	require.NoError(t, gpu.Free(t.Context(), gpu.None{}, nil, 0, func(context.Context, time.Duration) error { return nil }))
}

func TestTheFakeSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	_, err = (&gpu.SMI{Program: self, Args: []string{"nvidia-smi"}, Env: []string{smi.StateVar + "="}}).Devices(t.Context())
	require.ErrorContains(t, err, "has no state")
}

// FuzzAnswers holds what is read from nvidia-smi: no answer crashes, and no number comes out
// that is not one.
func FuzzAnswers(f *testing.F) {
	f.Add("0, GPU-1, 580.1, 4, 143771, 0, 81.00, 700.00, 345, 3201, 41, 0x0000000000000001, Disabled, NVIDIA H200")
	f.Add("1, GPU-1, 580.1, [N/A], [Not Supported], 0, 81.00, [GPU requires reset], 345, 3201, 41, [N/A], [N/A], NVIDIA GB10\n\n")
	f.Add("GPU-1, 4242, 119500, VLLM::EngineCore\nMIG-2, 1, [N/A], /opt/a, b")
	f.Add("No running processes found")
	f.Add("NVIDIA-SMI has failed")
	f.Fuzz(func(t *testing.T, answer string) {
		devices, err := gpu.ParseDevices(answer)
		require.Equal(t, err == nil, len(devices) > 0)
		for _, d := range devices {
			require.GreaterOrEqual(t, d.Index, 0)
			for _, v := range []float64{d.MemoryMiB, d.TotalMiB, d.Utilization, d.PowerW, d.LimitW, d.SMClockMHz, d.MemClockMHz, d.Celsius} {
				require.True(t, v == -1 || v >= 0 && v < 1e16, "%v", v)
			}
		}
		processes, err := gpu.ParseProcesses(answer)
		require.True(t, err == nil || processes == nil)
		for _, p := range processes {
			require.True(t, p.MemoryMiB == -1 || p.MemoryMiB >= 0)
		}
	})
}
