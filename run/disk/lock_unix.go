//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes an open file for this process, and returns [ErrHeld] if another one has it. The
// lock is the operating system's: it is gone with the process, however that ends.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}
