package jsonstream

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxKey  = 256     // longer keys are cut: no tool has one
	maxText = 4 << 10 // longer strings are cut: tracebacks, generated texts
	maxWord = 1 << 10 // longer words are no number
)

// Scalar is a string, a number, true, false or null.
type Scalar struct {
	Kind Kind
	Text string // a string's text, cut to its first 4 kB; anything else as it stands
	Line int
}

// Scalar reads a value that is no object and no array.
func (r *Reader) Scalar() Scalar {
	c, ok := r.next()
	if !ok {
		return Scalar{}
	}
	line := r.Line()
	if c == '"' {
		text := r.stringText(maxText)
		r.taken++
		return Scalar{String, text, line}
	}
	w := string(r.word())
	kind := kindOfWord(w)
	if kind == None {
		r.failWord(w) // unless word has failed already
		return Scalar{}
	}
	r.taken++
	return Scalar{kind, w, line}
}

func (r *Reader) failWord(w string) {
	if r.err != nil {
		return
	}
	r.pos -= len(w)
	r.fail("%q is no value", clip(w))
}

// word reads what stands before the next delimiter. A word that the text ends in is
// cut off: 86 may be the beginning of 8637.
func (r *Reader) word() []byte {
	for n := 0; r.err == nil; {
		n = wordEnd(r.buf[r.pos:], n)
		switch whole := r.pos+n < len(r.buf); {
		case n > maxWord:
			r.fail("a word is longer than %d bytes", maxWord)
		case whole && n == 0:
			r.fail("%q stands where a value must", r.buf[r.pos])
		case whole:
			r.pos += n
			return r.buf[r.pos-n : r.pos]
		case !r.fill():
			r.cut()
		}
	}
	return nil
}

// wordEnd returns the offset of the first delimiter in b at or after from, or len(b).
func wordEnd(b []byte, from int) int {
	for from < len(b) && !isDelimiter(b[from]) {
		from++
	}
	return from
}

func isDelimiter(c byte) bool {
	switch c {
	case ',', ']', '}', ' ', '\n', '\r', '\t', ':', '"', '[', '{':
		return true
	}
	return false
}

func kindOfWord(w string) Kind {
	switch w {
	case "true", "false":
		return Bool
	case "null":
		return Null
	case "NaN", "Infinity", "-Infinity", "nan", "inf", "-inf":
		return Number
	}
	if isNumeral(w) {
		return Number
	}
	return None
}

// isNumeral reports whether w is a JSON number. strconv would take 0x1p-2 and 1_000 too.
func isNumeral(w string) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(w) && w[i] >= '0' && w[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(w) && w[i] == '-' {
		i++
	}
	if !digits() {
		return false
	}
	if i < len(w) && w[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(w) && w[i]|0x20 == 'e' {
		if i++; i < len(w) && (w[i] == '+' || w[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(w)
}

// stringText reads a string and returns its text, cut to limit bytes.
func (r *Reader) stringText(limit int) string {
	r.pos++ // the quote
	var kept []byte
	r.stringBody(func(piece []byte) {
		if room := limit - len(kept); room > 0 {
			kept = append(kept, piece[:min(room, len(piece))]...)
		}
	})
	if r.err != nil {
		return ""
	}
	return unescape(kept)
}

// stringBody reads a string to its closing quote and hands on what is in it.
func (r *Reader) stringBody(piece func([]byte)) {
	for escaped := false; r.err == nil; {
		body := r.buf[r.pos:]
		n, closed := stringEnd(body, &escaped)
		if i := bytes.IndexByte(body[:n], '\n'); i >= 0 {
			r.pos += i
			r.fail("a string is not closed before the end of its line")
			return
		}
		if piece != nil {
			piece(body[:n])
		}
		r.pos += n
		if closed {
			r.pos++
			return
		}
		if !r.fill() {
			r.cut()
		}
	}
}

// stringEnd returns the length of the string's text in body, and whether its closing
// quote follows there. escaped says whether a backslash stands before body, and then
// whether one stands at its end.
func stringEnd(body []byte, escaped *bool) (n int, closed bool) {
	for n < len(body) {
		if *escaped {
			*escaped = false
			n++
			continue
		}
		i := bytes.IndexByte(body[n:], '"')
		end := len(body)
		if i >= 0 {
			end = n + i
		}
		// Backslashes before the quote escape it when their number is odd.
		slashes := 0
		for end-slashes > n && body[end-1-slashes] == '\\' {
			slashes++
		}
		*escaped = slashes%2 == 1
		n = end
		if i >= 0 && !*escaped {
			return n, true
		}
	}
	return n, false
}

// unescape returns the text that the inside of a string stands for. Bytes that are
// no UTF-8, and an escape that was cut, become the replacement character.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			out = append(out, b[i])
			continue
		}
		i++
		switch {
		case i == len(b):
			out = utf8.AppendRune(out, utf8.RuneError)
		case b[i] == 'u':
			c, n := unescapeRune(b[i-1:])
			out = utf8.AppendRune(out, c)
			i += n - 2
		default:
			out = append(out, unescapeByte(b[i]))
		}
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

func unescapeByte(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return c
}

// unescapeRune reads \uXXXX, or two of them that make one character, and returns
// how many bytes it took.
func unescapeRune(b []byte) (c rune, n int) {
	c, ok := hex4(b)
	if !ok {
		return utf8.RuneError, min(len(b), 2)
	}
	if !utf16.IsSurrogate(c) {
		return c, 6
	}
	if low, ok := hex4(b[6:]); ok {
		if pair := utf16.DecodeRune(c, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
