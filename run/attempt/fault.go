package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"

	"benchguide/study"
)

// fault is why an attempt gives no results, and what somebody can do about it.
type fault struct {
	class, reason, next string
}

// Error returns the reason.
func (f *fault) Error() string { return f.reason }

// What each class asks for, where the step that failed knows nothing better.
const (
	nextConfig = "the candidate cannot run as it is configured and is not tried again; change its options in study.yaml, or leave it out"
	nextInfra  = "the machine was at fault; it is tried again, twice at most, and if that fails as well the machine has to be looked after"
	nextFlaky  = "it is tried again once; if that fails as well the candidate counts as one that does not run under this load"
	nextUser   = "it was stopped by a person; carry on with benchguide run --resume"
)

func configFault(next, format string, args ...any) error {
	return &fault{study.FailConfig, fmt.Sprintf(format, args...), cmp.Or(next, nextConfig)}
}

func infraFault(next, format string, args ...any) error {
	return &fault{study.FailInfra, fmt.Sprintf(format, args...), cmp.Or(next, nextInfra)}
}

func flakyFault(next, format string, args ...any) error {
	return &fault{study.FailFlaky, fmt.Sprintf(format, args...), cmp.Or(next, nextFlaky)}
}

// faultOf sorts an error of a step into a class. What no step has classified is the
// machine's fault: files that cannot be written, processes that cannot be made.
func faultOf(ctx context.Context, err error) *fault {
	var f *fault
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &fault{study.FailUser, "stopped: " + context.Cause(ctx).Error(), nextUser}
	case errors.As(err, &f):
		return f
	case errors.Is(err, syscall.ENOSPC):
		return &fault{study.FailInfra, "disk full: " + err.Error(), nextDisk}
	default:
		return &fault{study.FailInfra, err.Error(), nextInfra}
	}
}
