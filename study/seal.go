package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// SealFile is the name of what an attempt writes last: what it came to, and the digest of
// every other file. A folder without it is an attempt that did not happen.
const SealFile = "result.json"

// seal is what is read of it.
type seal struct {
	Files map[string]string `json:"files"` // name to SHA-256
}

// sealed checks that a start was finished, and that nothing in it is other than it was
// then. Starts that were written by hand have no nonce, and need no seal.
func sealed(fsys fs.FS, full string, attempt Attempt) []Problem {
	file := path.Join(full, SealFile)
	data, problem := readFile(fsys, file, "a seal has a few kB", "")
	switch {
	case problem != nil && attempt.Nonce == "" && missingFile(fsys, file):
		return nil
	case problem != nil && missingFile(fsys, file):
		return []Problem{{File: full, Message: "the start is not sealed: it has no " + SealFile + ", so it was not finished",
			Hint: "remove the folder, and let the run go on; it makes the start anew"}}
	case problem != nil:
		return []Problem{*problem}
	}
	var s seal
	if err := json.Unmarshal(data, &s); err != nil {
		return []Problem{{File: file, Message: "the seal cannot be read: " + strings.TrimPrefix(err.Error(), "json: "),
			Hint: "remove the start's folder, and let the run go on"}}
	}
	return append(s.changed(fsys, full), s.added(fsys, full)...)
}

func missingFile(fsys fs.FS, file string) bool {
	_, err := fs.Stat(fsys, file)
	return errors.Is(err, fs.ErrNotExist)
}

// changedHint is what to do about a file that is not what was sealed.
const changedHint = "bring the file back as it was, or remove the start's folder and let the run make it anew"

// changed reports files of the seal that are gone or have other bytes.
func (s seal) changed(fsys fs.FS, full string) []Problem {
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		file := path.Join(full, name)
		if !fs.ValidPath(name) {
			problems = append(problems, Problem{File: path.Join(full, SealFile), Message: fmt.Sprintf("the seal names %q, which lies outside of the start", name), Hint: changedHint})
			continue
		}
		digest, err := Digest(fsys, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, Problem{File: file, Message: "the file was removed after the start was sealed", Hint: changedHint})
		case err != nil:
			problems = append(problems, ioProblem(file, err, changedHint))
		case digest != strings.TrimPrefix(s.Files[name], "sha256:"):
			problems = append(problems, Problem{File: file, Message: "the file was changed after it was sealed: its digest is not the one in " + SealFile, Hint: changedHint})
		}
	}
	return problems
}

// added reports files that are not in the seal. Not only results put numbers on a page that
// the run never measured: so do requests, counters, and what the GPUs did.
func (s seal) added(fsys fs.FS, full string) []Problem {
	var problems []Problem
	// An error is reported where the start is read.
	_ = fs.WalkDir(fsys, full, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || file == path.Join(full, SealFile) || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		if _, known := s.Files[strings.TrimPrefix(file, full+"/")]; !known {
			problems = append(problems, Problem{File: file, Message: "the file was added after the start was sealed", Hint: "take it out of the start's folder"})
		}
		return nil
	})
	return problems
}

// Digest returns the SHA-256 of a file, as seals state it. It streams the file, since a
// server's log may be larger than what is read of it.
func Digest(fsys fs.FS, file string) (string, error) {
	f, err := fsys.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
