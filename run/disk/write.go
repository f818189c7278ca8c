// Package disk writes files so that neither a crash nor a power failure leaves half of one,
// and keeps two processes from one file.
package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file whole: under another name, on the disk, renamed, and the folder on
// the disk as well. Whoever reads it sees the old bytes or the new ones.
//
// The other name is always the same one and hidden, so that what a crash leaves is
// overwritten the next time. Two processes must not write one file at once.
func Write(name string, data []byte) error {
	part := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".part")
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		if gone := os.Remove(part); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return Sync(filepath.Dir(name))
}

// WriteJSON writes a value whole, for people as well as for programs.
func WriteJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("%s cannot be written as JSON: %w", filepath.Base(name), err)
	}
	return Write(name, append(data, '\n'))
}

// Sync brings to disk what a file holds that others have written, or the names that a
// folder holds.
func Sync(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
