package gate

import (
	"bytes"
	"html"
	"regexp"
	"sort"
)

// inlineReader turns one paragraph of Markdown into the text that a reader sees. It
// knows as little as it can: what it does not recognise stays in the text.
type inlineReader struct {
	d      *document
	i, end int
	raw    bool         // a block of HTML, in which brackets are no links
	lone   map[int]bool // lengths of backtick runs that have no partner from here on
	noEnd  bool         // no comment ends from here on
	out    text
	open   []bracket // that may begin a link
}

// bracket is an open [ or ![, with the place in the text where its content begins.
type bracket struct {
	image, dead bool
	at          int
}

// paragraph reads the source from start to end and reports its numbers.
func (d *document) paragraph(start, end int) {
	r := &inlineReader{d: d, i: start, end: end, raw: htmlBlock.Match(d.src[start:end])}
	for r.i < r.end {
		r.step()
	}
	d.unbound(&r.out)
}

// step reads the next construct. An opaque piece comes first: whatever looks like
// markup in it was decided elsewhere.
func (r *inlineReader) step() {
	if p, ok := r.d.opaqueAt(r.i); ok {
		r.emit(p.mark)
		r.i = p.end
		return
	}
	rest := r.d.src[r.i:r.end]
	switch rest[0] {
	case '\\':
		if len(rest) > 1 && isPunct(rest[1]) {
			r.i++
		}
		r.copy(1)
	case '`':
		r.code(rest)
	case '!':
		if len(rest) > 1 && rest[1] == '[' {
			r.push(true, 2)
			return
		}
		r.copy(1)
	case '[':
		r.push(false, 1)
	case ']':
		r.closeBracket(rest)
	case '<':
		r.angle(rest)
	case '&':
		r.entity(rest)
	case '*':
		r.stars(rest)
	default:
		n := bytes.IndexAny(rest[1:], "\\`![]<&*")
		if n < 0 {
			n = len(rest) - 1
		}
		r.copy(n + 1)
	}
}

func (r *inlineReader) emit(s string) { r.out.add(s, r.d.lineAt(r.i)) }

// copy puts the next n bytes into the text as they are, opaque pieces excepted.
func (r *inlineReader) copy(n int) {
	stop := min(r.i+n, r.end)
	for r.i < stop {
		if p, ok := r.d.opaqueAt(r.i); ok {
			r.emit(p.mark)
			r.i = p.end
			continue
		}
		next := min(stop, r.d.opaqueAfter(r.i))
		r.emit(string(r.d.src[r.i:next]))
		r.i = next
	}
}

// region returns a range of the source as it is, opaque pieces excepted.
func (d *document) region(start, end int) *text {
	r := &inlineReader{d: d, i: start, end: end}
	r.copy(end - start)
	return &r.out
}

// opaqueAt returns the opaque piece that holds an offset.
func (d *document) opaqueAt(off int) (piece, bool) {
	i := sort.Search(len(d.opaque), func(i int) bool { return d.opaque[i].end > off })
	if i < len(d.opaque) && d.opaque[i].start <= off {
		return d.opaque[i], true
	}
	return piece{}, false
}

// opaqueAfter returns where the next opaque piece begins, or the end of the page.
func (d *document) opaqueAfter(off int) int {
	i := sort.Search(len(d.opaque), func(i int) bool { return d.opaque[i].start > off })
	if i < len(d.opaque) {
		return d.opaque[i].start
	}
	return len(d.src)
}

// code reads a code span, in which nothing is markup. Backticks without a partner are text.
func (r *inlineReader) code(rest []byte) {
	n := run(rest, '`')
	for i := n; i < len(rest) && !r.lone[n]; {
		if rest[i] != '`' {
			i++
			continue
		}
		m := run(rest[i:], '`')
		if m == n {
			r.i += n
			r.copy(i - n)
			r.i = max(r.i, r.end-len(rest)+i+n) // a span may reach beyond the end
			return
		}
		i += m
	}
	if r.lone == nil {
		r.lone = map[int]bool{}
	}
	r.lone[n] = true // or a page of backticks would be read once for each of them
	r.copy(n)
}

// run counts how often c stands at the beginning of b.
func run(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

// stars drops emphasis, which may stand inside of a number word. One star between two
// digits is a product and stays.
func (r *inlineReader) stars(rest []byte) {
	n := run(rest, '*')
	product := n == 1 && r.i > 0 && len(rest) > 1 && asciiDigit(r.d.src[r.i-1]) && asciiDigit(rest[1])
	if product {
		r.copy(1)
		return
	}
	r.i += n
}

func asciiDigit(c byte) bool { return '0' <= c && c <= '9' }

var entity = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});`)

// entity reads a character reference as its character: &#39; is no number, &frac12; is one.
func (r *inlineReader) entity(rest []byte) {
	m := entity.Find(rest)
	if m == nil || html.UnescapeString(string(m)) == string(m) {
		r.copy(1)
		return
	}
	r.emit(html.UnescapeString(string(m)))
	r.i += len(m)
}

var (
	// Attributes must look like attributes: "<a 5 ms>" is text to a Markdown reader.
	inlineTag = regexp.MustCompile("^</?[a-zA-Z][a-zA-Z0-9-]*" +
		"(?:\\s+[a-zA-Z_:][a-zA-Z0-9_.:-]*(?:\\s*=\\s*(?:\"[^\"]*\"|'[^']*'|[^\\s\"'=<>`]+))?)*\\s*/?>")
	htmlBlock = regexp.MustCompile(`^</?[a-zA-Z]`)
)

// angle reads a comment or a tag of raw HTML, of which only the visible attributes
// count. Anything else, an address in angle brackets too, is text.
func (r *inlineReader) angle(rest []byte) {
	if !r.noEnd && bytes.HasPrefix(rest, []byte("<!--")) {
		if n := commentLength(rest, true); n > 0 {
			r.i += n
			return
		}
		r.noEnd = true
	}
	m := inlineTag.Find(rest)
	if m == nil || r.d.opaqueAfter(r.i) < r.i+len(m) {
		r.copy(1)
		return
	}
	for _, e := range tag(m, r.d.lineAt(r.i)) {
		r.d.attributes(e, r.d.index)
		if !inline[e.name] {
			r.emit(bound)
		}
	}
	r.i += len(m)
}

// linkText moves the text of an image out of the paragraph: as an attribute of the
// finished page it can hold literals only by their text.
func (r *inlineReader) linkText(b bracket) {
	if b.image {
		r.d.unboundPlain(r.out.cut(b.at), "an alt text", r.d.index)
		r.emit(bound)
	}
}

func (r *inlineReader) push(image bool, n int) {
	r.open = append(r.open, bracket{image: image, at: len(r.out.b)})
	r.i += n
}

// closeBracket reads the end of a link, its target and its title. A bracket that
// turns out to be none leaves its content in the text, where it is read.
func (r *inlineReader) closeBracket(rest []byte) {
	if len(r.open) == 0 {
		r.copy(1)
		return
	}
	b := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	t, ok := linkTail(rest[1:])
	if !ok || b.dead || r.raw {
		r.copy(1)
		return
	}
	r.linkText(b)
	behind := r.i + 1
	r.d.unboundPlain(r.d.region(behind+t.from, behind+t.to), "the title of a link", r.d.index)
	if !b.image { // a link holds no link
		for i := len(r.open) - 1; i >= 0 && !r.open[i].dead; i-- {
			r.open[i].dead = !r.open[i].image
		}
	}
	r.i = behind + t.length
}
