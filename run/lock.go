package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"benchguide/run/disk"
)

// lock keeps a second runner away from a run. It is gone with the process that held it,
// however that ended; its file goes with a runner that ends in order, so that one that is
// refused leaves a study as it was.
func lock(dir string) (release func() error, err error) {
	for {
		f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		err = disk.Lock(f)
		if errors.Is(err, disk.ErrRemoved) {
			f.Close()
			continue // with the file that lies there now, or a new one
		}
		if err != nil {
			defer f.Close()
			return nil, notLocked(dir, f, err)
		}
		if err := sign(f); err != nil {
			return nil, errors.Join(err, disk.Unlock(f))
		}
		return func() error { return disk.Unlock(f) }, nil
	}
}

// sign writes down who has the lock, for whoever does not get it.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// notLocked says why a lock could not be taken.
func notLocked(dir string, f *os.File, err error) error {
	if !errors.Is(err, disk.ErrHeld) {
		return fmt.Errorf("%s cannot be locked: %w; is the folder on a file system with locks?", dir, err)
	}
	holder, _ := io.ReadAll(io.LimitReader(f, 100))
	return refuse("another benchguide run is working on %s (process %s); benchguide run --logs follows it", dir, strings.TrimSpace(string(holder)))
}
