package run

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"benchguide/parse/secret"
)

// journal keeps what happened in a run, in order. Nothing is decided by it: it is for
// people, and for the time at which something happened.
type journal struct{ f *os.File }

// openJournal opens it for appending. A last line that a crash has torn is ended, so
// that the next one stands alone.
func openJournal(dir string) (*journal, error) {
	f, err := os.OpenFile(filepath.Join(dir, JournalFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.WriteString("\n")
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journal{f}, nil
}

// add writes an event down. Its text may hold what a node or a command has said, and the
// journal is published with the results.
func (j *journal) add(e Event) error {
	e.Text = secret.String(e.Text)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.f.Sync()
}

func (j *journal) close() error { return j.f.Close() }

// ReadJournal returns the events of a run. Lines that are torn are passed over.
func ReadJournal(dir string) ([]Event, error) {
	f, err := os.Open(filepath.Join(dir, JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var events []Event
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var e Event
		if json.Unmarshal(in.Bytes(), &e) == nil {
			events = append(events, e)
		}
	}
	return events, in.Err()
}
