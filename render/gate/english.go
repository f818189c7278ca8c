package gate

import (
	"regexp"
	"strings"
)

// The words of which English numbers are made. "one" is in none of the lists: it is
// mostly a pronoun, and counts only inside a larger number (twenty-one) or a fraction.
const (
	cardinals = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen " +
		"tens twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions " +
		"billion billions trillion trillions dozen dozens"
	multiples = "half halves halve halved halving twice thrice percent " +
		"double doubles doubled doubling triple triples tripled tripling quadruple quadruples quadrupled quadrupling " +
		"quintuple quintuples quintupled quintupling " +
		"twofold threefold fourfold fivefold sixfold sevenfold eightfold ninefold tenfold hundredfold thousandfold"
	parts = "third quarter fourth fifth sixth seventh eighth ninth tenth"
)

var (
	// englishWords are the words without which no rule can match.
	englishWords = set(cardinals + " " + multiples + " " + parts + " cent")

	// englishRules match whole words; an underscore or a letter beside them makes another word.
	englishRules = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(?:one[ -])?` + anyOf(cardinals) + `(?:[ -](?:and )?` + anyOf(cardinals) + `|-one)*\b`),
		regexp.MustCompile(`(?i)\b(?:` + anyOf(multiples) + `|per cent)\b`),
		regexp.MustCompile(`(?i)\bone[ -]` + anyOf(parts) + `\b|\ban? ` + anyOf(parts) + ` of\b`),
	}
)

func anyOf(words string) string { return `(?:` + strings.ReplaceAll(words, " ", "|") + `)` }

// englishTerms continue half and double to a term that measures nothing.
var englishTerms = regexp.MustCompile(`(?i)^[ -](?:precision|check(?:s|ed|ing)?|quotes?|quoted|click(?:s|ed|ing)?)\b`)

// english finds the numbers that are written in English words.
func english(s string) []match {
	if !mayCount(s) {
		return nil
	}
	var out []match
	for _, pattern := range englishRules {
		for _, at := range pattern.FindAllStringIndex(s, -1) {
			if !term(strings.ToLower(s[at[0]:at[1]]), s[at[1]:]) {
				out = append(out, match{at[0], at[1]})
			}
		}
	}
	return out
}

// mayCount reports whether a number word stands in s. Most paragraphs hold none, and the
// rules are slow.
func mayCount(s string) bool {
	start := -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && isASCIILetter(s[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && englishWords[strings.ToLower(s[start:i])] {
			return true
		}
		start = -1
	}
	return false
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// term reports whether word and what follows it are one of the terms.
func term(word, after string) bool {
	return (word == "half" || strings.HasPrefix(word, "double")) && englishTerms.MatchString(after)
}
