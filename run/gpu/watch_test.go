package gpu_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/gpulog"
	"benchguide/run/gpu"
)

// board is a GPU of which a number grows with each look, and every third look fails.
type board struct {
	mu    sync.Mutex
	looks int
	fails func(look int) bool
}

func (b *board) Devices(context.Context) ([]gpu.Device, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.looks++
	if b.fails != nil && b.fails(b.looks) {
		return nil, errors.New("no answer")
	}
	return []gpu.Device{
		{Index: 0, PowerW: float64(b.looks), LimitW: 700, Celsius: 41, SMClockMHz: 345, MemClockMHz: 3201, MemoryMiB: 4, Reasons: gpulog.Idle},
		{Index: 1, PowerW: -1, LimitW: -1, Celsius: -1, SMClockMHz: -1, MemClockMHz: -1, Utilization: -1, MemoryMiB: -1, Reasons: gpulog.ReasonsUnknown},
	}, nil
}

func (b *board) Processes(context.Context) ([]gpu.Process, error) { return nil, nil }

func (b *board) seen() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.looks
}

// file is a buffer that can be written to and looked at, and that may be full.
type file struct {
	mu   sync.Mutex
	b    bytes.Buffer
	full bool
}

func (f *file) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.full {
		return 0, errors.New("no space left on device")
	}
	return f.b.Write(p)
}

func TestWatchWritesALineForEachGPUAndOnePastTheEnd(t *testing.T) {
	t.Parallel()
	b, f := &board{}, &file{}
	before := time.Now()
	w := gpu.Watch(t.Context(), b, f, time.Millisecond)
	require.Eventually(t, func() bool { return b.seen() >= 5 }, 30*time.Second, time.Millisecond)
	asked := b.seen()
	stopped := time.Now()
	require.NoError(t, w.Stop())
	require.Greater(t, b.seen(), asked, "no look past the end")
	gaps, err := w.Gaps()
	require.NoError(t, err)
	require.Zero(t, gaps)

	header, _, _ := strings.Cut(f.b.String(), "\n")
	require.Equal(t, "time,index,power.draw,power.limit,temperature.gpu,clocks.sm,clocks.mem,utilization.gpu,memory.used,clocks_event_reasons.active", header)
	samples, err := gpulog.ReadSamples(&f.b)
	require.NoError(t, err)
	require.Len(t, samples, 2*b.seen())
	for i := 0; i < len(samples); i += 2 {
		require.Equal(t, float64(i/2+1), samples[i].PowerW)
		require.Equal(t, gpulog.Idle, samples[i].Reasons)
		require.Equal(t, 1, samples[i+1].Index)
		require.Equal(t, -1.0, samples[i+1].MemoryMiB)
		require.Equal(t, gpulog.ReasonsUnknown, samples[i+1].Reasons)
	}
	require.WithinDuration(t, before, samples[0].Time, time.Minute)
	require.False(t, samples[len(samples)-1].Time.Before(stopped.Truncate(time.Millisecond)))
}

func TestALookThatFailsLeavesAGap(t *testing.T) {
	t.Parallel()
	b, f := &board{fails: func(look int) bool { return look%3 == 0 }}, &file{}
	w := gpu.Watch(t.Context(), b, f, time.Millisecond)
	require.Eventually(t, func() bool { return b.seen() >= 9 }, 30*time.Second, time.Millisecond)
	require.NoError(t, w.Stop())
	gaps, why := w.Gaps()
	require.ErrorContains(t, why, "no answer")
	require.Equal(t, b.seen()/3, gaps)
	samples, err := gpulog.ReadSamples(&f.b)
	require.NoError(t, err)
	require.Len(t, samples, 2*(b.seen()-gaps))
	for _, s := range samples {
		require.NotZero(t, int(s.PowerW)%3, "a number of a look that failed")
	}
}

func TestAFullDiskIsSaid(t *testing.T) {
	t.Parallel()
	b := &board{}
	w := gpu.Watch(t.Context(), b, &file{full: true}, time.Millisecond)
	require.Eventually(t, func() bool { return b.seen() >= 2 }, 30*time.Second, time.Millisecond)
	require.ErrorContains(t, w.Stop(), "no space left on device")
}

func TestWatchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := gpu.Watch(ctx, &board{}, &file{}, time.Hour)
	cancel()
	require.NoError(t, w.Stop())
	require.NoError(t, w.Stop(), "twice is once")
}
