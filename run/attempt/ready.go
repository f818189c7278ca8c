package attempt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchguide/run/server"
)

// askTimeout bounds one question to a server. Its health check may run a token behind
// a long prefill.
const askTimeout = 20 * time.Second

// awaitReady waits until the server has generated something. There is no fixed limit:
// a cold start takes three times as long as a warm one. It fails when the process or a
// child of it dies, when nothing has moved for the order's patience, when it answers
// and yet generates nothing for as long, and at the very most after Patience.Start.
func (j *job) awaitReady(ctx context.Context) error {
	err := j.guarded(ctx, "the start of the server", j.untilReady)
	if err != nil {
		return err
	}
	j.served = true
	j.noteForeign(ctx) // who is on the GPUs now is known from here on
	j.record.Times.Ready = j.deps.Now().Sub(j.started).Seconds()
	j.record.Caches = server.CachesFromLog(j.order.Engine, j.readLog())
	j.tell.tell(Event{Text: fmt.Sprintf("the server has answered after %.1f s", j.record.Times.Ready)})
	return nil
}

// untilReady asks again and again. What the last answer lacked is in the failure's reason.
func (j *job) untilReady(ctx context.Context) error {
	w := j.newWaiting()
	ticker := time.NewTicker(j.deps.Poll)
	defer ticker.Stop()
	for {
		ready, err := j.askReady(ctx, w)
		if ready || err != nil {
			return err
		}
		w.observe(ctx, j.deps.Now())
		if err := w.patience(j.deps.Now()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// askReady asks whether the server lives, whether it is ours, and whether it generates,
// in this order: a request under our name to somebody else's server would only fail.
func (j *job) askReady(ctx context.Context, w *waiting) (ready bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, min(askTimeout, max(j.order.Patience.Stall, time.Second)))
	defer cancel()
	if err := j.driver.Live(ctx, j.target); err != nil {
		w.lacks = "it does not say that it is alive: " + err.Error()
		return false, nil
	}
	w.alive(j.deps.Now())
	if names, err := j.driver.Identify(ctx, j.target); err == nil && !j.isOurs(names) {
		return false, j.foreign(names)
	}
	if err := j.driver.Generates(ctx, j.target); err != nil {
		w.lacks = "it generates nothing: " + err.Error()
		return false, nil
	}
	return true, nil
}

// isOurs reports whether the names are the one that our server was started under.
func (j *job) isOurs(names []string) bool { return slices.Equal(names, []string{j.order.Nonce}) }

func (j *job) foreign(names []string) error {
	return infraFault(fmt.Sprintf("find what listens on port %d and end it, or give machine.yaml a range of ports of this run's own", j.port),
		"a foreign server answers on the port %d: it serves %s and not %s", j.port, strings.Join(names, ", "), j.order.Nonce)
}

// askings is how often a server is asked who it is. Two that listen on one port share
// the connections at random, and a leftover must not be missed.
const askings = 8

// identify proves that whoever answers on the port is our server.
func (j *job) identify(ctx context.Context) error {
	for range askings {
		once, cancel := context.WithTimeout(ctx, askTimeout)
		names, err := j.driver.Identify(once, j.target)
		cancel()
		if err != nil {
			return flakyFault("", "the server does not say which model it serves: %v", err)
		}
		if !j.isOurs(names) {
			return j.foreign(names)
		}
	}
	return nil
}
