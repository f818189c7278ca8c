// Package secret finds what must not leave a machine in the texts that benchmark
// tools and servers print, and replaces it by text of the same kind.
//
// Everything found is named by its kind only: neither a match nor a replacement
// holds the secret. What surrounds it stays byte for byte, line ends included, so
// that line numbers before and after are the same. Numbers, versions, model names,
// flags and what the tools themselves print are never secrets; the loopback address,
// HTTP routes and well-known public sites are none either, since they tell nothing
// about a machine. It does not decide what happens to a text that holds a secret:
// parse prints it cleaned, a study is cleaned when it is made, a build refuses it.
package secret

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Kind says what a secret is.
type Kind string

// The kinds of secrets, and of the texts that stand for them.
const (
	Host  Kind = "host"  // a name or address of a machine
	Path  Kind = "path"  // an absolute path, a path in a home, a bucket
	User  Kind = "user"  // the name of an account
	Key   Kind = "key"   // a key, token, password, or the value of a header
	Email Kind = "email" // an e-mail address
	Pod   Kind = "pod"   // a name in a Kubernetes cluster
)

// Placeholder is the text that replaces a secret of the kind: "[host]".
func (k Kind) Placeholder() string { return "[" + string(k) + "]" }

// Replaced returns the kind of a secret that a text has lost: the first whose placeholder
// stands in it, and false where none does.
func Replaced(s string) (Kind, bool) {
	for _, k := range []Kind{Host, Path, User, Key, Email, Pod} {
		if strings.Contains(s, k.Placeholder()) {
			return k, true
		}
	}
	return "", false
}

// Match is where a secret stands. It never spans two lines.
type Match struct {
	Kind       Kind
	Start, End int // bytes of the text
	Line       int // counted from 1
}

// Replacement records that secrets of one kind were replaced in one line.
type Replacement struct {
	Kind  Kind
	Line  int
	Count int
}

// Find returns the secrets in src, in order and without overlaps.
func Find(src []byte) []Match {
	all := findAll(src)
	slices.SortStableFunc(all, func(a, b Match) int {
		// Of two that begin together the longer one knows more.
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	found := all[:0]
	end, line, counted := 0, 1, 0
	for _, m := range all {
		if m.Start < end {
			continue
		}
		line += bytes.Count(src[counted:m.Start], []byte{'\n'})
		counted, end = m.Start, m.End
		m.Line = line
		found = append(found, m)
	}
	return found
}

// maxRounds bounds how often a text is cleaned: replacing one secret can leave two
// texts side by side that are one together.
const maxRounds = 5

// Clean returns src with its secrets replaced, and what was replaced where. It
// returns src itself when there was none. Cleaning twice changes nothing.
func Clean(src []byte) ([]byte, []Replacement) {
	var done []Replacement
	for range maxRounds {
		found := Find(src)
		if len(found) == 0 {
			break
		}
		src = replace(src, found)
		for _, m := range found {
			done = count(done, m)
		}
	}
	slices.SortFunc(done, func(a, b Replacement) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind))
	})
	return src, done
}

func replace(src []byte, found []Match) []byte {
	out := make([]byte, 0, len(src))
	end := 0
	for _, m := range found {
		out = append(append(out, src[end:m.Start]...), m.Kind.Placeholder()...)
		end = m.End
	}
	return append(out, src[end:]...)
}

func count(done []Replacement, m Match) []Replacement {
	for i := len(done) - 1; i >= 0 && done[i].Line == m.Line; i-- {
		if done[i].Kind == m.Kind {
			done[i].Count++
			return done
		}
	}
	return append(done, Replacement{Kind: m.Kind, Line: m.Line, Count: 1})
}

// String cleans one short text.
func String(s string) string {
	clean, _ := Clean([]byte(s))
	return string(clean)
}

// Named cleans the value of a named property, whose name says what it is: the value
// of "host" is one, whatever it looks like.
func Named(name, value string) string {
	prefix := name + "="
	clean := String(prefix + value)
	if len(clean) < len(prefix) || clean[:len(prefix)] != prefix {
		return String(value) // the name itself held something
	}
	return clean[len(prefix):]
}
