//go:build !unix

package disk

import "os"

// Lock takes nothing where there are no such locks. Attempts need Linux anyway; this keeps
// the rest of the program buildable.
func Lock(*os.File) error { return nil }
