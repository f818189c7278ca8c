package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// followEvery is how often logs are looked at for more.
const followEvery = 250 * time.Millisecond

// follow prints the logs of the attempt that is under way in a study, and what is added
// to them, until the attempt or the program ends.
func follow(ctx context.Context, dir string, std streams) error {
	folder, err := underWay(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "following %s\n", folder)
	t := tail{out: std.out, read: map[string]int64{}}
	for {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(std.err, "the attempt is over; its folder is below the run's now")
			return nil
		}
		if err := t.more(folder); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil // to be stopped is how following ends
		case <-time.After(followEvery):
		}
	}
}

// underWay finds the folder of the attempt under way: the one that was begun last.
func underWay(dir string) (string, error) {
	if err := folderGiven(dir, "the folder of a study"); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(dir, "runs", "*", ".work", "*", "attempt.json"))
	if err != nil {
		return "", err
	}
	newest, at := "", time.Time{}
	for _, name := range found {
		info, err := os.Stat(name)
		if err == nil && filepath.Base(filepath.Dir(filepath.Dir(name))) == ".work" && info.ModTime().After(at) {
			newest, at = filepath.Dir(name), info.ModTime()
		}
	}
	if newest == "" {
		return "", failure{exitBadInput, fmt.Errorf("nothing is under way in %s; logs of what is finished lie in runs/RUN/STAGE/CANDIDATE/start-N", dir)}
	}
	return newest, nil
}

// tail prints what was added to the logs of a folder since it last looked.
type tail struct {
	out  io.Writer
	read map[string]int64
	last string
}

// more prints what is new. Lines of several logs alternate; each change is announced, as
// tail -f does.
func (t *tail) more(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.log"))
	if err != nil {
		return err
	}
	slices.SortFunc(names, func(a, b string) int { // the server's comes first
		if server := "server.log"; filepath.Base(a) == server || filepath.Base(b) == server {
			if filepath.Base(a) == server {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if err := t.file(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (t *tail) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(t.read[name], io.SeekStart); err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	if err != nil || len(data) == 0 {
		return err
	}
	t.read[name] += int64(len(data))
	if t.last != name {
		t.last = name
		if _, err := fmt.Fprintf(t.out, "==> %s <==\n", name); err != nil {
			return err
		}
	}
	_, err = t.out.Write(data)
	return err
}
