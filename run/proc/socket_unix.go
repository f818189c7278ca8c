//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"syscall"
)

// exclusive takes back the SO_REUSEADDR that package net sets, which lets a socket be
// bound beside another one that is bound and does not listen yet.
func exclusive(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0)
	})
	return errors.Join(err, failed)
}

func isUnsupported(err error) bool {
	return errors.Is(err, syscall.EAFNOSUPPORT) || errors.Is(err, syscall.EADDRNOTAVAIL)
}

// DiskFree returns how many bytes we may still write in a folder.
func DiskFree(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("cannot tell how much room %s has: %w", dir, err)
	}
	return st.Bavail * uint64(st.Bsize), nil // Bavail: what is not kept for root
}
