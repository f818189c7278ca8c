package engine

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Words splits a command the way a POSIX shell does. Only what a serving command needs
// is understood: words, single and double quotes, backslashes and line continuations.
// What a shell would expand, connect or leave out is refused, since the words would
// then not be what is run.
func Words(command string) ([]string, error) {
	s := splitter{}
	if !utf8.ValidString(command) {
		return nil, errors.New("the command is not UTF-8")
	}
	for _, r := range strings.ReplaceAll(command, "\r\n", "\n") {
		if err := s.next(r); err != nil {
			return nil, err
		}
	}
	if s.quote != 0 {
		return nil, fmt.Errorf("a %c quote is not closed", s.quote)
	}
	if s.escaped {
		return nil, errors.New("the command ends with a backslash; a line is missing")
	}
	s.flush()
	if len(s.words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return s.words, nil
}

// splitter is the state between two characters of a command.
type splitter struct {
	words   []string
	word    strings.Builder
	inWord  bool // an empty quoted word is a word
	quote   rune
	escaped bool
}

func (s *splitter) next(r rune) error {
	switch {
	case s.escaped:
		s.escaped = false
		if s.quote == '"' && !strings.ContainsRune("$`\"\\\n", r) {
			s.add('\\') // in double quotes a backslash escapes nothing else
		}
		if r != '\n' {
			s.add(r)
		}
	case r == '\\' && s.quote != '\'':
		s.escaped = true
	case s.quote != '\'' && (r == '$' || r == '`'), s.quote == 0 && s.operator(r):
		return fmt.Errorf("%q is not part of a serving command; state one plain command, or quote it", string(r))
	case s.quote != 0:
		if r == s.quote {
			s.quote = 0
			return nil
		}
		s.add(r)
	case r == '"' || r == '\'':
		s.quote, s.inWord = r, true
	case r == ' ' || r == '\t' || r == '\n':
		s.flush()
	default:
		s.add(r)
	}
	return nil
}

// operator reports whether a shell takes an unquoted sign for more than itself.
func (s *splitter) operator(r rune) bool {
	return strings.ContainsRune("|;&<>()", r) || r == '#' && !s.inWord
}

func (s *splitter) add(r rune) {
	s.word.WriteRune(r)
	s.inWord = true
}

func (s *splitter) flush() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

// Quote joins words into a command that a shell reads back as the same words.
func Quote(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
