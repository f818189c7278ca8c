package executor

import (
	"context"
	"sync"

	"benchguide/run/attempt"
	"benchguide/run/proc"
)

// Local carries attempts out on this machine, in this process.
type Local struct {
	Deps attempt.Deps

	adopt sync.Once
}

var _ Executor = (*Local)(nil)

// Run carries the attempt out. Processes that its servers leave behind become children
// of this one, so that they can be seen and reaped.
func (l *Local) Run(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error {
	if err := l.becomeParent(); err != nil {
		return err
	}
	_, err := attempt.Run(ctx, folder, o, l.Deps, seen)
	return err
}

// Recover ends what the attempt's processes were when its runner died. A sealed attempt
// has ended its own, and is left alone; what is to become of its folder is not decided here.
func (l *Local) Recover(ctx context.Context, folder string, o attempt.Order, _ func(attempt.Event)) error {
	if err := l.becomeParent(); err != nil {
		return err
	}
	return attempt.Clear(ctx, folder, o, l.Deps)
}

// becomeParent makes orphans of attempts children of this process, once.
func (l *Local) becomeParent() (err error) {
	l.adopt.Do(func() { err = proc.BecomeSubreaper() })
	return err
}
