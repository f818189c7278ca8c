package study

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// PackedExt is the ending of a file that lies there packed, by `gzip -n` for example.
const PackedExt = ".gz"

// maxUnpacked bounds what a packed file becomes in memory. Nothing that is read of a study
// is larger; a file that grows beyond it is no result of a benchmark.
const maxUnpacked = 256 << 20

// unpacked shows files that lie there packed as if they did not: c64.json.gz is read as
// c64.json, where there is no such file. What a client saves of each request is most of
// what a start leaves, and shrinks to a sixth. Digests and lines are those of the file
// before it was packed, so a seal holds either way and nobody else has to know.
type unpacked struct {
	fs.FS
	last *lastUnpacked
}

// Unpacked shows a folder of a study as all that is read here sees it.
func Unpacked(fsys fs.FS) fs.FS { return unpacked{fsys, &lastUnpacked{}} }

// Stat describes a file as it was before it was packed. One that was not is not opened.
func (u unpacked) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(u.FS, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	f, err := u.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

// lastUnpacked keeps what was unpacked of one folder, the last: each file of a start is asked
// for its size, read, digested, and read again as what lies beside a result.
type lastUnpacked struct {
	sync.Mutex
	folder string
	files  map[string][]byte
}

// Open opens a file as it was before it was packed.
func (u unpacked) Open(name string) (fs.File, error) {
	f, err := u.FS.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	packed, missing := u.FS.Open(name + PackedExt)
	if missing != nil {
		return nil, err // about the name that was asked for
	}
	defer packed.Close()
	info, err := packed.Stat()
	if err != nil {
		return nil, err
	}
	data, err := u.last.contents(name, packed)
	if err != nil {
		return nil, &fs.PathError{Op: "unpack", Path: name + PackedExt, Err: err}
	}
	return &unpackedFile{bytes.NewReader(data), unpackedInfo{info, path.Base(name), int64(len(data))}}, nil
}

// contents returns what is in a packed file.
func (l *lastUnpacked) contents(name string, packed io.Reader) ([]byte, error) {
	l.Lock()
	defer l.Unlock()
	if folder := path.Dir(name); l.folder != folder {
		l.folder, l.files = folder, map[string][]byte{}
	}
	if data, known := l.files[name]; known {
		return data, nil
	}
	data, err := unpack(packed)
	if err == nil {
		l.files[name] = data
	}
	return data, err
}

func unpack(r io.Reader) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, maxUnpacked+1))
	if err == nil && len(data) > maxUnpacked {
		err = fmt.Errorf("it has more than %d MB inside", maxUnpacked>>20)
	}
	return data, err
}

// unpackedFile is the contents of a packed file.
type unpackedFile struct {
	*bytes.Reader
	info unpackedInfo
}

// Stat describes the contents.
func (f *unpackedFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close has nothing to do.
func (f *unpackedFile) Close() error { return nil }

type unpackedInfo struct {
	fs.FileInfo
	name string
	size int64
}

// Name is the name before the file was packed.
func (i unpackedInfo) Name() string { return i.name }

// Size is the size before the file was packed.
func (i unpackedInfo) Size() int64 { return i.size }

// ReadDir lists packed files by the names that they had. A file that lies there both ways
// is listed twice, as it is: what to make of that is not for a list to say.
func (u unpacked) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(u.FS, name)
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	for i, e := range entries {
		plain, packed := strings.CutSuffix(e.Name(), PackedExt)
		if packed && !e.IsDir() && plain != "" && !names[plain] {
			entries[i] = unpackedEntry{e, u, path.Join(name, plain)}
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

type unpackedEntry struct {
	fs.DirEntry
	in   unpacked
	full string
}

// Name is the name before the file was packed.
func (e unpackedEntry) Name() string { return path.Base(e.full) }

// Info describes the contents, for which they are unpacked.
func (e unpackedEntry) Info() (fs.FileInfo, error) { return fs.Stat(e.in, e.full) }
