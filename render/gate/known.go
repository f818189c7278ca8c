package gate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Known is everything that a page in one language may say in numbers.
type Known struct {
	Facts     map[string]Fact
	Literals  []string          // without a letter in it a literal is ignored: a bare number is no name
	Citations map[string]string // name to text, in the page's language
	Verbatim  [][]byte          // raw outputs and commands: what a block of code may contain
}

// Fact is what the gate needs to know of a fact.
type Fact struct {
	Value string   // the shortest exact decimal, the same in every language
	Texts []string // the texts by which it may be printed
}

// bound stands in a text for a piece that is bound. It is no letter, digit or
// blank, so that nothing is read across it.
const bound = "\x00"

// index is Known, prepared for look-ups.
type index struct {
	facts     map[string]Fact
	literals  []string        // longest first
	declared  map[string]bool // the same
	citations map[string]string
	verbatim  func() map[string]bool
}

// newIndex drops literals that are bare numbers: declared once, "42" would bind every
// measurement that happens to be it.
func newIndex(k Known) *index {
	ix := &index{facts: k.Facts, citations: k.Citations, declared: map[string]bool{}}
	for _, l := range k.Literals {
		if strings.ContainsFunc(l, unicode.IsLetter) {
			ix.literals = append(ix.literals, blanks(l))
			ix.declared[blanks(l)] = true
		}
	}
	slices.SortStableFunc(ix.literals, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	// All raw outputs of a study are megabytes, and most texts that are read by themselves
	// have no block of code.
	ix.verbatim = sync.OnceValue(func() map[string]bool {
		blocks := map[string]bool{}
		for _, v := range k.Verbatim {
			blocks[block(v)] = true
		}
		return blocks
	})
	return ix
}

// printed reports why text may not stand for the fact, if it may not.
func (ix *index) printed(id, text string) (code, message string) {
	fact, ok := ix.facts[id]
	if !ok {
		return CodeUnknownFact, fmt.Sprintf("%q is bound to fact %q, which does not exist: correct the id, or state the fact", text, id)
	}
	for _, t := range fact.Texts {
		if blanks(t) == blanks(text) {
			return "", ""
		}
	}
	return CodeFactText, fmt.Sprintf("%q is no text of fact %q, which is printed as %q: let the fact print itself", text, id, fact.Texts)
}

// cited reports why text may not stand for the citation, if it may not.
func (ix *index) cited(name, text string) (code, message string) {
	want, ok := ix.citations[name]
	if !ok {
		return CodeUnknownCitation, fmt.Sprintf("%q is cited as %q, which does not exist: declare the citation with its source", text, name)
	}
	if blanks(want) != blanks(text) {
		return CodeCitationText, fmt.Sprintf("%q is not the text of citation %q, which is %q: let the citation print itself", text, name, want)
	}
	return "", ""
}

// literal reports whether text is a declared literal, or holds one and no other number.
func (ix *index) literal(text string) bool {
	text = blanks(text)
	if ix.declared[text] {
		return true // as most are, and a page of data has thousands
	}
	rest, n := ix.mask(text)
	return n > 0 && len(numbers(rest)) == 0
}

// mask replaces each declared literal in s by bytes that are no text and counts
// them. The length stays the same, so that places in the result are places in s.
func (ix *index) mask(s string) (masked string, count int) {
	b := []byte(s)
	for _, l := range ix.literals {
		for from := 0; ; {
			i := bytes.Index(b[from:], []byte(l))
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(l)
			from = end
			if !edgeBefore(s[:start]) || !edgeAfter(s[end:]) {
				continue
			}
			for j := start; j < end; j++ {
				b[j] = bound[0]
			}
			count++
		}
	}
	return string(b), count
}

// edgeBefore reports whether a word may begin after s. A dot, dash or underscore
// belongs to the word only when the word goes on behind it: "H100." ends a sentence,
// "v0.11.0-rc1" is another version than v0.11.0.
func edgeBefore(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	if strings.ContainsRune("._-", r) {
		r, _ = utf8.DecodeLastRuneInString(s[:len(s)-n])
	}
	return !isWord(r)
}

// edgeAfter reports whether a word may end before s.
func edgeAfter(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("._-", r) {
		r, _ = utf8.DecodeRuneInString(s[n:])
	}
	return !isWord(r)
}

// blanks makes one blank of each run of white space, as a browser does. A no-break
// space is left: it is part of what was printed.
func blanks(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f'
	}), " ")
}

// block is the form in which blocks of code are compared: without what HTML or a fence
// cannot carry (carriage returns, broken characters, empty lines around it) and without
// what the reader of HTML has dropped. None of that changes what a reader sees.
func block(b []byte) string {
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	return emptyLines(invisible.Replace(lineBreaks.Replace(s)))
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// emptyLines cuts lines of blanks off both ends; the indentation of what stays is kept.
func emptyLines(s string) string {
	s = strings.TrimRight(s, " \t\n")
	start := len(s) - len(strings.TrimLeft(s, " \t\n"))
	return s[strings.LastIndexByte(s[:start], '\n')+1:]
}

// excerpt is the beginning of a block, to find it by.
func excerpt(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(first); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return first
}
