package proc

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// tailMost is how many bytes from the end of a log LogTail looks at.
const tailMost = 1 << 20

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
