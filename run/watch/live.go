package watch

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"

	"benchguide/run"
)

// Live redraws a view in place. What has lasting interest is printed above it, and stays.
type Live struct {
	out   io.Writer
	style func() Style
	now   func() time.Time

	mu    sync.Mutex
	state State
	drawn []string // lines on the screen
	ticks *ticks
}

// redraw is how often the view is looked at. Events do not draw it: in a rehearsal there are
// hundreds a second, and nobody could read them.
const redraw = 200 * time.Millisecond

// NewLive begins a view. Style is asked for each time, since windows change.
func NewLive(out io.Writer, state State, style func() Style, now func() time.Time) *Live {
	state.Began = now()
	l := &Live{out: out, style: style, now: now, state: state}
	l.ticks = every(redraw, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.draw("")
	})
	return l
}

// See takes an event in. What lasts is printed at once.
func (l *Live) See(e run.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.Apply(e)
	switch {
	case e.Kind == run.Phased && e.Warning:
		l.draw(line(e.Time, "  "+e.Text))
	case e.Kind == run.Phased, e.Kind == run.Ordered, e.Kind == run.Finished && e.Invalid == "":
	default:
		l.draw(line(e.Time, e.Text))
	}
}

// draw replaces the view. All of it is one write in which each line is written over the old
// one and nothing is cleared before there is something in its place: a screen never shows
// half of a view, and never none. What has not changed is not drawn again.
func (l *Live) draw(lasting string) {
	style := l.style()
	var lines []string
	if !l.state.Over {
		lines = Render(l.state, l.now(), style)
	}
	if lasting == "" && slices.Equal(lines, l.drawn) {
		return
	}
	var text strings.Builder
	if up := rows(l.drawn, style.Width); up > 0 {
		fmt.Fprintf(&text, "\x1b[%dA\r", up)
	}
	if lasting != "" {
		text.WriteString(lasting + toEnd + "\n")
	}
	for _, line := range lines {
		text.WriteString(line + toEnd + "\n")
	}
	text.WriteString(below)
	l.drawn = lines
	_, _ = io.WriteString(l.out, text.String())
}

// What clears the rest of a line, and all that is below it.
const (
	toEnd = "\x1b[K"
	below = "\x1b[J"
)

// rows is how many rows of the screen lines take that were drawn before. A window that was
// made narrower since has wrapped them.
func rows(lines []string, width int) int {
	n := 0
	for _, line := range lines {
		n += 1 + max(0, runewidth.StringWidth(unpainted(line))-1)/max(1, width)
	}
	return n
}

// Close takes the view off the screen.
func (l *Live) Close() {
	l.ticks.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state.Over = true
	l.draw("")
}
