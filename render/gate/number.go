package gate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// match is the place of a number in a text.
type match struct{ start, end int }

// numbers finds the numbers in a text, digits and words, in their order. What two
// rules find in one place (百分之 and its digits) is one number.
func numbers(s string) []match {
	all := slices.Concat(digits(s), chinese(s), english(s))
	slices.SortFunc(all, func(a, b match) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var out []match
	for _, m := range all {
		if n := len(out); n > 0 && m.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, m.end)
			continue
		}
		out = append(out, m)
	}
	return out
}

// HasNumber reports whether a text holds what the gate counts as a number.
func HasNumber(s string) bool { return len(numbers(s)) > 0 }

// IsNumber reports whether a text is a number and nothing else: "42", "twice", 两倍.
func IsNumber(s string) bool {
	found := numbers(s)
	return len(found) == 1 && found[0] == match{0, len(s)}
}

// digits finds each run with a digit in it, but for the terms of the field.
func digits(s string) []match {
	var out []match
	floor := 0 // no run reaches back into the one before
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isDigit(r) {
			i += n
			continue
		}
		// A name is one run with its digits, so that a finding shows what to declare.
		m := match{widenLeft(s, floor, i), widenRight(s, i)}
		if !fieldTerm(s[m.start:m.end]) {
			out = append(out, m)
		}
		i, floor = m.end, m.end
	}
	return out
}

// widenRight returns the end of the run that holds the digit at i.
func widenRight(s string, i int) int {
	prev := rune(0)
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		if !isWord(r) && !joins(prev, r, next) {
			break
		}
		prev, i = r, i+n
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); strings.ContainsRune("%％‰×°", r) {
		i += n
	}
	return i
}

// widenLeft returns the start of the run that holds the digit at i, with its sign.
func widenLeft(s string, floor, i int) int {
	next, _ := utf8.DecodeRuneInString(s[i:])
	for i > floor {
		r, n := utf8.DecodeLastRuneInString(s[floor:i])
		prev, _ := utf8.DecodeLastRuneInString(s[floor : i-n])
		if !isWord(r) && !joins(prev, r, next) {
			break
		}
		next, i = r, i-n
	}
	r, n := utf8.DecodeLastRuneInString(s[floor:i])
	if isDigit(next) && strings.ContainsRune("+-−±＋－", r) {
		// Between two numbers ("4%-5%") the dash is a range and no sign.
		if before, _ := utf8.DecodeLastRuneInString(s[:i-n]); before != '%' && !isWord(before) {
			i -= n
		}
	}
	return i
}

// joins reports whether r holds the runes at its sides together in one run: some
// marks do so in names, others only between digits.
func joins(prev, r, next rune) bool {
	if strings.ContainsRune("._-/+", r) {
		return isWord(prev) && isWord(next)
	}
	return strings.ContainsRune(",:~^×–．’'", r) && isDigit(prev) && isDigit(next)
}

// isDigit reports whether r is a number by itself: a decimal digit of any script,
// a superscript, fraction or circled number. Roman numerals are not, and 〇 is a
// Chinese numeral, which counts in company only.
func isDigit(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9'
	}
	return unicode.IsNumber(r) && !(0x2160 <= r && r <= 0x2188) && r != '〇'
}

// isWord reports whether r can be glued to a digit to make a name. Chinese and its
// neighbours are written without blanks, so that their letters glue nothing.
func isWord(r rune) bool {
	if isDigit(r) {
		return true
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
