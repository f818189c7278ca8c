package disk

import (
	"errors"
	"io/fs"
	"os"
)

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("another process holds it")

// ErrRemoved says that a file was removed after it was opened: it is the lock of nothing, and
// the next process would lock a new one of its name.
var ErrRemoved = errors.New("the file was removed by who held it")

// Lock takes an open file for this process, until Unlock or Close. It returns [ErrHeld] if
// another process has it, and [ErrRemoved] if it has to be opened again. The lock is the
// operating system's: it is gone with the process, however that ends.
func Lock(f *os.File) error {
	if err := lock(f); err != nil {
		return err
	}
	still, err := named(f)
	if err == nil && !still {
		err = ErrRemoved
	}
	return err
}

// Unlock removes a file that is locked and closes it, in this order: afterwards the file of
// that name may be another process's. One that cannot be removed keeps nobody out.
func Unlock(f *os.File) error {
	if still, err := named(f); still && err == nil {
		_ = os.Remove(f.Name())
	}
	return f.Close()
}

// named reports whether an open file still has its name. The name is opened once more, since
// a network file system may answer from memory what lies there, but opens nothing from it.
func named(f *os.File) (bool, error) {
	now, err := os.Open(f.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer now.Close()
	there, err1 := now.Stat()
	mine, err2 := f.Stat()
	return os.SameFile(there, mine), errors.Join(err1, err2)
}
