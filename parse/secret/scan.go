package secret

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// detector recognises one form of secrets. Each has an anchor, since searching for
// bytes is fast: only where the anchor stands is anything looked at.
type detector struct {
	anchor string
	detect func(src []byte, at int) []Match // at is where the anchor begins
}

// detectors lists the forms that are known.
func detectors() []detector {
	list := []detector{
		{"://", inURL},
		{"/", absolutePath},
		{"~", homePath},
		{`:\`, windowsPath},
		{".", ipv4},
		{"::", ipv6},
		{"ip-", dashedIP},
		{"@", account},
		{"-", podName},
		{"=", assigned},
		{":", assigned},
		{"--", flagged},
		{"Bearer ", bearer},
		{"-H ", curlHeader},
		{"PRIVATE KEY-----", privateKey},
	}
	for _, suffix := range domainEnds() {
		list = append(list, detector{suffix, internalName})
	}
	for _, t := range tokenForms() {
		list = append(list, detector{t.prefix, t.detect})
	}
	return list
}

// Limits of what is looked at around an anchor. Without them a long line made for
// the purpose would be looked through once for each of its bytes.
const (
	maxName  = 256
	maxValue = 16 << 10
)

func findAll(src []byte) []Match {
	var all []Match
	for _, d := range detectors() {
		all = append(all, d.findAll(src)...)
	}
	return all
}

// findAll asks about every anchor that is not in what the last one has found.
func (d detector) findAll(src []byte) []Match {
	var all []Match
	anchor := []byte(d.anchor)
	for at := 0; ; at++ {
		n := bytes.Index(src[at:], anchor)
		if n < 0 {
			return all
		}
		at += n
		found := d.detect(src, at)
		if len(found) > 0 {
			all = append(all, found...)
			at = max(at, found[len(found)-1].End-1)
		}
	}
}

// one returns a single match, or none when it is empty.
func one(kind Kind, start, end int) []Match {
	if start >= end {
		return nil
	}
	return []Match{{Kind: kind, Start: start, End: end}}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }

func isText(r rune) bool { return r >= utf8.RuneSelf || isAlnum(byte(r)) }

// isWord accepts the bytes of identifiers and flags.
func isWord(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }

// isName accepts the bytes of host and account names.
func isName(c byte) bool { return isWord(c) || c == '.' }

// right returns the end of the run of accepted bytes that begins at i.
func right(src []byte, i int, accept func(byte) bool) int {
	end := min(len(src), i+maxValue)
	for i < end && accept(src[i]) {
		i++
	}
	return i
}

// left returns the start of the run of accepted bytes that ends before i.
func left(src []byte, i int, accept func(byte) bool) int {
	start := max(0, i-maxName)
	for i > start && accept(src[i-1]) {
		i--
	}
	return i
}

func byteAt(src []byte, i int) byte {
	if i < 0 || i >= len(src) {
		return '\n'
	}
	return src[i]
}

// startsWord reports whether a name can begin at i: what stands before belongs to
// no word, or is an escape such as \n inside a JSON string.
func startsWord(src []byte, i int) bool {
	before := byteAt(src, i-1)
	if isEscape(src, i) {
		return true
	}
	return !isAlnum(before) && before != '_' && before < utf8.RuneSelf
}

// isEscape reports whether an escaped blank, as in "\n", ends before i.
func isEscape(src []byte, i int) bool {
	c := byteAt(src, i-1)
	return (c == 'n' || c == 't' || c == 'r') && byteAt(src, i-2) == '\\'
}

// isPlaceholder reports whether a value stands for one that is not there: what this
// package wrote, a shell variable, a template, a word for nothing.
func isPlaceholder(v string) bool {
	if v == "" || strings.ContainsRune("$<[{%*", rune(v[0])) || strings.Contains(v, "...") || strings.HasSuffix(v, "---") { // "---": the rule of a heading
		return true
	}
	switch strings.ToLower(v) {
	case "none", "null", "nil", "true", "false", "empty", "auto", "default", "dummy", "redacted", "unset", "not", "n/a", "na",
		"token", "key", "xxx", "your_api_key", "your-api-key", "api_key", "str", "string", "optional", "int", "float", "bool":
		return true
	}
	return strings.Trim(strings.ToLower(v), "x*") == ""
}

// startsText reports whether the rune at the start of b belongs to a word of any script.
func startsText(b []byte) (size int, ok bool) {
	r, size := utf8.DecodeRune(b)
	return size, r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
