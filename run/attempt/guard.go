package attempt

import (
	"context"
	"os"
	"strings"
	"time"

	"benchguide/run/proc"
	"benchguide/run/server"
)

// guarded does something while the server runs, and ends it early when the server dies
// or hangs, when the disk runs full, or when ctx ends. What the watching found is the
// error, since it is the cause of what the work saw.
func (j *job) guarded(ctx context.Context, during string, do func(context.Context) error) error {
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan error, 1)
	go func() { done <- do(work) }()
	looks := time.NewTicker(j.deps.Poll)
	defer looks.Stop()
	w := &look{during: during}
	for {
		var found error
		select {
		case err := <-done:
			if err != nil && j.endsSoon() {
				return j.died(during)
			}
			return err
		case <-j.server.Done():
			found = j.died(during)
		case <-looks.C:
			found = j.look(work, w)
		}
		if found != nil {
			cancel(found)
			<-done
			return found
		}
	}
}

// endsSoon waits a moment for a server whose requests have failed: it may be dying, and
// its death is then the reason, and not that the requests failed.
func (j *job) endsSoon() bool {
	timer := time.NewTimer(2 * j.deps.Poll)
	defer timer.Stop()
	select {
	case <-j.server.Done():
		return true
	case <-timer.C:
		return false
	}
}

// look is what the watching has seen so far.
type look struct {
	during  string
	size    int64     // of the log when it was last read
	suspect time.Time // since when the log says that something is wrong; zero: it does not
	last    server.Diagnosis
	foreign time.Time // when the GPUs were last looked at
}

// look looks once at everything that can go wrong while the server's process lives.
func (j *job) look(ctx context.Context, l *look) error {
	now := j.deps.Now()
	if err := j.roomFor(spareDisk); err != nil {
		return err
	}
	if now.Sub(l.foreign) >= j.deps.Foreign {
		l.foreign = now
		j.noteForeign(ctx)
		j.noteRate()
	}
	return j.lookAtLog(now, l)
}

// lookAtLog fails when the log has said for a while that the engine died or hangs. A sign
// in a log is no proof: workers that wait for a compiler say that they hang, and an error
// may be one that the engine gets over.
func (j *job) lookAtLog(now time.Time, l *look) error {
	if info, err := os.Stat(j.logFile()); err == nil && info.Size() != l.size {
		l.size = info.Size()
		l.last = server.Diagnose(j.readLog(), server.ExitInfo{})
	}
	if !l.last.Failed() {
		l.suspect = time.Time{}
		return nil
	}
	if l.suspect.IsZero() {
		l.suspect = now
	}
	// A start may be silent for longer than workers are patient: see waiting.
	if !j.served && server.Hanging(j.readLog()) || now.Sub(l.suspect) < j.order.Patience.Stall/doubt {
		return nil
	}
	return j.faulty(l.last, l.during, "")
}

// doubt is by what the patience for a silent start is divided for one that has said that
// something is wrong: two minutes of ten.
const doubt = 5

// noteRate tells what the engine generates now, as its log says it.
func (j *job) noteRate() {
	const few = 50
	lines, err := proc.LogTail(j.logFile(), few)
	if err != nil {
		return
	}
	if rate := tokensNow(strings.Join(lines, "\n")); rate > 0 {
		j.tell.tell(Event{Tokens: rate})
	}
}
