// Package executor brings attempts to where they are carried out: here, to a Slurm
// cluster, or by commands of somebody's own.
package executor

import (
	"context"

	"benchguide/run/attempt"
)

// Executor carries out attempts, one at a time.
type Executor interface {
	// Run carries out the attempt whose order.json lies in folder. It returns nil when the
	// folder is sealed, whatever the attempt came to, and an error when it is lost. When
	// ctx ends it ends the attempt, and returns when nothing of it is left.
	Run(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error
	// Recover ends what an earlier runner left of an attempt that is not sealed, or waits
	// for it where it goes on by itself. It returns nil when nothing of it runs any more.
	Recover(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error
}
