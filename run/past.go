package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchguide/run/attempt"
	"benchguide/run/disk"
	"benchguide/study"
)

// ReadFailed lists the failed attempts of a run, those of one configuration in the order
// of their numbers. They are no part of the study: a guide never reads them, and only the
// run asks how often it has tried.
func ReadFailed(dir string) ([]Failed, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "*", "*", "failed-*"))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(folders, func(a, b string) int { // failed-10 comes after failed-2
		return cmp.Or(cmp.Compare(filepath.Dir(a), filepath.Dir(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	var list []Failed
	for _, folder := range folders {
		if strings.Contains(folder[len(dir):], string(filepath.Separator)+".") {
			continue // under way
		}
		f, err := readFailed(folder)
		if err != nil {
			return nil, fmt.Errorf("%w; remove the folder, and the attempt counts no more", err)
		}
		rel, err := filepath.Rel(dir, filepath.Dir(folder))
		if err != nil {
			return nil, err
		}
		f.Ref = strings.ReplaceAll(rel, string(filepath.Separator), "/")
		list = append(list, f)
	}
	return list, nil
}

// readFailed reads one of them: what it was of, and what it came to. The seal is read
// without holding its digests against the files: of a failed attempt nothing but the
// class is used, and whoever looks for the reason may well have edited a log.
func readFailed(folder string) (Failed, error) {
	var f Failed
	lost, err := readJSON[Lost](filepath.Join(folder, LostFile))
	if err == nil {
		return Failed{Block: lost.Block, Phase: lost.Phase, Class: study.FailInfra, Reason: lost.Reason}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	r, err := readJSON[attempt.Result](filepath.Join(folder, attempt.ResultFile))
	if err != nil {
		return f, err
	}
	made, err := readJSON[study.Attempt](filepath.Join(folder, "attempt.json"))
	if err != nil {
		return f, err
	}
	return Failed{Block: made.Block, Phase: made.Phase, Class: r.Class, Reason: r.Reason}, nil
}

// Lost is the content of lost.json: an attempt of which nothing came back, such as one
// whose node was lost.
type Lost struct {
	Block  int    `json:"block"`
	Phase  string `json:"phase,omitempty"`
	Reason string `json:"reason"`
}

// readJSON reads a file as all that is read of a study: it may lie there packed, in a run
// that was published.
func readJSON[T any](name string) (T, error) {
	var v T
	dir, file := filepath.Split(name)
	data, err := fs.ReadFile(study.Unpacked(os.DirFS(dir)), file)
	if err != nil {
		return v, fmt.Errorf("%s: %w", filepath.Clean(dir), err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

// publishLost files the folder of an attempt that was lost. It is kept as a failed one, so
// that losing nodes again and again stops the run, and so that whatever its log has said
// can be read.
func publishLost(dir, work string, o attempt.Order, reason string) error {
	if err := disk.WriteJSON(filepath.Join(work, LostFile), Lost{Block: o.Block, Phase: o.Phase, Reason: reason}); err != nil {
		return err
	}
	_, err := attempt.SetAside(work, dir, o)
	return err
}
