package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

const (
	tailMost   = 1 << 20                // bytes from the end of a log that LogTail looks at
	lineMost   = 1 << 20                // bytes after which a line is handed on without its end
	followEach = 100 * time.Millisecond // between two looks at a file
)

// LogTail returns the last n lines of a log, without empty ones. Of a line that was drawn
// again and again with carriage returns, as progress bars are, it returns what was drawn last.
func LogTail(file string, n int) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the log: %w", err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("cannot read the log: %w", err)
	}
	from := max(0, size-tailMost)
	data, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if err != nil {
		return nil, fmt.Errorf("cannot read the log: %w", err)
	}
	if from > 0 { // the first line is a part of one
		if _, rest, ok := bytes.Cut(data, []byte("\n")); ok {
			data = rest
		}
	}
	var lines []string
	for _, raw := range bytes.Split(data, []byte("\n")) {
		if line := lastDrawn(raw); len(line) > 0 {
			lines = append(lines, string(line))
		}
	}
	return lines[max(0, len(lines)-max(n, 0)):], nil
}

// lastDrawn returns what a terminal would show of a line.
func lastDrawn(line []byte) []byte {
	line = bytes.TrimRight(line, "\r \t")
	if i := bytes.LastIndexByte(line, '\r'); i >= 0 {
		line = line[i+1:]
	}
	return line
}

// Follow hands on the lines of a file as they are written, until ctx ends; then what is
// there is handed on, a half line too, and it returns nil. A carriage return ends a line
// as well, so that each state of a progress bar is one; empty lines are left out. A file
// that is not there yet is waited for; one that was cut is read from its beginning again.
//
// It looks at the file ten times a second. The kernel could tell of changes at once, but
// not on the file systems that clusters share.
func Follow(ctx context.Context, file string, line func([]byte)) error {
	f := follower{file: file, line: line}
	defer f.close()
	ticker := time.NewTicker(followEach)
	defer ticker.Stop()
	for {
		if err := f.read(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			err := f.read()
			f.hand(f.half)
			return err
		case <-ticker.C:
		}
	}
}

// follower is how far a file has been read.
type follower struct {
	file   string
	line   func([]byte)
	open   *os.File
	offset int64
	half   []byte // a line that has no end yet
}

func (f *follower) close() {
	if f.open != nil {
		f.open.Close()
	}
}

// read hands on what has come since the last time.
func (f *follower) read() error {
	if f.open == nil {
		open, err := os.Open(f.file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot follow the log: %w", err)
		}
		f.open = open
	}
	info, err := f.open.Stat()
	if err != nil {
		return fmt.Errorf("cannot follow the log: %w", err)
	}
	if info.Size() < f.offset {
		f.offset, f.half = 0, nil
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := f.open.ReadAt(buffer, f.offset)
		f.offset += int64(n)
		f.take(buffer[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot follow the log: %w", err)
		}
	}
}

// take splits what was read and keeps what has no end.
func (f *follower) take(data []byte) {
	f.half = append(f.half, data...)
	for {
		i := bytes.IndexAny(f.half, "\r\n")
		if i < 0 {
			break
		}
		f.hand(f.half[:i])
		f.half = f.half[i+1:]
	}
	if len(f.half) > lineMost {
		f.hand(f.half)
		f.half = nil
	}
}

func (f *follower) hand(line []byte) {
	if len(line) > 0 {
		f.line(line)
	}
}
