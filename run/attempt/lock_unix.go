//go:build unix

package attempt

import (
	"os"
	"syscall"
)

// lock takes a file for this process, and reports false if another one has it.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
