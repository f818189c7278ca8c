package markup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// matcher finds declared literals in text, the longest first.
type matcher struct {
	byFirst [256][]string // literals by their first byte, longest first
}

// newMatcher refuses what could never be told from a measurement: a literal without
// a letter would let any equal number on the page pass.
func newMatcher(literals []string) (matcher, error) {
	var m matcher
	for _, l := range literals {
		switch {
		case !strings.ContainsFunc(l, unicode.IsLetter):
			return m, fmt.Errorf("literal %q has no letter: a bare number cannot be declared", l)
		case l != strings.TrimSpace(l) || strings.ContainsFunc(l, unicode.IsControl):
			return m, fmt.Errorf("literal %q has spaces at its ends, or control characters", l)
		case strings.ContainsAny(l, markerOpen+markerClose):
			return m, fmt.Errorf("literal %q holds a marker", l)
		}
		m.byFirst[l[0]] = append(m.byFirst[l[0]], l)
	}
	// Literals of one length are different, so that their order cannot matter.
	for _, same := range m.byFirst {
		slices.SortFunc(same, func(a, b string) int { return len(b) - len(a) })
	}
	return m, nil
}

// at returns the longest literal that begins at offset i of text and stands between
// word boundaries, or "". A line break in text counts as a space.
func (m matcher) at(text []byte, i int) string {
	for _, l := range m.byFirst[text[i]] {
		if end := i + len(l); end <= len(text) && sameText(text[i:end], l) && !inWord(text, i, end) {
			return l
		}
	}
	return ""
}

// sameText compares text with a literal of the same length.
func sameText(text []byte, literal string) bool {
	for i, c := range text {
		if c != literal[i] && (c != '\n' || literal[i] != ' ') {
			return false
		}
	}
	return true
}

// match is a literal found in a text.
type match struct {
	start, end int
	literal    string
}

// all returns the literals of a text from left to right.
func (m matcher) all(text []byte) []match {
	var found []match
	for i := 0; i < len(text); {
		l := m.at(text, i)
		if l == "" {
			i++
			continue
		}
		found = append(found, match{i, i + len(l), l})
		i += len(l)
	}
	return found
}

// covers reports whether text consists of literals and of other text without a number.
func covers(found []match, text []byte) bool {
	rest := 0
	for _, m := range found {
		if hasNumber(text[rest:m.start]) {
			return false
		}
		rest = m.end
	}
	return len(found) > 0 && !hasNumber(text[rest:])
}

func hasNumber(text []byte) bool { return bytes.ContainsFunc(text, unicode.IsNumber) }

// inWord reports whether text[start:end] is part of a longer word. A dot, dash or
// underscore joins words only with a letter or digit on its other side: the dot that
// ends a sentence does not make "H100." another name.
func inWord(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], "._-")
	after := bytes.TrimLeft(text[end:], "._-")
	last, _ := utf8.DecodeLastRune(before)
	first, _ := utf8.DecodeRune(after)
	return isWordRune(last) || isWordRune(first)
}

// isWordRune leaves out Chinese, which writes no spaces around names.
func isWordRune(r rune) bool {
	return unicode.IsNumber(r) || unicode.IsMark(r) || unicode.IsLetter(r) && !isWide(r)
}

// isWide reports whether a rune is as wide as a Chinese character, punctuation included.
// goldmark's own list of wide characters lacks the full-width forms, among them the
// comma and the brackets of Chinese text. Private-use characters are not wide.
func isWide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}
