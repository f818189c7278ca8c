package attempt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchguide/run/gpu"
	"benchguide/run/proc"
)

// GPUs lists the numbers of the GPUs that an attempt uses: as many as the study asks for of
// those that the machine's profile names, or else the first ones. One more would idle, and
// its power would count as that of the trial.
func (o Order) GPUs() []int {
	if o.NoGPU() {
		return nil
	}
	if named := o.Machine.GPUs; len(named) > 0 {
		return named[:min(o.Hardware.Count, len(named))]
	}
	var all []int
	for i := range o.Hardware.Count {
		all = append(all, i)
	}
	return all
}

// NoGPU reports whether no GPU takes part.
func (o Order) NoGPU() bool { return o.Machine.NoGPU || o.Rehearse != nil || o.Hardware.CPU() }

// MonitorOf returns how the GPUs of an order are seen, with nvidia-smi or not at all.
func MonitorOf(o Order) gpu.Monitor {
	if o.NoGPU() {
		return gpu.None{}
	}
	return (&gpu.SMI{}).Select(o.GPUs()...)
}

const nextGPU = "end what holds the GPUs, or let machine.yaml name others under gpus; what no process holds goes only with a reboot"

// checkGPUs proves that the GPUs are the study's and that nobody uses them.
func (j *job) checkGPUs(ctx context.Context) error {
	if j.order.NoGPU() {
		j.record.Environment = environmentOf(j.deps.Environ, nil)
		return nil
	}
	var err error
	if j.devices, err = j.deps.Monitor.Devices(ctx); err != nil {
		return infraFault("see that nvidia-smi works on this machine", "the GPUs cannot be asked: %v", err)
	}
	j.record.Environment = environmentOf(j.deps.Environ, j.devices)
	if err := gpu.Expect(j.devices, j.order.Hardware.GPU, j.order.Hardware.Count); err != nil {
		return infraFault("run the study on the GPUs that it names, or correct hardware in study.yaml", "%v", err)
	}
	j.ours.Baseline, err = gpu.Measure(ctx, j.deps.Monitor)
	if errors.Is(err, gpu.ErrDirty) {
		return infraFault(nextGPU, "%v", err)
	}
	if err != nil {
		return infraFault("see that nvidia-smi works on this machine", "the GPUs cannot be asked: %v", err)
	}
	return nil
}

// untilFree waits until the GPUs are as free as they were before.
func untilFree(ctx context.Context, deps Deps, o Order, base gpu.Baseline) error {
	return gpu.Free(ctx, deps.Monitor, base, o.Patience.Free, deps.Sleep)
}

// usedMiB is the memory in use on all GPUs together, negative if it is not known.
func (j *job) usedMiB(ctx context.Context) float64 {
	devices, err := j.deps.Monitor.Devices(ctx)
	if err != nil || len(devices) == 0 {
		return -1
	}
	sum := 0.0
	for _, d := range devices {
		if d.MemoryMiB < 0 {
			return -1
		}
		sum += d.MemoryMiB
	}
	return sum
}

// noteForeign looks for others on our GPUs. What is measured beside them is worthless,
// and is measured to its end all the same: the server's start was dear, and whoever reads
// the result decides about the next one.
//
// In a container, or where the engine runs in one, process ids are those of another
// namespace, and none of ours can be told. Then those that are there when the server has
// answered are taken for ours, since the GPUs were free before it was started.
func (j *job) noteForeign(ctx context.Context) {
	if j.order.NoGPU() || !j.served {
		return
	}
	left, err := proc.Leftovers(j.tag)
	if err != nil {
		return
	}
	mine := map[int]bool{}
	for _, id := range left {
		mine[id.PID] = true
	}
	matched := false
	foreign, err := gpu.Foreign(ctx, j.deps.Monitor, func(pid int) bool {
		matched = matched || mine[pid]
		return mine[pid]
	})
	if err != nil {
		return
	}
	if first := j.adopted == nil; first {
		j.adopted = map[int]bool{}
		for _, p := range foreign {
			j.adopted[p.PID] = !matched
		}
	}
	foreign = slices.DeleteFunc(foreign, func(p gpu.Process) bool { return j.adopted[p.PID] })
	if len(foreign) == 0 {
		return
	}
	var names []string
	for _, p := range foreign {
		names = append(names, fmt.Sprintf("process %d (%s)", p.PID, p.Name))
	}
	j.intruders = strings.Join(names, ", ")
	j.spoils("something else used the GPUs: %s", j.intruders)
}
