package gate

import (
	"bytes"
	"regexp"

	xhtml "golang.org/x/net/html"
)

// The parts of what follows the text of an inline link.
var (
	angleTarget = regexp.MustCompile(`^<[^<>\n]*>`)
	linkTitle   = regexp.MustCompile(`^(?s)(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))`)
)

// tail is what follows the text of an inline link: its length, and where its title
// lies in it, which is nowhere if from and to are equal.
type tail struct{ length, from, to int }

// linkTail reads "(target)" or "(target "title")".
func linkTail(b []byte) (t tail, ok bool) {
	if len(b) == 0 || b[0] != '(' {
		return tail{}, false
	}
	rest := bytes.TrimLeft(b[1:], " \t\n")
	rest = rest[targetLength(rest):]
	behind := bytes.TrimLeft(rest, " \t\n")
	if len(behind) < len(rest) { // a title is set off from the target
		if m := linkTitle.FindIndex(behind); m != nil {
			t.from = len(b) - len(behind) + 1
			t.to = t.from + m[1] - len(`""`)
			behind = bytes.TrimLeft(behind[m[1]:], " \t\n")
		}
	}
	if len(behind) == 0 || behind[0] != ')' {
		return tail{}, false
	}
	t.length = len(b) - len(behind) + 1
	return t, true
}

// longestTarget bounds the search for the end of a target; a longer one is read as text.
const longestTarget = 4096

// targetLength returns the length of a link's target: without blanks, its parentheses balanced.
func targetLength(b []byte) int {
	if m := angleTarget.Find(b); m != nil {
		return len(m)
	}
	b = b[:min(len(b), longestTarget)]
	depth := 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c <= ' ':
			return i
		case c == '\\' && i+1 < len(b) && isPunct(b[i+1]):
			i++
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i
		case c == ')':
			depth--
		}
	}
	return len(b)
}

// tag reads the source of one tag of raw HTML.
func tag(src []byte, line int) []*element {
	z := xhtml.NewTokenizer(bytes.NewReader(src))
	switch z.Next() {
	case xhtml.StartTagToken, xhtml.SelfClosingTagToken, xhtml.EndTagToken:
		t := z.Token()
		return []*element{{name: t.Data, attr: t.Attr, line: line}}
	}
	return nil
}
