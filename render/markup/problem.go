package markup

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
)

// Error is one thing wrong with page source, at a line of the file it came from.
type Error struct {
	File    string // as the caller named it
	Line    int    // counted from 1; 0 if the whole file is meant
	Message string
	Err     error // what a resolver said, if it was asked
}

// Error returns file, line and message in the form that editors follow.
func (e *Error) Error() string {
	text := e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, text)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
}

// Unwrap returns the error that the resolver gave.
func (e *Error) Unwrap() error { return e.Err }

// Dropped is something that was written and is not on the page: raw HTML, or a
// link to an address that a page may not have.
type Dropped struct {
	Line int
	What string // "raw HTML", "link", "image"
	Text string // as it was written, shortened
}

// joined sorts errors by line and makes one error of them, nil if there are none. The
// walk finds them by kind of node, and a reader works down the page.
func joined(problems []*Error) error {
	slices.SortStableFunc(problems, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// lineIndex holds the offset at which each line of a source begins.
type lineIndex []int

// indexLines finds the lines of a source.
func indexLines(src []byte) lineIndex {
	lines := lineIndex{0}
	for i, c := range src {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// at returns the line of an offset, counted from 1.
func (l lineIndex) at(offset int) int {
	return sort.Search(len(l), func(i int) bool { return l[i] > offset })
}

// shorten cuts text for a message, at a rune.
func shorten(text string) string {
	const most = 60
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "..."
		}
		n++
	}
	return text
}
