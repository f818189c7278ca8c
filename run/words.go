package run

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchguide/analyze"
	"benchguide/run/attempt"
	"benchguide/study"
)

// Span prints a duration as a person says it: in two units at most.
func Span(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// took prints how long something took that is over: that of a rehearsal is over in no time.
func took(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return Span(d)
}

// About prints how long something will take, and how much of it for caches that may be empty.
func About(total, cold time.Duration) string {
	if cold > 0 {
		return fmt.Sprintf("about %s, of which %s are for caches that may be empty", took(total), took(cold))
	}
	return "about " + took(total)
}

// GainText prints a ratio as guides do: +12.3%, and 2.7x from twofold on.
func GainText(ratio float64) string {
	if ratio >= 2 {
		return fmt.Sprintf("%.1fx", ratio)
	}
	return fmt.Sprintf("%+.1f%%", 100*(ratio-1))
}

// sentence makes one of a clause.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + strings.TrimRight(s[size:], ".") + "."
}

// VerdictText is a verdict in words. Pages have their own, in two languages; these are for
// a terminal, where nobody can look a word up.
func VerdictText(v analyze.Verdict) string {
	return map[analyze.Verdict]string{
		analyze.Adopted: "adopted", analyze.Tied: "tied with the best", analyze.Outperformed: "better, but not the best",
		analyze.NotDistinguishable: "not distinguishable", analyze.NoGain: "no gain",
		analyze.Infeasible: "infeasible", analyze.Invalid: "not comparable",
	}[v]
}

// decisionText says what a stage decided.
func decisionText(d Decision) string {
	var rows []string
	left := map[string]int{}
	for _, l := range d.Departed {
		left[l.Ref] = l.Block
	}
	for _, row := range d.Rows {
		text := lastOf(row.Ref) + " " + VerdictText(row.Verdict)
		// Whoever left by screening has too few starts for a verdict. "Not distinguishable" would
		// read like the opposite of what was seen.
		if block, gone := left[row.Ref]; gone && row.Ratio > 0 && row.Verdict == analyze.NotDistinguishable {
			text = fmt.Sprintf("%s left after block %d (%s)", lastOf(row.Ref), block, GainText(row.Ratio))
		}
		// The size of what cannot be told from noise is nobody's finding.
		if row.Ratio > 0 && row.Verdict != analyze.NotDistinguishable && row.Verdict != analyze.Infeasible {
			text += " (" + GainText(row.Ratio) + ")"
		}
		rows = append(rows, text)
	}
	what := "nothing is adopted"
	if d.Changed {
		what = lastOf(d.Adopted) + " is adopted"
	}
	if d.Picked {
		what += ", as the study picks"
	}
	return fmt.Sprintf("Stage %s after block %d: %s. %s.", d.Stage, d.Block, what, strings.Join(rows, ", "))
}

func confirmedText(d Decision) string {
	return fmt.Sprintf("Stage %s: %s measured again, %s over the incumbent (%s when it was chosen).", d.Stage, lastOf(d.Adopted), GainText(d.Confirmed), GainText(d.Gain))
}

// resultEvent says what an attempt came to.
func resultEvent(e Event, o attempt.Order, r attempt.Result) Event {
	name := fmt.Sprintf("%s, start %d", o.Stage+"/"+o.Candidate, o.Number)
	after := ""
	if e.Seconds > 0 {
		after = " after " + took(time.Duration(e.Seconds*float64(time.Second)))
	}
	value := ""
	if text := valueText(e); text != "" {
		value = ": " + text
	}
	switch {
	case r.Class == study.FailUser:
		e.Kind, e.Class, e.Text = FailedNow, r.Class, fmt.Sprintf("%s is stopped%s, and does not count.", name, after)
	case r.State == attempt.Failed:
		e.Kind, e.Class, e.Text = FailedNow, r.Class, fmt.Sprintf("%s failed%s (%s): %s", name, after, r.Class, strings.TrimRight(r.Reason, "."))
		if r.Next != "" {
			e.Text += "; " + r.Next
		}
		e.Text += "."
	case r.Invalid != "":
		e.Kind, e.Invalid, e.Text = Finished, r.Invalid, fmt.Sprintf("%s is measured%s, but not to be used: %s.", name, after, strings.TrimRight(r.Invalid, "."))
	default:
		e.Kind, e.Text = Finished, fmt.Sprintf("%s is measured%s%s.", name, after, value)
	}
	return e
}
