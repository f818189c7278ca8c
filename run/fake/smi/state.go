package smi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// State is what the fake nvidia-smi knows. Calls are counted from 1, in a file beside it.
type State struct {
	Driver    string    `json:"driver"`
	CUDA      string    `json:"cuda"`
	OldFields bool      `json:"old_fields,omitempty"` // names of fields as drivers before 535 have them
	Devices   []Device  `json:"devices"`
	Processes []Process `json:"processes,omitempty"`
	Fail      *Fail     `json:"fail,omitempty"`
}

// Device is one GPU. A number that is left out is one that the driver does not tell.
type Device struct {
	Index       int      `json:"index"`
	UUID        string   `json:"uuid"`
	Name        string   `json:"name"`
	MemoryMiB   *float64 `json:"memory_used,omitempty"`
	TotalMiB    *float64 `json:"memory_total,omitempty"`
	Utilization *float64 `json:"utilization,omitempty"`
	PowerW      *float64 `json:"power,omitempty"`
	LimitW      *float64 `json:"power_limit,omitempty"`
	SMClockMHz  *float64 `json:"clock_sm,omitempty"`
	MemClockMHz *float64 `json:"clock_mem,omitempty"`
	Celsius     *float64 `json:"temperature,omitempty"`
	Reasons     *uint64  `json:"reasons,omitempty"`
	MIG         string   `json:"mig,omitempty"` // Enabled or Disabled; [N/A] if left out

	// HeldMiB is memory that is given back late: it is in use in the first HeldCalls calls.
	HeldMiB   float64 `json:"held,omitempty"`
	HeldCalls int     `json:"memory_falls_after,omitempty"`
}

// Process is a process on a GPU, from one call on and up to another one.
type Process struct {
	UUID      string   `json:"uuid"`
	PID       int      `json:"pid"`
	MemoryMiB *float64 `json:"memory,omitempty"`
	Name      string   `json:"name"`
	From      int      `json:"from,omitempty"`  // the first call that shows it
	Until     int      `json:"until,omitempty"` // the last one; always if 0
}

// Fail is a way to fail: driver, mismatch, lost, none, hang, garbage or silent.
type Fail struct {
	Mode  string `json:"mode"`
	From  int    `json:"from,omitempty"`
	Until int    `json:"until,omitempty"` // for ever if 0
}

// Load reads a state.
func Load(file string) (State, error) {
	if file == "" {
		return State{}, fmt.Errorf("%s names no file", StateVar)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return State{}, err
	}
	var s State
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return State{}, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// Save writes a state, whole at any moment, since somebody may be reading it.
func (s State) Save(file string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// count returns the number of this call. A byte for each call is appended to a file, which
// needs no lock.
func count(file string) (int, error) {
	f, err := os.OpenFile(file+".calls", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Write([]byte{'.'}); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return int(info.Size()), nil
}

// at reports whether a stretch of calls holds one.
func at(from, until, call int) bool { return call >= from && (until == 0 || call <= until) }

func (f Fail) at(call int) bool { return at(f.From, f.Until, call) }

// listed returns the processes on some GPUs that a call shows.
func (s State) listed(devices []Device, call int) []Process {
	var list []Process
	for _, d := range devices {
		for _, p := range s.Processes {
			if p.UUID == d.UUID && at(p.From, p.Until, call) {
				list = append(list, p)
			}
		}
	}
	return list
}

// field prints one value of a GPU; ok is false if there is no such field.
func (d Device) field(s State, name string, call int) (text string, ok bool) {
	reasons := "clocks_event_reasons.active"
	if s.OldFields {
		reasons = "clocks_throttle_reasons.active"
	}
	switch name {
	case "index":
		return strconv.Itoa(d.Index), true
	case "uuid":
		return d.UUID, true
	case "name":
		return d.Name, true
	case "driver_version":
		return s.Driver, true
	case "memory.used":
		return whole(d.memory(call)), true
	case "memory.total":
		return whole(d.TotalMiB), true
	case "utilization.gpu":
		return whole(d.Utilization), true
	case "power.draw":
		return hundredths(d.PowerW), true
	case "power.limit":
		return hundredths(d.LimitW), true
	case "clocks.sm":
		return whole(d.SMClockMHz), true
	case "clocks.mem":
		return whole(d.MemClockMHz), true
	case "temperature.gpu":
		return whole(d.Celsius), true
	case "mig.mode.current":
		return orNone(d.MIG), true
	case reasons:
		if d.Reasons == nil {
			return orNone(""), true
		}
		return fmt.Sprintf("0x%016X", *d.Reasons), true
	}
	return "", false
}

// memory is what is in use, with what falls late.
func (d Device) memory(call int) *float64 {
	if d.MemoryMiB == nil || call > d.HeldCalls {
		return d.MemoryMiB
	}
	sum := *d.MemoryMiB + d.HeldMiB
	return &sum
}

// field prints one value of a process.
func (p Process) field(name string) (text string, ok bool) {
	switch name {
	case "gpu_uuid":
		return p.UUID, true
	case "pid":
		return strconv.Itoa(p.PID), true
	case "used_memory", "used_gpu_memory":
		return whole(p.MemoryMiB), true
	case "process_name", "name":
		return p.Name, true
	}
	return "", false
}

func whole(v *float64) string {
	if v == nil {
		return orNone("")
	}
	return strconv.FormatFloat(*v, 'f', 0, 64)
}

func hundredths(v *float64) string {
	if v == nil {
		return orNone("")
	}
	return strconv.FormatFloat(*v, 'f', 2, 64)
}

func orNone(text string) string {
	if strings.TrimSpace(text) == "" {
		return "[N/A]"
	}
	return text
}
