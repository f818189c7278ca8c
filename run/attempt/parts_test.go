package attempt_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/gpu"
	"benchguide/study"
)

func TestVersionsThatAreTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"v0.20.2", "0.20.2", true},
		{"0.20.2+cu130", "v0.20.2", true},
		{"b11669", "11669 (0a1b2c3d)", true},
		{"0.20.2", "0.20.20", false},
		{"0.20.2rc1", "0.20.2", false},
		{"v1", "b1", true},
		{"beta", "eta", false},
	} {
		require.Equal(t, c.same, attempt.SameVersion(c.a, c.b), "%s and %s", c.a, c.b)
		require.Equal(t, c.same, attempt.SameVersion(c.b, c.a), "%s and %s", c.b, c.a)
	}
}

func TestTheLastRateOfALogIsThatOfNow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log  string
		want float64
	}{
		"vllm":   {"Avg generation throughput: 12.0 tokens/s\nAvg prompt throughput: 9.9 tokens/s, Avg generation throughput: 688.4 tokens/s, Running: 4 reqs", 688.4},
		"sglang": {"Decode batch. #running-req: 4, gen throughput (token/s): 667.73, #queue-req: 0", 667.73},
		"none":   {"INFO: Application startup complete.", 0},
		"odd":    {"Avg generation throughput: ... tokens/s", 0},
	} {
		require.Equal(t, c.want, attempt.TokensNow(c.log), name)
	}
}

func TestTheClientsShareIsThatOfTheTimeInWhichItMeasures(t *testing.T) {
	t.Parallel()
	second := time.Second
	// It reads its data for two seconds at full speed, and takes half a core then.
	used := []time.Duration{0, second, 2 * second, 2*second + second/2, 3 * second, 3*second + second/2}
	share, ok := attempt.CPUShare(used, 2, 5)
	require.True(t, ok)
	require.InDelta(t, 0.5, share, 1e-9)
	share, ok = attempt.CPUShare(used, -1, 9)
	require.True(t, ok)
	require.InDelta(t, 0.7, share, 1e-9)
	_, ok = attempt.CPUShare(used[:1], 0, 5)
	require.False(t, ok, "one look tells nothing")
}

func TestAnAttemptUsesAsManyGPUsAsItsStudyAsksFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		named []int
		want  []int
	}{
		{"the first ones", nil, []int{0, 1}},
		{"those of the machine's profile", []int{3, 2}, []int{3, 2}},
		{"of more that may be used", []int{4, 5, 6, 7}, []int{4, 5}},
		{"of too few", []int{4}, []int{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := anOrder()
			o.Hardware.Count, o.Machine.NoGPU, o.Machine.GPUs = 2, false, c.named
			require.Equal(t, c.want, o.GPUs())
			require.Equal(t, c.want, attempt.MonitorOf(o).(*gpu.SMI).Indices, "no other GPU is looked at, and none counts")
			o.Hardware.Kind = study.KindCPU
			require.Empty(t, o.GPUs(), "a study of a CPU has none")
		})
	}
}

// TestAClientHasMeasuredWhenItsResultIsThere, and not when Python has ended seconds later:
// the GPUs idle then, and their power would be counted as that of the trial.
func TestAClientHasMeasuredWhenItsResultIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		name, file, text string
		want             int
	}{
		{"a result", "result.json", "{}", 5},
		{"an empty one, which is yet to be written", "empty.json", "", 8},
		{"a client that writes none", "", "", 8},
	} {
		result := ""
		write := func() error { return nil }
		if c.file != "" {
			result = filepath.Join(dir, c.file)
			write = func() error { return os.WriteFile(result, []byte(c.text), 0o644) }
		}
		got, err := attempt.MeasuredUntil(result, write, 5, 8)
		require.NoError(t, err)
		require.Equal(t, c.want, got, c.name)
	}
}
