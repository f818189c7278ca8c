package watch

import (
	"fmt"
	"io"
	"sync"
	"time"

	"benchguide/run"
)

// Lines prints a line for each event that a person may want to know of, for logs and for
// terminals that cannot redraw. What an attempt is at is no event in this sense: it is
// told only where it lasts, so that a run of short starts is short to read, and one of long
// starts is seen to be alive.
type Lines struct {
	out   io.Writer
	ticks *ticks

	mu     sync.Mutex
	state  State
	told   int             // how often it was told that the phase under way lasts
	warned map[string]bool // warnings of a configuration that were printed
}

// NewLines begins to print. What lasts is looked at each second, by the clock now.
func NewLines(out io.Writer, now func() time.Time) *Lines {
	l := &Lines{out: out, warned: map[string]bool{}}
	l.ticks = every(time.Second, func() { l.Look(now()) })
	return l
}

// See prints an event.
func (l *Lines) See(e run.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.state.PhaseAt
	l.state.Apply(e)
	if !l.state.PhaseAt.Equal(at) {
		l.told = 0
	}
	switch {
	case e.Kind == run.Phased && !e.Warning:
	case e.Kind == run.Phased:
		// Every start of a configuration has the same to say of it.
		if key := e.Stage + "/" + e.Candidate + " " + e.Text; !l.warned[key] {
			l.warned[key] = true
			l.print(e.Time, "  "+e.Text)
		}
	default:
		l.print(e.Time, e.Text)
	}
}

// Look says what the attempt under way is at, if that has lasted for a while.
func (l *Lines) Look(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Now.Kind == "" || now.Sub(l.state.PhaseAt) < patience(l.told) {
		return
	}
	l.told++
	l.print(now, "  "+doing(l.state, now))
}

// patience is how long a phase lasts when it is told of for the n-th time: soon, then
// seldom, since a start may take an hour.
func patience(n int) time.Duration {
	const seldom = 5 * time.Minute
	switch n {
	case 0:
		return 10 * time.Second
	case 1:
		return time.Minute
	default:
		return time.Duration(n-1) * seldom
	}
}

func (l *Lines) print(at time.Time, text string) {
	fmt.Fprintln(l.out, line(at, text))
}

// line is a text with its time, by the clock of whoever reads it.
func line(at time.Time, text string) string { return at.Local().Format(time.TimeOnly) + " " + text }

// Close ends the looking.
func (l *Lines) Close() { l.ticks.end() }

// ticks does something again and again until it is ended.
type ticks struct{ stop, done chan struct{} }

func every(d time.Duration, do func()) *ticks {
	t := &ticks{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(t.done)
		ticker := time.NewTicker(d)
		defer ticker.Stop()
		for {
			select {
			case <-t.stop:
				return
			case <-ticker.C:
				do()
			}
		}
	}()
	return t
}

// end returns when nothing is done any more.
func (t *ticks) end() {
	close(t.stop)
	<-t.done
}
