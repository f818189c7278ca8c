package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"benchguide/run"
	"benchguide/run/attempt"
)

// Style is how a view is drawn.
type Style struct {
	Width int // columns of the terminal
	Color bool
}

const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	plain = "\x1b[0m"
)

// Render draws the state at a time: a few lines, none longer than the terminal is wide.
func Render(s State, now time.Time, style Style) []string {
	// A line that wraps would count as one and take two. At 20 columns nothing can be read
	// any more, whatever is done.
	width := max(20, style.Width-1)
	var lines []string
	add := func(how, text string) {
		text = runewidth.Truncate(text, width, "…")
		if style.Color {
			text = how + text + plain
		}
		lines = append(lines, text)
	}
	add(dim, head(s, now))
	if text := ahead(s); text != "" {
		add(dim, text)
	}
	if s.Now.Kind != "" {
		add(dim, stage(s))
		add(bold, doing(s, now)) // what is done now stands out from what is around it
	}
	for _, line := range decided(s, width) {
		add(dim, line)
	}
	return lines
}

// unpainted is a line without its colours.
func unpainted(line string) string {
	for _, how := range []string{bold, dim, plain} {
		line = strings.ReplaceAll(line, how, "")
	}
	return line
}

// head is the run as a whole.
func head(s State, now time.Time) string {
	return fmt.Sprintf("%s, run %s, for %s: %s made", s.Study, s.Run, run.Span(now.Sub(s.Began)), starts(s.Made))
}

// ahead is what is left of it.
func ahead(s State) string {
	if s.Most == 0 || s.Over {
		return ""
	}
	text := fmt.Sprintf("%s left", between(s.Least, s.Most))
	// A rehearsal's starts take no time that is worth an estimate.
	if s.Each >= time.Second {
		text += fmt.Sprintf(", about %s", spans(time.Duration(s.Least)*s.Each, time.Duration(s.Most)*s.Each))
	}
	return text
}

func starts(n int) string {
	if n == 1 {
		return "1 start"
	}
	return fmt.Sprintf("%d starts", n)
}

func between(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

func spans(least, most time.Duration) string {
	if run.Span(least) == run.Span(most) {
		return run.Span(least)
	}
	return run.Span(least) + " to " + run.Span(most)
}

// stage is where in the study the run is.
func stage(s State) string {
	place := ""
	if i := slices.Index(s.Stages, s.Now.Stage); i >= 0 {
		place = fmt.Sprintf(" (%d of %d)", i+1, len(s.Stages))
	}
	text := fmt.Sprintf("stage %s%s, block %d", s.Now.Stage, place, s.Now.Block)
	if s.Now.Confirms {
		text += ", confirming"
	}
	text += fmt.Sprintf(": %s, start %d", s.Now.Candidate, s.Now.Start)
	if s.Now.Try > 1 {
		text += fmt.Sprintf(", try %d", s.Now.Try)
	}
	return text
}

// phaseText is what an attempt is at, in words. Executors have phases of their own, such as
// a cluster's queue, and say themselves what it is that they wait for.
func phaseText(p attempt.Phase, says string) string {
	text, ok := map[attempt.Phase]string{
		attempt.Checking: "checking the machine", attempt.Starting: "starting the server", attempt.Warming: "warming up",
		attempt.Measuring: "measuring", attempt.Stopping: "stopping the server", attempt.Freeing: "waiting for the GPUs to be free",
		attempt.Sealing: "completing the folder",
	}[p]
	switch {
	case ok:
		return text
	case says != "":
		return says
	}
	return "beginning"
}

// doing is what happens just now.
func doing(s State, now time.Time) string {
	text := phaseText(s.Phase, s.Says)
	if s.Workload != "" {
		text += " " + s.Workload
	}
	if s.Tokens > 0 {
		text += fmt.Sprintf(", %s tokens/s", thousands(s.Tokens))
	}
	return text + fmt.Sprintf(", for %s (start: %s)", run.Span(now.Sub(s.PhaseAt)), run.Span(now.Sub(s.Since)))
}

// thousands prints a rate without decimals, in groups of three.
func thousands(v float64) string {
	digits := fmt.Sprintf("%.0f", v)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, groups...), ",")
}

// decided is what the stages so far go on with, in as many lines as that takes.
func decided(s State, width int) []string {
	var lines []string
	for i, d := range s.Decided {
		text := d.Stage + ": " + outcome(d)
		if i == 0 {
			lines = append(lines, "decided: "+text)
			continue
		}
		last := &lines[len(lines)-1]
		if joined := *last + "; " + text; runewidth.StringWidth(joined) <= width {
			*last = joined
			continue
		}
		lines = append(lines, "         "+text)
	}
	return lines
}

// outcome is what a stage adopted, with the gain that is best known: the confirmed one, or
// that of the decision. What was picked among equals has none to show.
func outcome(d run.Decision) string {
	if !d.Changed {
		return "nothing"
	}
	_, adopted, _ := strings.Cut(d.Adopted, "/")
	if d.Confirmed > 0 {
		return adopted + " " + run.GainText(d.Confirmed) + ", confirmed"
	}
	if slices.ContainsFunc(d.Rows, func(r run.Row) bool { return r.Ref == d.Adopted && r.Verdict == "adopted" }) {
		return adopted + " " + run.GainText(d.Gain)
	}
	return adopted
}
