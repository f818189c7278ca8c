package proc

import (
	"fmt"
	"syscall"
)

// prSetChildSubreaper is an option of prctl that package syscall does not name.
const prSetChildSubreaper = 36

// BecomeSubreaper makes orphans of our children our own children, so that they can be
// found by descent and reaped. It holds for the whole process, for good.
func BecomeSubreaper() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return fmt.Errorf("cannot take on orphaned processes: %w", errno)
	}
	return nil
}
