package attempt

import (
	"context"
	"time"
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
