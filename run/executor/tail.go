package executor

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"benchguide/run/attempt"
)

// eventsFile is where an attempt says what it is at, a line an event.
const eventsFile = "events.jsonl"

// tail hands on the events of an attempt that runs elsewhere.
type tail struct {
	path string
	seen func(attempt.Event)
	file *os.File // kept open, since the attempt removes the file at its end
	rest []byte   // a line whose end is not there yet
}

// newTail returns a tail of the folder's events. seen may be nil.
func newTail(folder string, seen func(attempt.Event)) *tail {
	if seen == nil {
		seen = func(attempt.Event) {}
	}
	return &tail{path: filepath.Join(folder, eventsFile), seen: seen}
}

// read hands on what is new. Events are for people: whatever cannot be read is left out.
func (t *tail) read() {
	if t.file == nil {
		f, err := os.Open(t.path)
		if err != nil {
			return // not begun, or ended before anybody looked
		}
		t.file = f
	}
	b, _ := io.ReadAll(t.file)
	t.rest = append(t.rest, b...)
	for {
		line, rest, ok := bytes.Cut(t.rest, []byte("\n"))
		if !ok {
			return
		}
		t.rest = rest
		var e attempt.Event
		if json.Unmarshal(line, &e) == nil {
			t.seen(e)
		}
	}
}

// close reads the rest and lets the file go.
func (t *tail) close() {
	t.read()
	if t.file != nil {
		t.file.Close()
	}
}

// lastLines returns the end of a job's log, for an error.
func lastLines(folder string) string {
	const most = 2000
	b, err := os.ReadFile(filepath.Join(folder, logFile))
	if err != nil {
		return ""
	}
	if len(b) > most {
		b = b[len(b)-most:]
		if _, after, ok := bytes.Cut(b, []byte("\n")); ok {
			b = after
		}
	}
	return string(bytes.ToValidUTF8(bytes.TrimSpace(b), nil))
}
