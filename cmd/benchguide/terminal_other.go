//go:build !unix

package main

import "io"

// columns knows no terminal here: progress is then printed in plain lines.
func columns(io.Writer) (int, bool) { return 0, false }
