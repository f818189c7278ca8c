package main

import (
	"fmt"
	"os"
	"path/filepath"

	"benchguide/study"
)

// openContent reads what build and check are given: a content folder, or the folder of a
// single study, which becomes a site of that study. Problems name files below root.
func openContent(dir string) (c *study.Collection, root string, problems []study.Problem, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", nil, failure{exitBadInput, fmt.Errorf("%s is no folder; name a content folder with site.yaml and studies/, or the folder of a study", dir)}
	}
	if !study.IsSingle(os.DirFS(dir)) {
		c, problems = study.LoadCollection(os.DirFS(dir))
		return c, dir, problems, nil
	}
	// A study's id is the name of its folder, which "." does not tell.
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, "", nil, err
	}
	root = filepath.Dir(filepath.Clean(dir))
	if filepath.Base(filepath.Clean(dir)) != filepath.Base(full) {
		root = filepath.Join(dir, "..") // "." or ".."
	}
	c, problems = study.LoadSingle(os.DirFS(filepath.Dir(full)), filepath.Base(full))
	return c, root, problems, nil
}
