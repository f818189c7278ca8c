package attempt

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// teller tells everybody who watches what happens: the caller, and events.jsonl for
// whoever looks at the folder from elsewhere.
type teller struct {
	nonce string // in each event, since one reader may watch several attempts
	now   func() time.Time
	seen  func(Event)

	mu    sync.Mutex
	file  *os.File
	phase Phase
}

func newTeller(folder string, nonce string, now func() time.Time, seen func(Event)) (*teller, error) {
	f, err := os.OpenFile(filepath.Join(folder, EventsFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &teller{nonce: nonce, now: now, seen: seen, file: f}, nil
}

// enter says that a phase begins.
func (t *teller) enter(p Phase, text string) {
	t.mu.Lock()
	t.phase = p
	t.mu.Unlock()
	t.tell(Event{Text: text})
}

// warn tells what is not as it should be, and yet stops nothing.
func (t *teller) warn(text string) { t.tell(Event{Text: text, Warning: true}) }

// tell completes an event and hands it on. Nothing is decided by events, so that one
// that cannot be written stops nothing.
func (t *teller) tell(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Time, e.Nonce, e.Phase = t.now().UTC(), t.nonce, t.phase
	if line, err := json.Marshal(e); err == nil {
		_, _ = t.file.Write(append(line, '\n'))
	}
	if t.seen != nil {
		t.seen(e)
	}
}

func (t *teller) close() error { return t.file.Close() }
