package parse

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number is what stands after a label: the number as printed, and what follows it.
type number struct {
	text  string
	value float64
	note  string
}

// scaled returns the number times a power of ten. The text is read again with an
// exponent, since 0.963 times 1000 is not 963 in binary.
func (n number) scaled(by float64) float64 {
	digits := strings.ReplaceAll(n.text, ",", "")
	value, err := strconv.ParseFloat(fmt.Sprintf("%se%d", digits, int(math.Round(math.Log10(by)))), 64)
	if err != nil {
		return n.value * by // it has an exponent of its own
	}
	return value
}

// The ways in which there can be no number after a label.
const (
	isNumber = iota
	isEmpty
	isAbsent    // N/A, None: the tool says that it has no value
	isNotFinite // nan, inf, or too large for a float
	isOther
)

// readNumber reads the number that s begins with.
func readNumber(s string) (number, int) {
	switch strings.ToLower(firstWord(s)) {
	case "":
		return number{}, isEmpty
	case "n/a", "none", "not":
		return number{text: s}, isAbsent
	case "nan", "inf", "-inf", "+inf", "infinity", "-infinity":
		return number{text: firstWord(s)}, isNotFinite
	}
	end := numberEnd(s)
	n := number{text: s[:end], note: strings.TrimSpace(s[end:])}
	value, err := strconv.ParseFloat(strings.ReplaceAll(n.text, ",", ""), 64)
	switch {
	case math.IsInf(value, 0):
		return n, isNotFinite
	case err != nil || !endsNumber(s[end:]):
		n.text = firstWord(s)
		return n, isOther
	}
	n.value = value
	return n, isNumber
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}

// numberEnd returns the length of the decimal number at the start of s: sign,
// digits with commas between groups of three, fraction, exponent.
func numberEnd(s string) int {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	i = integerEnd(s, i)
	if i < len(s) && s[i] == '.' {
		i = digitsEnd(s, i+1)
	}
	if e := i; e > 0 && e < len(s) && (s[e] == 'e' || s[e] == 'E') {
		e++
		if e < len(s) && (s[e] == '-' || s[e] == '+') {
			e++
		}
		if end := digitsEnd(s, e); end > e {
			i = end
		}
	}
	return i
}

func integerEnd(s string, i int) int {
	end := digitsEnd(s, i)
	for end-i <= 3 && end < len(s) && s[end] == ',' && digitsEnd(s, end+1) == end+4 {
		i, end = end+1, end+4
	}
	return end
}

func digitsEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// endsNumber reports whether a number may be followed by rest: a blank, a per cent
// sign, a rule that lost its line end, a mark of the surrounding markup, quotation or prose.
// Anything else, as in 1/1, 1.2.3 or 10ms, makes it something other than a number.
func endsNumber(rest string) bool {
	for _, prefix := range []string{" ", "\t", "%", "％", "====", "----", "<", "，", "。", "；", "`", "|", "'", `"`, ", "} {
		if strings.HasPrefix(rest, prefix) {
			return true
		}
	}
	return rest == "" || rest == ","
}

// decimals counts the digits after the point, and returns -1 when there is no point.
func decimals(text string) int {
	i := strings.IndexByte(text, '.')
	if i < 0 {
		return -1
	}
	return digitsEnd(text, i+1) - i - 1
}
