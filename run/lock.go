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

// lock keeps a second runner away from a run. It is gone with the process that
// held it, however that ended.
func lock(dir string) (release func() error, err error) {
	name := filepath.Join(dir, lockFile)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := disk.Lock(f); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(f, 100))
		f.Close()
		if !errors.Is(err, disk.ErrHeld) {
			return nil, fmt.Errorf("%s cannot be locked: %w; is the folder on a file system with locks?", dir, err)
		}
		return nil, refuse("another benchguide run is working on %s (process %s); benchguide run --logs follows it", dir, strings.TrimSpace(string(holder)))
	}
	if err := errors.Join(f.Truncate(0), writeAt(f, fmt.Sprintf("%d\n", os.Getpid()))); err != nil {
		f.Close()
		return nil, err
	}
	return f.Close, nil
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}
