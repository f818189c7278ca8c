package fake

import (
	"fmt"
	"os"
	"strings"
)

// StartsFile is where the starts that matched the rules of a script are counted.
func StartsFile(script string) string { return script + ".starts" }

// countStart adds this start to the file for each rule that matches it, and returns how
// many were there before. A line is added in one write, so that starts at the same
// time do not lose each other; each finds its own line again by its mark.
func countStart(file string, s *Script, k config, mark string) ([]int, error) {
	var lines strings.Builder
	for i, r := range s.Rules {
		if r.When.matches(k) {
			fmt.Fprintf(&lines, "rule %d by %s\n", i+1, mark)
		}
	}
	counts := make([]int, len(s.Rules))
	if lines.Len() == 0 {
		return counts, nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("counting this start: %w", err)
	}
	_, err = f.WriteString(lines.String())
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, fmt.Errorf("counting this start: %w", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("counting this start: %w", err)
	}
	for i := range counts {
		counts[i] = before(string(data), i+1, mark)
	}
	return counts, nil
}

// before counts the lines of a rule above the one with the mark.
func before(data string, rule int, mark string) int {
	n := 0
	for line := range strings.Lines(data) {
		var of int
		var by string
		if _, err := fmt.Sscanf(line, "rule %d by %s", &of, &by); err != nil || of != rule {
			continue
		}
		if by == mark {
			return n
		}
		n++
	}
	return n
}
