package chart

import (
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
)

// frag is a stretch of one piece on one line, at x from the line's left end.
type frag struct {
	piece int
	text  string
	x, w  float64
	space bool // a space followed it in the source
}

// line is a line of text after wrapping.
type line struct {
	frags []frag
	w     float64
}

// atom is a stretch that is never broken, with the spaces behind it.
type atom struct {
	piece int
	text  string
}

// wrap breaks a text into lines no wider than limit: between words, around Chinese characters, and
// inside a word only when the word alone is too wide. Facts are never broken, since half a number
// is another number.
func wrap(face font.Face, t Text, limit float64) []line {
	var lines []line
	var cur []atom
	all := atoms(t)
	if l := setLine(face, all); l.w <= limit {
		return []line{l} // nearly always, and measuring is what drawing spends its time on
	}
	for _, a := range all {
		for _, part := range fit(face, a, t[a.piece].Fact != "", limit) {
			next := append(cur[:len(cur):len(cur)], part)
			if len(cur) > 0 && setLine(face, next).w > limit {
				lines = append(lines, setLine(face, cur))
				next = []atom{part}
			}
			cur = next
		}
	}
	if len(cur) > 0 {
		lines = append(lines, setLine(face, cur))
	}
	return lines
}

// balance wraps to no more lines than needed, and then as evenly as that allows, so that no single
// short word is left on the last line.
func balance(face font.Face, t Text, limit float64) []line {
	best := wrap(face, t, limit)
	if len(best) < 2 {
		return best
	}
	lo, hi := limit/2, limit
	for range 7 {
		mid := (lo + hi) / 2
		if try := wrap(face, t, mid); len(try) > len(best) || widest(try) > mid {
			lo = mid
		} else {
			best, hi = try, mid
		}
	}
	return best
}

func widest(ls []line) (w float64) {
	for _, l := range ls {
		w = max(w, l.w)
	}
	return w
}

// fit cuts an atom that is wider than a whole line into parts that are not, behind a hyphen or a dot
// if it has one in time.
func fit(face font.Face, a atom, whole bool, limit float64) []atom {
	if whole || width(face, strings.TrimRight(a.text, " ")) <= limit {
		return []atom{a}
	}
	var parts []atom
	cur := ""
	for _, r := range a.text {
		if cur != "" && width(face, cur+string(r)) > limit {
			cut := len(cur)
			if i := strings.LastIndexAny(cur, "-."); i > 1 {
				cut = i + 1
			}
			parts = append(parts, atom{a.piece, cur[:cut]})
			cur = cur[cut:]
		}
		cur += string(r)
	}
	return append(parts, atom{a.piece, cur})
}

// setLine joins neighbouring atoms of one piece and gives every stretch its place.
func setLine(face font.Face, as []atom) line {
	var l line
	for i := 0; i < len(as); {
		s, j := "", i
		for ; j < len(as) && as[j].piece == as[i].piece; j++ {
			s += as[j].text
		}
		trimmed := strings.TrimRight(s, " ")
		if n := len(l.frags); trimmed != "" {
			l.frags = append(l.frags, frag{piece: as[i].piece, text: trimmed, x: l.w, w: width(face, trimmed), space: s != trimmed})
		} else if n > 0 {
			l.frags[n-1].space = true
		}
		l.w += width(face, s)
		i = j
	}
	if n := len(l.frags); n > 0 {
		l.w = l.frags[n-1].x + l.frags[n-1].w
	}
	return l
}

// atoms splits a text at the places where a line may end.
func atoms(t Text) []atom {
	var out []atom
	for i, l := range t {
		if l.Fact != "" {
			out = append(out, atom{i, l.Text})
			continue
		}
		start := 0
		for at, r := range l.Text {
			if at > start && mayBreak(l.Text[:at], r) {
				out = append(out, atom{i, l.Text[start:at]})
				start = at
			}
		}
		if start < len(l.Text) {
			out = append(out, atom{i, l.Text[start:]})
		}
	}
	return out
}

// mayBreak reports whether a line may end after before when r comes next. Chinese punctuation neither
// starts a line nor, when it opens, ends one. A hyphen is no place to break, since "top-k" and flags
// are read as one word; fit falls back on it.
func mayBreak(before string, r rune) bool {
	var last rune
	for _, c := range before {
		last = c
	}
	switch {
	case r == ' ':
		return false
	case last == ' ' || last == '/' || last == '_':
		return true
	case strings.ContainsRune("，。、；：）》」”’…%％!?！？)", r), strings.ContainsRune("（《「“‘(", last):
		return false
	}
	return wide(last) || wide(r)
}

// wide reports whether r is written without spaces around it.
func wide(r rune) bool {
	return unicode.Is(unicode.Han, r) || strings.ContainsRune("，。、；：（）《》「」", r)
}

func width(face font.Face, s string) float64 { return float64(face.Width(s)) }
