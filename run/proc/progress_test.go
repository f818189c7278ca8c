package proc_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

// watched is a server that is looked at once a second, on a clock of its own.
type watched struct {
	p    *proc.Progress
	log  string
	now  time.Time
	tree proc.ProcessTreeStats
	gpu  float64
}

func watch(t *testing.T) *watched {
	w := &watched{log: filepath.Join(t.TempDir(), "server.log"), now: time.Now(), gpu: 100_000}
	w.p, w.tree.Processes = proc.NewProgress(w.log), 1
	w.p.Observe(w.now, w.tree, w.gpu)
	return w
}

// pass lets seconds pass, in each of which something happens.
func (w *watched) pass(seconds int, happens func()) time.Duration {
	for range seconds {
		w.now = w.now.Add(time.Second)
		happens()
		w.p.Observe(w.now, w.tree, w.gpu)
	}
	return w.p.Stalled(w.now)
}

func TestAnySignOfLifeIsEnough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		happens func(w *watched)
		want    time.Duration // after ten minutes
	}{
		{"nothing", func(*watched) {}, 10 * time.Minute},
		{"the log grows", func(w *watched) {
			f, _ := os.OpenFile(w.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			_, _ = f.WriteString("#")
			f.Close()
		}, 0},
		{"a compiler works", func(w *watched) { w.tree.CPU += time.Second }, 0},
		{"a compiler among many", func(w *watched) { w.tree.Processes = 300; w.tree.CPU += 900 * time.Millisecond }, 0},
		{"event loops tick", func(w *watched) { w.tree.CPU += 10 * time.Millisecond }, 10 * time.Minute},
		{"event loops tick in eight workers", func(w *watched) { w.tree.Processes = 9; w.tree.CPU += 90 * time.Millisecond }, 10 * time.Minute},
		{"weights are read", func(w *watched) { w.tree.ReadBytes += 50 << 20 }, 0},
		{"threads wake each other", func(w *watched) { w.tree.ReadBytes += 800 }, 10 * time.Minute},
		{"GPU memory fills", func(w *watched) { w.gpu += 100 }, 0},
		{"GPU memory empties", func(w *watched) { w.gpu -= 8 }, 0},
		{"GPU memory is not known", func(w *watched) { w.gpu = -1 }, 10 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := watch(t)
			require.Equal(t, c.want, w.pass(600, func() { c.happens(w) }))
		})
	}
}

// Slow reading counts as soon as there is enough of it.
func TestSlowSignsAddUp(t *testing.T) {
	t.Parallel()
	w := watch(t)
	require.Less(t, w.pass(600, func() { w.tree.ReadBytes += 256 << 10 }), 20*time.Second)
}

func TestALifeThatEndsIsSeenToEnd(t *testing.T) {
	t.Parallel()
	w := watch(t)
	w.pass(60, func() { w.tree.CPU += time.Second })
	require.Equal(t, 30*time.Second, w.pass(30, func() {}))
}

// A worker that has ended takes its sums along; the others are measured by what is left.
func TestADeadWorkerIsNoLifeAndHidesNone(t *testing.T) {
	t.Parallel()
	w := watch(t)
	w.pass(60, func() { w.tree.CPU += time.Second })
	w.tree.CPU = time.Second
	require.Equal(t, 10*time.Second, w.pass(10, func() {}))
	require.Zero(t, w.pass(10, func() { w.tree.CPU += time.Second }))
}

// Times that run backward are of a clock that was set. Nothing may wait for ever, or be
// called stalled, because of them.
func TestAClockThatIsSetBackStartsAnew(t *testing.T) {
	t.Parallel()
	w := watch(t)
	w.pass(300, func() {})
	w.now = w.now.Add(-24 * time.Hour).Round(0)
	require.Zero(t, w.p.Stalled(w.now))
	require.Equal(t, time.Minute, w.pass(61, func() {}))
}

func TestNothingIsStalledBeforeTheFirstLook(t *testing.T) {
	t.Parallel()
	require.Zero(t, proc.NewProgress("none").Stalled(time.Now()))
}
