package gpu_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/fake/smi"
	"benchguide/run/gpu"
)

func device(memory, utilization float64) gpu.Device {
	return gpu.Device{UUID: "GPU-0", Name: "NVIDIA H200", MemoryMiB: memory, Utilization: utilization}
}

func holds(memory float64) gpu.Process {
	return gpu.Process{UUID: "GPU-0", PID: 4242, MemoryMiB: memory, Name: "VLLM::EngineCore"}
}

// noSleep lets time pass without taking any, and counts it.
func noSleep(slept *time.Duration) func(context.Context, time.Duration) error {
	return func(_ context.Context, d time.Duration) error {
		*slept += d
		return nil
	}
}

func TestFree(t *testing.T) {
	t.Parallel()
	const wait = 20 * time.Second
	clean, late, busy := show{devices: []gpu.Device{device(310, 0)}}, show{devices: []gpu.Device{device(90000, 0)}}, show{devices: []gpu.Device{device(4, 37)}}
	held := show{devices: []gpu.Device{device(120034, 0)}, processes: []gpu.Process{holds(119500)}}
	failed := show{err: errors.New("no answer")}
	for _, c := range []struct {
		name  string
		shows []show
		slept time.Duration
		want  []string // in the error; none if it comes free
	}{
		{"free at once, and again two seconds later", []show{clean}, 2 * time.Second, nil},
		{"memory falls late", []show{held, late, late, clean}, 8 * time.Second, nil},
		{"one look is not enough", []show{clean, busy, clean}, 6 * time.Second, nil},
		{"a failing look is not free", []show{clean, failed, clean}, 6 * time.Second, nil},
		{"free at the very end", []show{late, late, late, late, late, late, late, late, late, late, clean}, 22 * time.Second, nil},
		{"a process stays", []show{held}, wait, []string{"after 20s", "process 4242 (VLLM::EngineCore) holds 119500 MiB of GPU 0 (NVIDIA H200)"}},
		{"memory without a process stays", []show{late}, wait, []string{"GPU 0 (NVIDIA H200) holds 90000 MiB, at most 310 when free"}},
		{"a process of unknown size", []show{{devices: []gpu.Device{device(-1, -1)}, processes: []gpu.Process{holds(-1)}}}, wait, []string{"memory of unknown size"}},
		{"it stays busy", []show{busy}, wait, []string{"busy (37 %)"}},
		{"a MiB too much", []show{{devices: []gpu.Device{device(311, 0)}}}, wait, []string{"311 MiB"}},
		{"nothing but a process would tell", []show{{devices: []gpu.Device{device(-1, -1)}}}, 2 * time.Second, nil},
		{"no answer", []show{failed}, wait, []string{"as far as can be told", "no answer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var slept time.Duration
			err := gpu.Free(t.Context(), &script{shows: c.shows}, gpu.Baseline{"GPU-0": 10}, wait, noSleep(&slept))
			require.Equal(t, c.slept, slept)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, gpu.ErrDirty)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

func TestFreeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	why := errors.New("somebody pressed a key")
	ctx, cancel := context.WithCancelCause(t.Context())
	m := &script{shows: []show{{devices: []gpu.Device{device(90000, 0)}}}}
	err := gpu.Free(ctx, m, nil, time.Hour, func(ctx context.Context, d time.Duration) error {
		cancel(why)
		return gpu.Sleep(ctx, d)
	})
	require.ErrorIs(t, err, why)
	require.NotErrorIs(t, err, gpu.ErrDirty)
	require.NoError(t, gpu.Sleep(t.Context(), time.Nanosecond))
}

// The same through nvidia-smi: memory that falls late, and a foreign process that comes.
func TestFreeThroughTheFake(t *testing.T) {
	t.Parallel()
	late := idle(0)
	late.HeldMiB, late.HeldCalls = 80000, 7
	var slept time.Duration
	s := fakeSMI(t, smi.State{Devices: []smi.Device{late}})
	require.NoError(t, gpu.Free(t.Context(), s, nil, time.Hour, noSleep(&slept)))
	require.Greater(t, slept, 2*time.Second)

	s = fakeSMI(t, smi.State{Devices: []smi.Device{idle(0)}, Processes: []smi.Process{{UUID: uuid(0), PID: 99, MemoryMiB: known(800.0), Name: "python3", From: 4}}})
	err := gpu.Free(t.Context(), s, nil, 0, noSleep(&slept))
	require.ErrorContains(t, err, "process 99 (python3) holds 800 MiB")
}

func TestForeign(t *testing.T) {
	t.Parallel()
	s := fakeSMI(t, smi.State{Devices: []smi.Device{h200(0)}, Processes: []smi.Process{{UUID: uuid(0), PID: 7, Name: "ours"}, {UUID: uuid(0), PID: 8, Name: "theirs"}}})
	got, err := gpu.Foreign(t.Context(), s, func(pid int) bool { return pid == 7 })
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Equal(t, "theirs", got[0].Name)
	_, err = gpu.Foreign(t.Context(), &script{shows: []show{{err: errors.New("no answer")}}, looks: 1}, func(int) bool { return true })
	require.ErrorContains(t, err, "no answer")
}

func TestMeasureTakesTheBaselineOfEmptyGPUs(t *testing.T) {
	t.Parallel()
	base, err := gpu.Measure(t.Context(), &script{shows: []show{{devices: []gpu.Device{device(540, 0)}}}})
	require.NoError(t, err)
	require.Equal(t, gpu.Baseline{"GPU-0": 540}, base)
	base, err = gpu.Measure(t.Context(), &script{shows: []show{{devices: []gpu.Device{device(-1, 0)}}}})
	require.NoError(t, err)
	require.Empty(t, base, "what is not known is no baseline")
	for want, s := range map[string]show{
		"process 4242":     {devices: []gpu.Device{device(500, 0)}, processes: []gpu.Process{holds(400)}},
		"shows no process": {devices: []gpu.Device{device(60000, 0)}},
	} {
		_, err := gpu.Measure(t.Context(), &script{shows: []show{s}})
		require.ErrorIs(t, err, gpu.ErrDirty)
		require.ErrorContains(t, err, want)
	}
}
