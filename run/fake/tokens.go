package fake

import (
	"strings"
	"unicode"
)

// longestPiece is the most letters of one token: words of everyday length are one.
const longestPiece = 8

// tokens cuts a text into pieces, each a token: a word of up to eight letters with the
// space before it, longer words in parts, three digits at a time, every other sign by
// itself. It is nobody's tokenizer, and near to all of them.
func tokens(text string) []string {
	var list []string
	var piece strings.Builder
	kind, letters := 0, 0
	flush := func() {
		if piece.Len() > 0 {
			list = append(list, piece.String())
		}
		piece.Reset()
		letters = 0
	}
	for _, r := range text {
		now := kindOf(r)
		most := map[int]int{word: longestPiece, digit: 3}[now]
		switch {
		case now == space:
			flush()
			piece.WriteRune(r) // it goes with what follows
		case letters > 0 && (now != kind || letters >= most):
			flush()
			fallthrough
		default:
			piece.WriteRune(r)
			letters++
		}
		kind = now
	}
	flush()
	return list
}

const (
	space = iota
	word
	digit
	sign
)

func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r) && r < 0x2E80: // beyond are scripts that write no spaces
		return word
	default:
		return sign
	}
}

// answerWord returns the i-th token of an answer: words that are clearly no answer.
func answerWord(prompt uint64, i int) string {
	return " " + filler[(prompt+uint64(i)*0x9E3779B97F4A7C15>>7)%uint64(len(filler))]
}

var filler = [...]string{
	"lorem", "ipsum", "dolor", "sit", "amet", "elit", "sed", "do", "tempor", "ut", "labore", "et", "magna", "aliqua", "enim", "minim",
	"veniam", "quis", "nostrud", "ullamco", "nisi", "ex", "ea", "commodo", "duis", "aute", "irure", "in", "velit", "esse", "cillum",
}
