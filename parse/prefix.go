package parse

import (
	"strings"
	"unicode/utf8"
)

// prefixShare is how many of the lines after a block's first must begin like it
// for the beginning to be a prefix: more than one in two.
const (
	prefixLines = 24
	prefixShare = 2
)

// prefix is what a log, a listing or a diff writes before every line of a block:
// "bench-1  | ", "[1,0]<stdout>:", a time, a line number, "+", "# ". Digits in it
// stand for any number, so that times and line numbers match each other.
type prefix string

// strip removes the prefix from a cleaned line that begins with it.
func (p prefix) strip(s string) string {
	if p == "" {
		return s
	}
	if rest, ok := p.match(s); ok {
		return strings.TrimSpace(rest)
	}
	return s
}

func (p prefix) match(s string) (rest string, ok bool) {
	i := 0
	for _, part := range p.parts() {
		switch {
		case part[0] >= '0' && part[0] <= '9':
			end := digitsEnd(s, i)
			if end == i {
				return "", false
			}
			i = end
		case part[0] == ' ' || part[0] == '\t':
			for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
				i++
			}
		case !strings.HasPrefix(s[i:], part):
			return "", false
		default:
			i += len(part)
		}
	}
	return s[i:], true
}

// parts cuts the prefix into runs of digits, runs of blanks and single other characters.
func (p prefix) parts() []string {
	var parts []string
	class := func(c byte) int {
		switch {
		case c >= '0' && c <= '9':
			return 1
		case c == ' ' || c == '\t':
			return 2
		default:
			return 0
		}
	}
	for s := string(p); s != ""; {
		_, n := utf8.DecodeRuneInString(s)
		if c := class(s[0]); c != 0 {
			for n < len(s) && class(s[n]) == c {
				n++
			}
		}
		parts, s = append(parts, s[:n]), s[n:]
	}
	return parts
}

// prefixOf returns what stands before the header or the first label in the first
// line of a block, if most of the lines after it begin so. Otherwise it is a
// progress bar or a prompt and means nothing for the other lines. start finds the
// place where the result begins in its first line.
func prefixOf(in *Input, start func(s string) int) prefix {
	here := in.mark()
	defer in.reset(here)
	first, ok := in.next()
	if !ok {
		return ""
	}
	s := cleanLine(first.Text)
	if end := start(s); end > 0 {
		return prefix(s[:end]).ifShared(in)
	}
	// The copy may have begun behind the prefix of the first line.
	second, _ := in.next()
	s = cleanLine(second.Text)
	for _, label := range []string{"Successful requests:", "Backend:", "Total requests:"} {
		if end := strings.Index(s, label); end > 0 {
			return prefix(s[:end]).ifShared(in)
		}
	}
	return ""
}

// ifShared returns the prefix if most of the lines that follow begin with it, and
// otherwise none.
func (p prefix) ifShared(in *Input) prefix {
	seen, sharing := 0, 0
	for range prefixLines {
		l, ok := in.next()
		if !ok {
			break
		}
		s := cleanLine(l.Text)
		if s == "" {
			continue
		}
		seen++
		rest, ok := p.match(s)
		if ok {
			sharing++
		}
		if kind, _ := rule(strings.TrimSpace(rest)); ok && kind == closingRule {
			break
		}
	}
	if sharing == 0 || sharing*prefixShare < seen {
		return ""
	}
	return p
}

// servingStart returns where the header of a block, or its first label, begins in a line.
func servingStart(s string) int {
	if at := strings.Index(s, "===="); at >= 0 {
		return at
	}
	return len(s) - len(unmarked(s))
}

// unmarked removes what a listing, a diff, a quotation or a list writes before a
// line: numbers, and marks that no label begins with.
func unmarked(s string) string { return strings.TrimLeft(s, "0123456789 \t+-|#>*:.│") }

// cleanLine is clean for a line that may hold bytes that are not UTF-8.
func cleanLine(s string) string { return clean(strings.ToValidUTF8(s, "\uFFFD")) }
