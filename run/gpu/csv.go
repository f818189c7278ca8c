package gpu

import (
	"fmt"
	"strings"
)

// cells splits a line; nvidia-smi puts ", " between values and quotes none. The last cell
// keeps its commas: it is a name wherever there may be any.
func cells(line string, n int) ([]string, error) {
	list := strings.SplitN(line, ",", n)
	if len(list) != n {
		return nil, fmt.Errorf("%d values in place of %d", len(list), n)
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list, nil
}

// answerLines returns the lines of an answer that hold anything.
func answerLines(answer string) []string {
	var list []string
	for line := range strings.Lines(answer) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}
