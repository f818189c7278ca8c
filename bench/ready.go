package bench

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// WaitReady waits until the server lists its models. Nothing is generated, so that
// nothing is in its cache afterwards: vLLM's client sends the first prompt instead.
func WaitReady(ctx context.Context, c *Client, timeout time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%s is not ready within %s", c.Base, timeout))
	defer cancel()
	const pause = 100 * time.Millisecond
	again := time.NewTicker(pause)
	defer again.Stop()
	var last error // of a question that the timeout did not cut short: it says why
	for {
		_, err := c.FirstModel(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), cmp.Or(last, err))
		case <-again.C:
		}
	}
}
