package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"benchguide/study"
)

// defaultContent is the folder that build and check read where none is named.
const defaultContent = "content"

// openContent reads what build and check are given: a content folder, or the folder of a
// single study, which becomes a site of that study.
func openContent(dir string) (c *study.Collection, place placing, problems []study.Problem, err error) {
	if err := folderGiven(dir, "a content folder with site.yaml and studies/, or the folder of a study"); err != nil {
		return nil, nil, nil, err
	}
	if !study.IsSingle(os.DirFS(dir)) {
		c, problems = study.LoadCollection(os.DirFS(dir))
		return c, func(file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }, problems, nil
	}
	// A study's id is the name of its folder, which "." does not tell.
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	id := filepath.Base(full)
	c, problems = study.LoadSingle(os.DirFS(filepath.Dir(full)), id)
	return c, func(file string) string {
		return filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(file, id), "/")))
	}, problems, nil
}

// placing turns the name of a file, as problems and findings have it, into one that the
// user can open.
type placing func(file string) string

// folderGiven refuses what is no folder, and says what to name instead.
func folderGiven(dir, want string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure{exitBadInput, fmt.Errorf("there is no folder %s here; name %s", dir, want)}
	case err != nil:
		return failure{exitBadInput, fmt.Errorf("%s: %w; name %s", dir, withoutPath(err), want)}
	case !info.IsDir():
		return failure{exitBadInput, fmt.Errorf("%s is a file; name %s: %s", dir, want, filepath.Dir(dir))}
	}
	return nil
}
