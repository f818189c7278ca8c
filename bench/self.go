package bench

import (
	"fmt"
	"runtime"
	"time"
)

// Self is what the client measured of itself while it ran.
type Self struct {
	CPU    float64 // share of the cores that the process may use; negative: not known
	LagP99 float64 // milliseconds by which a sleeping goroutine woke too late
	LagMax float64
	TTFT   float64 // mean of the run in milliseconds, which a lag is held against; 0: not known
}

// What makes the client a part of what it measured.
const (
	busyShare = 0.8 // above it, chunks wait for a core before their time is taken
	// A timer of an idle machine is late by about a millisecond at most; the lag is an
	// error of each TTFT and, in both directions, of each gap.
	lateMS = 5
	// Where a first token takes long, as on a CPU that client and server share, a lag of a
	// few per cent at the 99th percentile moves no mean; a gap it does move, so that more
	// than this is too much everywhere.
	lateShare  = 0.05
	mostLateMS = 25
)

// Bounded says why the client may have bounded the run, or nothing.
func (s Self) Bounded() string {
	switch {
	case s.CPU >= busyShare:
		return fmt.Sprintf("the client used %.0f %% of its cores: give it more cores, or less load", s.CPU*100)
	case s.LagP99 >= min(max(lateMS, lateShare*s.TTFT), mostLateMS):
		return fmt.Sprintf("the client was woken up to %.1f ms late (p99): something else uses its cores, move one of them away", s.LagP99)
	default:
		return ""
	}
}

// tick is how often the lag is sampled: often enough for a p99 of a short run, and
// seldom enough to cost nothing.
const tick = 10 * time.Millisecond

// watcher samples the lag in a goroutine of its own.
type watcher struct {
	end    chan struct{}
	lags   chan []time.Duration
	before time.Duration
	known  bool
}

func watchSelf() *watcher {
	w := &watcher{end: make(chan struct{}), lags: make(chan []time.Duration, 1)}
	w.before, w.known = cpuTime()
	go func() {
		var lags []time.Duration
		timer := time.NewTimer(tick)
		defer timer.Stop()
		for {
			asleep := time.Now()
			select {
			case <-w.end:
				w.lags <- lags
				return
			case <-timer.C:
				lags = append(lags, max(time.Since(asleep)-tick, 0))
				timer.Reset(tick)
			}
		}
	}()
	return w
}

func (w *watcher) stop(ran time.Duration) Self {
	close(w.end)
	lags := distributionOf(<-w.lags)
	s := Self{CPU: -1, LagP99: lags.Percentile(99), LagMax: lags.Percentile(100)}
	if after, known := cpuTime(); known && w.known && ran > 0 {
		s.CPU = float64(after-w.before) / float64(ran) / float64(runtime.GOMAXPROCS(0))
	}
	return s
}

// meanTTFT is the mean of the completed requests in milliseconds, 0 if there are none.
func meanTTFT(outcomes []Outcome) float64 {
	var sum time.Duration
	n := 0
	for i := range outcomes {
		o := &outcomes[i]
		if d, ok := o.TTFT(); ok && o.OK() {
			sum += d
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return milliseconds(sum) / float64(n)
}
