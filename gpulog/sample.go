// Package gpulog is the file that says once a second what the GPUs did while a server ran:
// how it is written, read, and summed up over a stretch of time. It asks no GPU, so that
// whoever reads a run later can say as much as the machine that made it.
package gpulog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// File is its name in the folder of a start.
const File = "gpu.csv"

// Sample is one GPU at one time. Numbers that are not known are negative.
type Sample struct {
	Row         int // line of the file that it was read from; 0 of one that was not read
	Time        time.Time
	Index       int
	PowerW      float64
	LimitW      float64
	Celsius     float64
	SMClockMHz  float64
	MemClockMHz float64
	Utilization float64
	MemoryMiB   float64
	Reasons     uint64
}

// sampleTime is how a line says when it was taken. A thousandth of a second is finer than
// the driver's own sampling.
const sampleTime = "2006-01-02T15:04:05.000Z07:00"

// written are the columns of the file, by nvidia-smi's names.
var written = []string{"time", "index", "power.draw", "power.limit", "temperature.gpu", "clocks.sm", "clocks.mem",
	"utilization.gpu", "memory.used", ReasonsColumn}

// Header is the first line of the file.
func Header() string { return strings.Join(written, ",") + "\n" }

// Line is a sample as a line of the file; what is not known is left empty.
func (s Sample) Line() string {
	list := []string{s.Time.Format(sampleTime), strconv.Itoa(s.Index)}
	for _, v := range []float64{s.PowerW, s.LimitW, s.Celsius, s.SMClockMHz, s.MemClockMHz, s.Utilization, s.MemoryMiB} {
		text := ""
		if v >= 0 {
			text = strconv.FormatFloat(v, 'f', -1, 64)
		}
		list = append(list, text)
	}
	mask := ""
	if s.Reasons != ReasonsUnknown {
		mask = fmt.Sprintf("0x%016x", s.Reasons)
	}
	return strings.Join(append(list, mask), ",") + "\n"
}
