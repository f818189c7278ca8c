//go:build !linux && !darwin

package proc

import (
	"fmt"
	"runtime"
	"syscall"
)

// exclusive changes nothing: other systems do not share ports unless asked to.
func exclusive(_, _ string, _ syscall.RawConn) error { return nil }

func isUnsupported(error) bool { return false }

// DiskFree cannot be told on this system.
func DiskFree(dir string) (uint64, error) {
	return 0, fmt.Errorf("cannot tell how much room %s has on %s", dir, runtime.GOOS)
}
