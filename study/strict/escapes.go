package strict

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/goccy/go-yaml/token"
)

// badEscapes reports hexadecimal escapes in double quotes that name no character.
// The library computes something from whatever follows \x, \u or \U, even from
// the closing quote, and says nothing, so the source is looked at again.
func (s source) badEscapes(file string, tokens token.Tokens) []Problem {
	var problems []Problem
	for _, t := range tokens {
		if t.Type != token.DoubleQuoteType || !strings.Contains(t.Origin, `\`) {
			continue
		}
		for i := s.offset(tokenPlace(t)) + 1; i < len(s.text) && s.text[i] != '"'; {
			length, ok := 1, true
			if s.text[i] == '\\' {
				length, ok = escape(s.text[i:])
			}
			if !ok {
				at := s.place(i)
				problems = append(problems, Problem{
					File: file, Line: at.line, Column: at.column,
					Message: fmt.Sprintf("the escape %s names no character", string(s.text[i:i+length])),
					Hint:    `write \x and two hexadecimal digits, \u and four, or \U and eight`,
				})
			}
			i += length
		}
	}
	return problems
}

// escape returns the length of the escape that s starts with, and whether it
// names a character. Escapes without digits are the library's to judge.
func escape(s []rune) (length int, ok bool) {
	if len(s) < 2 {
		return 1, true
	}
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	value, length := hexadecimal(s[2:], digits)
	length += 2
	switch {
	case digits == 0:
		return 2, true
	case length < 2+digits, value > 0x10FFFF, digits == 8 && utf16.IsSurrogate(rune(value)):
		return length, false
	case digits == 4 && utf16.IsSurrogate(rune(value)):
		low, _ := hexadecimal(s[min(len(s), 8):], 4)
		if len(s) < 12 || s[6] != '\\' || s[7] != 'u' || utf16.DecodeRune(rune(value), rune(low)) == '\uFFFD' {
			return length, false
		}
		return 12, true
	}
	return length, true
}

// hexadecimal reads up to n digits and returns their value and number.
func hexadecimal(s []rune, n int) (value int64, length int) {
	for length < n && length < len(s) {
		digit := strings.IndexRune("0123456789abcdef", s[length]|0x20)
		if digit < 0 || s[length] < '0' {
			break
		}
		value = value<<4 | int64(digit)
		length++
	}
	return value, length
}
