package attempt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchguide/run/disk"
	"benchguide/study"
)

// seal writes result.json over everything that is in the folder. It is what makes an
// attempt one that happened, so that it comes last, over files that are on disk by then: no
// power failure leaves a seal over half of them. After it nothing in the folder changes.
func seal(folder string, r Result) (Result, error) {
	if err := removePassing(folder); err != nil {
		return r, err
	}
	names, err := filesOf(folder)
	if err != nil {
		return r, err
	}
	r.Schema, r.Files = Schema, map[string]string{}
	for _, name := range names {
		full := filepath.Join(folder, filepath.FromSlash(name))
		if err := disk.Sync(full); err != nil {
			return r, err
		}
		if r.Files[name], err = digest(full); err != nil {
			return r, err
		}
	}
	if err := syncFolders(folder); err != nil {
		return r, err
	}
	return r, disk.WriteJSON(filepath.Join(folder, ResultFile), r)
}

// Sealed returns what a complete attempt came to, and false for one that is not
// complete. It compares every file with its digest: an error says that the folder was
// changed after it had been sealed, and that it must not be used.
func Sealed(folder string) (Result, bool, error) {
	var r Result
	data, err := os.ReadFile(filepath.Join(folder, ResultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, false, fmt.Errorf("%s cannot be read: %w; remove the folder, and the attempt is made again", filepath.Join(folder, ResultFile), err)
	}
	if r.Schema != Schema {
		return r, false, fmt.Errorf("%s has schema %d, this program reads %d; go on with the benchguide that began the run", filepath.Join(folder, ResultFile), r.Schema, Schema)
	}
	return r, true, verify(folder, r)
}

// verify compares the folder with its seal, in both directions: a file more may be a result
// of something else, a file less is a result that is gone.
func verify(folder string, r Result) error {
	names, err := filesOf(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if r.Files[name] == "" {
			return fmt.Errorf("%s was added after the attempt was complete; take it out", filepath.Join(folder, name))
		}
		got, err := digest(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if got != r.Files[name] {
			return fmt.Errorf("%s was changed after the attempt was complete; restore it, or remove the folder to have the attempt made again", filepath.Join(folder, name))
		}
	}
	for name := range r.Files {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s is gone, and was there when the attempt was complete; restore it, or remove the folder to have the attempt made again", filepath.Join(folder, name))
		}
	}
	return nil
}

// executors begins the names of files that an executor keeps in the folder, and takes
// away when the attempt is complete. One of them is the log of the job that seals it.
const executors = "job."

// filesOf lists the files of an attempt but for its seal, by their names with slashes.
func filesOf(folder string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && name != ResultFile && !strings.HasPrefix(name, executors) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func digest(name string) (string, error) {
	return study.Digest(os.DirFS(filepath.Dir(name)), filepath.Base(name))
}

// syncFolders brings the names in a folder and in those beneath it to disk.
func syncFolders(folder string) error {
	return filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return disk.Sync(name)
		}
		return err
	})
}
