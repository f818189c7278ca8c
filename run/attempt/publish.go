package attempt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"benchguide/run/disk"
	"benchguide/study"
)

// Publish renames the folder of a sealed attempt into its place in the run and returns
// the new path. What the study can use is STAGE/CANDIDATE/start-N: a measured start, or
// a candidate that cannot run, which is a result as well. Everything else is failed-N,
// which is kept for whoever looks for the reason and never read as a result.
//
// A runner that dies between sealing and this finds the folder by Sealed, and publishes
// it then.
func Publish(work, run string, o Order, r Result) (string, error) {
	if !usable(r) {
		return SetAside(work, run, o)
	}
	return move(work, filepath.Join(run, o.Stage, o.Candidate, fmt.Sprintf("start-%d", o.Number)))
}

// SetAside files the folder of an attempt that is no start as the next failed-N. Of one that
// was lost before its seal, what only a runner needs is taken away, and the rest is cleaned:
// a run's folder is published.
func SetAside(work, run string, o Order) (string, error) {
	if _, err := os.Lstat(filepath.Join(work, ResultFile)); errors.Is(err, fs.ErrNotExist) {
		if err := cleanLost(work); err != nil {
			return "", err
		}
	}
	parent := filepath.Join(run, o.Stage, o.Candidate)
	n, err := nextFailed(parent)
	if err != nil {
		return "", err
	}
	return move(work, filepath.Join(parent, fmt.Sprintf("failed-%d", n)))
}

// move gives a folder its place.
func move(work, place string) (string, error) {
	parent := filepath.Dir(place)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	// A rename replaces an empty folder in silence, so that being there has to be asked.
	if _, err := os.Lstat(place); !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(fmt.Errorf("%s is there already and is not replaced; was the same start made twice? move one of them away", place), err)
	}
	if err := os.Rename(work, place); err != nil {
		return "", err
	}
	return place, errors.Join(disk.Sync(parent), disk.Sync(filepath.Dir(work)))
}

// usable reports whether a study may read the attempt.
func usable(r Result) bool { return r.State == Done || r.Class == study.FailConfig }

// nextFailed is the least number above those of all failed attempts: numbers of folders
// that somebody removed are not used again below the highest.
func nextFailed(parent string) (int, error) {
	entries, err := os.ReadDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	last := 0
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "failed-%d", &n); err == nil {
			last = max(last, n)
		}
	}
	return last + 1, nil
}
