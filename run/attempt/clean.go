package attempt

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"benchguide/parse/secret"
)

// chunk is how much of a file is cleaned at once. A secret never spans two lines, so
// that a cut between lines loses none; logs may be larger than memory should be.
const chunk = 4 << 20

// cleanFolder replaces the secrets in every text file of a folder and returns how many
// there were of each kind.
func cleanFolder(folder string) (map[string]int, error) {
	names, err := filesOf(folder)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, name := range names {
		// The attempt's own record was cleaned value by value, where names are known.
		if name == AttemptFile || slices.Contains(passing(), name) {
			continue
		}
		if err := cleanFile(filepath.Join(folder, filepath.FromSlash(name)), counts); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// cleanLost does it in the folder of an attempt that was not completed. The order holds the
// machine's profile, with whatever its environment has.
func cleanLost(folder string) error {
	if err := removePassing(folder); err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			return cleanFile(name, map[string]int{})
		}
		return err
	})
}

// cleanFile writes the cleaned text beside the file and renames it over it; a file
// without a secret is left as it is.
func cleanFile(name string, counts map[string]int) (err error) {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	part := name + ".part"
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ignoreMissing(os.Remove(part))) }()
	found, err := cleanStream(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil || len(found) == 0 {
		return err // without a secret the file stays the one that the tool wrote
	}
	for kind, n := range found {
		counts[kind] += n
	}
	return os.Rename(part, name)
}

// cleanStream copies a text with its secrets replaced. What is no text is looked through as
// well: one torn character and a zero byte in a log must not leave all of it as it was.
func cleanStream(out io.Writer, in io.Reader) (map[string]int, error) {
	r := bufio.NewReaderSize(in, 64<<10)
	counts := map[string]int{}
	for {
		lines, err := someLines(r)
		if err != nil && err != io.EOF {
			return nil, err
		}
		clean, done := secret.Clean(lines)
		for _, d := range done {
			counts[string(d.Kind)] += d.Count
		}
		if _, err := out.Write(clean); err != nil {
			return nil, err
		}
		if err == io.EOF {
			return counts, nil
		}
	}
}

// someLines returns whole lines of about a chunk together.
func someLines(r *bufio.Reader) ([]byte, error) {
	var lines []byte
	for len(lines) < chunk {
		line, err := r.ReadBytes('\n')
		lines = append(lines, line...)
		if err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// cleanMap replaces the secrets in values, whose names may say what they are.
func cleanMap(m map[string]string, counts map[string]int) map[string]string {
	if len(m) == 0 {
		return nil
	}
	clean := make(map[string]string, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		clean[name] = secret.Named(name, m[name])
		count(counts, name+"="+m[name])
	}
	return clean
}

// cleanText replaces the secrets in one text.
func cleanText(s string, counts map[string]int) string {
	count(counts, s)
	return secret.String(s)
}

// count counts what cleaning a text replaces.
func count(counts map[string]int, s string) {
	_, done := secret.Clean([]byte(s))
	for _, d := range done {
		counts[string(d.Kind)] += d.Count
	}
}
