package client

import (
	"strings"

	"benchguide/engine"
)

// lineWidth is that of serving commands, which stand on the same pages.
const lineWidth = 88

// Print returns a command as a person reads it: one line if it is short, otherwise one
// option a line with continuations.
func Print(words []string) string {
	line := engine.Quote(words)
	if len(line) <= lineWidth {
		return line
	}
	var lines []string
	for begin, i := 0, 1; i <= len(words); i++ {
		if i < len(words) && !strings.HasPrefix(words[i], "--") {
			continue
		}
		lines = append(lines, engine.Quote(words[begin:i]))
		begin = i
	}
	return strings.Join(lines, " \\\n    ")
}
