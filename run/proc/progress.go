package proc

import (
	"math"
	"os"
	"time"
)

// ProcessTreeStats is what the processes of an attempt have done since they began.
type ProcessTreeStats struct {
	Processes int
	CPU       time.Duration
	ReadBytes uint64 // from disks and from anything else
}

// What counts as a sign of life. A server that hangs is not quiet: its event loops tick
// and its threads look at their queues. So a process must take two hundredths of a core,
// and a tree of many no more than half a core, since one compiler at work is enough; and
// must read more than the bytes by which threads wake each other.
const (
	cpuShare    = 0.02
	cpuMost     = 0.5
	cpuLeast    = 100 * time.Millisecond // the kernel counts in hundredths of a second
	readLeast   = 4 << 20
	memoryLeast = 8 // MiB of GPU memory, up or down
)

// Progress tells whether a starting server shows signs of life. Weights are loaded for
// minutes without a line in the log, kernels are compiled without a byte read, graphs are
// captured with nothing but the GPU's memory moving: any one of the signs is enough.
//
// It looks at no clock of its own. The times must be those of time.Now, whose differences
// are right when somebody sets the machine's clock.
type Progress struct {
	logFile string
	begun   bool
	sign    time.Time // when there was the last sign
	ref     moment    // what was seen then
}

// moment is what was seen at one time.
type moment struct {
	log  int64
	tree ProcessTreeStats
	gpu  float64
}

// NewProgress watches a server that logs to a file.
func NewProgress(logFile string) *Progress { return &Progress{logFile: logFile} }

// Observe takes in how far the server is; gpuMiB is the memory in use on its GPUs,
// negative if it is not known. The first call counts as a sign of life.
func (p *Progress) Observe(now time.Time, t ProcessTreeStats, gpuMiB float64) {
	m := moment{log: fileSize(p.logFile), tree: t, gpu: gpuMiB}
	elapsed := now.Sub(p.sign)
	switch {
	case !p.begun, m.lives(p.ref, elapsed):
		p.begun, p.sign, p.ref = true, now, m
	case elapsed < 0:
		p.sign = now // the times are not of one clock: begin again, rather than wait too long
	case t.CPU < p.ref.tree.CPU || t.ReadBytes < p.ref.tree.ReadBytes:
		// A process has ended and took its sums along. That is no life, but the others
		// can show theirs only against what is left.
		p.ref.tree = t
	}
}

// Stalled returns how long there has been no sign of life.
func (p *Progress) Stalled(now time.Time) time.Duration {
	if !p.begun {
		return 0
	}
	return max(0, now.Sub(p.sign))
}

// lives reports whether anything moved since another moment.
func (m moment) lives(since moment, elapsed time.Duration) bool {
	if m.log != since.log {
		return true
	}
	if m.gpu >= 0 && since.gpu >= 0 && math.Abs(m.gpu-since.gpu) >= memoryLeast {
		return true
	}
	if m.tree.ReadBytes >= since.tree.ReadBytes+readLeast {
		return true
	}
	share := min(cpuShare*float64(max(m.tree.Processes, 1)), cpuMost)
	least := max(cpuLeast, time.Duration(share*float64(elapsed)))
	return m.tree.CPU-since.tree.CPU >= least
}

// fileSize returns 0 for a file that is not there yet.
func fileSize(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
