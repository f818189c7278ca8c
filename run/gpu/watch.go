package gpu

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"benchguide/gpulog"
)

// Watcher writes down what the GPUs do until it is stopped.
type Watcher struct {
	stop context.CancelFunc
	done chan struct{}

	mu   sync.Mutex
	gaps int
	why  error // of the last gap
	err  error // of writing
}

// Watch writes a header, then a line for each GPU at once and each time that every is over,
// until Stop or the end of ctx. A look that fails, or that takes longer, leaves a gap.
func Watch(ctx context.Context, m Monitor, w io.Writer, every time.Duration) *Watcher {
	stopped, stop := context.WithCancel(ctx)
	watcher := &Watcher{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(watcher.done)
		defer stop()
		watcher.write(w, gpulog.Header())
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			// Not stopped: the look under way when Stop comes is finished.
			watcher.look(ctx, m, w)
			select {
			case <-stopped.Done():
				if ctx.Err() == nil {
					watcher.look(ctx, m, w) // one past the end, so that the end is between two
				}
				return
			case <-ticker.C:
			}
		}
	}()
	return watcher
}

// Stop takes one more look, and returns when it is written. The error is that of writing,
// after which nothing more was written.
func (w *Watcher) Stop() error {
	w.stop()
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Gaps returns how many looks have failed, and why the last one did.
func (w *Watcher) Gaps() (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gaps, w.why
}

// look writes down what the GPUs do now. The time is that of the answer, since what
// nvidia-smi does before it reads the values takes most of its time.
func (w *Watcher) look(ctx context.Context, m Monitor, out io.Writer) {
	devices, err := m.Devices(ctx)
	now := time.Now().UTC()
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if ctx.Err() == nil {
			w.gaps++
			w.why = err
		}
		return
	}
	var lines strings.Builder
	for _, d := range devices {
		lines.WriteString(sampleOf(d, now).Line())
	}
	w.write(out, lines.String())
}

// write writes whole lines at once, so that a runner that is killed leaves at most the last
// one torn.
func (w *Watcher) write(out io.Writer, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || text == "" {
		return
	}
	if _, err := io.WriteString(out, text); err != nil {
		w.err = fmt.Errorf("cannot write down what the GPUs do: %w", err)
	}
}

func sampleOf(d Device, now time.Time) gpulog.Sample {
	return gpulog.Sample{Time: now, Index: d.Index, PowerW: d.PowerW, LimitW: d.LimitW, Celsius: d.Celsius, SMClockMHz: d.SMClockMHz,
		MemClockMHz: d.MemClockMHz, Utilization: d.Utilization, MemoryMiB: d.MemoryMiB, Reasons: d.Reasons}
}
