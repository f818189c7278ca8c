package markup

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The signs around a reference. They are private-use characters, which Markdown
// takes for letters: a marker can stand beside ** or in a table cell.
const (
	markerOpen  = "\ue000"
	markerClose = "\ue001"
)

// Marker returns the marker that page source uses for a reference: a fact's id, an
// id and a style joined by "|", or "cite:" and the name of a citation.
func Marker(ref string) string { return markerOpen + ref + markerClose }

// Kind says what a reference is bound to.
type Kind string

// The kinds of bound text. A literal is never resolved: it is declared.
const (
	KindFact    Kind = "fact"
	KindCite    Kind = "cite"
	KindLiteral Kind = "literal"
)

// Bound is what a reference stands for.
type Bound struct {
	Kind    Kind
	ID      string // the fact's id, or the citation's name
	Text    string // what a reader sees: "+46.5%", "0.874 s"
	Value   string // a fact's shortest exact decimal, the same in every language
	Href    string // where the number comes from; no link if empty
	Formula string // how a derived fact was computed; none if empty
}

// Resolver says what references stand for. It must serve several goroutines.
type Resolver interface {
	Resolve(ref string) (Bound, error)
}

// reference is a marker as it was found, known from then on by its number.
type reference struct {
	ref  string
	line int
}

// mask replaces the reference in each marker by its number, counted from 0, and
// returns them in that order. Lines stay where they were.
//
// An inline parser cannot do this. goldmark asks one only at ASCII punctuation and
// spaces, so that "提升" before a marker would hide it; and tables are cut at "|"
// before any inline parser runs.
func mask(src []byte) (masked []byte, refs []reference, problems []*Error) {
	var out bytes.Buffer
	line := 1
	for {
		at := bytes.IndexAny(src, markerOpen+markerClose)
		if at < 0 {
			break
		}
		line += bytes.Count(src[:at], []byte("\n"))
		out.Write(src[:at])
		ref, size, err := readMarker(src[at:])
		if err != nil {
			problems = append(problems, &Error{Line: line, Message: err.Error()})
		} else {
			out.WriteString(token(len(refs)))
			refs = append(refs, reference{ref, line})
		}
		src = src[at+size:]
	}
	out.Write(src)
	return out.Bytes(), refs, problems
}

// readMarker reads the marker at the start of src, or says why it is none and how
// many bytes to pass over.
func readMarker(src []byte) (ref string, size int, err error) {
	rest := src[len(markerOpen):]
	if bytes.HasPrefix(src, []byte(markerClose)) {
		return "", len(markerClose), fmt.Errorf("end of a marker (U+E001) without its start (U+E000)")
	}
	// A marker ends on its line: one that lost its end would swallow the page up to the
	// next one.
	end := bytes.IndexAny(rest, markerOpen+markerClose+"\n")
	if end < 0 || !bytes.HasPrefix(rest[end:], []byte(markerClose)) {
		return "", len(markerOpen), fmt.Errorf("marker %q has no end (U+E001)", shorten(firstLine(rest)))
	}
	ref = string(rest[:end])
	size = len(markerOpen) + end + len(markerClose)
	if !validRef(ref) {
		return "", size, fmt.Errorf("marker %q is no reference: want an ASCII id without spaces, or id|style", ref)
	}
	return ref, size, nil
}

// firstLine returns text up to its first line break.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return string(line)
}

// validRef reports whether ref is an id, or an id and a style. Other signs are left to
// the resolver, which knows the ids.
func validRef(ref string) bool {
	for i := range len(ref) {
		if ref[i] <= ' ' || ref[i] >= 0x7f {
			return false
		}
	}
	id, style, styled := strings.Cut(ref, "|")
	return id != "" && !strings.Contains(style, "|") && (style != "") == styled
}

// token is what stands in masked source for reference n.
func token(n int) string { return markerOpen + strconv.Itoa(n) + markerClose }

// readToken reads the token at the start of masked text. Every markerOpen in masked
// text begins one.
func readToken(text []byte) (n, size int, ok bool) {
	if !bytes.HasPrefix(text, []byte(markerOpen)) {
		return 0, 0, false
	}
	digits, _, found := bytes.Cut(text[len(markerOpen):], []byte(markerClose))
	n, err := strconv.Atoi(string(digits))
	return n, len(markerOpen) + len(digits) + len(markerClose), found && err == nil
}

// tokens returns the numbers of all references in masked text.
func tokens(text []byte) []int {
	var found []int
	for {
		at := bytes.Index(text, []byte(markerOpen))
		if at < 0 {
			return found
		}
		n, size, ok := readToken(text[at:])
		if !ok {
			size = utf8.RuneLen('\ue000')
		} else {
			found = append(found, n)
		}
		text = text[at+size:]
	}
}
