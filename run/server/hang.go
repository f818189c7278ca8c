package server

import (
	"regexp"
	"strconv"
	"strings"
)

// waiting is what a worker of vLLM says every minute in which it got no work from an
// engine that should have some.
const waiting = "No available shared memory broadcast block found"

// rates is what vLLM logs every ten seconds while it has anything to do.
var rates = regexp.MustCompile(`Avg prompt throughput: ([\d.]+) tokens/s, Avg generation throughput: ([\d.]+) tokens/s, Running: (\d+) reqs`)

// Hanging reports whether a server's log ends in a hang: the latest two statistics have
// requests running and nothing done, or workers have twice been without work since the
// last progress. It is a sign and no proof: while an engine compiles or quantizes,
// workers say the same, so that a caller gives a server its patience first.
func Hanging(log []byte) bool {
	_, hanging := hangLine(lines(log))
	return hanging
}

// hangLine returns the line at which a hang was certain.
func hangLine(all []line) (line, bool) {
	idle, without := 0, 0
	var at line
	for _, l := range all {
		if strings.Contains(l.text, waiting) {
			if without++; without >= 2 {
				at = l
			}
			continue
		}
		if !strings.Contains(l.text, "Running: ") {
			continue
		}
		m := rates.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		running, _ := strconv.ParseFloat(m[3], 64)
		prompt, _ := strconv.ParseFloat(m[1], 64)
		generated, _ := strconv.ParseFloat(m[2], 64)
		switch {
		case running > 0 && prompt == 0 && generated == 0:
			if idle++; idle >= 2 {
				at = l
			}
		default: // progress, or nothing to do
			idle, without, at = 0, 0, line{}
		}
	}
	return at, idle >= 2 || without >= 2
}
