package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"benchguide/render"
)

// publish writes the site to a folder beside its place and moves it there when it is
// complete, so that a build that fails half way leaves the old site as it was.
func publish(content, out string, files []render.File) (err error) {
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real // a link to the folder stays a link
	}
	if err := replaceable(content, out); err != nil {
		return failure{exitUsage, err}
	}
	parent := filepath.Dir(filepath.Clean(out))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return unwritable(out, parent, err)
	}
	temp, err := os.MkdirTemp(parent, ".benchguide-build-*")
	if err != nil {
		return unwritable(out, parent, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	fresh := filepath.Join(temp, "new")
	for _, f := range files {
		if err := writeFile(filepath.Join(fresh, filepath.FromSlash(f.Path)), f.Data); err != nil {
			return err
		}
	}
	return swap(fresh, out, filepath.Join(temp, "old"))
}

// unwritable says which folder has to be writable: the site is made beside its place, so
// that it is not the one which was named.
func unwritable(out, parent string, err error) error {
	return fmt.Errorf("%s cannot be written, since nothing can be made in %s: %w; choose another --out, or make that folder writable", out, parent, withoutPath(err))
}

// swap puts fresh in the place of out, which moves to old. Where the second step fails
// the first is undone.
func swap(fresh, out, old string) error {
	err := os.Rename(out, old)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	moved := err == nil
	if err := os.Rename(fresh, out); err != nil {
		if moved {
			return errors.Join(err, os.Rename(old, out))
		}
		return err
	}
	return nil
}

// siteMarks are files and folders that every site has, and that nothing else has
// together.
func siteMarks() []string {
	return []string{"index.html", "studies", "assets/site.css", "assets/site.js", "assets/theme.js"}
}

// replaceable refuses to replace a folder that no build has written, or one in which
// the content itself lies: a mistyped --out must not delete somebody's files.
func replaceable(content, out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s is no folder that a site can be written to: %w", out, err)
	}
	if within(content, out) {
		return fmt.Errorf("%s holds the content itself; name another folder", out)
	}
	for _, mark := range siteMarks() {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(mark))); err != nil {
			return fmt.Errorf("%s is not empty and holds no site of an earlier build; name another folder, or empty it first", out)
		}
	}
	return nil
}

// within reports whether a folder is another one or lies in it.
func within(inner, outer string) bool {
	a, err1 := filepath.EvalSymlinks(inner)
	b, err2 := filepath.EvalSymlinks(outer)
	if err := errors.Join(err1, err2); err != nil {
		return false
	}
	a, err1 = filepath.Abs(a)
	b, err2 = filepath.Abs(b)
	if err := errors.Join(err1, err2); err != nil {
		return false
	}
	rel, err := filepath.Rel(b, a)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
