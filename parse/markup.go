package parse

import (
	"bytes"
	"strings"
)

// breakAt finds the first place where a web page or a log ends a line without a
// newline: a <br> element, or the two characters \n of an escaped string. It
// returns the place and the length of what stands there, and -1 when the line
// runs to its newline, or to the end of b, unbroken. A row of a table is one line,
// whatever its cells hold.
func breakAt(b []byte) (at, n int) {
	if row := bytes.TrimLeft(b, " \t"); len(row) > 0 && row[0] == '|' {
		return -1, 0
	}
	for off := 0; ; {
		i := bytes.IndexAny(b[off:], "\n<\\")
		if i < 0 || b[off+i] == '\n' {
			return -1, 0
		}
		off += i
		if n := breakLen(b, off); n > 0 {
			return off, n
		}
		off++
	}
}

func breakLen(b []byte, at int) int {
	if b[at] == '\\' {
		// A path such as C:\new has a letter or a colon before the mark; a printed
		// line ends in a digit, a blank or the marks of a rule.
		if at+1 < len(b) && b[at+1] == 'n' && (at == 0 || strings.IndexByte("0123456789 =-", b[at-1]) >= 0) {
			return 2
		}
		return 0
	}
	end := bytes.IndexByte(b[at:min(len(b), at+8)], '>')
	if end < 3 || !bytes.EqualFold(b[at:at+3], []byte("<br")) || strings.Trim(string(b[at+3:at+end]), " /") != "" {
		return 0
	}
	return end + 1
}

// lastBreak returns the offset after the last such place in b, or 0.
func lastBreak(b []byte) int {
	start := 0
	for {
		at, n := breakAt(b[start:])
		if at < 0 {
			return start
		}
		start += at + n
	}
}

// splitLines cuts a text into the lines that Input.next would give, numbered from first.
func splitLines(text string, first int) []Line {
	lines := make([]Line, 0, strings.Count(text, "\n")+1)
	plain := strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '\\') < 0 // no break begins with anything else
	for i, l := range strings.Split(text, "\n") {
		if plain {
			lines = append(lines, Line{Text: l, No: first + i, Ended: true})
			continue
		}
		b := []byte(l)
		for {
			at, n := breakAt(b)
			if at < 0 {
				break
			}
			lines = append(lines, Line{Text: string(b[:at]), No: first + i, Ended: true})
			b = b[at+n:]
		}
		lines = append(lines, Line{Text: string(b), No: first + i, Ended: true})
	}
	return lines
}

// plainText turns the escapes of HTML into what they stand for, and elements into blanks.
func plainText(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		s = dropElements(s)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = strings.NewReplacer("&nbsp;", " ", "&#160;", " ", "&lt;", "<", "&gt;", ">", "&quot;", `"`,
			"&#39;", "'", "&#x27;", "'", "&#58;", ":", "&amp;", "&").Replace(s)
	}
	return s
}

// dropElements removes the elements that pages wrap output in. Anything else in
// angle brackets is the text's own: <path>, a comparison, a mark of a diff.
func dropElements(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := strings.IndexByte(s[open:], '>')
		if end < 0 || !isElement(s[open+1:open+end]) {
			b.WriteString(s[:open+1])
			s = s[open+1:]
			continue
		}
		b.WriteString(s[:open])
		b.WriteByte(' ')
		s = s[open+end+1:]
	}
}

func isElement(inside string) bool {
	name := strings.TrimPrefix(inside, "/")
	if i := strings.IndexAny(name, " \t/"); i >= 0 {
		name = name[:i]
	}
	switch strings.ToLower(name) {
	case "pre", "code", "span", "div", "p", "td", "th", "tr", "table", "thead", "tbody", "b", "strong", "em", "i", "a",
		"br", "font", "li", "ul", "ol", "html", "body", "details", "summary", "samp", "tt", "kbd", "section", "blockquote":
		return true
	}
	return false
}
