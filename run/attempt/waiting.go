package attempt

import (
	"context"
	"path/filepath"
	"time"

	"benchguide/run/proc"
	"benchguide/run/server"
	"benchguide/study"
)

// waiting is how long a server has been waited for, and what was seen of it meanwhile.
type waiting struct {
	job   *job
	began time.Time
	lacks string // what the last answer lacked

	any   *proc.Progress // every sign of life
	quiet *proc.Progress // all but the log: a server that answers logs our own questions
	saw   time.Time      // when it was last looked for
	asked time.Time      // when the GPUs' memory was last read
	mib   float64

	answers bool      // somebody takes connections
	lives   time.Time // since when it says that it is alive; zero: it does not
}

func (j *job) newWaiting() *waiting {
	return &waiting{
		job: j, began: j.started, lacks: "it does not answer yet", mib: -1,
		any: proc.NewProgress(j.logFile()), quiet: proc.NewProgress(""),
	}
}

func (j *job) logFile() string { return filepath.Join(j.folder, study.ServerLog) }

// alive takes down that the server has answered that it is alive.
func (w *waiting) alive(now time.Time) {
	if w.lives.IsZero() {
		w.lives = now
	}
}

// observe looks for signs of life. A look reads every process of the machine, and takes
// processors from the server that starts: where minutes of silence are allowed, two looks a
// second are as good as a hundred.
func (w *waiting) observe(ctx context.Context, now time.Time) {
	j := w.job
	if now.Sub(w.saw) < min(usualLook, j.order.Patience.Stall/leastLooks) {
		return
	}
	w.saw = now
	tree, err := proc.Tree(j.tag, j.ours.identities()...)
	if err != nil {
		return // what cannot be seen is no sign
	}
	if !j.order.NoGPU() && now.Sub(w.asked) >= j.deps.Foreign {
		w.asked, w.mib = now, j.usedMiB(ctx)
	}
	w.any.Observe(now, tree, w.mib)
	w.quiet.Observe(now, tree, w.mib)
	w.answers = w.answers || proc.Answers(ctx, j.port)
}

// How far apart two looks for signs of life are, and how many there are at the very least
// before a server is given up for its silence.
const (
	usualLook  = 500 * time.Millisecond
	leastLooks = 50
)

// patience says when it is over. A start that is silent and whose log says what went wrong
// is waited for less long: a worker has died, and its parent waits for it for ever. All else
// are hangs, which a second start may not show.
func (w *waiting) patience(now time.Time) error {
	p := w.job.order.Patience
	silent := w.any.Stalled(now)
	if w.answers {
		silent = w.quiet.Stalled(now)
	}
	if w.lives.IsZero() && silent >= p.Stall/doubt {
		if log := w.job.readLog(); !server.Hanging(log) { // workers say so while others compile
			if d := server.Diagnose(log, server.ExitInfo{}); d.Failed() {
				return w.job.faulty(d, "the start of the server", "")
			}
		}
	}
	switch {
	case !w.lives.IsZero() && now.Sub(w.lives) >= p.Stall:
		return flakyFault("", "the server says that it is alive but has generated nothing for %s: %s", p.Stall, w.lacks)
	case w.lives.IsZero() && silent >= p.Stall:
		return flakyFault("", "the server hangs while it starts: for %s there was no sign of progress (log, processor, reading, GPU memory): %s", p.Stall, w.lacks)
	case now.Sub(w.began) >= p.Start:
		return flakyFault("if a start may take that long here, give the run more patience", "the server was not ready after %s, although something moved: %s", p.Start, w.lacks)
	default:
		return nil
	}
}
