package watch

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"benchguide/run"
)

// Watcher is told of events and shows them.
type Watcher interface {
	See(run.Event)
	Close()
}

// JSON prints one JSON object a line.
type JSON struct {
	Out io.Writer

	mu sync.Mutex
}

// See prints an event.
func (j *JSON) See(e run.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if line, err := json.Marshal(e); err == nil {
		fmt.Fprintf(j.Out, "%s\n", line)
	}
}

// Close has nothing to do.
func (j *JSON) Close() {}
