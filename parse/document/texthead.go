package document

import (
	"strings"
	"unicode"
)

// Levels of headings in a copied text, which shows none: the page's title, its
// sections, their numbered steps, and names within a step.
const (
	titleLevel = 1 + iota
	sectionLevel
	stepLevel
	nameLevel
)

// headings returns the pieces with titles made headings, or captions of the listing
// below them.
func (r *textReader) headings() []piece {
	var out []piece
	titled, inStep := false, false
	for i, p := range r.pieces {
		switch {
		case p.kind != proseOf || p.Line != p.EndLine || !r.standsAlone(p) || !isTitle(p.text) && !isStep(p.text):
		case isStep(p.text):
			p.kind, p.level, inStep = headingOf, stepLevel, true
		case r.isCode(i + 1):
			r.pieces[i+1].title = p.text
			continue
		case r.isCaption(i + 1):
			p.kind, p.level = headingOf, nameLevel
			if !inStep {
				p.level = sectionLevel
			}
		case isProperName(p.text):
		case !titled:
			p.kind, p.level = headingOf, titleLevel
		default:
			p.kind, p.level, inStep = headingOf, sectionLevel, false
		}
		titled = titled || p.kind == headingOf
		if p.kind == codeOf {
			p.title = r.pieces[i].title
		}
		out = append(out, p)
	}
	return out
}

// standsAlone reports whether empty lines, listings or the ends of the text are
// around a line, which is not indented.
func (r *textReader) standsAlone(p piece) bool {
	i := p.Line - 1
	return r.lines[i] == strings.TrimLeft(r.lines[i], " \t") && r.isGap(i-1) && r.isGap(i+1)
}

func (r *textReader) isGap(i int) bool {
	return i < 0 || i >= len(r.lines) || r.kinds[i] != proseLine || strings.TrimSpace(r.lines[i]) == ""
}

func (r *textReader) isCode(i int) bool { return i < len(r.pieces) && r.pieces[i].kind == codeOf }

// isCaption reports whether piece i is a title right above a listing.
func (r *textReader) isCaption(i int) bool {
	return r.isCode(i+1) && r.pieces[i].kind == proseOf && isTitle(r.pieces[i].text) && r.standsAlone(r.pieces[i])
}

// isStep recognises "2. Quantization".
func isStep(s string) bool {
	rest := withoutMark(s)
	return rest != s && s[0] >= '0' && s[0] <= '9' && isTitle(rest)
}

// isProperName tells names, such as a model's or a data set's, from titles: one word
// with a digit, a slash, or a capital inside.
func isProperName(s string) bool {
	if strings.ContainsAny(s, " ") || !isASCIIText(s) {
		return false
	}
	inner := strings.IndexFunc(s[min(1, len(s)):], unicode.IsUpper) >= 0 && strings.IndexFunc(s, unicode.IsLower) >= 0
	return strings.ContainsAny(s, "0123456789/") || inner
}
