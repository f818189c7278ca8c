//go:build unix

package fake

import (
	"os/exec"
	"syscall"
)

// detach gives a child a session of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
