package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"benchguide/parse"
)

// input is one text to read.
type input struct {
	name   string // as it is printed; "-" is standard input
	folder string // the folder that it was found in, "" when it was named itself
}

// findInputs turns what was typed into files: a folder stands for all files below
// it, sorted; a pattern that no shell has expanded for its matches. A file that is
// meant twice is read once. What names nothing comes back as a problem.
func findInputs(args []string) (found []input, problems []parse.Problem) {
	seen := map[string]bool{}
	for _, arg := range args {
		list, err := inputsOf(arg)
		if err != nil {
			problems = append(problems, unreadable(arg, err))
		}
		for _, in := range list {
			if key := filepath.Clean(in.name); !seen[key] {
				seen[key] = true
				found = append(found, in)
			}
		}
	}
	return found, problems
}

func inputsOf(arg string) ([]input, error) {
	if arg == "-" {
		return []input{{name: "-"}}, nil
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil && strings.ContainsAny(arg, "*?["):
		return matching(arg)
	case err != nil:
		return nil, withoutPath(err)
	case info.IsDir():
		return below(arg)
	default:
		return []input{{name: arg}}, nil
	}
}

func matching(pattern string) ([]input, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("this pattern is malformed: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("no file matches this pattern")
	}
	var found []input
	for _, name := range names {
		list, err := inputsOf(name)
		if err != nil {
			return found, err
		}
		found = append(found, list...)
	}
	return found, nil
}

// below lists the files of a folder and of those in it. What is hidden is left out,
// since version control keeps old copies of everything there.
func below(folder string) ([]input, error) {
	var found []input
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != folder && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			found = append(found, input{name: name, folder: folder})
		}
		return nil
	})
	if err == nil && len(found) == 0 {
		err = errors.New("this folder holds no files")
	}
	return found, withoutPath(err)
}

// open returns the text of an input, unpacked.
func (in input) open(stdin io.Reader) (io.ReadCloser, error) {
	if in.name == "-" {
		return unpack(io.NopCloser(stdin))
	}
	f, err := os.Open(in.name)
	if err != nil {
		return nil, withoutPath(err)
	}
	r, err := unpack(f)
	if err != nil {
		f.Close()
	}
	return r, err
}

// maxWindow bounds the memory that a packed file can ask for.
const maxWindow = 128 << 20

// unpack recognises packed text by its first bytes, whatever the file is called.
func unpack(f io.ReadCloser) (io.ReadCloser, error) {
	b := bufio.NewReader(f)
	head, _ := b.Peek(6)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		return packed{z, f, "gzip"}, err
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return packed{z.IOReadCloser(), f, "zstd"}, nil
	}
	for _, other := range []struct{ start, name string }{
		{"PK\x03\x04", "zip"}, {"\xfd7zXZ", "xz"}, {"BZh", "bzip2"}, {"7z\xbc\xaf", "7z"},
	} {
		if bytes.HasPrefix(head, []byte(other.start)) {
			return nil, fmt.Errorf("this is packed with %s; unpack it first (gzip and zstd are read as they are)", other.name)
		}
	}
	return readCloser{b, f}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// packed is a text in a packed file. Its errors say that the packing is broken.
type packed struct {
	z      io.ReadCloser
	f      io.Closer
	format string
}

func (p packed) Read(b []byte) (int, error) {
	n, err := p.z.Read(b)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the %s data end too early; copy the file again", p.format)
	case err != nil && err != io.EOF:
		err = fmt.Errorf("the %s data are damaged: %w", p.format, err)
	}
	return n, err
}

func (p packed) Close() error { return errors.Join(p.z.Close(), p.f.Close()) }

// withoutPath reduces an error of the file system to its cause; the problem that
// it becomes names the file itself.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func unreadable(name string, err error) parse.Problem {
	return parse.Problem{Code: parse.CodeUnreadableFile, Severity: parse.Error, File: name, Message: err.Error()}
}

// fruitless returns the folders in which nothing was found, in order.
func fruitless(found []input, records map[string]int) []string {
	var folders []string
	for _, in := range found {
		if in.folder != "" && records[in.folder] == 0 && !slices.Contains(folders, in.folder) {
			folders = append(folders, in.folder)
		}
	}
	return folders
}
