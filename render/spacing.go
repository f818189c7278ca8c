package render

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closed takes away the spaces that a Chinese message keeps around a placeholder, where a
// Chinese name was put in: they belong between Chinese and Latin letters or digits only.
// What stands inside of a name or of an author's prose is left as it was written.
func closed(text string, args Args) string {
	for _, key := range slices.Sorted(maps.Keys(args)) {
		value := args[key]
		if first, _ := utf8.DecodeRuneInString(value); unicode.Is(unicode.Han, first) {
			text = joined(text, " "+value, value, func(before, _ string) bool {
				r, _ := utf8.DecodeLastRuneInString(before)
				return unicode.Is(unicode.Han, r)
			})
		}
		if last, _ := utf8.DecodeLastRuneInString(value); unicode.Is(unicode.Han, last) {
			text = joined(text, value+" ", value, func(_, after string) bool {
				r, _ := utf8.DecodeRuneInString(after)
				return unicode.Is(unicode.Han, r)
			})
		}
	}
	return text
}

// joined replaces a text where what stands around it allows that.
func joined(text, old, replacement string, allowed func(before, after string) bool) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, old)
		if !found {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(before)
		if allowed(out.String(), after) {
			out.WriteString(replacement)
		} else {
			out.WriteString(old)
		}
		text = after
	}
}
