package gpulog_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"benchguide/gpulog"
)

// noon is when the windows of these tests begin.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// each makes a sample a second from one second before noon on.
func each(index int, power []float64, reasons []uint64) []gpulog.Sample {
	var list []gpulog.Sample
	for i, p := range power {
		list = append(list, gpulog.Sample{Time: noon.Add(time.Duration(i-1) * time.Second), Index: index, PowerW: p, LimitW: 700,
			Celsius: 40 + float64(i), SMClockMHz: 1980 - float64(i), Utilization: 90 + float64(i), MemoryMiB: 1000 * float64(i), Reasons: reasons[i]})
	}
	return list
}

func window(list []gpulog.Sample, seconds float64) gpulog.Summary {
	return gpulog.Window(list, noon, noon.Add(time.Duration(seconds*float64(time.Second))))
}

func diff(want, got gpulog.Summary) string { return cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)) }

func TestAWindowSumsUp(t *testing.T) {
	t.Parallel()
	// Four seconds: the samples at both ends speak for half a second each, those before and
	// after them for none.
	list := each(0, []float64{900, 100, 200, 300, 200, 100, 900}, []uint64{0, 0, gpulog.PowerCap, gpulog.PowerCap | gpulog.SWThermal, gpulog.HWThermal, 0, gpulog.PowerBrake})
	require.Empty(t, diff(gpulog.Summary{
		GPUs: 1, Samples: 5, Seconds: 4, MeanPowerW: 200, Joules: 800, PowerCap: 0.5, Throttled: 0.5,
		MaxCelsius: 45, MinSMClockMHz: 1975, SMClockMHz: 1977, Utilization: 93, MaxMemoryMiB: 5000,
	}, window(list, 4)))
}

func TestSeveralGPUsSumUpTheirPower(t *testing.T) {
	t.Parallel()
	none := make([]uint64, 4)
	list := append(each(1, []float64{300, 300, 300, 300}, []uint64{0, 0, gpulog.HWSlowdown, 0}), each(0, []float64{100, 100, 100, 100}, none)...)
	sum := window(list, 2)
	require.Equal(t, 2, sum.GPUs)
	require.InDelta(t, 400, sum.MeanPowerW, 1e-9)
	require.InDelta(t, 800, sum.Joules, 1e-9)
	require.InDelta(t, 0.5, sum.Throttled, 1e-9, "the slowest GPU sets the pace")
	require.InDelta(t, (91*0.5+92+93*0.5)/2, sum.Utilization, 1e-9)
	list[1].SMClockMHz, list[2].SMClockMHz = 1000, 1000
	list[1].Utilization, list[2].Utilization = 10, 10
	require.InDelta(t, (1000*1.5+1977*0.5)/2, window(list, 2).SMClockMHz, 1e-9, "here, too")
	require.InDelta(t, (10*1.5+93*0.5)/2, window(list, 2).Utilization, 1e-9, "and here")

	list = append(each(0, []float64{100, 100, 100, 100}, none), each(1, []float64{-1, -1, -1, -1}, none)...)
	sum = window(list, 2)
	require.Equal(t, -1.0, sum.MeanPowerW, "half of the power is no power")
	require.Equal(t, -1.0, sum.Joules)
}

func TestAGapIsNotFilled(t *testing.T) {
	t.Parallel()
	list := each(0, []float64{100, 100, 100, 500, 500, 500, 100, 100}, make([]uint64, 8))
	list = append(list[:2:2], list[6:]...) // nothing between 0 and 5 s
	sum := window(list, 6)                 // each end of the gap speaks for a second and a half of it, no more
	require.InDelta(t, 4, sum.Seconds, 1e-9)
	require.InDelta(t, 100, sum.MeanPowerW, 1e-9)
	require.InDelta(t, 400, sum.Joules, 1e-9)
}

func TestNothingIsKnownWithoutSamples(t *testing.T) {
	t.Parallel()
	want := gpulog.Summary{MeanPowerW: -1, Joules: -1, PowerCap: -1, Throttled: -1, MaxCelsius: -1, MinSMClockMHz: -1, SMClockMHz: -1, Utilization: -1, MaxMemoryMiB: -1}
	require.Empty(t, diff(want, window(nil, 10)))
	want.GPUs = 1
	far := []gpulog.Sample{{Time: noon.Add(time.Hour), PowerW: 100}}
	require.Empty(t, diff(want, window(far, 10)))
}

func TestWhatTheDriverDoesNotTellIsNotZero(t *testing.T) {
	t.Parallel()
	list := each(0, []float64{-1, -1, -1}, []uint64{gpulog.ReasonsUnknown, gpulog.ReasonsUnknown, gpulog.ReasonsUnknown})
	sum := window(list, 1)
	require.Equal(t, -1.0, sum.Throttled)
	require.Equal(t, -1.0, sum.PowerCap)
	require.Equal(t, -1.0, sum.MeanPowerW)
	require.InDelta(t, 1, sum.Seconds, 1e-9)
}

// A GPU clocks down between requests, which says nothing about how fast it works.
func TestTheClockOfAnIdleGPUDoesNotCount(t *testing.T) {
	t.Parallel()
	list := each(0, []float64{80, 80, 80, 80}, []uint64{0, gpulog.Idle, gpulog.Idle, 0})
	list[1].SMClockMHz, list[2].SMClockMHz = 345, 345
	require.Equal(t, 1977.0, window(list, 2.0).MinSMClockMHz)
	require.Equal(t, 1977.0, window(list, 2.0).SMClockMHz)
	require.Equal(t, -1.0, window(list[1:3], 1).MinSMClockMHz)
	require.Equal(t, -1.0, window(list[1:3], 1).SMClockMHz)
}

func TestThrottled(t *testing.T) {
	t.Parallel()
	for reasons, want := range map[uint64]bool{
		0: false, gpulog.Idle: false, gpulog.ApplicationClocks: false, gpulog.PowerCap: false, gpulog.DisplayClocks: false, gpulog.Idle | gpulog.PowerCap: false,
		gpulog.HWSlowdown: true, gpulog.SyncBoost: true, gpulog.SWThermal: true, gpulog.HWThermal: true, gpulog.PowerBrake: true,
		gpulog.PowerCap | gpulog.SWThermal: true, 0x200: true, gpulog.ReasonsUnknown: false,
	} {
		require.Equal(t, want, gpulog.Throttled(reasons), "0x%x", reasons)
	}
}
