package strict

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest document that Decode reads, in bytes. A study of forty
// results is below 100 KB; what is larger is a log given by mistake. Callers can
// compare a file's size with it before they read the file.
const MaxSize = 256 << 10

const bom = "\uFEFF"

// clean turns bytes into text that the YAML scanner has no chance to misread. A
// character that is refused is replaced by one of the same width, so that the
// rest keeps its columns and can still be checked. It returns false where there
// is nothing left to read.
func clean(file string, src []byte) (string, []Problem, bool) {
	at := Problem{File: file, Line: 1, Column: 1}
	switch {
	case len(src) > MaxSize:
		at.Message = fmt.Sprintf("the file has %d bytes, and at most %d are read", len(src), MaxSize)
		at.Hint = "give the YAML file, not a log or a result"
		return "", []Problem{at}, false
	case bytes.HasPrefix(src, []byte{0xFE, 0xFF}), bytes.HasPrefix(src, []byte{0xFF, 0xFE}):
		at.Message, at.Hint = "the file is UTF-16", "save it as UTF-8"
		return "", []Problem{at}, false
	}
	if lines, first := brokenLines(src); lines > 1 {
		at.Line, at.Message = first, fmt.Sprintf("the file is not UTF-8: %d lines have bytes of another encoding", lines)
		at.Hint = "convert it: where an editor of Chinese Windows saved it, by iconv -f GB18030 -t UTF-8"
		return "", []Problem{at}, false
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(src), bom), "\r\n", "\n")
	var problems []Problem
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if fault := findFault(line); fault != nil {
			fault.File, fault.Line = file, i+1
			problems = append(problems, *fault)
			lines[i] = strings.Map(replaceRefused, line)
		}
	}
	text = strings.Join(lines, "\n")
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // the scanner misreads a folded text that ends without one
	}
	return text, problems, true
}

// brokenLines counts the lines that are not UTF-8, and says which is the first. More than
// one has one cause: the whole file is in another encoding.
func brokenLines(src []byte) (count, first int) {
	if utf8.Valid(src) {
		return 0, 0
	}
	for i, line := range bytes.Split(src, []byte("\n")) {
		if utf8.Valid(line) {
			continue
		}
		if count == 0 {
			first = i + 1
		}
		count++
	}
	return count, first
}

// findFault returns the first character of a line that is refused. One a line is
// enough: a line indented with tabs has many, and one cause.
func findFault(line string) *Problem {
	column := 1
	for i, r := range line {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(line[i:]); size == 1 {
				return &Problem{Column: column, Message: fmt.Sprintf("the byte 0x%02x is not valid UTF-8", line[i]), Hint: "save the file as UTF-8"}
			}
		}
		switch {
		case r == '\t':
			return &Problem{Column: column, Message: "a tab character", Hint: `indent and separate with spaces; inside double quotes a tab is written \t`}
		case refused(r):
			return &Problem{Column: column, Message: fmt.Sprintf("the control character %U", r), Hint: "delete it; inside double quotes it can be written as an escape"}
		}
		column++
	}
	return nil
}

// refused tells whether r is a character that YAML forbids in its text, or one
// that nobody can see there: a BOM inside of the file, a lone carriage return.
func refused(r rune) bool {
	switch {
	case r < ' ', r >= 0x7F && r <= 0x9F, r == '\uFEFF', r == '\uFFFE', r == '\uFFFF':
		return true
	default:
		return false
	}
}

// replaceRefused keeps the width of a line, and with it all columns.
func replaceRefused(r rune) rune {
	if refused(r) {
		return ' '
	}
	return r // strings.Map writes U+FFFD for a byte that is no UTF-8
}
