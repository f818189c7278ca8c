package disk

import "errors"

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("another process holds it")
