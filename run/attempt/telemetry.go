package attempt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"benchguide/gpulog"
	"benchguide/run/gpu"
)

// telemetry writes down once a second what the GPUs do.
type telemetry struct {
	file  *os.File
	watch *gpu.Watcher
}

// span is when a workload was measured.
type span struct {
	workload string
	from, to time.Time
}

const everySecond = time.Second

// record1Hz begins to write down what the GPUs do, before the server is there: what they
// did while it started explains a start that failed.
func (j *job) record1Hz(ctx context.Context) error {
	if j.order.NoGPU() {
		return nil
	}
	f, err := os.Create(filepath.Join(j.folder, TelemetryFile))
	if err != nil {
		return err
	}
	// Not ended by ctx: the stop of a server that was cancelled is worth seeing, too.
	j.seen = telemetry{f, gpu.Watch(context.WithoutCancel(ctx), j.deps.Monitor, f, everySecond)}
	return nil
}

// stopTelemetry takes the last look. What is missing is said, and spoils nothing: the
// results do not rest on it.
func (j *job) stopTelemetry() {
	if j.seen.watch == nil {
		return
	}
	if err := errors.Join(j.seen.watch.Stop(), j.seen.file.Close()); err != nil {
		j.tell.warn("what the GPUs did is not complete: " + err.Error())
	}
	if gaps, why := j.seen.watch.Gaps(); gaps > 0 {
		j.tell.warn("nvidia-smi did not answer now and then: " + why.Error())
	}
	j.seen.watch = nil
}

// tooHot is the part of a trial's seconds in which a GPU may be held back by heat or by a
// brake. A second of a minute changes a mean by less than starts differ.
const tooHot = 0.02

// sumUp records what the GPUs did while each workload was measured. It comes after the
// last sample, which speaks for the end of the last trial.
func (j *job) sumUp() {
	if len(j.spans) == 0 || j.order.NoGPU() {
		return
	}
	f, err := os.Open(filepath.Join(j.folder, TelemetryFile))
	if err != nil {
		return
	}
	defer f.Close()
	samples, err := gpulog.ReadSamples(f)
	if err != nil {
		j.tell.warn("some of what the GPUs did cannot be read: " + err.Error())
	}
	for _, s := range j.spans {
		w := gpulog.Window(samples, s.from, s.to)
		if w.MeanPowerW >= 0 {
			set(&j.record.PowerWatts, s.workload, w.MeanPowerW)
		}
		if w.PowerCap >= 0 {
			set(&j.record.PowerCap, s.workload, w.PowerCap)
		}
		if w.Throttled >= 0 {
			set(&j.record.Throttled, s.workload, w.Throttled)
		}
		if w.Throttled > tooHot {
			j.spoils("%s: heat or a brake held a GPU back in %.0f %% of the trial's seconds", s.workload, w.Throttled*100)
		}
	}
}
