package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The hint that every complaint about a program ends with.
const namesAnother = "machine.yaml's program can name another"

// Runnable says why a command's first word could not be started with these variables beside
// the inherited ones, and nothing if it could.
func Runnable(word string, env map[string]string) error {
	path, set := env["PATH"]
	if !set {
		path = os.Getenv("PATH")
	}
	_, err := findProgram(word, path, "")
	return err
}

// findProgram returns the file that a command's first word means. The PATH is that of the
// process to be, which machine.yaml may have changed, and not the runner's own.
func findProgram(word, path, dir string) (string, error) {
	if strings.ContainsRune(word, filepath.Separator) {
		file := word
		if dir != "" && !filepath.IsAbs(word) {
			file = filepath.Join(dir, word)
		}
		if err := runnable(file); err != nil {
			return "", err
		}
		return filepath.Abs(file)
	}
	var spoilt error
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue // what the current folder holds is chance
		}
		file := filepath.Join(folder, word)
		err := runnable(file)
		if err == nil {
			return file, nil
		}
		if spoilt == nil && !errors.Is(err, fs.ErrNotExist) {
			spoilt = err
		}
	}
	if spoilt != nil {
		return "", spoilt
	}
	return "", fmt.Errorf("%s was not found in any folder of PATH (%s): install it, or %s: %w", word, path, namesAnother, fs.ErrNotExist)
}

// runnable says in words why a file cannot be run.
func runnable(file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s does not exist: %s: %w", file, namesAnother, fs.ErrNotExist)
	case err != nil:
		return fmt.Errorf("%s cannot be run: %w", file, err)
	case info.IsDir():
		return fmt.Errorf("%s is a folder and no program: %s: %w", file, namesAnother, fs.ErrPermission)
	case info.Mode()&0o111 == 0:
		return fmt.Errorf("%s is not executable: chmod +x makes it so, or %s: %w", file, namesAnother, fs.ErrPermission)
	}
	return nil
}

// explainStart says in words why the kernel refused to start a program that is there.
func explainStart(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if by := interpreter(file); by != "" {
			return fmt.Errorf("%s is to be run by %s (its first line says so), which does not exist: was its environment moved? %s: %w", file, by, namesAnother, err)
		}
		return fmt.Errorf("%s is there but not the loader that it asks for, was it built for another system? %s: %w", file, namesAnother, err)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is no program for this machine: it has no #! line or was built for another processor; %s: %w", file, namesAnother, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be run by this user: %w", file, err)
	}
	return fmt.Errorf("cannot start %s: %w", file, err)
}

// interpreter returns the program that the first line of a script names, "" if there is none.
func interpreter(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 256))
	if err != nil || !bytes.HasPrefix(head, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
