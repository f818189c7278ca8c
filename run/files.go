package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"benchguide/run/disk"
	"benchguide/study"
)

// Names below runs/RUN.
const (
	RunFile     = "run.yaml"
	JournalFile = "journal.jsonl"
	LostFile    = "lost.json" // in failed-N: an attempt of which nothing came back
	workDir     = ".work"
	abandoned   = "abandoned"
	lockFile    = ".lock"
	promptsDir  = "prompts"
)

// partOf is the pattern of the names under which a run's folder is made.
func partOf(id string) string { return "." + id + ".part-*" }

// info is run.yaml, written by hand: it has six keys, and what writes YAML would be one
// more library.
func writeInfo(dir string, i study.RunInfo) error {
	var b strings.Builder
	fmt.Fprintf(&b, "schema: %d\ndate: %s\nclient: %s\n", i.Schema, i.Date, strconv.Quote(i.Client))
	if i.Mark != "" {
		fmt.Fprintf(&b, "mark: %s\n", i.Mark)
	}
	if i.Seed != nil {
		fmt.Fprintf(&b, "seed: %d\n", *i.Seed)
	}
	fmt.Fprintf(&b, "plan: %q\n", i.Plan)
	return disk.Write(filepath.Join(dir, RunFile), []byte(b.String()))
}

// create makes the folder of a run. It appears whole, with its run.yaml and its prompts, so
// that a study can be loaded whatever moment the program ends at, and so that a run whose
// prompts cannot be made leaves nothing.
func create(dir string, fill func(part string) error) (err error) {
	parent := filepath.Dir(dir)
	if !exists(parent) {
		// Not if somebody else has put a run there.
		defer func() {
			if err != nil {
				_ = os.Remove(parent)
			}
		}()
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(parent, partOf(filepath.Base(dir)))
	if err != nil {
		return err
	}
	defer os.RemoveAll(part) // nothing is there once it was renamed
	if err := errors.Join(os.Chmod(part, 0o755), fill(part)); err != nil {
		return err
	}
	return os.Rename(part, dir)
}

// exists reports whether there is a file or folder of this name.
func exists(name string) bool {
	// Anything but a plain no counts as there, except a file where a folder would have to be.
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}
