package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/width"
)

// Problem says what is wrong in a document, where, and what to do about it.
// Lines and columns count from 1; a column is a character, not a byte.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path,omitempty"` // stages[0].title.zh; empty for the document itself
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Code    string `json:"code,omitempty"` // of what another package found in a file; empty for the document's own
}

// Error returns the problem as one line: place, what was found, what to do next. A
// place that is not known is left out.
func (p Problem) Error() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	if p.Column > 0 {
		s += fmt.Sprintf(":%d", p.Column)
	}
	s += ": " + p.Message
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Sort orders problems by place, so that those of several passes read as one list.
func Sort(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// excerptRunes is how much of a line an excerpt shows: enough for a terminal.
const excerptRunes = 100

// Excerpt returns the line of src that the problem is on, with a caret below its
// column, or "" where src has no such line.
func (p Problem) Excerpt(src []byte) string {
	lines := strings.Split(strings.TrimPrefix(string(src), bom), "\n")
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	line := []rune(strings.TrimRight(strings.ToValidUTF8(lines[p.Line-1], "\uFFFD"), "\r"))
	before := min(max(p.Column-1, 0), len(line))
	start := max(0, before-excerptRunes*3/4)
	end := min(len(line), start+excerptRunes)
	number := fmt.Sprintf("%d", p.Line)
	return fmt.Sprintf("%s | %s\n%s | %s^\n",
		number, string(line[start:end]), strings.Repeat(" ", len(number)), blank(line[start:before]))
}

// blank returns white space as wide as the text: a Chinese character covers two
// columns of a terminal, and so does the ideographic space.
func blank(text []rune) string {
	out := make([]rune, len(text))
	for i, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			out[i] = '\u3000'
		default:
			out[i] = ' '
			if r == '\t' {
				out[i] = '\t'
			}
		}
	}
	return string(out)
}
