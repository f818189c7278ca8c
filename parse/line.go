package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean removes what terminals and web pages add to a line and no tool means:
// escape sequences, what a carriage return has overwritten, escapes and elements of
// HTML, exotic blanks, full-width digits, quote marks.
func clean(s string) string {
	s = strings.TrimRight(s, "\r")
	if i := strings.LastIndexByte(s, '\r'); i >= 0 {
		s = s[i+1:]
	}
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = stripEscapes(s)
	}
	s = plainText(s)
	if !isASCII(s) {
		s = strings.Map(plainRune, s)
	}
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, ">") && !strings.HasPrefix(s, ">=") {
		s = strings.TrimSpace(s[1:])
	}
	return s
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plainRune turns every kind of blank into a space, full-width digits and brackets
// into plain ones, and drops marks without width.
func plainRune(r rune) rune {
	switch {
	case r == '\ufeff' || r == '\u200b' || r == '\u200e' || r == '\u200f':
		return -1
	case unicode.IsSpace(r):
		return ' '
	case r >= '０' && r <= '９':
		return r - '０' + '0'
	case r == '（' || r == '）' || r == '．' || r == '％' || r == '／' || r == '＝' || r == '－':
		return r - '（' + '('
	default:
		return r
	}
}

// stripEscapes removes terminal control sequences: ESC [ ... letter, and ESC with one other byte.
func stripEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		i++
		if i < len(s) && s[i] == '[' {
			for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
			}
		}
	}
	return b.String()
}

// The kinds of rules, the lines that frame a block.
const (
	noRule = iota
	headerRule
	closingRule
	sectionRule
)

// rule says what kind of rule a cleaned line is, and returns the title in it.
// A title counts without the marks on its right, which a cut may have taken.
func rule(s string) (kind int, title string) {
	if s == "" || (s[0] != '=' && s[0] != '-') {
		return noRule, ""
	}
	mark := s[:1]
	s = strings.TrimRight(s, "'\"`,;| ") // of a list of strings, or a row
	left := len(s) - len(strings.TrimLeft(s, mark))
	title = strings.TrimSpace(strings.Trim(s, mark))
	switch {
	case left < 4:
		return noRule, ""
	case title == "" && mark == "=":
		return closingRule, ""
	case mark == "=" && isResultTitle(title):
		return headerRule, title
	default:
		return sectionRule, title
	}
}

// isResultTitle tells the title of a new block from that of a section or a banner.
func isResultTitle(title string) bool {
	return strings.HasSuffix(title, "Benchmark Result") || title == "Steady-State Metrics"
}

// unglue splits a line before a rule that follows other text, as happens when a
// progress bar, a value or a closing rule lost its line end.
func unglue(s string) (before, after string) {
	i := strings.Index(s, "====")
	if i < 0 {
		return s, ""
	}
	if i > 0 {
		return strings.TrimSpace(s[:i]), s[i:]
	}
	rest := strings.TrimLeft(s, "=")
	title := strings.TrimSpace(strings.Trim(s, "="))
	left, right := len(s)-len(rest), len(rest)-len(strings.TrimRight(rest, "="))
	// A header has as many marks on its left as on its right, so twice as many on
	// the left are a closing rule and a header.
	if isResultTitle(title) && right >= 4 && left > 2*right+1 {
		return s[:left-right], s[left-right:]
	}
	return s, ""
}

// field splits "Label: value" at the first colon that ends a label. A colon
// between digits is a time of day, one inside a word is a name.
func field(s string) (label, rest string, ok bool) {
	for i, r := range s {
		if r != ':' && r != '：' {
			continue
		}
		label, rest = s[:i], s[i+utf8.RuneLen(r):]
		if r == '：' || rest == "" || rest[0] == ' ' || rest[0] == '\t' || endsLabel(label) && startsNumber(rest) {
			return strings.TrimSpace(label), strings.TrimSpace(rest), label != ""
		}
	}
	return "", "", false
}

func endsLabel(s string) bool { return s != "" && (s[len(s)-1] < '0' || s[len(s)-1] > '9') }

func startsNumber(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// key is the form of a label that tables use: lower case, single spaces.
func key(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }
