package watch

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"benchguide/run"
)

// Watcher is told of events and shows them.
type Watcher interface {
	See(run.Event)
	Close()
}

// Lines prints one line for each event that a person may want to know of.
type Lines struct {
	Out io.Writer

	mu sync.Mutex
}

// See prints an event. What an attempt is at is told by its own lines; how fast it is
// just now is not.
func (l *Lines) See(e run.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line := Line(e); line != "" {
		fmt.Fprintln(l.Out, line)
	}
}

// Close has nothing to do.
func (l *Lines) Close() {}

// Line is an event as a line; "" for one that is progress only.
func Line(e run.Event) string {
	if e.Kind == run.Phased {
		if e.Text == "" || e.Tokens > 0 {
			return ""
		}
		return e.Time.Format(time.TimeOnly) + "   " + e.Text
	}
	return e.Time.Format(time.TimeOnly) + " " + e.Text
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

// Live redraws a view in place. What has lasting interest is printed above it, and stays.
type Live struct {
	out   io.Writer
	style func() Style
	now   func() time.Time

	mu    sync.Mutex
	state State
	drawn int // lines on the screen
	stop  chan struct{}
	done  chan struct{}
}

// redraw is how often a view is drawn though nothing has happened, for its clocks.
const redraw = time.Second

// NewLive begins a view. Style is asked for each time, since windows change.
func NewLive(out io.Writer, state State, style func() Style, now func() time.Time) *Live {
	state.Began = now()
	l := &Live{out: out, style: style, now: now, state: state, stop: make(chan struct{}), done: make(chan struct{})}
	go l.tick()
	return l
}

func (l *Live) tick() {
	defer close(l.done)
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-ticker.C:
			l.mu.Lock()
			l.draw("")
			l.mu.Unlock()
		}
	}
}

// See takes an event in.
func (l *Live) See(e run.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.Apply(e)
	lasting := ""
	switch e.Kind {
	case run.Ordered, run.Finished, run.Phased:
	default:
		lasting = Line(e)
	}
	l.draw(lasting)
}

// draw replaces the view. All of it is one write, so that a screen never shows half.
func (l *Live) draw(lasting string) {
	text := ""
	if l.drawn > 0 {
		text = fmt.Sprintf("\x1b[%dA\r\x1b[J", l.drawn) // up to its first line, and clear from there
	}
	if lasting != "" {
		text += lasting + "\n"
	}
	l.drawn = 0
	if !l.state.Over {
		for _, line := range Render(l.state, l.now(), l.style()) {
			text += line + "\n"
			l.drawn++
		}
	}
	_, _ = io.WriteString(l.out, text)
}

// Close takes the view off the screen.
func (l *Live) Close() {
	close(l.stop)
	<-l.done
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.Over = true
	l.draw("")
}
