package attempt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"benchguide/run/proc"
	"benchguide/study"
)

// afterwards ends everything that the attempt has started and proves that the GPUs are
// free, whatever happened before. It returns the fault that the attempt ends with.
func (j *job) afterwards(ctx context.Context, failed *fault) *fault {
	j.forgetClients()
	if j.server != nil {
		j.tell.enter(Stopping, "stopping the server")
		if err := j.stopAll(ctx); err != nil {
			j.spoil(fmt.Sprintf("what was started would not end: %v", err))
		}
	}
	// Not before the server has ended: the port is its own until then.
	if j.release != nil {
		j.release()
	}
	j.stopTelemetry()
	if j.server == nil || j.order.NoGPU() {
		return failed
	}
	j.tell.enter(Freeing, "waiting for the GPUs to be free")
	err := untilFree(ctx, j.deps, j.order, j.ours.Baseline)
	if err != nil {
		j.spoil(err.Error())
	}
	return j.blamed(failed, err)
}

// blamed turns a failure of the configuration into one of the machine where somebody else
// was on the GPUs: too little memory, or an engine that died, proves nothing then.
func (j *job) blamed(failed *fault, dirty error) *fault {
	switch {
	case failed == nil || failed.class != study.FailConfig && failed.class != study.FailFlaky:
		return failed
	case j.intruders != "":
		return &fault{study.FailInfra, failed.reason + "; meanwhile something else used the GPUs: " + j.intruders, nextGPU}
	case j.blamesGPU && dirty != nil:
		return &fault{study.FailInfra, failed.reason + "; and " + dirty.Error(), nextGPU}
	default:
		return failed
	}
}

const nextDirty = "see what holds the GPU's memory (nvidia-smi) and end it; some of it goes only with a reboot"

// spoil notes that nothing may be started on these GPUs. What was measured before stays
// valid: it happened before.
func (j *job) spoil(why string) {
	j.dirty = true
	j.tell.warn(why + "; " + nextDirty)
}

// grace is how long a process may take that is asked to end.
func (d Deps) grace(usual time.Duration) time.Duration {
	if d.Grace > 0 {
		return min(usual, d.Grace)
	}
	return usual
}

// stopAll asks the server to end, which tidies up its workers, then ends its container,
// and then whatever carries the attempt's nonce or came of what does. Each is tried
// whatever became of the one before.
func (j *job) stopAll(ctx context.Context) error {
	stopped := j.server.Stop(ctx, proc.Ladder{Grace: j.deps.grace(j.driver.Grace()), Kill: killWait})
	contained := stopContainer(ctx, j.launch.Stop)
	ended := proc.End(ctx, j.tag, j.ours.identities(), proc.Ladder{Grace: time.Second, Kill: killWait})
	if ended == nil {
		return contained // nothing is left, so that the ladder's complaint is settled
	}
	return errors.Join(stopped, contained, ended)
}
