package tokenizer

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dlclark/regexp2/v2"
	"golang.org/x/text/unicode/norm"
)

// cutter cuts a text into pieces that no token crosses.
type cutter struct {
	pattern *regexp2.Regexp
}

// cut returns the matches and what lies between them.
func (c cutter) cut(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	found, err := c.pattern.FindAllStringIndex(text, -1)
	if err != nil {
		return nil, fmt.Errorf("cutting a text into words: %w", err)
	}
	var pieces []string
	end := 0
	for _, m := range found {
		if m[0] > end {
			pieces = append(pieces, text[end:m[0]])
		}
		if m[1] > m[0] {
			pieces = append(pieces, text[m[0]:m[1]])
		}
		end = m[1]
	}
	if end < len(text) {
		pieces = append(pieces, text[end:])
	}
	return pieces, nil
}

// The pattern of GPT-2, which a byte-level step has unless it is told otherwise.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// cutters reads the pre-tokenizer. The mapping of bytes to letters, which is part of it,
// is done where pieces are merged.
func cutters(s *step) ([]cutter, error) {
	if s == nil {
		return nil, fmt.Errorf("there is no pre-tokenizer, so it is not byte-level")
	}
	steps := []step{*s}
	if s.Type == "Sequence" {
		steps = s.PreTokenizers
	}
	var all []cutter
	bytes := false
	for _, one := range steps {
		pattern, err := patternOf(one)
		if err != nil {
			return nil, err
		}
		bytes = bytes || one.Type == "ByteLevel"
		if pattern == "" {
			continue
		}
		compiled, err := regexp2.Compile(widen(pattern))
		if err != nil {
			return nil, fmt.Errorf("its pattern %q is not understood: %w", pattern, err)
		}
		all = append(all, cutter{compiled})
	}
	if !bytes {
		return nil, fmt.Errorf("its pre-tokenizer has no ByteLevel step, so it is not byte-level")
	}
	return all, nil
}

// patternOf returns the pattern by which a step cuts; "" where it does not cut.
func patternOf(s step) (string, error) {
	switch s.Type {
	case "ByteLevel":
		if s.AddPrefixSpace {
			return "", fmt.Errorf("a tokenizer that puts a blank before each text is not read here")
		}
		if s.UseRegex != nil && !*s.UseRegex {
			return "", nil
		}
		return gpt2, nil
	case "Digits":
		if s.IndividualNums {
			return `\p{N}`, nil
		}
		return `\p{N}+`, nil
	case "Split":
		if s.Behavior != "Isolated" && s.Behavior != "Removed" || s.Behavior == "Removed" && !s.Invert {
			return "", fmt.Errorf("a pre-tokenizer that cuts with behavior %q is not read here", s.Behavior)
		}
		if s.Pattern.Regex != "" {
			return s.Pattern.Regex, nil
		}
		return regexp.QuoteMeta(s.Pattern.String), nil
	}
	return "", fmt.Errorf("a pre-tokenizer step %q is not read here", s.Type)
}

// widen writes possessive quantifiers, which the regexp library lacks, as greedy ones.
// In the patterns of tokenizers no match depends on it: they only keep a failed try short.
func widen(pattern string) string {
	var out strings.Builder
	class, quantifier := false, false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			end := i + 2
			if braces := strings.IndexByte(pattern[i:], '}'); (pattern[i+1] == 'p' || pattern[i+1] == 'P') && braces > 0 {
				end = i + braces + 1 // the braces of \p{L} are no quantifier
			}
			out.WriteString(pattern[i:end])
			i, quantifier = end-1, false
			continue
		case class:
			class = c != ']'
		case c == '[':
			class, quantifier = true, false
		case c == '+' && quantifier:
			quantifier = false
			continue
		default:
			quantifier = strings.IndexByte("?*+}", c) >= 0
		}
		out.WriteByte(c)
	}
	return out.String()
}

// forms reads the normaliser.
func forms(s *step) ([]norm.Form, error) {
	if s == nil {
		return nil, nil
	}
	switch s.Type {
	case "NFC":
		return []norm.Form{norm.NFC}, nil
	case "NFD":
		return []norm.Form{norm.NFD}, nil
	case "NFKC":
		return []norm.Form{norm.NFKC}, nil
	case "NFKD":
		return []norm.Form{norm.NFKD}, nil
	case "Sequence":
		var all []norm.Form
		for _, one := range s.Normalizers {
			some, err := forms(&one)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	}
	return nil, fmt.Errorf("a normaliser %q is not read here", s.Type)
}
