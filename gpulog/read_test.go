package gpulog_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/gpulog"
)

const samplesHead = "time,index,power.draw,power.limit,temperature.gpu,clocks.sm,clocks.mem,utilization.gpu,memory.used,clocks_event_reasons.active\n"

// What nvidia-smi itself wrote once a second on an H200 that was at its power limit in five
// of these seconds.
func TestAFileOfNvidiaSMIs(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/nvidia-smi-h200.csv")
	require.NoError(t, err)
	defer f.Close()
	samples, err := gpulog.ReadSamples(f)
	require.NoError(t, err)
	require.Len(t, samples, 17)
	require.Empty(t, cmp.Diff(gpulog.Sample{
		Time: time.Date(2026, 11, 30, 21, 6, 39, 617e6, time.UTC), PowerW: 608.84, LimitW: -1, Celsius: 56, SMClockMHz: 1965, MemClockMHz: 3201,
		Row: 11, Utilization: 92, MemoryMiB: 135827, Reasons: gpulog.PowerCap,
	}, samples[9]))
	sum := gpulog.Window(samples, samples[0].Time, samples[16].Time)
	require.InDelta(t, 16, sum.Seconds, 0.1)
	require.InDelta(t, 5.0/16, sum.PowerCap, 0.01)
	require.Zero(t, sum.Throttled)
	require.Equal(t, 17, sum.Samples)
}

func TestSamplesWithUnits(t *testing.T) {
	t.Parallel()
	samples, err := gpulog.ReadSamples(strings.NewReader("timestamp, index, power.draw [W], clocks.sm [MHz], fan.speed [%]\n" +
		"2026/11/30 21:00:12.504, 3, 96.22 W, 345 MHz, [N/A]\n"))
	require.NoError(t, err)
	require.Len(t, samples, 1)
	require.Equal(t, 3, samples[0].Index)
	require.Equal(t, 96.22, samples[0].PowerW)
	require.Equal(t, -1.0, samples[0].MemoryMiB)
}

func TestLinesThatAreNoSamples(t *testing.T) {
	t.Parallel()
	const good = "2026-11-30T21:00:12.504Z,0,96.22,700,41,345,3201,0,4,0x0000000000000001\n"
	for _, c := range []struct {
		name, text string
		samples    int
		want       []string
	}{
		{"all is well", samplesHead + good + "\n" + good, 2, nil},
		{"torn at the end", samplesHead + good + "2026-11-30T21:00:13", 1, nil},
		{"torn so that it looks whole", samplesHead + good + strings.TrimSuffix(good, "00001\n"), 1, nil},
		{"torn in the middle", samplesHead + good + "2026-11-30T21:00\n" + good, 2, []string{"line 3: 1 values in place of 10"}},
		{"several at once", samplesHead + "x,0,1,1,1,1,1,1,1,0x1\n2026-11-30T21:00:12Z,-1,1,1,1,1,1,1,1,0x1\n2026-11-30T21:00:12Z,0,inf,1,1,1,1,1,1,0x1\n", 0,
			[]string{"line 2: column 1", `line 3: column 2: "-1" is no index`, `line 4: column 3: "inf" is no number`}},
		{"a flood of them", samplesHead + strings.Repeat("x\n", 1000), 0, []string{"and more lines like these"}},
		{"empty", "", 0, []string{"the header is missing"}},
		{"no time", "index,power.draw\n0,1\n", 0, []string{"time or timestamp"}},
		{"two times", "time,timestamp\n", 0, []string{"time or timestamp"}},
		{"a column twice", "time,index,index\n", 0, []string{"two columns are called index"}},
		{"a line without end", samplesHead + strings.Repeat("9", 1<<17), 0, []string{"too long"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			samples, err := gpulog.ReadSamples(strings.NewReader(c.text))
			require.Len(t, samples, c.samples)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
			require.Less(t, len(err.Error()), 2000)
		})
	}
}

// FuzzReadSamples holds that no file crashes, no number comes out that is not one, and no
// window of such a file is longer than itself.
func FuzzReadSamples(f *testing.F) {
	f.Add(samplesHead + "2026-11-30T21:00:12.504Z,0,96.22,700,41,345,3201,0,4,0x0000000000000001\n")
	f.Add(samplesHead + "2026-11-30T21:00:12.504Z,1,,,,,,,,\n2026-11-30T21:00:11Z,1,1")
	f.Add("timestamp, utilization.gpu [%], clocks.current.sm [MHz], clocks_event_reasons.active\n2026/11/30 21:00:12.504, 0, 345 MHz, 0x5\n")
	f.Fuzz(func(t *testing.T, text string) {
		samples, _ := gpulog.ReadSamples(strings.NewReader(text))
		if len(samples) == 0 {
			return
		}
		for _, s := range samples {
			for _, v := range []float64{s.PowerW, s.LimitW, s.Celsius, s.SMClockMHz, s.MemClockMHz, s.Utilization, s.MemoryMiB} {
				require.True(t, v == -1 || v >= 0 && v < 1e16)
			}
		}
		sum := gpulog.Window(samples, samples[0].Time.Add(-time.Hour), samples[0].Time.Add(time.Hour))
		require.LessOrEqual(t, sum.Seconds, 7200.0)
		require.LessOrEqual(t, sum.PowerCap, 1.0+1e-9)
		require.LessOrEqual(t, sum.Throttled, 1.0+1e-9)
	})
}
