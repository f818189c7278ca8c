package gpu

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	freeSlack = 300 // MiB above the baseline that count as free
	freeEvery = 2 * time.Second
	freeTwice = 2 // looks in a row that must find the GPUs free

	// baselineMost is more than any driver keeps for itself, in MiB.
	baselineMost = 2048
)

// ErrDirty is the error, by errors.Is, of GPUs that do not come free. Nothing may be
// started on them: some are cured by a reboot only.
var ErrDirty = errors.New("the GPUs are not free")

// Baseline is the memory that each GPU holds when nobody uses it, in MiB by UUID.
type Baseline map[string]float64

// Measure takes the baseline of GPUs on which nothing runs. Memory beyond what a driver may
// keep for itself is none: in a container the processes that hold it cannot be seen.
func Measure(ctx context.Context, m Monitor) (Baseline, error) {
	now, err := look(ctx, m)
	if err != nil {
		return nil, err
	}
	if len(now.processes) > 0 {
		return nil, fmt.Errorf("%w before the run: %s", ErrDirty, now.holders(now.processes))
	}
	base := Baseline{}
	for _, d := range now.devices {
		if d.MemoryMiB > baselineMost {
			return nil, fmt.Errorf("%w before the run: %s holds %.0f MiB and shows no process; somebody outside of this container uses it, or a process died and its memory was not given back (nvidia-smi, then a reboot)",
				ErrDirty, d.text(), d.MemoryMiB)
		}
		if d.MemoryMiB >= 0 {
			base[d.UUID] = d.MemoryMiB
		}
	}
	return base, nil
}

// Free waits until the GPUs are free: no process computes on them, their memory is that of
// the baseline but for 300 MiB, and they do nothing, twice two seconds apart. Processes that
// are killed can go on to hold memory without being listed, and in a container none is, so
// memory is the test and processes are the explanation. After the wait the error says who
// holds how much, and is ErrDirty.
//
// The first look is at once. Waiting between looks is left to sleep, which is Sleep but in
// tests; it counts even where it takes no time.
func Free(ctx context.Context, m Monitor, base Baseline, wait time.Duration, sleep func(context.Context, time.Duration) error) error {
	begin, slept := time.Now(), time.Duration(0)
	for inARow := 0; ; {
		held, err := occupied(ctx, m, base)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil && held == "":
			inARow++
		default:
			inARow = 0
		}
		if inARow == freeTwice {
			return nil
		}
		if max(slept, time.Since(begin)) >= wait && inARow == 0 {
			if err != nil {
				return fmt.Errorf("%w as far as can be told, after %v: %w", ErrDirty, wait, err)
			}
			return fmt.Errorf("%w after %v: %s; end what holds them, or reboot the machine, before anything is measured on them", ErrDirty, wait, held)
		}
		if err := sleep(ctx, freeEvery); err != nil {
			return err
		}
		slept += freeEvery
	}
}

// Sleep waits, or returns the cause of the end of ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Foreign returns the processes on the GPUs that are not ours. In a container the ids are
// those of the machine, so that ours cannot be told by them.
func Foreign(ctx context.Context, m Monitor, ours func(pid int) bool) ([]Process, error) {
	list, err := m.Processes(ctx)
	if err != nil {
		return nil, err
	}
	var foreign []Process
	for _, p := range list {
		if !ours(p.PID) {
			foreign = append(foreign, p)
		}
	}
	return foreign, nil
}

// sight is what there is to see on the GPUs at one time.
type sight struct {
	devices   []Device
	processes []Process
}

func look(ctx context.Context, m Monitor) (sight, error) {
	devices, err := m.Devices(ctx)
	if err != nil {
		return sight{}, err
	}
	processes, err := m.Processes(ctx)
	if err != nil {
		return sight{}, err
	}
	return sight{devices, processes}, nil
}

// occupied says what keeps the GPUs from being free, "" if nothing does.
func occupied(ctx context.Context, m Monitor, base Baseline) (string, error) {
	now, err := look(ctx, m)
	if err != nil {
		return "", err
	}
	var held []string
	if len(now.processes) > 0 {
		held = append(held, now.holders(now.processes))
	}
	for _, d := range now.devices {
		// A GPU without a baseline is held against an empty one; memory and utilisation that
		// the driver does not tell are negative and hold nothing.
		if limit := base[d.UUID] + freeSlack; d.MemoryMiB > limit {
			held = append(held, fmt.Sprintf("%s holds %.0f MiB, at most %.0f when free", d.text(), d.MemoryMiB, limit))
		}
		if d.Utilization > 0 {
			held = append(held, fmt.Sprintf("%s is busy (%.0f %%)", d.text(), d.Utilization))
		}
	}
	return strings.Join(held, "; "), nil
}

// holders names processes and what they hold.
func (s sight) holders(list []Process) string {
	var texts []string
	for _, p := range list {
		texts = append(texts, p.text(s.devices))
	}
	return strings.Join(texts, "; ")
}

func (p Process) text(devices []Device) string {
	where := "a GPU"
	for _, d := range devices {
		if d.UUID == p.UUID {
			where = d.text()
		}
	}
	size := "memory of unknown size"
	if p.MemoryMiB >= 0 {
		size = fmt.Sprintf("%.0f MiB", p.MemoryMiB)
	}
	return fmt.Sprintf("process %d (%s) holds %s of %s", p.PID, p.Name, size, where)
}

func (d Device) text() string { return fmt.Sprintf("GPU %d (%s)", d.Index, d.Name) }
