package strict

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/token"
)

// source finds characters by place in clean text.
type source struct {
	text   []rune
	starts []int // of each line in text
}

func newSource(text string) source {
	s := source{text: []rune(text), starts: []int{0}}
	for i, r := range s.text {
		if r == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s
}

// offset returns where a place lies in the text, clamped to its end.
func (s source) offset(at place) int {
	if at.line < 1 || at.line > len(s.starts) {
		return len(s.text)
	}
	return min(s.starts[at.line-1]+at.column-1, len(s.text))
}

// place is the inverse of offset.
func (s source) place(offset int) place {
	line, exact := slices.BinarySearch(s.starts, offset)
	if exact {
		line++
	}
	return place{line, offset - s.starts[line-1] + 1}
}

// locate returns the place of a scalar. The library puts a plain text of several
// lines elsewhere when its first line ends in a space or a later one starts with a
// dash, as commands do. It always starts right behind the token before it.
func (s source) locate(t *token.Token) place {
	before := t.Prev
	for before != nil && before.Type == token.CommentType {
		before = before.Prev
	}
	if t.Indicator == token.QuotedScalarIndicator || before == nil || before.Indicator != token.BlockStructureIndicator && before.Indicator != token.FlowCollectionIndicator {
		return tokenPlace(t)
	}
	offset := s.skipBlank(s.offset(tokenPlace(before)) + 1)
	if offset < len(s.text) && strings.HasPrefix(t.Value, string(s.text[offset])) {
		return s.place(offset)
	}
	return tokenPlace(t)
}

// skipBlank returns the first offset from which on there is neither white space
// nor a comment.
func (s source) skipBlank(offset int) int {
	comment := false
	for offset < len(s.text) {
		switch r := s.text[offset]; {
		case r == '\n':
			comment = false
		case r == '#':
			comment = true
		case !comment && r != ' ':
			return offset
		}
		offset++
	}
	return offset
}
