//go:build !unix

package run

import "os"

// flock does nothing where there are no such locks. Attempts need Linux anyway; this
// keeps the rest of the program buildable.
func flock(*os.File) error { return nil }
