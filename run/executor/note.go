package executor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/disk"
)

// Files that an executor keeps in an attempt's folder while the attempt is under way.
// They are gone when Run returns nil: a finished folder is the attempt's alone, and
// these hold paths of this machine.
const (
	noteFile   = "job.json" // which job it is
	scriptFile = "job.sh"   // what the job runs
	logFile    = "job.log"  // what it printed
)

// note is what a later runner must know of a job. It was last seen when its file was
// last changed.
type note struct {
	Name string `json:"name"`
	ID   string `json:"id,omitempty"` // empty while submitting
}

// writeNote writes the note whole: a job that nobody knows of would hold its GPUs.
func writeNote(folder string, n note) error {
	return disk.WriteJSON(filepath.Join(folder, noteFile), n)
}

// left returns the note of an attempt that an earlier runner submitted; ok is false where
// none was, and what a sealed one has left is tidied up then. The note is written before
// anything is submitted.
func left(folder string) (n note, seen time.Time, ok bool, err error) {
	n, seen, ok, err = readNote(folder)
	if err == nil && !ok && sealed(folder) {
		err = tidy(folder)
	}
	return n, seen, ok, err
}

// readNote returns the note and when the job was last seen; ok is false where there is
// none.
func readNote(folder string) (n note, seen time.Time, ok bool, err error) {
	path := filepath.Join(folder, noteFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return n, seen, false, nil
	}
	if err != nil {
		return n, seen, false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return n, seen, false, err
	}
	if err := json.Unmarshal(b, &n); err != nil {
		return n, seen, false, fmt.Errorf("%s is not what benchguide wrote: %w: see that no job of the name %s runs, then delete the file", path, err, filepath.Base(folder))
	}
	return n, info.ModTime(), true, nil
}

// touchNote says that the job was seen just now. Our own clock is written, because the
// clock of a file server is another.
func touchNote(folder string, now time.Time) {
	// Without the note a later runner merely waits longer.
	_ = os.Chtimes(filepath.Join(folder, noteFile), now, now)
}

// tidy removes what an executor kept in the folder.
func tidy(folder string) error {
	for _, name := range []string{noteFile, noteFile + ".new", scriptFile, logFile} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sealed reports whether the attempt wrote its seal, which it does last and by renaming.
func sealed(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, attempt.ResultFile))
	return err == nil
}
