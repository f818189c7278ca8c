// Package gpu asks what the GPUs of a machine do: once, to know them; twice, to prove
// that they are free; and once a second while something is measured.
package gpu

import "context"

// Device is one GPU as it is now. Numbers that the driver does not tell are negative.
type Device struct {
	Index       int
	UUID        string
	Name        string
	Driver      string
	CUDA        string
	MemoryMiB   float64 // used
	TotalMiB    float64
	Utilization float64 // per cent
	PowerW      float64
	LimitW      float64
	SMClockMHz  float64
	MemClockMHz float64
	Celsius     float64
	Reasons     uint64 // clocks_event_reasons.active, as a bit mask
}

// Process is a process that holds memory of a GPU.
type Process struct {
	UUID      string // of the GPU
	PID       int
	MemoryMiB float64
	Name      string
}

// Monitor is a machine's GPUs. SMI asks nvidia-smi; None is a machine without any.
type Monitor interface {
	Devices(ctx context.Context) ([]Device, error)
	Processes(ctx context.Context) ([]Process, error)
}
