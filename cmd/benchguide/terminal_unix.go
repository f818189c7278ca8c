//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns returns how wide the terminal is that a stream leads to, and false when it
// leads to none.
func columns(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 {
		return 80, true // a terminal that does not know itself
	}
	return int(size.Col), true
}
